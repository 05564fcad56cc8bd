//! A server for one agent, in one line: an endpoint at `/acp`, for this machine alone or with a token.

mod accept;
mod first_bytes;

use std::{fmt, fs, io, net::SocketAddr, path::Path, pin::Pin, sync::Arc};

use acp_runtime_core::agent::{Handlers, Host, OnThreads};
use axum::{
    Router,
    extract::{Request, State},
    http::{StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::get,
};
use tokio::net::{TcpListener, ToSocketAddrs};

use crate::{Endpoint, HttpOptions, Principal, gate};

/// The path of the endpoint.
const PATH: &str = "/acp";

/// Where a balancer asks for the health of the server.
const HEALTH: &str = "/health";

/// Serves an agent over HTTP, in a server of its own. For an agent within your own server, nest an [`Endpoint`] into it.
///
/// ```no_run
/// use acp_http::ServeHttp;
/// use acp_runtime::prelude::*;
///
/// # #[acp_agent]
/// # #[derive(Clone)]
/// # struct Echo;
/// # #[acp_agent]
/// # impl Echo { async fn prompt(&self) -> StopReason { StopReason::EndTurn } }
/// #[tokio::main]
/// async fn main() -> std::io::Result<()> {
///     Echo.serve_http("127.0.0.1:4000").await
/// }
/// ```
///
/// An agent that is `local` is not served in this way, because its handlers stay on one thread:
///
/// ```compile_fail,E0277
/// use acp_http::ServeHttp;
/// use acp_runtime::prelude::*;
///
/// #[acp_agent(local)]
/// #[derive(Clone)]
/// struct Echo;
///
/// #[acp_agent]
/// impl Echo { async fn prompt(&self) -> StopReason { StopReason::EndTurn } }
///
/// let server = Echo.serve_http("127.0.0.1:4000");
/// ```
pub trait ServeHttp: Handlers + Sized {
    /// A server at this address, with the path `/acp`, and [`/health`](Endpoint::health) for a balancer. It answers programs of this machine, and the address must be one of this
    /// machine's own (`127.0.0.1`, `[::1]`, `localhost`), unless you give it a [token](HttpServer::bearer_token_file).
    fn serve_http<T: ToSocketAddrs>(self, address: T) -> HttpServer<T>
    where
        Self::Threading: OnThreads,
        Self: Send + Sync,
    {
        HttpServer::new(Host::new(self), address)
    }
}

impl<A: Handlers> ServeHttp for A {}

/// The server of [`ServeHttp::serve_http`]. Await it to serve, or [bind](Self::bind) it first.
#[must_use = "a server serves while it is awaited"]
pub struct HttpServer<T> {
    address: T,
    make: Box<dyn FnOnce(HttpOptions) -> Endpoint + Send>,
    options: HttpOptions,
    login: Login,
    routes: Router,
    signal: Pin<Box<dyn Future<Output = ()> + Send>>,
}

enum Login {
    /// Only for programs of this machine.
    Loopback,
    Token(io::Result<Arc<str>>),
    None,
}

impl<T: ToSocketAddrs> HttpServer<T> {
    fn new<A>(host: Host<A>, address: T) -> Self
    where
        A: Handlers<Threading: OnThreads> + Send + Sync,
    {
        let make = Box::new(move |options| Endpoint::new(&host, options));
        let signal = Box::pin(std::future::pending());
        Self { address, make, options: HttpOptions::new(), login: Login::Loopback, routes: Router::new(), signal }
    }

    /// Sets the bounds, and who may reach the server.
    pub fn options(mut self, options: HttpOptions) -> Self {
        self.options = options;
        self
    }

    /// Each request must have the header `Authorization: Bearer TOKEN`, with the token in this file. So the server may have any address;
    /// the names by which others reach it are [`HttpOptions::host`]. The token goes over the network as it is: put TLS before the server.
    ///
    /// Who has the token is the [`Principal`](crate::Principal) `bearer`. Sessions that a store has from before, without a login, have no
    /// principal: they are not this one's, and are not listed.
    pub fn bearer_token_file(mut self, file: impl AsRef<Path>) -> Self {
        self.login = Login::Token(read_token(file.as_ref()));
        self
    }

    /// Whoever reaches the server may use the agent, from any machine, with all that the agent may do. For servers whose network
    /// lets only known clients through.
    pub fn without_login(mut self) -> Self {
        self.login = Login::None;
        self
    }

    /// Further paths of the server, such as a page that uses the agent. Each request must have a [host and an
    /// origin](crate#who-may-use-an-agent) that the endpoint takes, too. It needs no token: a browser cannot send one before it has a page that asks for
    /// it.
    ///
    /// ```no_run
    /// use acp_http::ServeHttp;
    /// use axum::{Router, response::Html, routing::get};
    /// # use acp_runtime::prelude::*;
    /// # #[acp_agent]
    /// # #[derive(Clone)]
    /// # struct Echo;
    /// # #[acp_agent]
    /// # impl Echo { async fn prompt(&self) -> StopReason { StopReason::EndTurn } }
    ///
    /// # async fn serve() -> std::io::Result<()> {
    /// let page = Router::new().route("/", get(async || Html("<script src=page.js></script>")));
    /// Echo.serve_http("127.0.0.1:4000").routes(page).await
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// [`bind`](Self::bind) panics if one of the paths is `/acp`.
    pub fn routes(mut self, routes: Router) -> Self {
        self.routes = routes;
        self
    }

    /// Ends the server when `signal` is ready: it takes no further connections, waits for the running turns
    /// ([`HttpOptions::drain_timeout`](field@HttpOptions::drain_timeout)), and cancels the others.
    pub fn with_graceful_shutdown(mut self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        self.signal = Box::pin(signal);
        self
    }

    /// Opens the port. The port 0 stands for any free one.
    ///
    /// # Errors
    ///
    /// The address is not this machine's own, and there is no token; the file of the token cannot be read; one of the
    /// [hosts](HttpOptions::host) or [origins](HttpOptions::origin) can be that of no request; or the system does not open the port.
    pub async fn bind(self) -> io::Result<BoundServer> {
        let Self { address, make, options, login, routes, signal } = self;
        gate::check_names(&options)?;
        let addresses: Vec<_> = tokio::net::lookup_host(address).await.map_err(no_address)?.collect();
        let token = match login {
            Login::Token(token) => Some(token?),
            Login::Loopback => {
                addresses
                    .iter()
                    .find(|address| !address.ip().is_loopback())
                    .map_or(Ok(()), |found| Err(not_loopback(*found)))?;
                None
            }
            Login::None => None,
        };
        let listener = TcpListener::bind(&*addresses).await.map_err(|error| not_bound(&addresses, &error))?;
        let local = listener.local_addr()?;
        let endpoint = make(options.clone());
        let mut router = Router::new().route_service(PATH, endpoint.clone());
        if let Some(token) = token {
            router = router.layer(middleware::from_fn_with_state(token, authorize));
        }
        if routes.has_routes() {
            let checked = middleware::from_fn_with_state(Arc::new(options.clone()), check);
            router = router.merge(routes.route_layer(checked));
        }
        let health = endpoint.clone();
        router = router.route(HEALTH, get(async move || health.health()));
        Ok(BoundServer { listener, local, router, endpoint, options, signal })
    }
}

impl<T: ToSocketAddrs + Send + 'static> IntoFuture for HttpServer<T> {
    type Output = io::Result<()>;
    type IntoFuture = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async { self.bind().await?.serve().await })
    }
}

impl<T: fmt::Debug> fmt::Debug for HttpServer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpServer").field("address", &self.address).finish_non_exhaustive()
    }
}

/// A server whose port is open.
#[must_use = "a server serves while `serve` is awaited"]
pub struct BoundServer {
    listener: TcpListener,
    local: SocketAddr,
    router: Router,
    endpoint: Endpoint,
    options: HttpOptions,
    signal: Pin<Box<dyn Future<Output = ()> + Send>>,
}

impl BoundServer {
    /// The address of the endpoint.
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.local)
    }

    /// The endpoint.
    pub fn endpoint(&self) -> Endpoint {
        self.endpoint.clone()
    }

    /// Serves until the signal of [`HttpServer::with_graceful_shutdown`].
    ///
    /// # Errors
    ///
    /// The system does not accept connections any more.
    pub async fn serve(self) -> io::Result<()> {
        let Self { listener, router, endpoint, options, signal, .. } = self;
        let drained = async {
            signal.await;
            endpoint.drain(options.drain_timeout).await;
        };
        accept::run(listener, router, &options, drained).await
    }
}

impl fmt::Debug for BoundServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoundServer").field("url", &self.url()).finish_non_exhaustive()
    }
}

fn no_address(error: io::Error) -> io::Error {
    let text = format!("the address is none to listen at: {error}: give a host and a port, as in `127.0.0.1:4000`");
    io::Error::new(error.kind(), text)
}

fn not_bound(addresses: &[SocketAddr], error: &io::Error) -> io::Error {
    let all: Vec<_> = addresses.iter().map(SocketAddr::to_string).collect();
    io::Error::new(error.kind(), format!("the port cannot be opened at {}: {error}", all.join(" or ")))
}

fn not_loopback(address: SocketAddr) -> io::Error {
    let text = format!(
        "other machines reach the address {address}, so the agent needs a login: give a token with `bearer_token_file`, or say \
         `without_login` if only known clients reach it"
    );
    io::Error::new(io::ErrorKind::PermissionDenied, text)
}

fn read_token(file: &Path) -> io::Result<Arc<str>> {
    let named = |error: &dyn fmt::Display| io::Error::other(format!("the token in {}: {error}", file.display()));
    let text = fs::read_to_string(file).map_err(|error| named(&error))?;
    let token = text.trim();
    if token.len() < 16 || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(named(&"it must have at least 16 characters of ASCII, without spaces"));
    }
    Ok(token.into())
}

/// Lets a request pass that is meant for this server, and comes from no page of another one.
async fn check(State(options): State<Arc<HttpOptions>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    match gate::check(&parts, &options) {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// Lets a request with the token pass.
async fn authorize(State(token): State<Arc<str>>, mut request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer =
        given.and_then(|value| value.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    if !bearer.is_some_and(|(_, given)| is_same(given.trim().as_bytes(), token.as_bytes())) {
        let text = "send the header `Authorization: Bearer TOKEN` with the token of this server\n";
        return (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")], text).into_response();
    }
    request.extensions_mut().insert(Principal::new("bearer"));
    next.run(request).await
}

/// Compares in a time that does not depend on where the two differ.
fn is_same(given: &[u8], token: &[u8]) -> bool {
    given.len() == token.len() && given.iter().zip(token).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}
