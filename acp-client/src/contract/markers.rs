//! A type for each method and kind of update that a client handles. The lists of them are generated, see
//! [`protocol`](super::protocol).

/// The types have the names of the functions, because compile errors quote them.
pub mod handlers {
    pub use super::super::extensions::{Ext, ExtNotification, ExtOf};
    pub use super::super::protocol::*;
}

/// Declares a type for each method or kind.
macro_rules! named {
    ($name:ident) => {
        #[doc = concat!("`", stringify!($name), "`.")]
        #[derive(Debug)]
        #[expect(non_camel_case_types, reason = "compile errors call a handler by its name")]
        pub struct $name;
    };
}

/// Lets a handler take the params of a method or kind by their type.
macro_rules! taken {
    ($name:ident($params:ident)) => {
        #[diagnostic::do_not_recommend]
        impl $crate::contract::FromCall<'_, $name> for $crate::values::$params {
            const SLOT: u32 = $crate::contract::slot::REQUEST;

            fn from_call(parts: &mut $crate::contract::Parts<'_, $name>) -> acp_peer::Result<Self> {
                parts.request()
            }
        }
    };
}

/// Implements [`Handled`](super::Handled) for a method of the protocol, with or without an answer.
macro_rules! method {
    ($name:ident = $method:ident($params:ident $(of $session:ident)?) -> $response:ty) => {
        $crate::contract::markers::named!($name);
        $crate::contract::markers::taken!($name($params));

        impl $crate::contract::Handled for $name {
            type Params = $crate::values::$params;
            type Response = $response;

            fn decode(
                method: &str,
                params: Option<&serde_json::value::RawValue>,
            ) -> acp_peer::Result<$crate::contract::Received<Self>> {
                let params: $crate::values::$params = $crate::dialect::params::object(method, params)?;
                let session = $crate::contract::markers::session!(params $($session)?);
                let meta = params.meta.clone();
                Ok($crate::contract::Received { params, session, meta })
            }
        }

        $($crate::contract::markers::of_session!($name $session);)?
    };
}

macro_rules! session {
    ($params:ident session) => {
        Some($params.session_id.clone())
    };
    ($params:ident) => {
        None
    };
}

macro_rules! of_session {
    ($name:ident session) => {
        impl $crate::contract::OfSession for $name {}
    };
}

macro_rules! requests {
    ($($name:ident = $method:ident($($params:tt)*) -> $response:ident;)*) => {$(
        $crate::contract::markers::method!($name = $method($($params)*) -> $crate::values::$response);

        #[diagnostic::do_not_recommend]
        impl $crate::contract::IntoAnswer<$name, $crate::contract::Itself> for $crate::values::$response {
            fn answer(self) -> acp_peer::Result<Self> {
                Ok(self)
            }
        }
    )*};
}

/// Implements the answer of notifications and updates, which the agent does not get.
macro_rules! silent {
    ($name:ident) => {
        #[diagnostic::do_not_recommend]
        impl $crate::contract::IntoAnswer<$name, $crate::contract::Short> for () {
            fn answer(self) -> acp_peer::Result<()> {
                Ok(())
            }
        }
    };
}

macro_rules! notifications {
    ($($name:ident = $method:ident($($params:tt)*);)*) => {$(
        $crate::contract::markers::method!($name = $method($($params)*) -> ());
        $crate::contract::markers::silent!($name);
    )*};
}

macro_rules! updates {
    ($($name:ident = $variant:ident($payload:ident);)*) => {$(
        $crate::contract::markers::named!($name);
        $crate::contract::markers::taken!($name($payload));
        $crate::contract::markers::silent!($name);
        $crate::contract::markers::of_session!($name session);

        impl $crate::contract::Handled for $name {
            type Params = $crate::values::$payload;
            type Response = ();

            fn decode(
                method: &str,
                params: Option<&serde_json::value::RawValue>,
            ) -> acp_peer::Result<$crate::contract::Received<Self>> {
                let notification = $crate::dialect::params::object(method, params)?;
                let $crate::values::SessionNotification { session_id, update, meta, .. } = notification;
                match update {
                    $crate::values::SessionUpdate::$variant(params) => {
                        Ok($crate::contract::Received { params, session: Some(session_id), meta })
                    }
                    _ => Err(acp_peer::Error::invalid_params("an update of another kind")),
                }
            }
        }
    )*};
}

pub(super) use {method, named, notifications, of_session, requests, session, silent, taken, updates};
