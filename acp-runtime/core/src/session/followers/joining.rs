//! A client comes to a session that others follow: it is told what they know, and then what they are told.

use std::sync::Arc;

use crate::{
    client::line::Line,
    dialect::{OutgoingUpdate, Tells},
    session::update::SessionOutput,
    store::{Entry, Said},
    values::SessionUpdate,
    wire::Result,
};

/// What a client is told that comes, beside the history: the commands, the work in the background, and what the session does.
pub(crate) struct Again {
    updates: Vec<SessionUpdate>,
    #[cfg(feature = "v2")]
    background: crate::session::background::BackgroundAgain,
}

impl Again {
    /// Tells it to a client. The lock of the order must be held.
    pub(crate) fn tell(&self, output: &SessionOutput, one: &dyn Tells, out: &mut Vec<u8>) {
        for update in &self.updates {
            note(one.update(out, output.again(update)));
        }
        #[cfg(feature = "v2")]
        {
            note(self.background.tell(output, one, out));
            note(output.write_activity(one, out));
        }
    }
}

impl SessionOutput {
    /// What a client is told that comes.
    pub(crate) fn told_again(&self) -> Again {
        Again {
            updates: self.offered_now().into_iter().collect(),
            #[cfg(feature = "v2")]
            background: self.background_again(),
        }
    }

    /// Lets a client in behind what `history` tells it alone, and what is told again. Returns false if `history` cannot tell all, or
    /// the session is over.
    pub(crate) fn let_in(
        &self,
        line: &Arc<Line>,
        again: &Again,
        history: &mut dyn FnMut(&dyn Tells, &mut Vec<u8>) -> bool,
    ) -> bool {
        let state = &mut |one: &dyn Tells, out: &mut Vec<u8>| again.tell(self, one, out);
        self.followers().is_some_and(|followers| followers.join(self, line, history, state))
    }

    /// Tells entries of the history to one client. The lock of the order must be held.
    pub(crate) fn replay_to(&self, one: &dyn Tells, out: &mut Vec<u8>, entries: Vec<Entry>) {
        for Entry { message_id, said, .. } in entries {
            let Said::Known(mut update) = said else { continue };
            let told = self.check_replayed(&mut update).and_then(|()| {
                one.update(out, OutgoingUpdate::new(self.id(), &update, self.tracker()).of_message(message_id.as_ref()))
            });
            note(told);
        }
    }

    /// Whether the session is over.
    pub(crate) fn is_ended(&self) -> bool {
        self.is_over()
    }
}

fn note(told: Result<()>) {
    if let Err(error) = told {
        tracing::error!(target: crate::TARGET, %error, "a client was not told what others know");
    }
}
