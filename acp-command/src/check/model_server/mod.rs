//! A scripted model, as a server on this machine: OpenAI's chat completions and responses, and Anthropic's messages, in one piece and
//! streamed. With `--model-server`, the agent finds it by its environment.
//!
//! `form` is what the APIs share, `chat`, `responses` and `messages` are these APIs. `script` reads in the prompt what the model does, and
//! `arguments` calls the agent's tools.

mod arguments;
mod chat;
mod form;
mod messages;
mod responses;
mod script;
#[cfg(test)]
mod tests;

use std::{
    convert::Infallible,
    env, io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{DefaultBodyLimit, State},
    http::{HeaderName, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use clap::Args;
use futures_util::stream::{self, Stream, StreamExt as _};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::AbortHandle, time::sleep};

use self::{
    chat::Chat,
    form::{Asked, Event, Form, MODEL, Reply},
    messages::Messages,
    responses::Responses,
    script::Step,
};

/// The time between two pieces of an answer without an end.
const PACE: Duration = Duration::from_millis(20);
/// What an answer without an end repeats.
const ON: &str = "on and ";

/// The arguments of the server.
#[derive(Debug, Args)]
pub(super) struct ModelArgs {
    /// Give the agent a scripted model: a server of the check on 127.0.0.1.
    ///
    /// It speaks OpenAI's chat completions and responses, and Anthropic's messages. The agent gets OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL,
    /// ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY, and has to use them. For one that reads its settings from a file, a wrapper writes the file:
    /// `-- sh -c 'sed "s,URL,$OPENAI_BASE_URL," <template >settings && exec agent'`.
    ///
    /// A word of the prompt says what the model does: `model:text`, `model:tool` (calls the agent's tool for commands, with `touch`),
    /// `model:long-tool` (with a command that does not end), `model:read` (calls a tool that reads files), `model:call NAME {..}` (calls any tool),
    /// `model:unknown-tool`, `model:bad-arguments`, `model:429`, `model:500`, `model:breaks` (the connection ends early), `model:endless`,
    /// `model:silent`. The default prompts are then `model:text`, `model:tool`, `model:read`, and `model:endless`.
    #[arg(long, conflicts_with = "client")]
    pub(super) model_server: bool,
}

/// How many requests have come for an answer of the model.
#[derive(Clone, Default)]
pub(super) struct Count(Arc<AtomicUsize>);

impl Count {
    pub(super) fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn next(&self) -> usize {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// A running server. It ends with this value.
pub(super) struct ModelServer {
    address: SocketAddr,
    pub(super) count: Count,
    serving: AbortHandle,
}

impl ModelServer {
    /// Starts a server on a free port.
    pub(super) async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let count = Count::default();
        let router = router(count.clone());
        // It serves until it is aborted.
        let serving = tokio::spawn(async move { axum::serve(listener, router).await }).abort_handle();
        Ok(Self { address, count, serving })
    }

    /// What the agent's environment has of it.
    pub(super) fn variables(&self) -> Vec<(&'static str, String)> {
        let host = format!("http://{}", self.address);
        let mut variables = vec![
            ("OPENAI_BASE_URL", format!("{host}/v1")),
            ("OPENAI_API_KEY", MODEL.to_owned()),
            ("OPENAI_MODEL", MODEL.to_owned()),
            ("ANTHROPIC_BASE_URL", host),
            ("ANTHROPIC_API_KEY", MODEL.to_owned()),
        ];
        // A proxy of the machine does not reach it.
        for name in ["NO_PROXY", "no_proxy"] {
            let known = env::var(name).unwrap_or_default();
            let separator = if known.is_empty() { "" } else { "," };
            variables.push((name, format!("{known}{separator}127.0.0.1")));
        }
        variables
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

fn router(count: Count) -> Router {
    let count_tokens = || async { whole(StatusCode::OK, &json!({ "input_tokens": 40 })) };
    let mut router = Router::new();
    // Some agents add `/v1` to an address themselves, and some do not.
    for base in ["/v1", "", "/v1/v1"] {
        let path = |end: &str| format!("{base}{end}");
        router = router
            .route(&path("/chat/completions"), post(answer::<Chat>))
            .route(&path("/responses"), post(answer::<Responses>))
            .route(&path("/messages"), post(answer::<Messages>))
            .route(&path("/messages/count_tokens"), post(count_tokens))
            .route(&path("/models"), get(models));
    }
    router.fallback(nothing).layer(DefaultBodyLimit::disable()).with_state(count)
}

/// The list of models, in the shape of both vendors.
async fn models() -> Response {
    let model = json!({
        "id": MODEL, "object": "model", "created": 1, "owned_by": MODEL,
        "type": "model", "display_name": MODEL, "created_at": "2026-01-01T00:00:00Z",
    });
    let list = json!({ "object": "list", "data": [model], "has_more": false, "first_id": MODEL, "last_id": MODEL });
    whole(StatusCode::OK, &list)
}

async fn nothing() -> Response {
    whole(StatusCode::NOT_FOUND, &Chat::error("not_found_error", "the scripted model has no such path"))
}

fn whole(status: StatusCode, body: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

/// Answers a request of one of the APIs.
async fn answer<F: Form>(State(count): State<Count>, body: Bytes) -> Response {
    let Ok(body) = serde_json::from_slice::<Value>(&body) else {
        return whole(StatusCode::BAD_REQUEST, &F::error("invalid_request_error", "the body is no JSON"));
    };
    let asked = F::asked(&body);
    let reply = |text: String, call| Reply { number: count.next(), text, call };
    match script::step(&asked) {
        Step::Says(pieces) => says::<F>(&asked, &reply(pieces.concat(), None), pieces),
        Step::Calls(call) => {
            says::<F>(&asked, &reply("I use a tool. ".to_owned(), Some(call)), &["I use ", "a tool. "])
        }
        Step::Fails(status) => {
            count.next();
            fails::<F>(status)
        }
        Step::Breaks => {
            let (reply, pieces) = (reply(String::new(), None), ["This ", "breaks "]);
            let begun = F::begin(&reply).into_iter().chain(pieces.map(|piece| F::piece(&reply, piece)));
            let begun: Vec<_> = begun.map(|event| Ok(event.bytes())).collect();
            let begun = if asked.is_streamed { begun } else { vec![Ok(Bytes::from_static(b"{\"id\": "))] };
            let broken = stream::once(async {
                // What was said has gone out, before the connection ends.
                sleep(PACE).await;
                Err(io::Error::other("the script breaks the connection"))
            });
            events(&asked, stream::iter(begun).chain(broken))
        }
        Step::Endless if asked.is_streamed => {
            let reply = reply(String::new(), None);
            let begun: Vec<_> = F::begin(&reply).iter().map(Event::bytes).collect();
            let again = F::piece(&reply, ON).bytes();
            let repeated = stream::repeat(again).then(|piece| async {
                sleep(PACE).await;
                piece
            });
            events(&asked, stream::iter(begun).chain(repeated).map(Ok::<_, Infallible>))
        }
        Step::Endless | Step::Silent => {
            count.next();
            std::future::pending().await
        }
    }
}

/// A whole answer, in pieces if they are wanted.
fn says<F: Form>(asked: &Asked, reply: &Reply, pieces: &[&str]) -> Response {
    if !asked.is_streamed {
        return whole(StatusCode::OK, &F::whole(reply));
    }
    let text = pieces.iter().map(|piece| F::piece(reply, piece));
    let all = F::begin(reply).into_iter().chain(text).chain(F::end(reply, asked));
    let all: Vec<_> = all.map(|event| Ok::<_, Infallible>(event.bytes())).collect();
    events(asked, stream::iter(all))
}

/// A body that comes in pieces.
fn events<E>(asked: &Asked, pieces: impl Stream<Item = Result<Bytes, E>> + Send + 'static) -> Response
where
    E: Into<axum::BoxError> + 'static,
{
    let kind = if asked.is_streamed { "text/event-stream" } else { "application/json" };
    ([(header::CONTENT_TYPE, kind)], Body::from_stream(pieces)).into_response()
}

/// An error of the server. A client that asks again gets it again.
fn fails<F: Form>(status: u16) -> Response {
    let status = StatusCode::from_u16(status).expect("the script has statuses of HTTP");
    let (kind, name, value) = match status {
        StatusCode::TOO_MANY_REQUESTS => ("rate_limit_error", header::RETRY_AFTER, "1"),
        _ => ("api_error", HeaderName::from_static("x-should-retry"), "false"),
    };
    let mut response = whole(status, &F::error(kind, "the scripted model fails, as it was asked to"));
    response.headers_mut().insert(name, value.parse().expect("it is text"));
    response
}
