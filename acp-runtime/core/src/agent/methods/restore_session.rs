//! `restore_session`: a stored session is opened again, by `session/load` or `session/resume`.

use std::sync::{Arc, OnceLock};

use serde_json::value::RawValue;

use super::{Handled, OfSession, handler, opening};
use crate::{
    agent::{
        capability_checks,
        context::{CallContext, Found, Restoring, Roots, restored_state},
        contract::{self, FromCall, Handlers, Parts, ReadBack, Restored},
        params::Params,
    },
    config::ConfigOptions,
    dialect::Opening,
    schema::Method,
    session::{History, Opened, SessionHandle},
    store::Kept,
    values::{LoadSessionRequest, Meta, ResumeSessionRequest, SessionId, methods},
    wire::{Error, Result},
};

handler! {
    /// `restore_session`: a client opens a stored session again, in an agent with `store = ..`. It is no method of the
    /// protocol: `session/load` and `session/resume` call it.
    ///
    /// Often `async fn restore_session(&self, Restored(session): Restored<Session>, roots: Roots) -> Result<Session>`.
    ///
    /// Without this function, the state of the session is what the store has, read with serde. The function makes what cannot be
    /// kept, such as a connection, and reads states that an earlier version of the agent has kept: the parameter
    /// [`Kept`] has the state with its version. The options of the session are restored by the runtime, and the client gets
    /// the history behind this function. It answers as `load_session` does.
    ///
    /// ```
    /// use std::sync::{Arc, OnceLock};
    ///
    /// use acp_runtime::{prelude::*, store::{Kept, SessionStore, StoreError}};
    /// use serde::{Deserialize, Serialize};
    ///
    /// # #[derive(ConfigOptions, Clone)]
    /// # struct Config { #[config_option(default = false)] brave: bool }
    /// #[derive(Serialize, Deserialize)]
    /// struct Session { notes: Vec<String> }
    ///
    /// // The state of version 1 was one note.
    /// #[acp_agent(config = Config, session = Session, store = store, store_version = 2)]
    /// struct Coder { store: Arc<dyn SessionStore> }
    ///
    /// #[acp_agent]
    /// impl Coder {
    ///     async fn new_session(&self) -> Session { Session { notes: vec![] } }
    ///     async fn prompt(&self) -> StopReason { StopReason::EndTurn }
    ///
    ///     async fn restore_session(&self, kept: Kept) -> Result<Session> {
    ///         let state = kept.state.ok_or_else(|| StoreError::invalid("the session", "it has no state"))?;
    ///         match state.version() {
    ///             1 => Ok(Session { notes: vec![state.read()?] }),
    ///             _ => Ok(state.read()?),
    ///         }
    ///     }
    /// }
    /// # let _ = Coder { store: Arc::new(acp_runtime::store::MemoryStore::new()) };
    /// ```
    restore_session
}

impl restore_session {
    /// The name by which an agent finds the function. No method has a `*`.
    pub const ARM: &'static str = "*restore_session";
}

/// The request that opens the session again.
pub struct RestoreRequest {
    session_id: SessionId,
    meta: Option<Meta>,
    by: Opening,
    roots: Roots,
    /// Set when the session is found.
    found: Arc<OnceLock<Found>>,
    /// The mistake in the params if the method is `session/load`.
    no_load: Option<Error>,
}

impl Params for RestoreRequest {
    // The two methods have the same params, but only `session/resume` may leave `mcpServers` out.
    fn decode(params: Option<&RawValue>) -> Result<Self> {
        let ResumeSessionRequest { session_id, cwd, additional_directories, mcp_servers, meta, .. } =
            ResumeSessionRequest::decode(params)?;
        let no_load = if mcp_servers.is_empty() { LoadSessionRequest::decode(params).err() } else { None };
        let roots = Roots { cwd, additional_directories, mcp_servers };
        Ok(Self { session_id, meta, by: Opening::Load, roots, found: Arc::default(), no_load })
    }

    fn meta(&self) -> Option<Meta> {
        self.meta.clone()
    }
}

impl RestoreRequest {
    fn found(&self) -> Result<&Found> {
        self.found.get().ok_or_else(|| Error::internal_error("the session is not read yet"))
    }
}

opening::answers!(restore_session);

impl OfSession for restore_session {}

impl contract::OfAnySession for restore_session {}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers> FromCall<'c, restore_session, A> for Kept {
    fn from_call(parts: &mut Parts<'c, A, restore_session>) -> Result<Self> {
        Ok(parts.borrowed_request()?.found()?.kept.clone())
    }
}

// The compiler recommends this impl, so of a state that cannot be read back it reports this alone.
impl<'c, A: Handlers<Session = S>, S: ReadBack> FromCall<'c, restore_session, A> for Restored<S> {
    fn from_call(parts: &mut Parts<'c, A, restore_session>) -> Result<Self> {
        restored_state::<A>(&parts.borrowed_request()?.found()?.kept).map(Self)
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers> FromCall<'c, restore_session, A> for History {
    fn from_call(parts: &mut Parts<'c, A, restore_session>) -> Result<Self> {
        let request = parts.borrowed_request()?;
        // The session does not run, so all of it is committed.
        Ok(Self::new(request.found()?.store.clone(), request.session_id.clone(), None))
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers> FromCall<'c, restore_session, A> for Roots {
    fn from_call(parts: &mut Parts<'c, A, restore_session>) -> Result<Self> {
        Ok(parts.borrowed_request()?.roots.clone())
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers> FromCall<'c, restore_session, A> for Opened {
    fn from_call(parts: &mut Parts<'c, A, restore_session>) -> Result<Self> {
        Ok(if parts.borrowed_request()?.by == Opening::Load { Opened::Loaded } else { Opened::Resumed })
    }
}

/// The handle of the session, if the session is already active.
#[diagnostic::do_not_recommend]
impl<'c, A: Handlers<Config = C>, C: ConfigOptions> FromCall<'c, restore_session, A> for Option<SessionHandle<C>> {
    fn from_call(parts: &mut Parts<'c, A, restore_session>) -> Result<Self> {
        Ok(parts.handle())
    }
}

impl<A: Handlers> Handled<A> for restore_session {
    type Params = RestoreRequest;
    type Answer = contract::OpenedSession<A::Session, A::Config, A::KeptShared>;
    type Response = Box<RawValue>;
    const OPENS: Option<Opened> = Some(Opened::Loaded);

    fn called(params: &mut Self::Params, method: &str) {
        if method == methods::ResumeSession::NAME {
            params.by = Opening::Resume;
        }
    }

    fn relax(params: &mut Self::Params) {
        capability_checks::drop_mcp_servers::<A>(&mut params.roots.mcp_servers);
    }

    fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<()> {
        if let (Opening::Load, Some(mistake)) = (params.by, &params.no_load) {
            return Err(mistake.clone());
        }
        let Roots { cwd, additional_directories, mcp_servers } = &params.roots;
        context.open_in(cwd);
        capability_checks::roots::<A>(cwd, additional_directories)?;
        capability_checks::mcp_servers::<A>(mcp_servers)?;
        context.announce(&params.session_id, false);
        if params.by == Opening::Load {
            context.begin_replay(&params.session_id);
        }
        context.restore_by(Restoring { by: params.by, roots: params.roots.clone(), found: params.found.clone() });
        Ok(())
    }

    async fn ready(context: &mut CallContext<A>) -> Result<()> {
        context.begin_opening().await;
        context.find_stored().await
    }

    async fn conclude(context: &mut CallContext<A>, answer: Self::Answer) -> Result<Self::Response> {
        context.restore(answer).await
    }
}
