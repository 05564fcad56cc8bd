//! The client's role: it handles every message of the agent. No function here waits.

use std::sync::Arc;

use acp_peer::{Invalid, Peer, Responder, Role, wire::envelope::Incoming as Message};
use serde_json::value::RawValue;

use crate::{
    contract::{Call, Handlers},
    dialect::{
        Heard,
        lost::{self, Lost},
        messages::session_of,
        reports,
    },
    inbox::{entry::Entry, item::Pushed, question::is_question},
    link::Link,
    schema::Method,
    values::methods,
};

/// A client and the agent that it is connected to.
pub(crate) struct ClientRole<C> {
    pub(crate) client: Arc<C>,
    pub(crate) link: Arc<Link>,
}

impl<C: Handlers> Role for ClientRole<C> {
    /// Some agents send such ids.
    const TAKES_TEXT_IDS: bool = true;

    fn peer(&self) -> &Arc<Peer> {
        &self.link.line.peer
    }

    fn request(self: &Arc<Self>, responder: Responder, method: &str, params: Option<&RawValue>) {
        if self.link.line.peer.tasks.is_full() {
            let error = "the client works on as many requests as it takes at once; ask again when some are answered";
            return responder.respond::<()>(Err(acp_peer::Error::internal_error(error)));
        }
        if method == methods::Initialize::NAME {
            self.link.hears_itself();
        }
        let heard = self.link.line.dialect().heard(method, params);
        let Heard { method, params: translated, is_unknown, is_of_background, .. } = heard;
        if is_unknown {
            return responder.respond::<()>(Err(acp_peer::Error::method_not_found(method)));
        }
        let params = translated.as_deref().or(params);
        let session = is_question(method).then(|| self.link.sessions.of(params.map_or("", RawValue::get))).flatten();
        let reader = session.and_then(|session| Some((session.takes_questions()?, session)));
        let mut call = self.call(method, params, Some(responder));
        if is_of_background {
            call.outlives_turns();
        }
        match reader {
            Some((read, session)) => call.give_to_reader(&session, read),
            None => C::call(call),
        }
    }

    fn notification(self: &Arc<Self>, method: &str, params: Option<&RawValue>) {
        let Heard { method, params: translated, more, then, .. } = self.link.line.dialect().heard(method, params);
        let params = translated.as_deref().or(params);
        if method == methods::SessionUpdate::NAME {
            self.update(params);
            more.iter().for_each(|params| self.update(Some(params)));
            if let Some(then) = then {
                then();
            }
        } else if !self.link.line.peer.tasks.is_full() {
            C::call(self.call(method, params, None));
        } else {
            tracing::warn!("dropped a notification: too many handlers are at work");
        }
    }

    /// Ignores a line that is no message, such as a banner or a log line. An error answer would help nobody, and some
    /// agents fail on one.
    fn invalid(&self, Invalid { line, is_too_long, id, error, .. }: Invalid<'_>) {
        tracing::debug!(%error, "ignored a line of the agent that is no message");
        match id {
            // The line has an id, so the agent waits for its answer.
            Some(_) if line.starts_with(b"{") => self.link.line.peer.refuse(acp_peer::Address::Connection, id, &error),
            _ if is_too_long => self.lost(line, error.message()),
            _ => {
                self.end_answered(line);
                self.link.keep_junk(line, "");
            }
        }
    }

    fn abandon(&self) {
        self.link.line.dialect().close();
        self.link.sessions.close();
    }

    fn is_full(&self) -> bool {
        self.link.gauge.is_full()
    }

    async fn room(&self) {
        self.link.gauge.room().await;
    }
}

impl<C: Handlers> ClientRole<C> {
    fn call<'l>(&'l self, method: &'l str, params: Option<&'l RawValue>, responder: Option<Responder>) -> Call<'l, C> {
        Call::new(&self.client, &self.link.line.peer, &self.link.sessions, method, params, responder)
    }

    /// Tells of a line that is too long.
    fn lost(&self, head: &[u8], why: &str) {
        tracing::warn!(why, "lost a line of the agent");
        self.link.keep_junk(head, why);
        if let Some((id, kind)) = self.link.line.dialect().cut_off(&String::from_utf8_lossy(head))
            && let Some(mark) = lost::mark(&id, Lost { kind, why: why.to_owned() })
        {
            self.push(&self.link.sessions.spoken_of(&id), &mark);
        }
    }

    /// Ends the requests whose answers stand on a line that is no message: a batch, or several values.
    fn end_answered(&self, line: &[u8]) {
        let Ok(text) = std::str::from_utf8(line.trim_ascii_start()) else { return };
        let (values, why): (Vec<&RawValue>, _) = match text.as_bytes().first() {
            Some(b'[') => (serde_json::from_str(text).unwrap_or_default(), "stands in a batch"),
            Some(b'{') => {
                let values = serde_json::Deserializer::from_str(text).into_iter();
                (values.map_while(Result::ok).collect(), "shares its line with something else")
            }
            _ => return,
        };
        for value in values {
            if let Message::Response { id, .. } = Message::read(value.get().as_bytes()) {
                let error = format!("it {why}: each message needs a line of its own");
                let error = acp_peer::Error::unreadable_answer(error);
                self.link.line.peer.outgoing.answer(id, Self::TAKES_TEXT_IDS, Err(error));
            }
        }
    }

    fn update(&self, params: Option<&RawValue>) {
        let Some(params) = params.map(RawValue::get) else { return };
        let Some(id) = session_of(params) else {
            return tracing::debug!("ignored an update that names no session");
        };
        let session = self.link.sessions.spoken_of(&id);
        if let Some(change) = reports::change(params) {
            session.settings().update(change);
        }
        self.push(&session, params);
    }

    fn push(&self, session: &Arc<Entry>, params: &str) {
        if let Pushed::Flooded = session.push(params) {
            tracing::warn!("ended a turn whose updates nobody took");
            if let Some(cancel) = session.cancellation() {
                cancel.cancel(&self.link.line, &session.id);
            }
        }
    }
}
