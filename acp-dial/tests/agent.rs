//! An agent whose prompts say what it does, and its server.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use acp_client::{
    Connection, Endpoint, Session, acp_client,
    http::Http,
    values::{PermissionOptionId, PermissionOptionKind, RequestPermissionRequest},
};
use acp_http::{BoundServer, HttpOptions, Retention, ServeHttp};
use acp_runtime::{
    prelude::{PromptRequest, Result, StopReason, Turn, acp_agent},
    store::{MemoryStore, SessionStore},
};

#[acp_agent(store = store)]
#[derive(Clone)]
pub(crate) struct Worker {
    store: Arc<dyn SessionStore>,
    cancelled: Arc<AtomicUsize>,
    written: Arc<AtomicUsize>,
}

#[acp_agent]
impl Worker {
    /// `count N`: N messages. `wait`: until the cancel. `ask`: a permission.
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let text = request.text();
        match text.split_once(' ').unwrap_or((&text, "")) {
            ("count", number) => {
                for number in 0..number.parse::<u64>().unwrap() {
                    if turn.is_cancelled() {
                        return Ok(StopReason::Cancelled);
                    }
                    turn.message(format!("{number};")).await?;
                    self.written.fetch_add(1, Ordering::SeqCst);
                }
            }
            ("slowly", number) => {
                for number in 0..number.parse::<u64>().unwrap() {
                    turn.message(format!("{number};")).await?;
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            }
            ("wait", _) => {
                turn.message("waiting").await?;
                turn.cancelled().await;
                self.cancelled.fetch_add(1, Ordering::SeqCst);
                return Ok(StopReason::Cancelled);
            }
            ("ask", _) => {
                let call = turn.tool_call("Ask").start().await?;
                let allowed = call.permission().ask().await?.is_allowed();
                turn.message(format!("allowed: {allowed}")).await?;
                call.complete("done").await?;
            }
            _ => turn.message(format!("you said {text}")).await?,
        }
        Ok(StopReason::EndTurn)
    }
}

/// A server, until its drop.
pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) endpoint: acp_http::Endpoint,
    worker: Worker,
    serving: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl Server {
    pub(crate) async fn new(options: HttpOptions) -> Self {
        Self::on(Arc::new(MemoryStore::new()), options).await
    }

    /// A server with the sessions of this store.
    pub(crate) async fn on(store: Arc<dyn SessionStore>, options: HttpOptions) -> Self {
        let (cancelled, written) = Default::default();
        let worker = Worker { store, cancelled, written };
        let server: BoundServer = worker.clone().serve_http("127.0.0.1:0").options(options).bind().await.unwrap();
        let (url, endpoint) = (server.url(), server.endpoint());
        Self { url, endpoint, worker, serving: tokio::spawn(server.serve()) }
    }

    /// A server that keeps all that a test says.
    pub(crate) async fn that_keeps_all() -> Self {
        let retention = Retention::default().messages(1_000_000).bytes(100_000_000);
        Self::new(HttpOptions::new().retention(retention)).await
    }

    pub(crate) fn port(&self) -> u16 {
        self.url.split([':', '/']).find_map(|part| part.parse().ok()).unwrap()
    }

    pub(crate) fn cancelled(&self) -> usize {
        self.worker.cancelled.load(Ordering::SeqCst)
    }

    /// How many messages the turns have written.
    pub(crate) fn written(&self) -> usize {
        self.worker.written.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// A server of an author's own.
pub(crate) async fn serve(app: axum::Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/acp", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    url
}

/// The ways to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Http1,
    Http2,
    WebSocket,
}

impl Way {
    pub(crate) const ALL: [Self; 3] = [Self::Http1, Self::Http2, Self::WebSocket];

    pub(crate) fn to(self, url: &str) -> Http {
        match self {
            Self::Http1 => Http::new(url),
            Self::Http2 => Http::new(url).prior_knowledge(true),
            Self::WebSocket => Http::new(url.replace("http:", "ws:")),
        }
    }
}

/// A client that allows all.
struct Yes;

#[acp_client]
impl Yes {
    async fn request_permission(&self, request: RequestPermissionRequest) -> Option<PermissionOptionId> {
        let once = request.options.into_iter().find(|option| option.kind == PermissionOptionKind::AllowOnce);
        once.map(|option| option.option_id)
    }
}

pub(crate) async fn connect(http: Http) -> Connection {
    soon("a connection", Endpoint::over(http).connect_as(Yes)).await.unwrap()
}

pub(crate) async fn session(connection: &Connection) -> Session {
    soon("a session", connection.new_session("/")).await.unwrap()
}

/// All texts of a turn, until its end.
pub(crate) async fn said(session: &Session, prompt: &str) -> String {
    let mut turn = soon("a turn", session.prompt(prompt)).await.unwrap();
    let mut said = String::new();
    while let Some(text) = soon("the next text", turn.text()).await.unwrap() {
        said.push_str(&text);
    }
    said
}

/// The texts of a turn that counts.
pub(crate) fn counted(to: u64) -> String {
    (0..to).map(|number| format!("{number};")).collect()
}

/// Waits for what comes soon.
pub(crate) async fn soon<T>(what: &str, work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(30), work).await.unwrap_or_else(|_| panic!("{what} does not come"))
}

/// Waits until this holds.
pub(crate) async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let waiting = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon(what, waiting).await;
}
