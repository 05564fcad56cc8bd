//! A command as the work of a tool call, while the feature `local` is off: the error names the feature.

use super::tool_call::ToolCallHandle;
use crate::{client::WithTheFeatureLocal, config::initial::unreachable};

impl ToolCallHandle {
    #[doc(hidden)]
    pub fn run<C: WithTheFeatureLocal>(&self, _: C) -> C::Returned {
        unreachable()
    }
}
