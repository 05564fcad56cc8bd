//! A session that is being loaded: first its history, then the session.

use std::{fmt, future::IntoFuture, pin::Pin};

use super::{Session, taking::Taking};
use crate::{
    Result,
    inbox::opening::Opening,
    link::Link,
    schema::Method,
    update::Update,
    values::{LoadSessionRequest, LoadSessionResponse, methods},
};

/// A session that is being loaded. Take its history with [`next`](Self::next), or await this value to skip the history.
///
/// The agent's answer comes behind the history: if the agent does not know the session, `next`, [`finish`](Self::finish) or the await
/// returns the error, and [`load_session`](crate::Connection::load_session) did not.
///
/// ```no_run
/// # async fn run(connection: acp_client::Connection) -> acp_client::Result<()> {
/// let mut loading = connection.load_session("sess_1", "/home/me/project").await?;
/// while let Some(update) = loading.next().await? {
///     println!("{update:?}");
/// }
/// let session = loading.finish().await?;
/// # let _ = session;
/// # Ok(())
/// # }
/// ```
///
/// See [Loading sessions](https://agentclientprotocol.com/protocol/v1/session-setup#loading-sessions).
#[must_use = "a load that is dropped is given up"]
pub struct Loading {
    taking: Taking,
    opening: Opening,
}

impl Loading {
    pub(crate) async fn begin(link: &std::sync::Arc<Link>, request: &LoadSessionRequest) -> Result<Self> {
        let session = Session::new(link.clone(), link.sessions.known(&request.session_id));
        let opening = Opening::begin(link.client(), session.entry(), &request.cwd, &request.additional_directories);
        let silence = Some(link.options().request_timeout);
        let taking = Taking::begin(session, methods::LoadSession::NAME, request, silence, None).await?;
        Ok(Self { taking, opening })
    }

    /// The next update of the history; `None` when there is no more.
    ///
    /// # Errors
    ///
    /// The agent refused, is gone, or was silent for too long.
    pub async fn next(&mut self) -> Result<Option<Update>> {
        Ok(self.next_raw().await?.map(|params| Update::read(&params)))
    }

    /// As [`next`](Self::next), but undecoded: the JSON text of the params of a `session/update`.
    ///
    /// ```no_run
    /// # async fn run(connection: acp_client::Connection) -> acp_client::Result<()> {
    /// let mut loading = connection.load_session("sess_1", "/home/me/project").await?;
    /// while let Some(params) = loading.next_raw().await? {
    ///     println!("{params}");
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As those of [`next`](Self::next).
    pub async fn next_raw(&mut self) -> Result<Option<Box<str>>> {
        let update = self.taking.next().await?;
        if update.is_none() {
            self.opening.grant();
        }
        Ok(update)
    }

    /// The session; skips the rest of the history.
    ///
    /// # Errors
    ///
    /// As those of [`next`](Self::next).
    pub async fn finish(mut self) -> Result<Session> {
        let answer = self.taking.finish().await?;
        let session = &self.taking.session;
        session.link().read::<LoadSessionResponse>(methods::LoadSession::NAME, &answer)?;
        session.entry().settings().opened(&answer);
        self.opening.grant();
        Ok(session.clone())
    }
}

impl IntoFuture for Loading {
    type Output = Result<Session>;
    type IntoFuture = Pin<Box<dyn Future<Output = Result<Session>> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.finish())
    }
}

impl fmt::Debug for Loading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Loading").field(self.taking.session.id()).finish()
    }
}
