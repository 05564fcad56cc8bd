//! A question that goes to all clients of a session: the first decision counts, and the others are withdrawn.

use std::{pin::Pin, sync::Arc};

use serde_json::value::RawValue;

use super::line::Line;
use crate::{rpc::CancellationToken, values::SessionId, wire::Result};

/// The params of a question, as this client reads them. `None`: this client cannot be asked.
pub(crate) type ParamsFor = Box<dyn Fn(&Line) -> Option<Result<Box<RawValue>>> + Send + Sync>;

/// A question, and how its answers are counted.
pub(crate) struct Poll {
    pub(crate) method: &'static str,
    pub(crate) params: ParamsFor,
    /// Whether this answer is a decision. One that is none counts only if no client makes one.
    pub(crate) decides: fn(&RawValue) -> bool,
    /// When it is set, nobody is asked any more.
    pub(crate) cancel: Option<CancellationToken>,
}

/// The answer, which is on its way.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Result<Box<RawValue>>> + Send>>;

/// The clients of a session that may have several.
pub(crate) trait Everyone: Send + Sync {
    /// Asks them all, also those that come while the question is open. If the future is dropped, the question is withdrawn.
    fn ask(self: Arc<Self>, session: SessionId, poll: Poll) -> Answering;
}
