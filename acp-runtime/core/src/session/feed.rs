//! Terminals of commands that the agent runs: their output never waits for the client, and takes a bounded place.

use std::{
    path::PathBuf,
    pin::Pin,
    sync::{Arc, Mutex},
};

use tokio::sync::Notify;

use super::{
    screen::{Screen, lock},
    update::{HasOutput, Updates},
};
use crate::{
    client::foreground::ShowsCommand,
    dialect::Listed,
    rpc::CancellationToken,
    values::{TerminalExitStatus, TerminalId},
};

/// The terminal of a command. A task tells the client what it lacks as soon as it reads.
pub(super) struct Feed {
    id: TerminalId,
    screen: Arc<Mutex<Screen>>,
    /// There is more to tell.
    more: Arc<Notify>,
    /// Set when the client knows of the end, or is gone.
    told: CancellationToken,
}

impl Feed {
    /// Shows a terminal. If the client cancels it, `cancel` is set. `None` if the session is over.
    pub(super) fn begin(
        session: Arc<dyn HasOutput>,
        command: String,
        cwd: PathBuf,
        cancel: &CancellationToken,
    ) -> Option<Arc<dyn ShowsCommand>> {
        let updates = Updates::new(session);
        let screen = Screen::new(command, cwd);
        let (id, screen) = (screen.id.clone(), Arc::new(Mutex::new(screen)));
        updates.show_screen(&screen).ok()?;
        updates.let_cancel(Listed::Terminal(id.clone()), cancel).ok()?;
        let (more, told) = (Arc::new(Notify::new()), CancellationToken::new());
        tokio::spawn(tell(updates, screen.clone(), more.clone(), told.clone()));
        Some(Arc::new(Self { id, screen, more, told }))
    }
}

async fn tell(updates: Updates, screen: Arc<Mutex<Screen>>, more: Arc<Notify>, told: CancellationToken) {
    while !lock(&screen).is_told() {
        more.notified().await;
        if updates.room().await.is_err() || updates.tell_screen(&screen).is_err() {
            break;
        }
    }
    told.cancel();
}

impl ShowsCommand for Feed {
    fn id(&self) -> &TerminalId {
        &self.id
    }

    fn output(&self, bytes: &[u8]) {
        lock(&self.screen).push(bytes);
        self.more.notify_one();
    }

    fn exited(&self, status: TerminalExitStatus) {
        lock(&self.screen).exit(status);
        self.more.notify_one();
    }

    fn told(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.told.cancelled())
    }
}

/// The end of a command whose end nobody tells.
impl Drop for Feed {
    fn drop(&mut self) {
        self.exited(TerminalExitStatus::new());
    }
}
