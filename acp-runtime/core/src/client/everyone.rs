//! A question that goes to all clients of a session: the first answer counts, and the others are withdrawn.

use std::{pin::Pin, sync::Arc};

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{
    asking::{Client, shaped},
    line::Line,
};
use crate::{
    schema::Method,
    values::SessionId,
    wire::{Cancelled, Result, decode},
};

/// The params of a question, as this client reads them. `None`: this client cannot be asked.
pub(crate) type ParamsFor = Box<dyn Fn(&Line) -> Option<Result<Box<RawValue>>> + Send + Sync>;

/// The answer, which is on its way.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Result<Box<RawValue>>> + Send>>;

/// The clients of a session that may have several.
pub(crate) trait Everyone: Send + Sync {
    /// Asks them all, also those that come while the question is open. If the future is dropped, the question is withdrawn.
    fn ask(self: Arc<Self>, session: SessionId, method: &'static str, params: ParamsFor) -> Answering;
}

impl Client {
    /// Asks all clients of the session.
    pub(super) async fn ask_everyone<M: Method, R: DeserializeOwned>(
        &self,
        everyone: &Arc<dyn Everyone>,
        params: ParamsFor,
    ) -> Result<R> {
        self.cancellation().check()?;
        let answer = everyone.clone().ask(self.session()?, M::NAME, params);
        let answer = self.cancellation().run_until_cancelled(answer).await.ok_or(Cancelled)??;
        shaped(decode::from_json(answer.get()))
    }
}
