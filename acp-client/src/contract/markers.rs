//! A type for each method and kind of update that a client handles. The lists of them are generated, see
//! [`protocol`](super::protocol).

/// The types have the names of the functions, because compile errors quote them.
pub mod handlers {
    pub use super::super::extensions::{Ext, ExtNotification, ExtOf};
    pub use super::super::protocol::*;
}

/// Lets a handler take the params of a method or kind by their type.
macro_rules! taken {
    ($name:ident($params:ident)) => {
        #[diagnostic::do_not_recommend]
        impl $crate::contract::FromCall<'_, $name> for $crate::values::$params {
            const SLOT: u32 = acp_handlers::slot::REQUEST;

            fn from_call(parts: &mut $crate::contract::Parts<'_, $name>) -> acp_peer::Result<Self> {
                parts.request()
            }
        }
    };
}

/// Implements [`Handled`](super::Handled) for a method of the protocol, with or without an answer.
macro_rules! method {
    ($name:ident = $method:ident($params:ident $(of $session:ident)?) -> $response:ty) => {
        acp_handlers::handler! {
            #[doc = concat!("`", stringify!($name), "`.")]
            $name
        }
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
                Ok($crate::contract::Received { params: Some(params), session, meta })
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

        $crate::contract::markers::answers!($name: $crate::values::$response as Itself = |answer| Ok(answer););
    )*};
}

/// The types that a handler may answer. A line has the generics of the impl, the method, the type with its shape, and the way to
/// the answer. The agent does not get the answer to a notification or an update.
macro_rules! answers {
    ($($([$($generic:tt)*])? $method:path: $given:ty as $shape:ident = |$value:pat_param| $answer:expr;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl $(<$($generic)*>)? $crate::contract::IntoAnswer<$method, $crate::contract::$shape> for $given {
            fn answer(self) -> acp_peer::Result<<$method as $crate::contract::Handled>::Response> {
                let $value = self;
                $answer
            }
        }
    )+};
}

macro_rules! notifications {
    ($($name:ident = $method:ident($($params:tt)*);)*) => {$(
        $crate::contract::markers::method!($name = $method($($params)*) -> ());
        $crate::contract::markers::answers!($name: () as Short = |()| Ok(()););
    )*};
}

macro_rules! updates {
    ($($name:ident = $variant:ident($payload:ident);)*) => {$(
        acp_handlers::handler! {
            #[doc = concat!("`", stringify!($name), "`.")]
            $name
        }
        $crate::contract::markers::taken!($name($payload));
        $crate::contract::markers::answers!($name: () as Short = |()| Ok(()););
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
                        Ok($crate::contract::Received { params: Some(params), session: Some(session_id), meta })
                    }
                    _ => Err(acp_peer::Error::invalid_params("an update of another kind")),
                }
            }
        }
    )*};
}

pub(super) use {answers, method, notifications, of_session, requests, session, taken, updates};
