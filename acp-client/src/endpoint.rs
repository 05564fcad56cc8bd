//! The place of an agent: a program to start, or a transport that leads to the agent.

use std::{ffi::OsStr, panic::catch_unwind, time::Duration};

use tokio::process::Command;

use crate::{
    Connection, Error, Result,
    contract::{Handlers, Silent, is_local},
    process::{Process, Signals, Stderr},
    transport::{Limits, Transport},
    values::Implementation,
};

/// The bounds of a connection, and the client's name. The defaults suit an editor on a developer's machine.
/// `Duration::MAX` is no limit.
///
/// Every wait for the agent has a bound, with three exceptions. By default, a [turn](field@Self::turn_silence) may be
/// silent for ever. A [prompt](crate::Session::prompt) or a load waits for the session's turn or load before it, as long
/// as that runs. And the end of a turn waits for the client's own [handlers](crate::handlers) of its updates.
///
/// ```
/// use std::time::Duration;
///
/// use acp_client::ConnectOptions;
///
/// let options = ConnectOptions::new().request_timeout(Duration::from_secs(10));
/// # let _ = options;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConnectOptions {
    /// The memory bounds for single messages and for unsent messages.
    pub limits: Limits,
    /// If the updates that nobody has taken are larger than this, the client stops reading, and the agent must wait.
    /// The default is 1 MiB.
    pub unread_soft_bytes: usize,
    /// The bound on such updates while a caller waits for an answer, because the answer may come after them. A turn
    /// that sends more ends with an error and is cancelled. The default is 32 MiB.
    pub unread_hard_bytes: usize,
    /// The time limit for `initialize`. The default is long, 120 s, because some agents install themselves first.
    pub initialize_timeout: Duration,
    /// The time limit for a request other than a turn, for the silence of a session that is loading, and for an agent to
    /// read so much of its input that a prompt can be sent. The default is 60 s.
    pub request_timeout: Duration,
    /// The time limit for `authenticate`, which may wait for people. The default is 10 minutes.
    pub authenticate_timeout: Duration,
    /// The time for which a turn may be silent. It does not count while the agent waits for an answer of this client, such
    /// as a permission. The default is no limit, because an agent may think or test for hours. The death of the agent
    /// ends a turn at once.
    pub turn_silence: Option<Duration>,
    /// The time limit for an agent to answer a cancelled turn. The default is 10 s. An answer that was read counts, also
    /// if updates before it wait for the client's handlers.
    pub cancel_timeout: Duration,
    /// The time for an agent to end when its input is closed. After it is told to end, it gets the same time again. The
    /// default is 2 s.
    pub grace: Duration,
    /// The client's name and version in `initialize`.
    pub info: Implementation,
}

impl ConnectOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self {
            limits: Limits::new(),
            unread_soft_bytes: 1024 * 1024,
            unread_hard_bytes: 32 * 1024 * 1024,
            initialize_timeout: Duration::from_secs(120),
            request_timeout: Duration::from_secs(60),
            authenticate_timeout: Duration::from_secs(600),
            turn_silence: None,
            cancel_timeout: Duration::from_secs(10),
            grace: Duration::from_secs(2),
            info: Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
        }
    }
}

impl Default for ConnectOptions {
    fn default() -> Self {
        Self::new()
    }
}

macro_rules! setters {
    ($($name:ident: $ty:ty,)*) => {
        impl ConnectOptions {
            $(
                #[doc = concat!("Sets [`Self::", stringify!($name), "`](field@Self::", stringify!($name), ").")]
                #[must_use]
                pub fn $name(mut self, $name: $ty) -> Self {
                    self.$name = $name;
                    self
                }
            )*
        }
    };
}

setters! {
    limits: Limits,
    unread_soft_bytes: usize,
    unread_hard_bytes: usize,
    initialize_timeout: Duration,
    request_timeout: Duration,
    authenticate_timeout: Duration,
    turn_silence: Option<Duration>,
    cancel_timeout: Duration,
    grace: Duration,
    info: Implementation,
}

/// Where the agent is: a program to start, or a transport.
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

    /// Starts the agent, with a client that has no handlers. The client refuses every request for permission.
    ///
    /// # Errors
    ///
    /// The program cannot be started, ends, does not answer `initialize` in time, or speaks another version of the protocol.
    pub async fn connect(self) -> Result<Connection> {
        self.connect_as(Silent).await
    }

    /// Starts the agent. The agent may send `client` all requests that `client` has handlers for.
    ///
    /// # Errors
    ///
    /// As those of [`connect`](Self::connect). Or the client is `local`, and there is no
    /// [`LocalSet`](tokio::task::LocalSet) where its handlers can run.
    pub async fn connect_as<C: Handlers>(self, client: C) -> Result<Connection> {
        check_place(&client)?;
        let Self { to: Program { command, stderr, signals }, options } = self;
        let (process, pipes) = Process::spawn(command, stderr, signals, options.grace)?;
        Connection::open(client, pipes, options, Some(process)).await
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

    /// Connects, with a client that has no handlers. The client refuses every request for permission.
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
    /// # Errors
    ///
    /// As those of [`connect`](Self::connect). Or the client is `local`, and there is no
    /// [`LocalSet`](tokio::task::LocalSet) where its handlers can run.
    pub async fn connect_as<C: Handlers>(self, client: C) -> Result<Connection> {
        check_place(&client)?;
        Connection::open(client, self.to.0, self.options, None).await
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
