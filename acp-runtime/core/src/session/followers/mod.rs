//! The clients that follow a session, for agents with several clients of one session.
//!
//! What is written goes to each client in its version, under one lock: so all read the same, in the same order. Behind this lock comes
//! that of the buffer of each client, never the other way round. `turns` tells turns, `asked` asks questions, and `joining` lets a client in.

mod asked;
mod joining;
mod turns;

use std::{
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use self::asked::Question;
use super::{
    followed::Followers,
    update::{SessionOutput, Writing, offers},
};
use crate::{
    TARGET,
    client::{
        everyone::{Answering, Everyone, Poll},
        line::Line,
    },
    config::{publish::ClientView, shown::FullState},
    dialect::{Members, OutgoingUpdate, Tells},
    rpc::{CancellationToken, Responder},
    values::{ContentBlock, MessageId, PromptRequest, PromptResponse, SessionId, SessionUpdate},
    wire::Result,
};
#[cfg(feature = "v2")]
use crate::{
    dialect::{Activity, Control, Listed, TerminalSaid},
    values::TerminalId,
};

/// How long a turn waits for a client that reads nothing. Then this client does not follow the session any more.
const STALLED: Duration = Duration::from_secs(10);

/// The clients of one session.
#[derive(Default)]
pub(crate) struct Shared(Mutex<Inside>);

#[derive(Default)]
struct Inside {
    lines: Vec<Arc<Line>>,
    /// The prompt that was told last, until it is kept.
    prompt: Option<(MessageId, Vec<ContentBlock>)>,
    questions: Vec<Arc<Question>>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inside {
    /// Returns false if the client is there already.
    fn enter(&mut self, session: &SessionId, line: &Arc<Line>) -> bool {
        if self.lines.iter().any(|other| Arc::ptr_eq(other, line)) {
            return false;
        }
        self.lines.push(line.clone());
        self.questions.iter().for_each(|question| question.ask(session, line));
        true
    }
}

/// Several clients, as one that is told something.
struct Many<'f> {
    lines: &'f [Arc<Line>],
    session: &'f SessionId,
}

impl Many<'_> {
    /// Writes to each client, and notes the length of a message in `out`.
    fn each(
        &self,
        out: &mut Vec<u8>,
        to: &dyn Fn(&Line) -> bool,
        write: &dyn Fn(&Line, &mut Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        let (mut told, mut longest) = (Ok(()), 0);
        for line in self.lines.iter().filter(|line| to(line)) {
            line.put_now(crate::rpc::Address::Topic(self.session.as_ref()), &mut |message| {
                let before = message.len();
                if let Err(error) = write(line, message) {
                    message.truncate(before);
                    told = Err(error);
                }
                longest = longest.max(message.len() - before);
                Ok(())
            });
        }
        out.resize(out.len() + longest, b' ');
        told
    }
}

impl Tells for Many<'_> {
    fn update(&self, out: &mut Vec<u8>, said: OutgoingUpdate<'_>) -> Result<()> {
        self.each(out, &|line| offers(line, said.update), &|line, out| line.dialect().update(out, said))
    }

    fn options_update(
        &self,
        out: &mut Vec<u8>,
        session: &SessionId,
        state: &FullState<'_>,
        members: &Members,
    ) -> Result<()> {
        self.each(out, &|_| true, &|line, out| line.dialect().options_update(out, session, state, members))
    }

    #[cfg(feature = "v2")]
    fn activity(&self, out: &mut Vec<u8>, session: &SessionId, activity: &Activity<'_>) -> Result<()> {
        self.each(out, &|_| true, &|line, out| line.dialect().activity(out, session, activity))
    }

    #[cfg(feature = "v2")]
    fn control(&self, out: &mut Vec<u8>, session: &SessionId, of: &Listed, control: Control) -> Result<()> {
        self.each(out, &|_| true, &|line, out| line.dialect().control(out, session, of, control))
    }

    #[cfg(feature = "v2")]
    fn terminal(&self, out: &mut Vec<u8>, session: &SessionId, id: &TerminalId, said: &TerminalSaid<'_>) -> Result<()> {
        self.each(out, &|_| true, &|line, out| line.dialect().terminal(out, session, id, said))
    }
}

impl Everyone for Shared {
    fn ask(self: Arc<Self>, session: SessionId, poll: Poll) -> Answering {
        Box::pin(asked::ask(self, session, poll))
    }
}

impl Followers for Shared {
    fn put(&self, output: &SessionOutput, write: Writing<'_>) {
        let inside = self.lock();
        let many = Many { lines: &inside.lines, session: output.id() };
        if let Err(error) = write(&many, &mut Vec::new()) {
            tracing::error!(target: TARGET, %error, "a message is no JSON");
        }
    }

    fn say(&self, output: &SessionOutput, write: &dyn Fn(&mut Vec<u8>) -> Result<()>, meanwhile: &mut dyn FnMut()) {
        let inside = self.lock();
        meanwhile();
        if output.is_over() {
            return;
        }
        output.pause_message();
        let many = Many { lines: &inside.lines, session: output.id() };
        // The message is one of a version that tells prompts.
        if let Err(error) = many.each(&mut Vec::new(), &|line| line.dialect().inserts_prompts(), &|_, out| write(out)) {
            tracing::error!(target: TARGET, %error, "a message is no JSON");
        }
    }

    fn room<'f>(&'f self, output: &'f SessionOutput) -> Pin<Box<dyn Future<Output = ()> + Send + 'f>> {
        let lines = self.lock().lines.clone();
        Box::pin(async move {
            for line in lines {
                let room = line.room(crate::rpc::Address::Topic(output.id().as_ref()));
                if tokio::time::timeout(STALLED, room).await.is_err() {
                    tracing::info!(target: TARGET, session = %output.id(), "a client reads nothing: it does not follow the session any more");
                    self.leave(&line);
                }
            }
        })
    }

    fn enter(&self, output: &SessionOutput, line: &Arc<Line>) -> bool {
        self.lock().enter(output.id(), line)
    }

    fn join(
        &self,
        output: &SessionOutput,
        line: &Arc<Line>,
        history: &mut dyn FnMut(&dyn Tells, &mut Vec<u8>) -> bool,
        state: &mut dyn FnMut(&dyn Tells, &mut Vec<u8>),
    ) -> bool {
        let mut inside = self.lock();
        let one = Many { lines: std::slice::from_ref(line), session: output.id() };
        if output.is_over() || !history(&one, &mut Vec::new()) {
            return false;
        }
        inside.tell_prompt_to(output, line);
        state(&one, &mut Vec::new());
        inside.enter(output.id(), line);
        true
    }

    fn first(&self) -> Option<Arc<Line>> {
        self.lock().lines.first().cloned()
    }

    fn leave(&self, line: &Line) {
        self.lock().lines.retain(|other| !std::ptr::eq(&**other, line));
    }

    fn has(&self, line: &Line) -> bool {
        self.lock().lines.iter().any(|other| std::ptr::eq(&**other, line))
    }

    fn count(&self) -> usize {
        self.lock().lines.len()
    }

    fn any(&self, holds: &dyn Fn(&Line) -> bool) -> bool {
        self.lock().lines.iter().any(|line| holds(line))
    }

    fn options<'c>(
        &self,
        output: &SessionOutput,
        but: Option<&Line>,
        changed: &dyn Fn(ClientView) -> Option<FullState<'c>>,
    ) {
        let inside = self.lock();
        if output.is_over() {
            return;
        }
        let many = Many { lines: &inside.lines, session: output.id() };
        let to = |line: &Line| but.is_none_or(|but| !std::ptr::eq(but, line));
        let told = output.with_members(|members| {
            many.each(&mut Vec::new(), &to, &|line, out| match changed(line.view()) {
                Some(state) => line.dialect().options_update(out, output.id(), &state, members),
                None => Ok(()),
            })
        });
        if let Err(error) = told {
            tracing::error!(target: TARGET, %error, "a message is no JSON");
        }
    }

    fn tell_others(&self, output: &SessionOutput, but: &Line, update: &SessionUpdate) {
        let inside = self.lock();
        if output.is_over() {
            return;
        }
        let lines: Vec<_> = inside.lines.iter().filter(|line| !std::ptr::eq(&***line, but)).cloned().collect();
        let many = Many { lines: &lines, session: output.id() };
        if let Err(error) = many.update(&mut Vec::new(), output.again(update)) {
            tracing::error!(target: TARGET, %error, "a message is no JSON");
        }
    }

    fn keeps_prompt(&self, keep: &mut dyn FnMut()) {
        let mut inside = self.lock();
        keep();
        inside.prompt = None;
    }

    fn turn_began(
        &self,
        output: &SessionOutput,
        by: &Line,
        prompt: &PromptRequest,
        responder: Option<Responder>,
    ) -> Option<Responder> {
        self.begin(output, by, prompt, responder)
    }

    fn waiting_turn_began(
        &self,
        output: &SessionOutput,
        by: &Line,
        prompt: &PromptRequest,
        responder: &mut Option<Responder>,
        cancel: &CancellationToken,
    ) -> bool {
        self.begin_behind(output, by, prompt, responder, cancel)
    }

    fn prompt_joins(
        &self,
        output: &SessionOutput,
        by: &Line,
        prompt: &[ContentBlock],
        message: &MessageId,
        cancel: &CancellationToken,
    ) -> Result<bool> {
        self.take_in(output, by, prompt, message, cancel)
    }

    fn command_began(
        &self,
        output: &SessionOutput,
        by: &Line,
        prompt: &PromptRequest,
        responder: Responder,
    ) -> (Option<Responder>, Option<MessageId>) {
        self.begin_beside(output, by, prompt, responder)
    }

    fn command_ended(
        &self,
        output: &SessionOutput,
        by: &Line,
        responder: Option<Responder>,
        outcome: Result<PromptResponse>,
    ) {
        self.end_beside(output, by, responder, outcome);
    }

    fn turn_ended(
        &self,
        output: &SessionOutput,
        by: &Line,
        responder: Option<Responder>,
        outcome: Result<PromptResponse>,
        free: &mut dyn FnMut(),
    ) {
        self.end(output, by, responder, outcome, free);
    }
}
