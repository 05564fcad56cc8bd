//! The methods that handlers serve, one file each. Such a file has the checks before the handler, the handler's
//! parameters, the handling of the answer, and the implied capability. A new method needs a file here, a line in
//! [`ALL`], and a name in [`handlers`](super::handlers).
//!
//! `opening` and `ending` contain code that several methods share. `extension` contains the methods of vendors.
//! `any` contains the methods that a handler serves by prefix.

pub(in crate::agent) mod any;
pub(in crate::agent) mod authenticate;
pub(in crate::agent) mod cancel;
pub(in crate::agent) mod close_session;
pub(in crate::agent) mod delete_session;
#[cfg(feature = "unstable")]
pub(in crate::agent) mod draft;
pub(in crate::agent) mod ending;
pub(in crate::agent) mod extension;
pub(in crate::agent) mod initialize;
pub(in crate::agent) mod list_sessions;
pub(in crate::agent) mod load_session;
pub(in crate::agent) mod logout;
pub(in crate::agent) mod new_session;
pub(in crate::agent) mod opener;
pub(in crate::agent) mod opening;
pub(in crate::agent) mod prompt;
pub(in crate::agent) mod resume_session;

use crate::{schema::Method, values::AgentCapabilities};

/// A method of the protocol that a handler can serve.
pub(crate) struct Served {
    /// The method's name on the wire.
    pub(crate) name: &'static str,
    /// Advertises the handler in `initialize`.
    pub(crate) advertise: fn(&mut AgentCapabilities),
}

impl Served {
    const fn new<M: Method>(advertise: fn(&mut AgentCapabilities)) -> Self {
        Self { name: M::NAME, advertise }
    }

    /// A method whose handler implies no capability.
    const fn unadvertised<M: Method>() -> Self {
        Self::new::<M>(|_| {})
    }
}

/// All methods.
pub(crate) const ALL: &[Served] = &[
    authenticate::SERVED,
    cancel::SERVED,
    close_session::SERVED,
    delete_session::SERVED,
    initialize::SERVED,
    list_sessions::SERVED,
    load_session::SERVED,
    logout::SERVED,
    new_session::SERVED,
    prompt::SERVED,
    resume_session::SERVED,
];

/// The types and functions of a marker. A handler takes the params by their type. This is a macro of its own, because
/// compile errors quote the whole macro call of the marker.
macro_rules! method {
    ($name:ident = $method:ident($params:ident) -> $response:ty) => {
        #[doc(hidden)] // authors find it at `values::methods`
        impl crate::schema::Method for $name {
            const NAME: &'static str = <crate::values::methods::$method as crate::schema::Method>::NAME;
            const HANDLER: &'static str = <crate::values::methods::$method as crate::schema::Method>::HANDLER;
            const SIDE: crate::schema::Side = <crate::values::methods::$method as crate::schema::Method>::SIDE;
            const KIND: crate::schema::MethodKind = <crate::values::methods::$method as crate::schema::Method>::KIND;
            const FIELDS: Option<&'static [&'static str]> =
                <crate::values::methods::$method as crate::schema::Method>::FIELDS;
            type Params = $params;
            type Response = $response;
        }

        crate::agent::params::decoded_here!($params);

        #[diagnostic::do_not_recommend]
        impl<'c, A: crate::agent::model::Handlers> crate::agent::expansion::FromCall<'c, $name, A> for $params {
            const SLOT: u32 = crate::agent::expansion::slot::REQUEST;

            fn from_call(parts: &mut crate::agent::call::Parts<'c, A, $name>) -> Result<Self> {
                parts.request()
            }
        }
    };
}

/// The types of a method whose handler's answer is the whole response.
macro_rules! answers_itself {
    ($params:ty => $response:ty) => {
        type Params = $params;
        type Answer = $response;
        type Response = $response;

        async fn conclude(_: &mut CallContext<A>, _: &mut Self::Admitted, answer: $response) -> Result<$response> {
            Ok(answer)
        }
    };
}

pub(in crate::agent) use crate::agent::{call::answers, expansion::takes};
pub(in crate::agent) use acp_handlers::handler;
pub(in crate::agent) use {answers_itself, method};
