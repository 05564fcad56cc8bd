//! Questions to all clients of a session. The first answer counts, and for the others the question is withdrawn.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::value::RawValue;
use tokio::sync::mpsc;

use super::Shared;
use crate::{
    client::{everyone::ParamsFor, line::Line},
    rpc::Address,
    values::SessionId,
    wire::{Error, Result},
};

type Answer = Result<Box<RawValue>>;

/// A question that is open.
pub(super) struct Question {
    method: &'static str,
    params: ParamsFor,
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
        let params = match (self.params)(line) {
            None => return reply.give(Err(Error::method_not_found(self.method))),
            Some(Err(error)) => return reply.give(Err(error)),
            Some(Ok(params)) => params,
        };
        let then = Box::new(move |answer: Result<&RawValue>| reply.give(answer.map(ToOwned::to_owned)));
        let id = line.request_then(Address::Topic(session.as_ref()), self.method, &params, then);
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

/// Asks all clients. An error is an answer only if no client gives another one.
pub(super) async fn ask(shared: Arc<Shared>, session: SessionId, method: &'static str, params: ParamsFor) -> Answer {
    let (answers, mut given) = mpsc::unbounded_channel();
    let question = Arc::new(Question { method, params, answers, asked: Mutex::default() });
    let open = Open { shared, session, question };
    let mut count = {
        let mut inside = open.shared.lock();
        inside.lines.iter().for_each(|line| open.question.ask(&open.session, line));
        inside.questions.push(open.question.clone());
        inside.lines.len()
    };
    let mut last = Err(Error::internal_error("no client follows the session: nobody can be asked"));
    let mut failed = 0;
    while failed < count {
        match given.recv().await {
            Some(Ok(answer)) => return Ok(answer),
            Some(Err(error)) => (failed, last) = (failed + 1, Err(error)),
            None => break,
        }
        // Those that have come meanwhile were asked, too.
        count = count.max(open.question.asked().len());
    }
    last
}
