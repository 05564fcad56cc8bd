//! The client as an agent's handler sees it.

use std::{fmt, sync::Arc, time::Instant};

use crate::cancellation::CancellationToken;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::elicitation::Errands;
use crate::{
    TARGET,
    connection::link::Link,
    schema::{
        Method,
        v1::{CancelRequestNotification, ClientCapabilities, Implementation, RequestId, SessionId, methods},
    },
    wire::{Cancelled, Error, Result, message},
};

/// The client, on behalf of one call.
///
/// Take it as a parameter of a handler, or from [`Turn::client`](crate::session::Turn::client). Requests that
/// are open when the call is cancelled are withdrawn.
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
    link: Arc<Link>,
    session: Option<SessionId>,
    /// The request that the call answers, where it belongs to no session.
    asked_by: Option<RequestId>,
    cancel: CancellationToken,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("info", &self.info()).field("session", &self.session).finish_non_exhaustive()
    }
}

impl Client {
    pub(crate) fn new(link: Arc<Link>, session: Option<SessionId>, cancel: CancellationToken) -> Self {
        Self { link, session, asked_by: None, cancel }
    }

    /// The client on behalf of a request that belongs to no session.
    pub(crate) fn of_request(link: Arc<Link>, id: Option<&RawValue>, cancel: CancellationToken) -> Self {
        let asked_by = id.and_then(|id| serde_json::from_str(id.get()).ok());
        Self { link, session: None, asked_by, cancel }
    }

    /// The same client, asked on behalf of a session. In a session's handlers it is so from the start.
    #[must_use]
    pub fn for_session(&self, id: impl Into<SessionId>) -> Self {
        Self { session: Some(id.into()), ..self.clone() }
    }

    /// What the client said in `initialize` it can do.
    pub fn capabilities(&self) -> &ClientCapabilities {
        &self.link.client().capabilities
    }

    /// The client's name and version, when it gave them.
    pub fn info(&self) -> Option<&Implementation> {
        self.link.client().info.as_ref()
    }

    /// Calls an extension method of the client.
    ///
    /// See [Extensibility](https://agentclientprotocol.com/protocol/v1/extensibility).
    ///
    /// # Errors
    ///
    /// The client's error (`-32601` when it does not know the method), an answer of another shape, the
    /// cancellation of this call, or a name that does not begin with `_`.
    pub async fn ext_request<R: DeserializeOwned>(&self, method: &str, params: &(impl Serialize + Sync)) -> Result<R> {
        is_extension(method)?;
        decode(&self.ask(method, params).await?)
    }

    /// Sends an extension notification.
    ///
    /// # Errors
    ///
    /// The client is gone, or the name does not begin with `_`.
    pub async fn ext_notification(&self, method: &str, params: &(impl Serialize + Sync)) -> Result<()> {
        is_extension(method)?;
        self.notify(method, params).await
    }

    pub(super) async fn notify(&self, method: &str, params: &(impl Serialize + Sync)) -> Result<()> {
        self.link.notify(method, params).await
    }

    pub(crate) fn cancellation(&self) -> &CancellationToken {
        &self.cancel
    }

    /// The same client, asked without regard to the call's cancellation.
    pub(crate) fn until_answered(&self) -> Self {
        Self { cancel: CancellationToken::new(), ..self.clone() }
    }

    pub(super) fn errands(&self) -> &Errands {
        &self.link.errands
    }

    pub(super) fn asked_by(&self) -> Option<&RequestId> {
        self.asked_by.as_ref()
    }

    pub(super) fn session(&self) -> Result<SessionId> {
        self.session.clone().ok_or_else(|| {
            Error::internal_error("this call belongs to no session; name one with `client.for_session(id)`")
        })
    }

    /// Calls a method of the protocol.
    pub(crate) async fn request<M: Method>(&self, params: &M::Params) -> Result<M::Response>
    where
        M::Params: Sync,
    {
        decode(&self.ask(M::NAME, params).await?)
    }

    /// Calls a method without waiting, and without hearing of its answer: for clean-up in a `drop`.
    pub(crate) fn request_blindly<M: Method>(&self, params: &M::Params) {
        let (id, _) = self.link.pending.open();
        self.link.pending.forget(id);
        self.link.request_now(id, M::NAME, params);
    }

    async fn ask(&self, method: &str, params: &(impl Serialize + Sync)) -> Result<Box<RawValue>> {
        let work = async {
            let (id, answer) = self.link.pending.open();
            let mut asking = Asking { link: &self.link, id, sent: false };
            self.link.outbox.send(|buffer| message::request(buffer, id, method, params)).await??;
            asking.sent = true;
            tracing::debug!(target: TARGET, method, id, "asked the client");
            let began = tracing::enabled!(target: TARGET, tracing::Level::DEBUG).then(Instant::now);
            let answer = match answer.await {
                Ok(answer) => answer,
                Err(_) => Err(Error::internal_error("the client hung up before it answered")),
            };
            if let Some(elapsed) = began.map(|began| began.elapsed()) {
                let bytes = answer.as_ref().map_or(0, |answer| answer.get().len());
                tracing::debug!(
                    target: TARGET, id,
                    code = answer.as_ref().err().map(Error::code),
                    bytes,
                    ?elapsed,
                    "the client answered"
                );
            }
            answer
        };
        match self.cancel.run_until_cancelled(work).await {
            Some(answer) => answer,
            None => Err(Cancelled.into()),
        }
    }
}

/// An open request. Dropped before its answer came, it is withdrawn.
struct Asking<'a> {
    link: &'a Link,
    id: u64,
    sent: bool,
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if self.link.pending.forget(self.id) && self.sent {
            tracing::debug!(target: TARGET, id = self.id, "withdrew what the client was asked");
            let withdrawn = CancelRequestNotification::new(RequestId::from(i64::try_from(self.id).unwrap_or(i64::MAX)));
            self.link.put_now(|buffer| message::notification(buffer, methods::CancelRequest::NAME, &withdrawn));
        }
    }
}

/// Some clients answer `null` where the protocol has an object of nothing.
fn decode<T: DeserializeOwned>(answer: &RawValue) -> Result<T> {
    serde_json::from_str(answer.get()).map_err(|error| {
        tracing::warn!(target: TARGET, "the client's answer has another shape than the protocol's");
        Error::from(error)
    })
}

fn is_extension(method: &str) -> Result<()> {
    if method.starts_with('_') {
        return Ok(());
    }
    Err(Error::internal_error(format!("the name of an extension method begins with `_`; `{method}` does not")))
}

/// The error of a call that the client did not offer.
pub(crate) fn unoffered(method: &str, capability: &str) -> Error {
    Error::internal_error(format!(
        "the client does not offer `{method}`: it did not advertise the capability `{capability}`"
    ))
}
