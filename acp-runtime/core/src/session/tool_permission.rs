//! The question whether a tool may run, with parts of the author's own.
//!
//! See [Requesting permission](https://agentclientprotocol.com/protocol/v1/tool-calls#requesting-permission).

use super::tool_call::ToolCallHandle;
use crate::{
    client::Permission,
    values::{Meta, PermissionOption},
    wire::Result,
};

/// A question for permission that is not asked yet; [`ToolCallHandle::permission`] makes one.
#[derive(Debug)]
#[must_use = "nobody is asked before `ask`"]
pub struct PermissionBuilder<'c> {
    call: &'c ToolCallHandle,
    options: Option<Vec<PermissionOption>>,
    meta: Option<Meta>,
}

impl<'c> PermissionBuilder<'c> {
    pub(super) fn new(call: &'c ToolCallHandle) -> Self {
        Self { call, options: None, meta: None }
    }

    /// The options to select from. By default, these are "Allow" and "Reject", once each.
    pub fn options(mut self, options: Vec<PermissionOption>) -> Self {
        self.options = Some(options);
        self
    }

    /// The `_meta` of the request.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Asks the user. If the tool may run, the call is reported as in progress.
    ///
    /// # Errors
    ///
    /// As [`ToolCallHandle::ask_permission`].
    pub async fn ask(self) -> Result<Permission> {
        let Self { call, options, meta } = self;
        let options = options.unwrap_or_else(Permission::once);
        match meta {
            Some(meta) => call.ask(&call.client().with_meta(meta), options).await,
            None => call.ask(call.client(), options).await,
        }
    }
}
