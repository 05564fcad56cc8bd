//! The object that an agent gives each of its sessions: its hooks, and the part that the session's handlers share. An agent
//! without these gives none.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use super::{
    declaration::{AgentDeclaration, Draft, HookedSession, Keeps, KeptShared},
    model::{KeptAgent, Reopener},
};
use crate::{
    agent::model::{Attachment, Block, Handlers},
    client::line::Line,
    config::hooks::{Hooked, Hooks, Watched},
    session::SessionHandle,
    values::SessionId,
    wire::{Error, Result},
};

tokio::task_local! {
    /// The call that opens the session again and runs these hooks.
    static REOPENER: Arc<Reopener>;
}

impl<A: Handlers> Attachment<A> {
    const HAS_SHARED: bool = <A::KeptShared as KeptShared<A::Shared>>::IS_THERE;

    const IS_NEEDED: bool = Self::HAS_SHARED || Block::count_hooks(A::BLOCKS) != 0;

    /// The object of a session; `None` if the agent needs none.
    pub(crate) fn of(
        agent: &KeptAgent<A>,
        line: &Arc<Line>,
        session_id: &SessionId,
        shared: A::KeptShared,
    ) -> Option<Arc<Self>> {
        if const { !Self::IS_NEEDED } {
            return None;
        }
        let attachment = Self {
            agent: agent.clone(),
            line: line.clone(),
            session_id: session_id.clone(),
            handle: OnceLock::new(),
            shared: Mutex::new(Self::HAS_SHARED.then_some(shared)),
            reopened: Mutex::new(None),
        };
        Some(Arc::new(attachment))
    }

    /// For the options of the session. An agent that needs no such object has no code of its hooks.
    pub(crate) fn hooked(attachment: Option<&Arc<Self>>) -> Option<Box<Hooked<A::Config>>> {
        if const { Self::IS_NEEDED } { Some(Box::new(Hooked(Box::new(attachment?.clone())))) } else { None }
    }

    /// Called when the session is made.
    pub(crate) fn enter(&self, handle: &SessionHandle<A::Config>) {
        if Block::count_hooks(A::BLOCKS) != 0 {
            // A session is made once, so nothing is there yet.
            let _ = self.handle.set(handle.downgrade());
        }
    }

    /// The part that the session's handlers share. `None` stands for the object of an agent that needs none.
    ///
    /// # Errors
    ///
    /// The session is over, or another thread has the part.
    pub(crate) fn shared_of(attachment: Option<&Self>) -> Result<A::Shared> {
        if !Self::HAS_SHARED {
            return lend::<A>(A::KeptShared::nothing());
        }
        lend::<A>(attachment.and_then(|attachment| attachment.shared().clone()))
    }

    /// Puts the shared part of a load in the place of the earlier one, which it returns.
    pub(crate) fn replace_shared(&self, shared: A::KeptShared) -> A::KeptShared {
        if !Self::HAS_SHARED {
            return shared;
        }
        let earlier = self.shared().replace(shared.clone());
        earlier.unwrap_or(shared)
    }

    /// Runs the hooks of a call that opens the session again, on this line and with this shared part.
    pub(crate) async fn reopening<T>(
        &self,
        line: &Arc<Line>,
        shared: &A::KeptShared,
        hooks: impl Future<Output = T>,
    ) -> T {
        if Block::count_hooks(A::BLOCKS) == 0 {
            return hooks.await;
        }
        let call = Arc::new(Reopener { line: line.clone() });
        *self.reopened() = Some((call.clone(), shared.clone()));
        let _end = Reopened(self);
        REOPENER.scope(call, hooks).await
    }

    /// What a hook gets of the call that runs it, if the call opens this session again.
    fn of_reopener<T>(&self, get: impl FnOnce(&Reopener, &A::KeptShared) -> T) -> Option<T> {
        let found = REOPENER.try_with(|call| match &*self.reopened() {
            Some((of, shared)) if Arc::ptr_eq(of, call) => Some(get(call, shared)),
            _ => None,
        });
        found.ok().flatten()
    }

    fn reopened(&self) -> MutexGuard<'_, Option<(Arc<Reopener>, A::KeptShared)>> {
        self.reopened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn shared(&self) -> MutexGuard<'_, Option<A::KeptShared>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The hooks of a call that opens the session again are over.
struct Reopened<'a, A: Handlers>(&'a Attachment<A>);

impl<A: Handlers> Drop for Reopened<'_, A> {
    fn drop(&mut self) {
        let reopened = self.0.reopened().take();
        drop(reopened);
    }
}

fn lend<A: AgentDeclaration>(shared: Option<A::KeptShared>) -> Result<A::Shared> {
    let shared = shared.ok_or_else(|| Error::invalid_request("the session is over"))?;
    shared.lend().ok_or_else(|| {
        Error::internal_error("the shared part of the session belongs to the thread that serves the `local` agent")
    })
}

impl<A: Handlers> HookedSession<A> for Attachment<A> {
    fn line(&self) -> Arc<Line> {
        let reopening = self.of_reopener(|call, _| call.line.clone());
        reopening.unwrap_or_else(|| self.handle().map_or_else(|| self.line.clone(), |handle| handle.output().line()))
    }

    fn id(&self) -> &SessionId {
        &self.session_id
    }

    fn handle(&self) -> Option<SessionHandle<A::Config>> {
        self.handle.get()?.upgrade()
    }

    fn shared(&self) -> Result<A::Shared> {
        let reopening = self.of_reopener(|_, shared| shared.clone());
        let shared = reopening.or_else(|| self.shared().clone());
        lend::<A>(shared.or_else(A::KeptShared::nothing))
    }
}

impl<A: Handlers> Hooks<A::Config> for Arc<Attachment<A>> {
    fn watched(&self, hook: usize) -> Option<&'static dyn Watched<A::Config>> {
        Block::all_hooks(A::BLOCKS).filter_map(|hook| hook.option()).nth(hook)
    }

    fn run<'a>(
        &'a self,
        hook: usize,
        before: &'a Arc<A::Config>,
        draft: &'a mut A::Config,
    ) -> Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>> {
        let receiver = A::receiver::<A::Threading>(&self.agent, before);
        let receiver = A::Threading::shared(&receiver);
        let options = Block::all_hooks(A::BLOCKS).filter(|hook| hook.option().is_some());
        let last = Block::all_hooks(A::BLOCKS).filter(|hook| hook.option().is_none());
        let hook = options.chain(last).nth(hook).expect("the config runs only hooks that `watched` and `last` know");
        hook.run(Draft { receiver, before, config: draft, of: &**self })
    }

    fn last(&self) -> Option<usize> {
        let options = Block::all_hooks(A::BLOCKS).filter(|hook| hook.option().is_some()).count();
        (options < Block::count_hooks(A::BLOCKS)).then_some(options)
    }

    fn are_there(&self) -> bool {
        Block::count_hooks(A::BLOCKS) != 0
    }

    fn release(&self) {
        let shared = self.shared().take();
        drop(shared);
    }
}
