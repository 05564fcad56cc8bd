//! `_session/steering`: what the user says to a turn that runs, for clients that do not send it as a prompt. Some agents and editors
//! have agreed on this method; the protocol does not have it.
//!
//! It becomes a call of the handler `prompt` with a place among the prompts that wait, and with an answer of its own. So the handler
//! `steer` gets it in the same order. An agent that handles the method by itself keeps it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{json, value::RawValue};

use super::places::Sent;
use crate::{
    agent::{
        call::route::comes_as_prompt,
        model::{Call, Handlers, Part},
        params,
    },
    rpc::Responder,
    schema::Method,
    values::{InitializeResponse, Meta, SessionId, methods},
    wire::decode,
};

/// The method's name.
pub(super) const STEERING: &str = "_session/steering";

/// Advertises the method in `_meta` of the answer to `initialize`. A member that the agent has put there stays.
pub(super) fn advertise<A: Handlers>(response: &mut InitializeResponse) {
    if comes_as_prompt::<A>(STEERING) {
        let meta = response.meta.get_or_insert_with(Meta::new);
        meta.entry("steering").or_insert_with(|| json!({ "supported": true }));
    }
}

/// The answer.
#[derive(Serialize)]
#[serde(tag = "outcome", rename_all = "camelCase")]
pub(super) enum Outcome {
    /// The turn that runs has taken it in.
    Injected,
    /// It has begun a turn.
    StartedNewTurn,
    /// No turn runs, and the client did not want one to begin.
    PromptRequired { reason: &'static str },
}

/// The calls that are on their way to their places.
#[derive(Debug, Default)]
pub(super) struct Steerings(Mutex<Vec<Steering>>);

#[derive(Debug)]
struct Steering {
    session: SessionId,
    request: Box<RawValue>,
    by: Sent,
}

impl Steerings {
    /// Takes the call if it is one of this method, and sends it to the handler `prompt`.
    pub(super) fn receive<'l, A: Handlers>(&self, call: Call<'l, A>) -> Option<Call<'l, A>> {
        if call.method() != STEERING || !comes_as_prompt::<A>(STEERING) {
            return Some(call);
        }
        let Call { connection, params, responder, .. } = call;
        let responder = responder?;
        // Those who may not send a prompt may not send this.
        if let Err(error) = connection.host.parts.admits(connection, methods::Prompt::NAME) {
            responder.respond::<()>(Err(error));
            return None;
        }
        let translated = match connection.line.dialect().call(methods::Prompt::NAME, params) {
            Ok(call) => call.params,
            Err(no) => {
                responder.respond::<()>(Err(no.refuse(STEERING, params)));
                return None;
            }
        };
        let session = params.and_then(params::session_id);
        let request = responder.id().map(ToOwned::to_owned);
        let on_its_way = session.zip(request).map(|(session, request)| {
            self.lock().push(Steering { session: session.clone(), request: request.clone(), by: sent(params) });
            (session, request)
        });
        let params = translated.as_deref().or(params);
        A::call(Call::new(connection, methods::Prompt::NAME, params, Some(responder)).sent_as(STEERING));
        if let Some((session, request)) = on_its_way {
            self.lock().retain(|own| !own.is(&session, &request));
        }
        None
    }

    /// Whether a call for this session is on its way. Then what arrives gets a place, because a call of this method needs one for
    /// its answer.
    pub(super) fn are_for(&self, session: &SessionId) -> bool {
        self.lock().iter().any(|own| own.session == *session)
    }

    /// Takes the call of this request out, if it is one of this method.
    pub(super) fn take(&self, session: &SessionId, responder: &Responder) -> Option<Sent> {
        let mut all = self.lock();
        let at = all.iter().position(|own| responder.id().is_some_and(|id| own.is(session, id)))?;
        Some(all.swap_remove(at).by)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Steering>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Steering {
    fn is(&self, session: &SessionId, request: &RawValue) -> bool {
        self.session == *session && self.request.get() == request.get()
    }
}

impl Outcome {
    /// Answers the request.
    pub(super) fn answer(&self, responder: &mut Option<Responder>) {
        if let Some(responder) = responder.take() {
            responder.respond(Ok(self));
        }
    }
}

/// What the client wants if no turn runs: `_meta.steering.idleBehavior`.
fn sent(params: Option<&RawValue>) -> Sent {
    #[derive(Deserialize)]
    struct Params {
        #[serde(rename = "_meta")]
        meta: Option<OfParams>,
    }
    #[derive(Deserialize)]
    struct OfParams {
        steering: Option<OfSteering>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct OfSteering {
        idle_behavior: Option<String>,
    }
    let read = params.and_then(|params| decode::from_json::<Params>(params.get()).ok());
    let idle = read.and_then(|params| params.meta?.steering?.idle_behavior);
    if idle.as_deref() == Some("promptRequired") { Sent::SteeringOnly } else { Sent::Steering }
}
