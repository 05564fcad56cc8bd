//! A new session that begins as a copy of another one, with its options and its history. The other session may be active, or
//! kept by a part; of all others, only the handler knows.

use serde_json::value::RawValue;

use super::{Named, OpenerCall};
use crate::{
    agent::{
        declaration::Keeps,
        model::{CallContext, Handlers, Hosted, Part},
        opened_session::OpenedSession,
    },
    config::ConfigOptions,
    values::SessionId,
    wire::{Error, Result},
};

impl<A: Handlers> OpenerCall<A> {
    /// As [`admit`](Self::admit), for a copy of the session `id`, which `from` has if it is active.
    ///
    /// # Errors
    ///
    /// Those of `admit`. Or the session is not active, and the agent can open none again: so none is kept that it could copy.
    pub(crate) fn admit_copy(params: &RawValue, from: Named<A>, id: Option<SessionId>) -> Result<Self> {
        let mut call = Self::admit(params, from)?;
        if let (false, None, Some(id)) = (const { Hosted::<A>::REOPENS }, &call.from.0, &id) {
            return Err(Error::session_not_found(id.as_ref()));
        }
        call.source.id = id;
        Ok(call)
    }

    /// Lets the parts read the session that is copied.
    ///
    /// # Errors
    ///
    /// A part keeps all sessions, and not this one.
    pub(crate) async fn read_source(&mut self, context: &CallContext<A>) -> Result<()> {
        let Self { from, source, new } = self;
        let Some(id) = &source.id else { return Ok(()) };
        let connection = &context.connection;
        if let Some(work) = connection.host.parts.copies(&mut new.own, connection, id, from.0.as_ref()) {
            source.kept = Some(work.await?);
        }
        Ok(())
    }

    /// Gives the new session the options of the other one, unless the handler has given it others.
    ///
    /// # Errors
    ///
    /// The options that a part has kept cannot be read.
    pub(crate) fn inherit(
        &mut self,
        context: &CallContext<A>,
        opened: &mut OpenedSession<A::Session, A::Config, A::KeptShared>,
    ) -> Result<()> {
        if opened.config.is_some() {
            return Ok(());
        }
        if let Some(session) = &self.from.0 {
            opened.config = Some(session.handle.config().snapshot());
        } else if let Some(kept) = self.source.kept.take() {
            let mut initial = A::Threading::lend(&context.connection.host.agent).initial_config();
            initial.restore_options(&kept.options)?;
            opened.config = Some(initial);
        }
        Ok(())
    }
}
