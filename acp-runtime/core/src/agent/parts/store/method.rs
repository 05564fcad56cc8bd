//! `restore_session`: a stored session is opened again, by `session/load` or `session/resume`.

use std::{future::ready, time::Duration};

use serde_json::value::{RawValue, to_raw_value};

use super::{
    HasStore, Stored,
    declared::{ReadBack, Restored},
    restore::{Restoring, Roots},
};
use crate::{
    agent::{
        call::{Handled, OfSession, Parts},
        declaration::Threading,
        expansion::{self, FromCall},
        methods::{handler, opening},
        model::{Call, CallContext, Directories, Handlers, Part},
        params::Params,
        parts::{HasFunctions, function},
    },
    config::ConfigOptions,
    dialect::Opening,
    rpc::Responder,
    schema::Method,
    session::{History, OpenedBy, SessionHandle},
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

/// The params of `session/load` and `session/resume`.
pub struct RestoreRequest {
    session_id: SessionId,
    meta: Option<Meta>,
    roots: Roots,
    /// Why the params are not those of a load.
    no_load: Option<Error>,
}

impl Params for RestoreRequest {
    // The two methods have the same params, but only `session/resume` may leave `mcpServers` out.
    fn decode(params: Option<&RawValue>) -> Result<Self> {
        let ResumeSessionRequest { session_id, cwd, additional_directories, mcp_servers, meta, .. } =
            ResumeSessionRequest::decode(params)?;
        let no_load = if mcp_servers.is_empty() { LoadSessionRequest::decode(params).err() } else { None };
        let roots = Roots::new(cwd, additional_directories, mcp_servers);
        Ok(Self { session_id, meta, roots, no_load })
    }

    fn meta(&self) -> Option<Meta> {
        self.meta.clone()
    }
}

/// The mark of a load that the client has not asked for: `Resume` of the crate `acp-hooks` gives it.
const RESUMED: &str = "acp_runtime/resumed";

impl RestoreRequest {
    /// Whether the client wants this session. If not, a session that another process has stays there.
    fn is_asked_for(&self) -> bool {
        self.meta.as_ref().is_none_or(|meta| !meta.contains_key(RESUMED))
    }

    /// Whether the params are those of the method.
    fn check(&self, by: Opening) -> Result<()> {
        match &self.no_load {
            Some(mistake) if by == Opening::Load => Err(mistake.clone()),
            _ => Ok(()),
        }
    }
}

impl Stored {
    /// Opens a stored session again: by the author's function, or else with the state that the store has.
    pub(super) fn restore<A: HasStore + HasFunctions>(&self, call: Call<'_, A>) {
        let is_load = call.method() == methods::LoadSession::NAME;
        let by = if is_load { Opening::Load } else { Opening::Resume };
        let admitted = call.admit_by::<restore_session>(|context, request| {
            request.check(by)?;
            let roots = request.roots.clone();
            let directories = Directories { cwd: &roots.cwd, additional_directories: &roots.additional_directories };
            let call = opening::admit(context, &request.session_id, by, &directories, &roots.mcp_servers)?;
            let (store, claim) = (self.store.clone(), self.claim.clone());
            let patience = if request.is_asked_for() { context.connection.hand_over_timeout } else { Duration::ZERO };
            Ok(Restoring::new(call, roots, (A::STORE, store), (claim, patience)))
        });
        match (admitted, const { function!(A, store.restore_session) }) {
            (Some(admitted), Some(run)) => run(admitted),
            (Some(admitted), None) => admitted.answer_by("store", |restoring, _| Box::pin(ready(restoring.as_kept()))),
            (None, _) => {}
        }
    }
}

/// Two clients have asked for the session at once. The call of the second one is admitted again, behind this one: then it follows the
/// session of the first.
fn again<A: Handlers>(
    context: &CallContext<A>,
    request: &RestoreRequest,
    how: OpenedBy,
    responder: Responder,
) -> Result<()> {
    let RestoreRequest { session_id: id, meta, roots, .. } = request;
    let Roots { cwd, additional_directories, mcp_servers } = roots.clone();
    let (method, params) = if how == OpenedBy::Loaded {
        let request = LoadSessionRequest::new(mcp_servers, cwd, id.clone());
        let request = request.additional_directories(additional_directories).meta(meta.clone());
        (methods::LoadSession::NAME, to_raw_value(&request)?)
    } else {
        let request = ResumeSessionRequest::new(id.clone(), cwd).mcp_servers(mcp_servers);
        let request = request.additional_directories(additional_directories).meta(meta.clone());
        (methods::ResumeSession::NAME, to_raw_value(&request)?)
    };
    let (connection, id) = (context.connection.clone(), id.clone());
    #[cfg(feature = "v2")]
    let is_silent = context.is_silent;
    A::Threading::run(&context.connection.line.tasks, async move {
        connection.host.sessions.announce(&id, false).turn().await;
        #[allow(unused_mut)] // the feature `v2` changes it
        let mut call = Call::new(&connection, method, Some(&params), Some(responder));
        #[cfg(feature = "v2")]
        {
            call.is_silent = is_silent;
        }
        // The drop of a call that no part takes answers it.
        let _ = connection.host.parts.receives(call);
        connection.line.outbox.flush();
    });
    Ok(())
}

opening::answers!(restore_session);

impl OfSession for restore_session {}

impl expansion::OfAnySession for restore_session {}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers> FromCall<'c, restore_session, A> for Kept {
    fn from_call(parts: &mut Parts<'c, A, restore_session>) -> Result<Self> {
        Ok(parts.lent.found()?.clone())
    }
}

// The compiler recommends this impl, so of a state that cannot be read back it reports this alone.
impl<'c, A: Handlers<Session = S>, S: ReadBack> FromCall<'c, restore_session, A> for Restored<S> {
    fn from_call(parts: &mut Parts<'c, A, restore_session>) -> Result<Self> {
        parts.lent.declared.restore(parts.lent.found()?).map(Self)
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers> FromCall<'c, restore_session, A> for History {
    fn from_call(parts: &mut Parts<'c, A, restore_session>) -> Result<Self> {
        // The session does not run, so all of it is committed.
        Ok(Self::new(parts.lent.store.clone(), parts.lent.call.id.clone(), None))
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers> FromCall<'c, restore_session, A> for Roots {
    fn from_call(parts: &mut Parts<'c, A, restore_session>) -> Result<Self> {
        Ok(parts.lent.roots.clone())
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers> FromCall<'c, restore_session, A> for OpenedBy {
    fn from_call(parts: &mut Parts<'c, A, restore_session>) -> Result<Self> {
        Ok(parts.lent.how)
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
    opening::reopening!();
    type Admitted = Restoring<A>;

    fn relax(params: &mut Self::Params) {
        A::Parts::relaxes_servers(&mut params.roots.mcp_servers);
    }

    async fn ready(
        context: &mut CallContext<A>,
        call: &mut Restoring<A>,
        request: Option<&Self::Params>,
        responder: &mut Option<Responder>,
    ) -> Result<()> {
        if !call.ready(context).await?
            && let Some((request, responder)) = request.zip(responder.take())
        {
            again(context, request, call.how(), responder)?;
            return Err(Error::request_cancelled());
        }
        Ok(())
    }

    async fn conclude(
        context: &mut CallContext<A>,
        call: &mut Restoring<A>,
        answer: Self::Answer,
    ) -> Result<Self::Response> {
        call.open(context, answer).await
    }
}
