//! A client: one connection of the protocol, with the streams that it reads.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use http_body_util::{BodyExt as _, Full};
use hyper::{
    Method, Request, StatusCode,
    body::{Bytes, Incoming},
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use serde_json::{Value, json};
use tokio::{
    sync::{oneshot, watch},
    task::JoinHandle,
};

use crate::{
    Result,
    events::{Events, Said},
    wire::{Place, Requests},
};

const CONNECTION: &str = "acp-connection-id";
const SESSION: &str = "acp-session-id";

/// A connection of the protocol.
pub struct Link {
    requests: Requests,
    id: HeaderValue,
    heard: Arc<Heard>,
    next_id: AtomicU64,
    reader: Mutex<Option<Reader>>,
}

/// What all streams of all clients have said.
#[derive(Default)]
pub struct Counts {
    pub updates: AtomicU64,
    /// Streams that have ended, or said what they should not.
    pub broken: AtomicU64,
}

struct Heard {
    counts: Arc<Counts>,
    answers: Mutex<HashMap<u64, oneshot::Sender<Result<String>>>>,
}

/// The reader of a stream, until its drop.
pub struct Reader {
    task: JoinHandle<()>,
    reads: watch::Sender<bool>,
    /// The place of the last message.
    place: Arc<Mutex<Vec<u8>>>,
}

impl Link {
    /// Begins a connection, and reads its stream.
    pub async fn open(place: Place, counts: Arc<Counts>) -> Result<Self> {
        let requests = Requests::open(place).await?;
        let params = json!({
            "protocolVersion": 1,
            "clientCapabilities": {"session": {"configOptions": {"boolean": {}}}},
            "clientInfo": {"name": "bench", "version": "0.1.0"},
        });
        let begin = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let request = Request::post("/").header(CONTENT_TYPE, "application/json");
        let answer = requests.send(request.body(Full::from(begin.to_string()))?).await?;
        let id = answer.headers().get(CONNECTION).cloned();
        if answer.status() != StatusCode::OK {
            return Err(format!("`initialize` was answered with the status {}", answer.status()).into());
        }
        let text = answer.into_body().collect().await?.to_bytes();
        let Said::Answer { result, .. } = Said::read(&text)? else {
            return Err("`initialize` was not answered".into());
        };
        result?;
        let heard = Arc::new(Heard { counts, answers: Mutex::default() });
        let id = id.ok_or("the answer to `initialize` has no id of the connection")?;
        let link = Self { requests, id, heard, next_id: AtomicU64::new(1), reader: Mutex::default() };
        *lock(&link.reader) = Some(link.read(None, None).await?);
        Ok(link)
    }

    /// Reads the stream of a session, or of the connection. `behind` is where an earlier reader has ended.
    pub async fn read(&self, session: Option<&str>, behind: Option<&[u8]>) -> Result<Reader> {
        let mut request = self.request(Method::GET, session)?.header(ACCEPT, "text/event-stream");
        if let Some(behind) = behind {
            request = request.header("last-event-id", behind);
        }
        let answer = self.requests.stream(request.body(Full::default())?).await?;
        if answer.status() != StatusCode::OK {
            let status = answer.status();
            let text = answer.into_body().collect().await?.to_bytes();
            return Err(format!("a stream was answered {status}: {}", String::from_utf8_lossy(&text)).into());
        }
        let (reads, gate) = watch::channel(true);
        let place = Arc::default();
        let task = tokio::spawn(listen(answer.into_body(), self.heard.clone(), gate, Arc::clone(&place)));
        Ok(Reader { task, reads, place })
    }

    /// Sends a request, and waits for its answer on a stream.
    pub async fn call(&self, method: &str, params: &Value, session: Option<&str>) -> Result<String> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#);
        let (answered, answer) = oneshot::channel();
        lock(&self.heard.answers).insert(id, answered);
        let request = self.request(Method::POST, session)?.header(CONTENT_TYPE, "application/json");
        let accepted = self.requests.send(request.body(Full::from(body))?).await?;
        let status = accepted.status();
        let text = accepted.into_body().collect().await?.to_bytes();
        if status != StatusCode::ACCEPTED {
            return Err(format!("`{method}` was answered {status}: {}", String::from_utf8_lossy(&text)).into());
        }
        answer.await.map_err(|_| "the client has gone")?
    }

    /// Ends the connection.
    pub async fn delete(&self) -> Result<()> {
        let answer = self.requests.send(self.request(Method::DELETE, None)?.body(Full::default())?).await?;
        match answer.status() {
            StatusCode::ACCEPTED => Ok(()),
            status => Err(format!("DELETE was answered {status}").into()),
        }
    }

    fn request(&self, method: Method, session: Option<&str>) -> Result<hyper::http::request::Builder> {
        let request = Request::builder().method(method).header(CONNECTION, self.id.clone());
        Ok(match session {
            Some(session) => request.header(SESSION, session),
            None => request,
        })
    }
}

impl Reader {
    /// Stops to read, or goes on.
    pub fn stall(&self, stalls: bool) {
        self.reads.send_replace(!stalls);
    }

    /// The place of the last message.
    pub fn place(&self) -> Vec<u8> {
        lock(&self.place).clone()
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn listen(body: Incoming, heard: Arc<Heard>, gate: watch::Receiver<bool>, place: Arc<Mutex<Vec<u8>>>) {
    // Only `broken` says it: an end is an error of the server, because clients that leave drop their readers.
    let _ = hear(body, &heard, gate, &place).await;
    heard.counts.broken.fetch_add(1, Ordering::Relaxed);
    lock(&heard.answers).clear();
}

async fn hear(
    mut body: Incoming,
    heard: &Heard,
    mut gate: watch::Receiver<bool>,
    place: &Mutex<Vec<u8>>,
) -> Result<()> {
    let mut events = Events::default();
    loop {
        if !*gate.borrow_and_update() {
            gate.wait_for(|reads| *reads).await?;
        }
        let Some(frame) = body.frame().await else { return Ok(()) };
        let Ok(piece): std::result::Result<Bytes, _> = frame?.into_data() else { continue };
        let (mut updates, mut last) = (0, Vec::new());
        events.read(&piece, |id, data| {
            match Said::read(data)? {
                Said::Update => updates += 1,
                Said::Answer { id, result } => {
                    let waiting = lock(&heard.answers).remove(&id).ok_or("an answer that nobody waits for")?;
                    // The one who has asked may have gone.
                    let _ = waiting.send(result.map(str::to_owned));
                }
            }
            last.clear();
            last.extend_from_slice(id);
            Ok(())
        })?;
        heard.counts.updates.fetch_add(updates, Ordering::Relaxed);
        if !last.is_empty() {
            *lock(place) = last;
        }
    }
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
