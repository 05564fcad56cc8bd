//! The future of an update that is on its way. It is a type of its own: as an `async fn`, a function that takes any content
//! would give a content of a wrong type as three errors.

use std::{
    fmt, mem,
    pin::{Pin, pin},
    task::{Context, Poll},
};

use super::update::SessionOutput;
use crate::{values::SessionUpdate, wire::Result};

/// A future that is boxed for the same reason, where an update is rare.
pub(crate) type Reporting<'a, T = ()> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// The future of [`SessionHandle::message`](super::SessionHandle::message) and similar functions: `.await` sends the update.
#[must_use = "nothing is sent before `.await`"]
pub struct Sending<'s>(Step<'s>);

#[expect(clippy::large_enum_variant, reason = "with a box, each update would need an allocation")]
enum Step<'s> {
    Begin {
        output: &'s SessionOutput,
        of: Of,
        update: SessionUpdate,
    },
    /// Waits for room.
    Waits(Pin<Box<dyn Future<Output = Result<()>> + Send + 's>>),
    Done,
}

/// The part of the conversation that an update belongs to.
#[derive(Clone, Copy)]
enum Of {
    /// What the agent says now.
    Now,
    /// The history of a session that is loaded.
    History,
}

impl<'s> Sending<'s> {
    /// An update that the author made.
    pub(super) fn own(output: &'s SessionOutput, update: SessionUpdate) -> Self {
        Self(Step::Begin { output, of: Of::Now, update })
    }

    /// An update of the session's history.
    pub(super) fn replayed(output: &'s SessionOutput, update: SessionUpdate) -> Self {
        Self(Step::Begin { output, of: Of::History, update })
    }
}

async fn send(output: &SessionOutput, of: Of, update: &mut SessionUpdate) -> Result<()> {
    match of {
        Of::Now => output.send_own(update).await,
        Of::History => output.replay(update).await,
    }
}

impl Future for Sending<'_> {
    type Output = Result<()>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        if let Step::Begin { output, of, update } = &mut self.0 {
            // There mostly is room. Then the future needs no box. One that waits has sent nothing, so it can begin again.
            let sent = pin!(send(output, *of, update)).poll(context);
            if sent.is_ready() {
                self.0 = Step::Done;
                return sent;
            }
        }
        let mut waits = match mem::replace(&mut self.0, Step::Done) {
            Step::Begin { output, of, mut update } => Box::pin(async move { send(output, of, &mut update).await }),
            Step::Waits(waits) => waits,
            Step::Done => panic!("polled after it was ready"),
        };
        let sent = waits.as_mut().poll(context);
        if sent.is_pending() {
            self.0 = Step::Waits(waits);
        }
        sent
    }
}

impl fmt::Debug for Sending<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sending").finish_non_exhaustive()
    }
}
