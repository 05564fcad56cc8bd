//! The work of a session in the background, as a list.

use std::sync::{Arc, Mutex};

use super::screen::Screen;
use crate::{dialect::Listed, rpc::CancellationToken, values::SessionUpdate};

/// A piece of work in the background, which a client that opens the session again is told of.
pub(super) trait Described: Send + Sync {
    /// All that the client knows of it.
    fn described(&self) -> SessionUpdate;
}

/// What a client is told again of work.
#[derive(Clone)]
pub(super) enum Again {
    ToolCall(Arc<dyn Described>),
    Terminal(Arc<Mutex<Screen>>),
}

/// What work was that has ended.
#[derive(Default)]
pub(super) struct WasWork {
    pub(super) was_listed: bool,
    pub(super) was_cancellable: bool,
}

/// The work of a session that goes on in the background, and what can be cancelled alone.
#[derive(Default)]
pub(super) struct Background {
    /// `None` until the session has had some.
    pub(super) listed: Option<Vec<(Listed, Again)>>,
    pub(super) cancels: Vec<(Listed, CancellationToken)>,
    /// The work that belongs to no turn. The end of the session cancels it.
    works: Vec<(Listed, CancellationToken)>,
    /// Set when the session is over: then nobody is asked any more.
    pub(super) over: CancellationToken,
}

impl Background {
    /// What runs; `None` if the session has never had such work.
    pub(super) fn listed(&self) -> Option<Vec<&Listed>> {
        Some(self.listed.as_ref()?.iter().map(|(listed, _)| listed).collect())
    }

    pub(super) fn add(&mut self, listed: Listed, again: Again) {
        let all = self.listed.get_or_insert_default();
        if all.iter().all(|(other, _)| *other != listed) {
            all.push((listed, again));
        }
    }

    /// The end of the session cancels this.
    pub(super) fn ends_with_session(&mut self, listed: Listed, over: CancellationToken) {
        self.works.push((listed, over));
    }

    /// Whether there is such work.
    pub(super) fn goes_on(&self) -> bool {
        !self.works.is_empty() || self.listed.as_ref().is_some_and(|listed| !listed.is_empty())
    }

    /// What the end of the session cancels.
    pub(super) fn all(&self) -> impl Iterator<Item = &CancellationToken> {
        self.works.iter().chain(&self.cancels).map(|(_, cancel)| cancel)
    }

    /// Its last status was told, or is about to be.
    pub(super) fn end(&mut self, ended: &Listed) -> WasWork {
        let was_cancellable = self.cancels.extract_if(.., |(listed, _)| listed == ended).count() > 0;
        self.works.retain(|(listed, _)| listed != ended);
        let all = self.listed.as_mut();
        let was_listed = all.is_some_and(|all| all.extract_if(.., |(listed, _)| listed == ended).count() > 0);
        WasWork { was_listed, was_cancellable }
    }
}
