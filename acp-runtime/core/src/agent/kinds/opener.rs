//! The call of a method of the author's own that opens a new session, perhaps from another one.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Kind, Named, NewCall, NewKept};
use crate::{
    agent::{
        capability_checks,
        model::{CallContext, Directories, Handlers, SessionOf},
    },
    values::SessionId,
    wire::{Error, Result, decode},
};

/// A call that opens a new session. `from` is the active session that its params name, if they do.
pub struct OpenerCall<A: Handlers> {
    pub(super) from: Named<A>,
    #[cfg(feature = "unstable")]
    pub(super) source: Source,
    pub(crate) new: NewCall<A>,
}

/// The session of which the new one is a copy.
#[cfg(feature = "unstable")]
#[derive(Default)]
pub(super) struct Source {
    /// As the params name it. `None` if the call copies none.
    pub(super) id: Option<SessionId>,
    /// What a part has kept of it.
    pub(super) kept: Option<crate::store::Kept>,
}

/// What the handler of such a call gets of it.
pub struct OpenerLent<'c, A: Handlers> {
    id: &'c SessionId,
    from: Option<&'c SessionOf<A>>,
    /// What a part has kept of the session that is copied.
    #[cfg(feature = "unstable")]
    pub(crate) kept: Option<&'c crate::store::Kept>,
}

impl<A: Handlers> Kind<A> for OpenerCall<A> {
    type Lent<'c> = OpenerLent<'c, A>;
    type Kept = NewKept<A>;

    fn session_id(&self) -> Option<&SessionId> {
        self.new.session_id()
    }

    fn lend(&mut self) -> OpenerLent<'_, A> {
        OpenerLent {
            id: self.new.lend(),
            from: self.from.0.as_deref(),
            #[cfg(feature = "unstable")]
            kept: self.source.kept.as_ref(),
        }
    }

    fn lent_id<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionId> {
        Some(lent.id)
    }

    fn active<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionOf<A>> {
        lent.from
    }

    fn leave(self, context: CallContext<A>) -> NewKept<A> {
        self.new.leave(context)
    }
}

/// What the params have in common with those of `session/new`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Roots {
    cwd: Option<PathBuf>,
    additional_directories: Vec<PathBuf>,
}

impl<A: Handlers> OpenerCall<A> {
    /// The new session works where the params say, or else where the session works that they name, or where the agent does.
    ///
    /// # Errors
    ///
    /// The params name a directory that is not absolute, or further ones that the agent does not take.
    pub(crate) fn admit(params: &RawValue, from: Named<A>) -> Result<Self> {
        let is_object = params.get().starts_with('{');
        let named = if is_object { decode::from_json(params.get()).map_err(Error::from)? } else { Roots::default() };
        let Roots { cwd, additional_directories } = named;
        let cwd = match (cwd, &from.0) {
            (Some(cwd), _) => cwd,
            (None, Some(session)) => session.handle.cwd(),
            (None, None) => std::env::current_dir()?,
        };
        let roots = Directories { cwd: &cwd, additional_directories: &additional_directories };
        capability_checks::roots::<A>(&roots)?;
        Ok(Self {
            from,
            #[cfg(feature = "unstable")]
            source: Source::default(),
            new: NewCall::admit(&roots),
        })
    }
}
