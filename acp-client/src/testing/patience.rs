//! The limit for the calls of the kit, so that an agent that hangs does not hang its test. It counts the time of the
//! wall's clock, because a test may stop the clock of tokio.

use std::{
    panic::Location,
    pin::pin,
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::Duration,
};

use acp_peer::CancellationToken;

use acp_judge::{Recorder, conversation};

/// The limit if the environment does not set another one.
const DEFAULT: Duration = Duration::from_secs(60);
/// The variable with the number of seconds. 0 is no limit.
const VARIABLE: &str = "ACP_TEST_TIMEOUT";

/// A call of the kit in a test.
#[derive(Clone, Copy)]
pub(super) struct Caller(&'static Location<'static>);

impl Caller {
    #[track_caller]
    pub(super) fn here() -> Self {
        Self(Location::caller())
    }

    /// Fails the test. The message names the line of the test, because the panic itself is in the kit.
    pub(super) fn fail(self, what: &str) -> ! {
        panic!("{what}\nin the test at {}", self.0)
    }

    /// Waits for `work`. Fails the test when the limit is over: `what` says what did not happen.
    pub(super) async fn wait<T>(self, what: &str, recorder: Option<&Recorder>, work: impl Future<Output = T>) -> T {
        let limit = limit();
        let over = CancellationToken::new();
        // The thread ends when the sender is dropped.
        let (_working, worked) = channel::<()>();
        if let Some(limit) = limit {
            let over = over.clone();
            thread::spawn(move || {
                if worked.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                    over.cancel();
                }
            });
        }
        let mut work = pin!(work);
        tokio::select! {
            biased;
            done = &mut work => done,
            () = over.cancelled() => {
                let said = recorder.map(|recorder| conversation(&recorder.tape())).unwrap_or_default();
                let limit = limit.unwrap_or_default();
                self.fail(&format!("{what} within {limit:?} (`{VARIABLE}=0` waits for ever); what was said:\n{said}"))
            }
        }
    }
}

fn limit() -> Option<Duration> {
    let set = std::env::var(VARIABLE).ok().and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs);
    Some(set.unwrap_or(DEFAULT)).filter(|limit| !limit.is_zero())
}
