//! A connection to one agent.

use std::{fmt, pin::Pin, sync::Arc};

use acp_peer::{Dispatcher, Peer, serve, wire::own::read as read_own};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use tokio::{sync::mpsc, task::JoinHandle};

use crate::{
    ConnectOptions, Error, ErrorKind, Exit, Result,
    contract::{Handlers, intake, is_local},
    dialect::{self, Dialects, gates, line::Line},
    error::End,
    inbox::opening::Opening,
    link::{Boxed, Link},
    listing::Sessions,
    new_session::NewSession,
    options::listed,
    process::{Process, Relaunch},
    reopened::{NamesFolder, NamesSession},
    role::ClientRole,
    schema::{AgentMethod, Method, NotificationMethod, RequestMethod},
    session::{Loading, Session},
    transport::{Source, Transport},
    values::{
        AuthMethod, AuthMethodTerminal, AuthenticateRequest, ClientCapabilities, InitializeRequest, InitializeResponse,
        ListSessionsRequest, LoadSessionRequest, LogoutRequest, NewSessionRequest, NewSessionResponse,
        ResumeSessionRequest, ResumeSessionResponse, methods,
    },
};

/// A connection to one agent that has answered `initialize`. An [`Endpoint`](crate::Endpoint) opens the connection.
///
/// If you drop the connection, the agent's input is closed. If the agent has a process, the process gets as much time
/// to end as with [`close`](Self::close). When the runtime ends earlier, it kills the process.
pub struct Connection {
    link: Arc<Link>,
    reader: JoinHandle<()>,
    process: Option<Process>,
}

impl Connection {
    /// Opens the transport, and sends `initialize`.
    pub(crate) async fn open<C: Handlers>(
        client: C,
        transport: impl Transport<Source: 'static> + Send,
        options: ConnectOptions,
        process: Option<Process>,
        dialects: Dialects,
    ) -> Result<Self> {
        let dialects = dialect::among(dialects, &options.versions)?;
        let broken = |error: std::io::Error| Error::invalid(format!("the connection could not be opened: {error}"));
        let (source, outbox) = transport.open(&options.limits).map_err(broken)?;
        let peer = Peer::new(outbox.clone(), &options.limits);
        let capabilities = client.advertised();
        let is_local = is_local(&client);
        let client = Arc::new(client);
        let stderr = process.as_ref().map(|process| process.tail().clone());
        let intake = intake(&client, &peer);
        let link = Link::new(Line::new(peer, dialects), options, stderr, client.clone(), intake);
        let role = Arc::new(ClientRole { client, link: link.clone() });
        let reading = {
            let (link, watch) = (link.clone(), process.as_ref().map(Process::watch));
            async move {
                let options = link.options();
                let mut dispatcher = Dispatcher::new(role.clone(), options.limits.line_bytes);
                let mut is_deaf = false;
                // An error that the transport has written itself is for people; one of the system has a number.
                let (mut told, mut is_shut_out) = (None, false);
                let read = async {
                    let read = source.run(&mut dispatcher, &outbox).await;
                    let own = read.as_ref().err().filter(|error| error.raw_os_error().is_none());
                    (told, is_shut_out) = (own.map(ToString::to_string), own.is_some_and(is_permission_denied));
                    // The end of the agent's output would not close this side's output yet.
                    is_deaf = outbox.is_closed();
                    read
                };
                let how = match serve(&role, read, options.grace / 4).await {
                    Ok(()) => None,
                    Err(error) => {
                        let end = if is_shut_out { End::Unauthorized } else { End::Broken };
                        Some(end(told.unwrap_or_else(|| error.to_string())))
                    }
                };
                // The agent's process often ends a moment after its output. The exit status says more than a closed
                // output.
                let hung_up = if is_deaf { End::InputClosed } else { End::HungUp };
                let how = match (how, watch) {
                    _ if link.has_hung_up() => End::Closed,
                    (None, Some(mut watch)) => watch.exited().await.map_or(hung_up, End::Exited),
                    (how, _) => how.unwrap_or(hung_up),
                };
                link.close(how);
            }
        };
        // The reader starts the handlers, so it must run where local handlers may run. Most clients have only one of the two.
        let reader = if (C::LOCAL || C::EXTENDS) && is_local {
            tokio::task::spawn_local(reading)
        } else {
            tokio::spawn(reading)
        };
        let mut connection = Self { link, reader, process };
        if let Some(process) = &mut connection.process {
            supervise(process, &connection.link);
        }
        connection.initialized(capabilities).await
    }

    /// Initializes the agent, or closes the connection.
    fn initialized(self, capabilities: ClientCapabilities) -> Boxed<'static, Result<Self>> {
        Box::pin(async move {
            match self.initialize(&capabilities).await {
                Ok(()) => Ok(self),
                Err(error) => {
                    let _ = self.close().await;
                    Err(error)
                }
            }
        })
    }

    async fn initialize(&self, capabilities: &ClientCapabilities) -> Result<()> {
        loop {
            let mut request =
                InitializeRequest::new(self.link.line.version()).client_capabilities(capabilities.clone());
            request.client_info = Some(self.link.options().info.clone());
            match self.agree(&request).await {
                // The agent speaks no version at or below this one, or refuses to choose. It may be asked once more for a
                // version that it names.
                Err(error)
                    if let ErrorKind::Unsupported { supported, .. } = error.kind()
                        && self.link.line.lower_to(supported) => {}
                answered => return answered,
            }
        }
    }

    async fn agree(&self, request: &InitializeRequest) -> Result<()> {
        let link = self.link.clone();
        let keep = Box::new(move |answer: &RawValue| link.line.agree(answer));
        let answer = self.link.request_then(methods::Initialize::NAME, request, Some(keep)).await?;
        let agent = self.link.line.initialized(&answer);
        let (agent, is_spoken) = agent.map_err(|error| self.link.unreadable(methods::Initialize::NAME, &error))?;
        if !is_spoken {
            return Err(self.link.error(ErrorKind::Version(agent.protocol_version.0)));
        }
        self.link.introduce(agent);
        Ok(())
    }

    /// The version of the protocol that the client and the agent speak, as a number: 1, or 2 with the feature `v2`.
    ///
    /// The client asks for the highest version of [`ConnectOptions::versions`](field@ConnectOptions::versions), and the agent
    /// answers with that one or a lower one. The functions of the connection and of its sessions are the same in each.
    ///
    /// ```no_run
    /// # async fn run() -> acp_client::Result<()> {
    /// let connection = acp_client::Endpoint::program("coder").connect().await?;
    /// println!("it speaks version {}", connection.version());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// See [Initialization](https://agentclientprotocol.com/protocol/v1/initialization#version-negotiation).
    pub fn version(&self) -> u16 {
        self.link.line.version()
    }

    /// The agent's answer to `initialize`: its name, its capabilities, the ways to authenticate.
    pub fn agent(&self) -> &InitializeResponse {
        self.link.agent().expect("there is no connection before that")
    }

    /// Opens a session in a folder. Or give a request of your own: with MCP servers, further folders, `_meta`.
    ///
    /// # Errors
    ///
    /// The request needs a capability that the agent did not advertise: the agent is not asked in this case. Or the
    /// agent refused, is gone, or did not answer in time. The error [`ErrorKind::AuthRequired`] means that the user
    /// must [authenticate](Self::authenticate) first.
    ///
    /// See [Session setup](https://agentclientprotocol.com/protocol/v1/session-setup).
    pub async fn new_session(&self, request: impl Into<NewSession>) -> Result<Session> {
        self.opened(request.into().0).await
    }

    fn opened(&self, request: NewSessionRequest) -> Boxed<'_, Result<Session>> {
        Box::pin(async move {
            self.link.gates()?.opening(&request.cwd, &request.additional_directories, &request.mcp_servers)?;
            let (sender, mut opened) = mpsc::channel(1);
            let link = self.link.clone();
            let (cwd, more) = (request.cwd.clone(), request.additional_directories.clone());
            // The reader calls this function before it reads the next message, so later messages find the session.
            let keep = Box::new(move |answer: &RawValue| {
                if let Ok(NewSessionResponse { session_id, .. }) = link.read(methods::NewSession::NAME, answer) {
                    let entry = link.sessions.known(&session_id);
                    Opening::begin(link.client(), &entry, &cwd, &more).grant();
                    entry.settings().opened(answer);
                    let _ = sender.try_send(entry);
                }
            });
            let answer = self.link.request_then(methods::NewSession::NAME, &request, Some(keep)).await?;
            match opened.try_recv() {
                Ok(entry) => Ok(Session::new(self.link.clone(), entry)),
                Err(_) => match self.link.read::<NewSessionResponse>(methods::NewSession::NAME, &answer) {
                    Err(error) => Err(error),
                    Ok(_) => Err(Error::invalid("the connection is over")),
                },
            }
        })
    }

    /// Loads a session. The agent first sends the session's history; then you can use the session.
    ///
    /// If the session has a turn that runs, the load waits for its end, as [`Session::prompt`] does.
    ///
    /// # Errors
    ///
    /// The agent cannot load sessions, the request needs a capability that the agent did not advertise, or the agent is gone or does
    /// not read its input.
    ///
    /// The agent's answer comes behind the history. So the error of an id that the agent does not know, and any other refusal, comes
    /// from [`Loading::next`] or [`Loading::finish`], or when the [`Loading`] is awaited.
    ///
    /// See [Loading sessions](https://agentclientprotocol.com/protocol/v1/session-setup#loading-sessions).
    pub fn load_session(&self, id: impl NamesSession, cwd: impl NamesFolder) -> Boxed<'_, Result<Loading>> {
        // No `async fn`: the compiler would report a wrong type also at the call and at its `await`.
        Box::pin(self.load_session_with(LoadSessionRequest::new(Vec::new(), cwd.folder(), id.id())))
    }

    /// As [`load_session`](Self::load_session), with a request of your own: with MCP servers, further folders, `_meta`.
    ///
    /// # Errors
    ///
    /// As those of [`load_session`](Self::load_session).
    pub async fn load_session_with(&self, request: LoadSessionRequest) -> Result<Loading> {
        let gates = self.link.gates()?;
        gates.method(methods::LoadSession::NAME)?;
        gates.named(&request.session_id, &request.cwd)?;
        gates.opening(&request.cwd, &request.additional_directories, &request.mcp_servers)?;
        Loading::begin(&self.link, &request).await
    }

    /// Continues a session. The agent does not send the session's history.
    ///
    /// # Errors
    ///
    /// The errors of [`new_session`](Self::new_session), also for an id that the agent does not know; or the agent cannot resume
    /// sessions.
    pub fn resume_session(&self, id: impl NamesSession, cwd: impl NamesFolder) -> Boxed<'_, Result<Session>> {
        // As for `load_session`.
        Box::pin(self.resume_session_with(ResumeSessionRequest::new(id.id(), cwd.folder())))
    }

    /// As [`resume_session`](Self::resume_session), with a request of your own.
    ///
    /// # Errors
    ///
    /// As those of [`resume_session`](Self::resume_session).
    pub async fn resume_session_with(&self, request: ResumeSessionRequest) -> Result<Session> {
        let gates = self.link.gates()?;
        gates.method(methods::ResumeSession::NAME)?;
        gates.named(&request.session_id, &request.cwd)?;
        gates.opening(&request.cwd, &request.additional_directories, &request.mcp_servers)?;
        let session = Session::new(self.link.clone(), self.link.sessions.known(&request.session_id));
        let mut opening =
            Opening::begin(self.link.client(), session.entry(), &request.cwd, &request.additional_directories);
        let entry = session.entry().clone();
        let keep = Box::new(move |answer: &RawValue| entry.settings().opened(answer));
        let answer = self.link.request_then(methods::ResumeSession::NAME, &request, Some(keep)).await?;
        self.link.read::<ResumeSessionResponse>(methods::ResumeSession::NAME, &answer)?;
        opening.grant();
        Ok(session)
    }

    /// The sessions that the agent has. Further pages are requested when you take their sessions.
    ///
    /// # Errors
    ///
    /// The agent does not list sessions, or the request names a relative folder.
    ///
    /// See [Session list](https://agentclientprotocol.com/protocol/v1/session-list).
    pub fn list_sessions(&self, request: ListSessionsRequest) -> Result<Sessions> {
        self.link.gates()?.list(request.cwd.as_deref())?;
        Ok(Sessions::new(self.link.clone(), request))
    }

    /// Authenticates in an offered way that the agent itself carries out.
    ///
    /// The whole login: a request fails with [`ErrorKind::AuthRequired`], which has the ways that the agent offers. The user chooses
    /// one. The agent carries it out by itself, or the user logs in in a terminal by the [`login_command`](Self::login_command), and the
    /// client connects again. Then the request is sent once more.
    ///
    /// ```no_run
    /// use acp_client::{Connection, Endpoint, ErrorKind, Result, Session, acp_client, values::AuthMethod};
    /// use tokio::process::Command;
    ///
    /// struct Editor;
    ///
    /// /// Agents may offer a login in a terminal.
    /// #[acp_client(auth(terminal))]
    /// impl Editor {}
    ///
    /// async fn connect() -> Result<Connection> {
    ///     Endpoint::program("coder").connect_as(Editor).await
    /// }
    ///
    /// async fn open() -> Result<(Connection, Session)> {
    ///     let mut connection = connect().await?;
    ///     loop {
    ///         let error = match connection.new_session("/home/me/project").await {
    ///             Ok(session) => return Ok((connection, session)),
    ///             Err(error) => error,
    ///         };
    ///         let ErrorKind::AuthRequired { methods, .. } = error.kind() else { return Err(error) };
    ///         match choose(methods) {
    ///             None => return Err(error),
    ///             Some(AuthMethod::Terminal(way)) => {
    ///                 let login = connection.login_command(way.id.as_str())?;
    ///                 // The agent's program has this terminal until the user has logged in.
    ///                 if !Command::from(login).status().await?.success() {
    ///                     return Err(error);
    ///                 }
    ///                 connection.close().await?;
    ///                 connection = connect().await?;
    ///             }
    ///             Some(way) => connection.authenticate(way.id()).await?,
    ///         }
    ///     }
    /// }
    ///
    /// /// Asks the user for one of the ways.
    /// fn choose(ways: &[AuthMethod]) -> Option<&AuthMethod> {
    ///     for (number, way) in ways.iter().enumerate() {
    ///         println!("{number}: {}  {}", way.name(), way.description().unwrap_or_default());
    ///     }
    ///     let mut answer = String::new();
    ///     std::io::stdin().read_line(&mut answer).ok()?;
    ///     ways.get(answer.trim().parse::<usize>().ok()?)
    /// }
    /// # let _ = open;
    /// ```
    ///
    /// # Errors
    ///
    /// The agent did not offer this way, or the user must log in in a terminal: see
    /// [`login_command`](Self::login_command). Or the agent refused, is gone, or did not answer in time.
    ///
    /// See [Authentication](https://agentclientprotocol.com/protocol/v1/authentication).
    pub async fn authenticate(&self, id: &str) -> Result<()> {
        if let AuthMethod::Terminal(_) = self.way(id)? {
            return Err(Error::invalid(format!(
                "the way `{id}` to authenticate is not asked of the agent: run its `login_command` in a terminal, and connect again"
            )));
        }
        self.link.call::<methods::Authenticate>(&AuthenticateRequest::new(id)).await?;
        Ok(())
    }

    fn way(&self, id: &str) -> Result<&AuthMethod> {
        let ways = &self.agent().auth_methods;
        ways.iter().find(|way| way.id() == id).ok_or_else(|| {
            let ids: Vec<_> = ways.iter().map(AuthMethod::id).collect();
            Error::invalid(match &*ids {
                [] => format!("the agent offers no way to authenticate, so `{id}` is none"),
                ids => format!("the agent offers no way `{id}` to authenticate; it offers {}", listed(ids)),
            })
        })
    }

    /// The command for a login in a terminal, for a way to authenticate of the kind `terminal`. It is the agent's own
    /// program with the arguments and the environment of this way. If the program exits with 0, the login has
    /// succeeded: then connect again. [`authenticate`](Self::authenticate) has an example.
    ///
    /// Agents offer such ways only to a client that declares [`#[acp_client(auth(terminal))]`](crate::handlers#ways-to-authenticate).
    ///
    /// # Errors
    ///
    /// The agent did not offer this way, or the way is of another kind. Or the client does not know the agent's
    /// program.
    pub fn login_command(&self, id: &str) -> Result<std::process::Command> {
        let AuthMethod::Terminal(AuthMethodTerminal { args, env, .. }) = self.way(id)? else {
            return Err(Error::invalid(format!(
                "the way `{id}` to authenticate is none in a terminal: use `authenticate`"
            )));
        };
        let program: &Relaunch =
            self.process.as_ref().map(Process::relaunch).ok_or_else(|| {
                Error::invalid("this client did not start the agent, so it cannot start it for a login")
            })?;
        Ok(program.command(args, env))
    }

    /// Logs the agent's user out. After that, active sessions may fail.
    ///
    /// # Errors
    ///
    /// The agent does not offer `logout`, refused, is gone, or did not answer in time.
    pub async fn logout(&self) -> Result<()> {
        self.link.call::<methods::Logout>(&LogoutRequest::new()).await?;
        Ok(())
    }

    /// Calls any method of the protocol or of a vendor's schema. The type `M` is the method's marker; one of the client, or
    /// of a notification, does not compile.
    ///
    /// `acp-codegen` generates the marker from a vendor's overlay, in which `x-side` is `agent`:
    ///
    /// ```
    /// # mod schema {
    /// #     pub use acp_client::values::SetSessionModeRequest as ReviewRequest;
    /// #     pub mod methods { pub use acp_client::values::methods::SetSessionMode as Review; }
    /// # }
    /// use acp_client::{Connection, Result};
    /// use schema::{ReviewRequest, methods};
    ///
    /// async fn review(connection: &Connection) -> Result<()> {
    ///     let answer = connection.call::<methods::Review>(&ReviewRequest::new("/src/lib.rs", "thorough")).await?;
    /// #   let _ = answer.meta;
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The agent refused, is gone, or did not answer in time. Or its answer has another shape.
    // The future is boxed because the compiler repeats the error of a wrong marker for the future of an `async fn`.
    pub fn call<'c, M: RequestMethod + AgentMethod>(
        &'c self,
        params: &'c M::Params,
    ) -> Pin<Box<dyn Future<Output = Result<M::Response>> + Send + 'c>>
    where
        M::Params: Sync,
    {
        Box::pin(self.any_request(M::NAME, params))
    }

    /// Calls an extension method, `_vendor/name`.
    ///
    /// # Errors
    ///
    /// The name does not begin with an underscore: then the agent is not asked. Or an error as of [`call`](Self::call),
    /// which calls all other methods.
    ///
    /// See [Extensibility](https://agentclientprotocol.com/protocol/v1/extensibility).
    pub async fn ext_request<R: DeserializeOwned>(&self, method: &str, params: &(impl Serialize + Sync)) -> Result<R> {
        gates::extension(method)?;
        self.any_request(method, params).await
    }

    /// Calls a method of any name.
    pub(crate) async fn any_request<R: DeserializeOwned>(
        &self,
        method: &str,
        params: &(impl Serialize + Sync),
    ) -> Result<R> {
        let answer = self.link.request(method, params).await?;
        read_own(answer.get()).map_err(|error| self.link.unreadable(method, &error))
    }

    /// Sends a notification of the protocol or of a vendor's schema by its marker `M`, as [`call`](Self::call) sends a
    /// request. If the agent is gone, the notification is lost.
    ///
    /// ```
    /// use acp_client::{Connection, values::{CancelNotification, methods}};
    ///
    /// fn cancel(connection: &Connection) {
    ///     connection.notify::<methods::Cancel>(&CancelNotification::new("s1"));
    /// }
    /// ```
    pub fn notify<M: NotificationMethod + AgentMethod>(&self, params: &M::Params) {
        self.any_notification(M::NAME, params);
    }

    /// Sends an extension notification. If the agent is gone, the notification is lost.
    ///
    /// # Errors
    ///
    /// The name does not begin with an underscore: then nothing is sent.
    pub fn ext_notification(&self, method: &str, params: &impl Serialize) -> Result<()> {
        gates::extension(method)?;
        self.any_notification(method, params);
        Ok(())
    }

    /// Sends a notification of any name.
    pub(crate) fn any_notification(&self, method: &str, params: &impl Serialize) {
        self.link.line.notify(method, params);
    }

    /// Closes the agent's input, and waits for the agent's end. An agent with a process has the time
    /// [`grace`](ConnectOptions) to end. Then it is told to end (`SIGTERM`), and after the same time again it is
    /// killed. The processes that it started end with it. Returns `None` for an agent without a process.
    ///
    /// # Errors
    ///
    /// The system does not report how the process ended.
    pub async fn close(mut self) -> Result<Option<Exit>> {
        let grace = self.link.options().grace;
        self.link.finish().await;
        let exit = match self.process.take() {
            Some(process) => Some(process.end().await.map_err(|error| Error::invalid(error.to_string()))?),
            None => None,
        };
        self.link.close(End::Closed);
        let _ = tokio::time::timeout(grace, &mut self.reader).await;
        Ok(exit)
    }

    /// Waits for the end of the connection, and returns the cause of the end.
    pub async fn closed(&self) -> End {
        self.link.closed().await
    }
}

/// Notices the end of the agent's process, and ends the process when the connection is over.
fn supervise(process: &mut Process, link: &Arc<Link>) {
    let (grace, over) = (link.options().grace, link.clone());
    let [hung_up, exited, ended] = std::array::from_fn(|_| link.clone());
    let over = async move { drop(over.closed().await) };
    let ended = async move {
        // Another process may hold the agent's output open.
        if tokio::time::timeout(grace, ended.closed()).await.is_err() {
            ended.line.peer.hang_up();
        }
    };
    process.supervise_until(over, move || hung_up.line.peer.hang_up(), move || exited.gauge.end(), ended);
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.link.hang_up();
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("agent", &self.link.agent().ok().and_then(|agent| agent.agent_info.as_ref()))
            .finish_non_exhaustive()
    }
}

fn is_permission_denied(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::PermissionDenied
}
