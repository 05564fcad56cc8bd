//! The place of an agent: a program to start, a URL, or a transport that leads to the agent.

use std::{ffi::OsStr, panic::catch_unwind};

use tokio::process::Command;

use crate::{
    ConnectOptions, Connection, Error, Result,
    contract::{Handlers, Silent, is_local},
    dialect,
    process::{Process, Signals, Stderr},
    transport::Transport,
};

/// Where the agent is: a program to start, a URL (`Endpoint::url`, with the feature `http`), or a transport.
///
/// ```no_run
/// use acp_client::Endpoint;
///
/// # async fn run() -> acp_client::Result<()> {
/// let connection = Endpoint::program("coder").connect().await?;
/// let session = connection.new_session("/home/me/project").await?;
/// let end = session.prompt("Fix the failing test.").await?.finish().await?;
/// println!("{:?}", end.stop_reason);
/// connection.close().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Endpoint<T = Program> {
    to: T,
    options: ConnectOptions,
}

/// An agent that is a program; the client starts it.
#[derive(Debug)]
pub struct Program {
    command: Command,
    stderr: Stderr,
    signals: Signals,
}

/// An agent behind a transport.
#[derive(Debug)]
pub struct Over<T>(T);

impl Endpoint<Program> {
    /// An agent that is a program with this name or path.
    pub fn program(name: impl AsRef<OsStr>) -> Self {
        Self::command(Command::new(name))
    }

    /// An agent that is a program, with arguments, a folder and an environment. The client sets the command's stdin,
    /// stdout and stderr itself.
    pub fn command(command: impl Into<Command>) -> Self {
        let (command, stderr, signals) = (command.into(), Stderr::default(), Signals::default());
        Self { to: Program { command, stderr, signals }, options: ConnectOptions::new() }
    }

    /// Sets the use of the agent's stderr.
    #[must_use]
    pub fn stderr(mut self, stderr: Stderr) -> Self {
        self.to.stderr = stderr;
        self
    }

    /// Sets the handling of signals that end this program.
    #[must_use]
    pub fn signals(mut self, signals: Signals) -> Self {
        self.to.signals = signals;
        self
    }

    /// Starts the agent, with a client that has no handlers.
    ///
    /// **The client refuses every request for permission**, and has neither files nor terminals. So most agents answer questions, and do
    /// no more. For an agent that works in a folder, connect as a [`Workspace`](crate::parts::Workspace) with a policy of
    /// [`Permissions`](crate::parts::Permissions), or as a client of your own, by [`connect_as`](Self::connect_as).
    ///
    /// # Errors
    ///
    /// The program cannot be started, ends, does not answer `initialize` in time, or speaks another version of the protocol.
    pub async fn connect(self) -> Result<Connection> {
        self.connect_as(Silent).await
    }

    /// Starts the agent. The agent may send `client` all requests that `client` has handlers for.
    ///
    /// The connection keeps the client. If the program goes on using it, or has several connections, the client is `Clone`, and keeps
    /// what its clones share in an `Arc` field. An `Arc` of a client is no client.
    ///
    /// ```no_run
    /// use std::{
    ///     collections::HashMap,
    ///     path::PathBuf,
    ///     sync::{Arc, Mutex},
    /// };
    ///
    /// use acp_client::{Endpoint, Result, acp_client, values::WriteTextFileRequest};
    ///
    /// #[derive(Clone, Default)]
    /// struct Editor {
    ///     /// What the agent has written, for the user to look at.
    ///     written: Arc<Mutex<HashMap<PathBuf, String>>>,
    /// }
    ///
    /// #[acp_client]
    /// impl Editor {
    ///     async fn write_text_file(&self, request: WriteTextFileRequest) {
    ///         self.written.lock().expect("no other thread panics").insert(request.path, request.content);
    ///     }
    /// }
    ///
    /// # async fn run() -> Result<()> {
    /// let editor = Editor::default();
    /// let connection = Endpoint::program("coder").connect_as(editor.clone()).await?;
    /// let session = connection.new_session("/home/me/project").await?;
    /// session.prompt("Fix the failing test.").await?.finish().await?;
    /// println!("{:?}", editor.written.lock().expect("no other thread panics").keys());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As those of [`connect`](Self::connect). Or the client is `local`, and there is no
    /// [`LocalSet`](tokio::task::LocalSet) where its handlers can run.
    pub async fn connect_as<C: Handlers>(self, client: C) -> Result<Connection> {
        check_place(&client)?;
        let Self { to: Program { command, stderr, signals }, options } = self;
        let (process, pipes) = Process::spawn(command, stderr, signals, options.grace)?;
        Connection::open(client, pipes, options, Some(process), dialect::ALL).await
    }
}

impl<T: Transport<Source: 'static> + Send> Endpoint<Over<T>> {
    /// An agent behind a transport: a socket, or memory.
    ///
    /// ```
    /// use acp_client::{Endpoint, transport::memory};
    ///
    /// let (near, far) = memory::pair();
    /// // `far` is what an agent serves.
    /// let endpoint = Endpoint::over(near);
    /// # let _ = (endpoint, far);
    /// ```
    pub fn over(transport: T) -> Self {
        Self { to: Over(transport), options: ConnectOptions::new() }
    }

    /// Connects, with a client that has no handlers.
    ///
    /// **The client refuses every request for permission**, and has neither files nor terminals. So most agents answer questions, and do
    /// no more. For an agent that works in a folder, connect as a [`Workspace`](crate::parts::Workspace) with a policy of
    /// [`Permissions`](crate::parts::Permissions), or as a client of your own, by [`connect_as`](Self::connect_as).
    ///
    /// # Errors
    ///
    /// The transport cannot be opened, the agent is gone, does not answer `initialize` in time, or speaks another version of the
    /// protocol.
    pub async fn connect(self) -> Result<Connection> {
        self.connect_as(Silent).await
    }

    /// Connects to an agent. The agent may send `client` all requests that `client` has handlers for.
    ///
    /// What a client shares with the rest of the program stands in an `Arc` field of it: an `Arc` of a client is no client. The function
    /// of the same name for a program has an example.
    ///
    /// # Errors
    ///
    /// As those of [`connect`](Self::connect). Or the client is `local`, and there is no
    /// [`LocalSet`](tokio::task::LocalSet) where its handlers can run.
    pub async fn connect_as<C: Handlers>(self, client: C) -> Result<Connection> {
        check_place(&client)?;
        Connection::open(client, self.to.0, self.options, None, dialect::ALL).await
    }
}

#[cfg(feature = "http")]
impl Endpoint<Over<crate::http::Http>> {
    /// An agent behind a URL: over HTTP with `http:` or `https:`, over a WebSocket with `ws:` or `wss:`. For a login and bounds, give an
    /// [`Http`](crate::http::Http) with options to [`over`](Self::over). Only with the feature `http`.
    ///
    /// A lost connection comes back. If the server was started again, or a balancer leads to another one, the sessions go on there, and only a
    /// request that was in the middle fails: see [`http`](crate::http#a-server-that-is-gone). If the connection is lost for good, its error says
    /// why ([`End::Broken`](crate::End::Broken)). Then connect again, and load the sessions.
    ///
    /// ```no_run
    /// use acp_client::{Endpoint, http::Http};
    ///
    /// # async fn run(token: String) -> acp_client::Result<()> {
    /// let local = Endpoint::url("http://127.0.0.1:4000/acp").connect().await?;
    /// let remote = Endpoint::over(Http::new("wss://agent.example.com/acp").bearer(token)).connect().await?;
    /// # let _ = (local, remote);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// See [the transport's proposal](https://agentclientprotocol.com/rfds/streamable-http-websocket-transport).
    pub fn url(url: impl Into<String>) -> Self {
        Self::over(crate::http::Http::new(url))
    }
}

/// A client that is `local` needs a place where its handlers run. Only a panic of tokio tells whether there is one.
fn check_place<C: Handlers>(client: &C) -> Result<()> {
    if !is_local(client) {
        return Ok(());
    }
    let tried = catch_unwind(|| drop(tokio::task::spawn_local(async {})));
    tried.map_err(|_| {
        let text =
            "a client that is `local` connects within a `tokio::task::LocalSet`, where its handlers run; there is none";
        Error::invalid(format!("{text}\nhelp: put `LocalSet::new().run_until(..)` around the use of the connection"))
    })
}

impl<T> Endpoint<T> {
    /// Sets the bounds and the client's name.
    #[must_use]
    pub fn options(mut self, options: ConnectOptions) -> Self {
        self.options = options;
        self
    }
}

impl From<Command> for Endpoint {
    fn from(command: Command) -> Self {
        Self::command(command)
    }
}

impl From<std::process::Command> for Endpoint {
    fn from(command: std::process::Command) -> Self {
        Self::command(command)
    }
}
