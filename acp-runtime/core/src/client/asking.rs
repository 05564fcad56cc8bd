//! The client, as an agent's handler sees it.

use std::{fmt, sync::Arc};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::{
    errands::OpenElicitations,
    everyone::{Everyone, ParamsFor, Poll},
    line::Line,
};
use crate::{
    TARGET,
    rpc::{Address, CancellationToken},
    schema::Method,
    values::{ClientCapabilities, Implementation, Meta, RequestId, SessionId},
    wire::{Cancelled, Error, Result, decode, own},
};

#[cfg(feature = "v2")]
use super::foreground::{Foreground, Question};
#[cfg(feature = "v2")]
use crate::dialect::Dialect;

/// The client. Its requests belong to one call.
///
/// Take it as a parameter of a handler, or from [`Turn::client`](crate::session::Turn::client). When the call is
/// cancelled, its open requests are withdrawn. Requests that begin later are not sent, and return the error of a cancel at once.
///
/// ```
/// use acp_runtime::prelude::*;
///
/// async fn first_line(client: &Client) -> Result<String> {
///     if !client.can_read_files() {
///         return Ok("(this client shows no files)".to_owned());
///     }
///     let text = client.read_text_file("/etc/hostname").await?;
///     Ok(text.lines().next().unwrap_or_default().to_owned())
/// }
/// ```
#[derive(Clone)]
pub struct Client {
    line: Arc<Line>,
    session: Option<SessionId>,
    /// The id of the call's request; only set if the call belongs to no session.
    asked_by: Option<RequestId>,
    /// The `_meta` of its requests.
    meta: Option<Arc<Meta>>,
    cancel: CancellationToken,
    /// All clients of the session, if it may have several.
    pub(super) everyone: Option<Arc<dyn Everyone>>,
    /// The work that its questions block.
    #[cfg(feature = "v2")]
    foreground: Option<Arc<dyn Foreground>>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("info", &self.info()).field("session", &self.session).finish_non_exhaustive()
    }
}

impl Client {
    pub(crate) fn new(line: Arc<Line>, session: Option<SessionId>, cancel: CancellationToken) -> Self {
        Self {
            line,
            session,
            asked_by: None,
            meta: None,
            cancel,
            everyone: None,
            #[cfg(feature = "v2")]
            foreground: None,
        }
    }

    /// The client for a call that belongs to no session.
    pub(crate) fn of_request(line: Arc<Line>, id: Option<&RawValue>, cancel: CancellationToken) -> Self {
        let asked_by = id.and_then(|id| decode::from_json(id.get()).ok());
        Self { asked_by, ..Self::new(line, None, cancel) }
    }

    /// The same client for a request that belongs to a session. The handlers of a session get such a client from the
    /// start.
    #[must_use]
    pub fn for_session(&self, id: impl Into<SessionId>) -> Self {
        Self { session: Some(id.into()), ..self.clone() }
    }

    /// The same client, whose requests carry this `_meta`. The requests of terminals that it starts carry it, too. The
    /// params of an extension method stay as they are.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    /// use acp_runtime::values::Meta;
    ///
    /// async fn traced(client: &Client) -> Result<String> {
    ///     let meta = Meta::from_iter([("traceparent".to_owned(), "00-4bf9-01".into())]);
    ///     client.with_meta(meta).read_text_file("/etc/hostname").await
    /// }
    /// ```
    #[must_use]
    pub fn with_meta(&self, meta: Meta) -> Self {
        Self { meta: Some(Arc::new(meta)), ..self.clone() }
    }

    /// The `_meta` of a request.
    pub(super) fn meta(&self) -> Option<Meta> {
        self.meta.as_deref().cloned()
    }

    /// The capabilities that the client sent in `initialize`.
    pub fn capabilities(&self) -> &ClientCapabilities {
        &self.line.client().capabilities
    }

    /// The client's name and version, if the client gave them.
    pub fn info(&self) -> Option<&Implementation> {
        self.line.client().info.as_ref()
    }

    /// Whether the client has authenticated: `authenticate` has succeeded, or `initialize` has found credentials, and no
    /// `logout` has succeeded since.
    ///
    /// See [Authentication](https://agentclientprotocol.com/protocol/v1/authentication).
    pub fn is_authenticated(&self) -> bool {
        self.line.authentication.is_done()
    }

    /// Says that the client has authenticated, or has to authenticate again: for an agent that learns by itself that its
    /// credentials have come or expired. Turns that are running go on.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// fn refused(status: u16, client: &Client) -> Error {
    ///     if status == 401 {
    ///         client.set_authenticated(false);
    ///         return Error::auth_required();
    ///     }
    ///     Error::internal_error(format!("the model answered {status}"))
    /// }
    /// ```
    pub fn set_authenticated(&self, authenticated: bool) {
        self.line.authentication.set(authenticated);
    }

    /// Calls an extension method of the client. If you have a schema of the method, [`call`](Self::call) has its types.
    ///
    /// See [Extensibility](https://agentclientprotocol.com/protocol/v1/extensibility).
    ///
    /// # Errors
    ///
    /// The client answers with an error (`-32601` if it does not know the method), or its answer has another shape. Or
    /// this call is cancelled, the name does not begin with `_`, or the params are neither an object nor a list.
    pub async fn ext_request<R: DeserializeOwned>(&self, method: &str, params: &(impl Serialize + Sync)) -> Result<R> {
        is_extension(method)?;
        shaped(own::read(self.send(method, params).await?.get()))
    }

    /// Sends an extension notification. If you have a schema of the method, [`notify`](Self::notify) has its types.
    ///
    /// # Errors
    ///
    /// The client is gone, the name does not begin with `_`, or the params are neither an object nor a list.
    pub async fn ext_notification(&self, method: &str, params: &(impl Serialize + Sync)) -> Result<()> {
        is_extension(method)?;
        self.send_notification(method, params).await
    }

    pub(super) async fn send_notification(&self, method: &str, params: &(impl Serialize + Sync)) -> Result<()> {
        self.line.notify(self.address(), method, params).await
    }

    pub(crate) fn cancellation(&self) -> &CancellationToken {
        &self.cancel
    }

    /// The same client, whose questions block this work.
    #[cfg(feature = "v2")]
    pub(crate) fn blocking(self, foreground: Arc<dyn Foreground>) -> Self {
        Self { foreground: Some(foreground), ..self }
    }

    /// The user is about to be asked.
    #[cfg(feature = "v2")]
    pub(super) fn question(&self) -> std::result::Result<Question<'_>, Cancelled> {
        Question::of(self.foreground.as_deref(), &self.cancel)
    }

    /// The session of the work.
    #[cfg(all(feature = "v2", feature = "local"))]
    pub(super) fn foreground_handle(&self) -> Option<Arc<dyn Foreground>> {
        self.foreground.clone()
    }

    /// The same client, whose questions to the user go to all clients of the session.
    pub(crate) fn among(self, everyone: Arc<dyn Everyone>) -> Self {
        Self { everyone: Some(everyone), ..self }
    }

    /// The same client for work in the background: `over` withdraws its requests, the call's cancel does not, and they block nothing.
    #[cfg(feature = "v2")]
    pub(crate) fn in_background(&self, over: CancellationToken) -> Self {
        Self { foreground: None, cancel: over, ..self.clone() }
    }

    /// The same client, but the cancellation of the call does not withdraw its requests.
    pub(crate) fn until_answered(&self) -> Self {
        Self { cancel: CancellationToken::new(), ..self.clone() }
    }

    #[cfg(feature = "v2")]
    pub(crate) fn dialect(&self) -> &'static dyn Dialect {
        self.line.dialect()
    }

    /// The error of a method that this client does not serve.
    pub(super) fn unoffered(&self, method: &str, capability: &str) -> Error {
        #[cfg(feature = "v2")]
        if !self.dialect().has_client_method(method) {
            return lacking(method, self.dialect());
        }
        unoffered(method, capability)
    }

    pub(super) fn line(&self) -> &Line {
        &self.line
    }

    pub(super) fn elicitations(&self) -> &OpenElicitations {
        &self.line.elicitations
    }

    pub(super) fn asked_by(&self) -> Option<&RequestId> {
        self.asked_by.as_ref()
    }

    pub(super) fn session(&self) -> Result<SessionId> {
        self.session.clone().ok_or_else(|| {
            Error::internal_error("this call belongs to no session; name one with `client.for_session(id)`")
        })
    }

    fn address(&self) -> Address<'_> {
        self.session.as_ref().map_or(Address::Connection, |id| Address::Topic(id.as_ref()))
    }

    /// Calls a method of the protocol.
    pub(crate) async fn request<M: Method>(&self, params: &M::Params) -> Result<M::Response>
    where
        M::Params: Sync,
    {
        self.request_as::<M, _>(params).await
    }

    /// Calls a method of the protocol with params that another type writes, and an answer that another type may read.
    pub(super) async fn request_as<M: Method, R: DeserializeOwned>(
        &self,
        params: &(impl Serialize + Sync),
    ) -> Result<R> {
        shaped(decode::from_json(self.send(M::NAME, params).await?.get()))
    }

    /// Asks all clients of the session. An answer that [`decides`](Poll::decides) nothing counts only if no client makes a decision.
    pub(super) async fn ask_everyone<M: Method, R: DeserializeOwned>(
        &self,
        everyone: &Arc<dyn Everyone>,
        params: ParamsFor,
        decides: fn(&RawValue) -> bool,
    ) -> Result<R> {
        let unsent_after = self.unsent_after(M::NAME);
        unsent_after.map_or(Ok(()), CancellationToken::check)?;
        let poll = Poll { method: M::NAME, params, decides, cancel: unsent_after.cloned() };
        let answer = everyone.clone().ask(self.session()?, poll);
        let answer = self.cancellation().run_until_cancelled(answer).await.ok_or(Cancelled)??;
        shaped(decode::from_json(answer.get()))
    }

    /// Calls a method without waiting, and ignores the answer. It is for clean-up in a `drop`.
    pub(crate) fn request_blindly<M: Method>(&self, params: &M::Params) {
        self.line.request_now(self.address(), M::NAME, params);
    }

    /// The token behind which a request does not leave. A question of work in the foreground has none: the client was told that it comes.
    fn unsent_after(&self, method: &str) -> Option<&CancellationToken> {
        #[cfg(feature = "v2")]
        if self.foreground.is_some() && is_question(method) {
            return None;
        }
        let _ = method;
        Some(&self.cancel)
    }

    pub(super) async fn send(&self, method: &str, params: &(impl Serialize + Sync)) -> Result<Box<RawValue>> {
        let unsent_after = self.unsent_after(method);
        unsent_after.map_or(Ok(()), CancellationToken::check)?;
        let request = self.line.request_unless(unsent_after, self.address(), method, params);
        let answer = self.cancel.run_until_cancelled(request).await;
        answer.unwrap_or_else(|| Err(Cancelled.into()))
    }
}

/// The answer, or the error for an answer of another shape.
pub(super) fn shaped<T>(answer: serde_json::Result<T>) -> Result<T> {
    answer.map_err(|error| {
        tracing::warn!(target: TARGET, "the client's answer has another shape than the protocol's");
        Error::from(error)
    })
}

/// Whether a request asks the user.
#[cfg(feature = "v2")]
fn is_question(method: &str) -> bool {
    use crate::values::methods;
    matches!(method, methods::RequestPermission::NAME | methods::CreateElicitation::NAME)
}

fn is_extension(method: &str) -> Result<()> {
    if method.starts_with('_') {
        return Ok(());
    }
    Err(Error::internal_error(format!("the name of an extension method begins with `_`; `{method}` does not")))
}

/// The error of a method that the client did not advertise.
pub(crate) fn unoffered(method: &str, capability: &str) -> Error {
    Error::internal_error(format!(
        "the client does not offer `{method}`: it did not advertise the capability `{capability}`"
    ))
}

/// The error of a method that no client of this version has.
#[cfg(feature = "v2")]
pub(super) fn lacking(method: &str, dialect: &dyn Dialect) -> Error {
    let version = dialect.version();
    let instead = if method.starts_with("fs/") { "files" } else { "commands" };
    Error::internal_error(format!(
        "this client speaks version {version} of the protocol, which has no `{method}`: the agent works on {instead} by itself, \
         for example through `client.workspace(cwd)` of the feature `local`"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::{Limits, Outbox, Peer};

    #[tokio::test]
    async fn a_method_that_the_client_does_not_offer_is_refused_with_its_capability() {
        let limits = Limits::new();
        let line = Line::new(Peer::new(Outbox::new(&limits, tokio::io::sink()), &limits));
        let client = Client::new(line, Some(SessionId::from("s")), CancellationToken::new());
        let error = client.terminal("make").start().await.expect_err("the client has no terminals");
        assert_eq!(
            error.message(),
            "the client does not offer `terminal/create`: it did not advertise the capability `terminal`"
        );
    }
}
