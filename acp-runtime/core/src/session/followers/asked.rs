//! Questions to all clients of a session. The first decision counts, and for the others the question is withdrawn.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::value::RawValue;
use tokio::sync::mpsc;

use super::Shared;
use crate::{
    client::{everyone::Poll, line::Line},
    rpc::Address,
    values::SessionId,
    wire::{Error, Result},
};

type Answer = Result<Box<RawValue>>;

/// A question that is open.
pub(super) struct Question {
    poll: Poll,
    answers: mpsc::UnboundedSender<Answer>,
    /// The clients that were asked, with the ids of their requests.
    asked: Mutex<Vec<(Arc<Line>, u64)>>,
}

/// The answer of one client. Its drop says that none comes any more.
struct Reply(Option<mpsc::UnboundedSender<Answer>>);

impl Reply {
    fn give(&mut self, answer: Answer) {
        if let Some(answers) = self.0.take() {
            // Nobody waits for the answer if another client was first.
            let _ = answers.send(answer);
        }
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        self.give(Err(Error::internal_error("the client hung up before it answered")));
    }
}

impl Question {
    /// Asks one client, if it can be asked.
    pub(super) fn ask(&self, session: &SessionId, line: &Arc<Line>) {
        let mut reply = Reply(Some(self.answers.clone()));
        let params = match (self.poll.params)(line) {
            None => return reply.give(Err(Error::method_not_found(self.poll.method))),
            Some(Err(error)) => return reply.give(Err(error)),
            Some(Ok(params)) => params,
        };
        let then = Box::new(move |answer: Result<&RawValue>| reply.give(answer.map(ToOwned::to_owned)));
        let Poll { method, cancel, .. } = &self.poll;
        let id = line.request_then_unless(cancel.as_ref(), Address::Topic(session.as_ref()), method, &params, then);
        self.asked().push((line.clone(), id));
    }

    fn asked(&self) -> std::sync::MutexGuard<'_, Vec<(Arc<Line>, u64)>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A question stays open until the drop of this.
struct Open {
    shared: Arc<Shared>,
    session: SessionId,
    question: Arc<Question>,
}

impl Drop for Open {
    fn drop(&mut self) {
        let Self { shared, session, question } = self;
        shared.lock().questions.retain(|other| !Arc::ptr_eq(other, question));
        // Of those that have answered, nothing is withdrawn.
        for (line, id) in std::mem::take(&mut *question.asked()) {
            line.give_up(Address::Topic(session.as_ref()), id);
        }
    }
}

/// Asks all clients. What is no decision is the answer only if no client makes one, and an error only if there is nothing else.
pub(super) async fn ask(shared: Arc<Shared>, session: SessionId, poll: Poll) -> Answer {
    let (answers, mut given) = mpsc::unbounded_channel();
    let question = Arc::new(Question { poll, answers, asked: Mutex::default() });
    let open = Open { shared, session, question };
    let mut count = {
        let mut inside = open.shared.lock();
        inside.lines.iter().for_each(|line| open.question.ask(&open.session, line));
        inside.questions.push(open.question.clone());
        inside.lines.len()
    };
    let mut last = Err(Error::internal_error("no client follows the session: nobody can be asked"));
    let mut undecided = 0;
    while undecided < count {
        let Some(answer) = given.recv().await else { break };
        if answer.as_ref().is_ok_and(|answer| (open.question.poll.decides)(answer)) {
            return answer;
        }
        undecided += 1;
        if answer.is_ok() || last.is_err() {
            last = answer;
        }
        // Those that have come meanwhile were asked, too.
        count = count.max(open.question.asked().len());
    }
    last
}
