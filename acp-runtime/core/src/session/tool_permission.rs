//! The question whether a tool may run, with parts of the author's own, and with an answer that lasts.
//!
//! See [Requesting permission](https://agentclientprotocol.com/protocol/v1/tool-calls#requesting-permission).

#[cfg(feature = "v2")]
use std::path::PathBuf;
use std::pin::Pin;

use super::{remembered::Way, tool_builder::ToolCallBuilder, tool_call::ToolCallHandle, update::SessionOutput};
#[cfg(feature = "v2")]
use crate::dialect::{
    command,
    marks::{self, mark},
};
use crate::{
    client::{Client, Permission},
    values::{Meta, PermissionOption, ToolCallUpdate, ToolKind},
    wire::{Cancelled, Error, Result},
};

/// A question for permission that is not asked yet; [`ToolCallHandle::permission`] makes one, and
/// [`ToolCallBuilder::permission`] about a call that is not reported. [`ask`](Self::ask) or `.await` asks it.
#[derive(Debug)]
#[must_use = "nobody is asked before `ask` or `.await`"]
pub struct PermissionBuilder<'c> {
    call: Asked<'c>,
    options: Option<Vec<PermissionOption>>,
    meta: Option<Meta>,
    key: Option<Key>,
    /// The command that the tool is to run, and where.
    #[cfg(feature = "v2")]
    command: Option<(String, PathBuf)>,
}

/// The call that the user is asked about.
#[derive(Clone, Copy, Debug)]
enum Asked<'c> {
    /// It is not reported, and an approval reports nothing either.
    Before(&'c ToolCallBuilder),
    Reported(&'c ToolCallHandle),
}

/// The subject of a lasting decision.
#[derive(Debug)]
enum Key {
    /// The tool of the call.
    Tool,
    /// A subject that the author names.
    Named(String),
}

impl<'c> PermissionBuilder<'c> {
    fn new(call: Asked<'c>) -> Self {
        Self {
            call,
            options: None,
            meta: None,
            key: None,
            #[cfg(feature = "v2")]
            command: None,
        }
    }

    /// The options to select from. By default, these are "Allow" and "Reject", once each. If the answer is
    /// [remembered](Self::remember), they are those of [`Permission::once_or_always`].
    pub fn options(mut self, options: Vec<PermissionOption>) -> Self {
        self.options = Some(options);
        self
    }

    /// The `_meta` of the request.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Asks for a command that the tool is to run, in this directory, an absolute path. It comes with the feature `v2`.
    ///
    /// On version 2, the client is told the command, the directory and the id of the call, if it was reported. On version 1, it gets
    /// the call, as without this.
    ///
    /// See [Requesting permission](https://agentclientprotocol.com/protocol/v2/tool-calls#requesting-permission).
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn may_run<C: ConfigOptions>(turn: &Turn<C>, line: &str) -> Result<bool> {
    ///     let call = turn.tool_call(line).kind(ToolKind::Execute).start().await?;
    ///     Ok(call.permission().command(line, turn.cwd()).remember(line).ask().await?.is_allowed())
    /// }
    /// ```
    #[cfg(feature = "v2")]
    pub fn command(mut self, line: impl Into<String>, cwd: impl Into<PathBuf>) -> Self {
        self.command = Some((line.into(), cwd.into()));
        self
    }

    /// Lets the user decide for good about everything with this key. If the user chooses "always", the session remembers the
    /// decision, and asks no more for this key. While the user is asked, further questions with the same key wait for the answer.
    ///
    /// An agent that declares a store keeps the decision with the session before [`ask`](Self::ask) returns, as durably as a
    /// turn. So if the process is killed in the middle of the turn, the user is not asked again. A store that fails does not
    /// hold up the tool: the decision holds in this process, and the end of the turn keeps it or is an error.
    ///
    /// Take a key that says what is allowed: the command `cargo test`, the folder that is written to, the host. An approval of a
    /// cancelled turn does not count, and is not remembered. [`SessionHandle::permissions`](super::SessionHandle::permissions)
    /// returns the decisions.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn run<C: ConfigOptions>(turn: &Turn<C>, program: &str, args: &[String]) -> Result<()> {
    ///     let call = turn.tool_call(format!("Run {program}")).kind(ToolKind::Execute).start().await?;
    ///     if !call.permission().remember(program).ask().await?.is_allowed() {
    ///         return call.fail("rejected by the user").await;
    ///     }
    ///     let output = std::process::Command::new(program).args(args).output();
    ///     call.finish(output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned())).await
    /// }
    /// ```
    pub fn remember(mut self, key: impl Into<String>) -> Self {
        self.key = Some(Key::Named(key.into()));
        self
    }

    /// As [`remember`](Self::remember), with the tool as the key: `tool/` and the [name](super::ToolCallBuilder::name) of the call's
    /// tool, or, if it has no name, `kind/` and its [kind](super::ToolCallBuilder::kind). "Always" then means each call of this
    /// tool, whatever its parameters are.
    pub fn remember_tool(mut self) -> Self {
        self.key = Some(Key::Tool);
        self
    }

    /// Asks the user, unless a decision is remembered. If the tool may run, a call that is reported is reported as in progress.
    ///
    /// # Errors
    ///
    /// As [`ToolCallHandle::ask_permission`]. Or the directory of a command is not absolute. Or the decision is to be [remembered by the tool](Self::remember_tool), and the
    /// call has neither the name of a tool nor a kind. Of a call that is not reported, also the errors of
    /// [`ToolCallBuilder::start`]: the user is not asked.
    pub async fn ask(self) -> Result<Permission> {
        let Self {
            call,
            options,
            meta,
            key,
            #[cfg(feature = "v2")]
            command,
        } = self;
        #[cfg(feature = "v2")]
        let meta = call.with_command(meta, command)?;
        if let Asked::Before(call) = call {
            call.claim()?;
        }
        let with_meta;
        let client = match meta {
            Some(meta) => {
                with_meta = call.client().with_meta(meta);
                &with_meta
            }
            None => call.client(),
        };
        match key {
            None => call.ask(client, options.unwrap_or_else(Permission::once)).await,
            Some(Key::Named(key)) => call.ask_for_good(client, &key, options).await,
            Some(Key::Tool) => call.ask_for_good(client, &call.tool()?, options).await,
        }
    }
}

/// `call.permission().remember(key).await` asks, too.
impl<'c> IntoFuture for PermissionBuilder<'c> {
    type Output = Result<Permission>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'c>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.ask())
    }
}

impl ToolCallHandle {
    /// Asks the user whether the tool may run. Offers "Allow" and "Reject", each for one time.
    ///
    /// If the tool may run, the call is reported as in progress.
    ///
    /// # Errors
    ///
    /// The turn was cancelled, or the client is gone. If the client answers with an error, this is no error here: the
    /// tool is not allowed.
    pub async fn ask_permission(&self) -> Result<Permission> {
        self.ask_permission_with(Permission::once()).await
    }

    /// Asks whether the tool may run, with options or a `_meta` of your own, or with an answer that
    /// [lasts](PermissionBuilder::remember).
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    /// use acp_runtime::{session::ToolCallHandle, values::Meta};
    ///
    /// async fn may_run(call: &ToolCallHandle, rule: &str) -> Result<bool> {
    ///     let meta = Meta::from_iter([("_example.com/rule".to_owned(), rule.into())]);
    ///     Ok(call.permission().meta(meta).ask().await?.is_allowed())
    /// }
    /// ```
    pub fn permission(&self) -> PermissionBuilder<'_> {
        PermissionBuilder::new(Asked::Reported(self))
    }

    /// As [`ask_permission`](Self::ask_permission), with options of your own.
    ///
    /// # Errors
    ///
    /// As [`ask_permission`](Self::ask_permission).
    pub async fn ask_permission_with(&self, options: Vec<PermissionOption>) -> Result<Permission> {
        self.permission().options(options).ask().await
    }
}

impl ToolCallBuilder {
    /// Asks whether the tool may run, before the call is reported: for a core that asks first, and begins the call later, under its
    /// own id. The request has the id and the fields of this builder, and the status `pending`. Nothing else is sent, also if
    /// the tool may run. The function has the same options, `_meta` and [lasting decisions](PermissionBuilder::remember) as
    /// [`ToolCallHandle::permission`].
    ///
    /// Keep the builder, and [`start`](Self::start) it when the core begins the call. For the client, it is the call that it
    /// has asked about. If the core knows more by then, set it before: the title, the kind, the content.
    ///
    /// From the question on, no other call of the session can have the id. If the core never begins the call, drop the builder:
    /// the client hears no more of it, and the id is free again. You may ask several times about one builder.
    ///
    /// The protocol allows to ask first: see
    /// [Requesting permission](https://agentclientprotocol.com/protocol/v1/tool-calls#requesting-permission). If your agent can
    /// choose, report the call first. Then the client also shows the calls that nobody allows.
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// use acp_runtime::{prelude::*, session::{ToolCallBuilder, ToolCallHandle}};
    ///
    /// /// The calls that the core has asked about, by its ids.
    /// #[derive(Default)]
    /// struct Calls(HashMap<String, ToolCallBuilder>);
    ///
    /// impl Calls {
    ///     async fn may_run<C: ConfigOptions>(&mut self, turn: &Turn<C>, id: &str, command: &str) -> Result<bool> {
    ///         let call = turn.tool_call(command).id(id).kind(ToolKind::Execute);
    ///         let permission = call.permission().remember(command).ask().await?;
    ///         self.0.insert(id.to_owned(), call);
    ///         Ok(permission.is_allowed())
    ///     }
    ///
    ///     async fn begun<C: ConfigOptions>(&mut self, turn: &Turn<C>, id: &str, command: &str) -> Result<ToolCallHandle> {
    ///         let call = self.0.remove(id).unwrap_or_else(|| turn.tool_call(command).id(id));
    ///         let call = call.title(format!("Run {command}")).start().await?;
    ///         call.in_progress().await?;
    ///         Ok(call)
    ///     }
    /// }
    /// ```
    pub fn permission(&self) -> PermissionBuilder<'_> {
        PermissionBuilder::new(Asked::Before(self))
    }
}

impl Asked<'_> {
    fn client(&self) -> &Client {
        match self {
            Self::Before(call) => call.client(),
            Self::Reported(call) => call.client(),
        }
    }

    fn output(&self) -> &SessionOutput {
        match self {
            Self::Before(call) => call.output(),
            Self::Reported(call) => call.output(),
        }
    }

    fn described(&self) -> Result<ToolCallUpdate> {
        match self {
            Self::Before(call) => call.described(),
            Self::Reported(call) => Ok(call.described()),
        }
    }

    /// The `_meta` of the request, in which the dialect finds the command.
    #[cfg(feature = "v2")]
    fn with_command(&self, mut meta: Option<Meta>, asked: Option<(String, PathBuf)>) -> Result<Option<Meta>> {
        let Some((line, cwd)) = asked else { return Ok(meta) };
        if !cwd.is_absolute() {
            return Err(Error::internal_error(format!(
                "the directory `{}` of a command is not absolute; take the `cwd` of the session",
                cwd.display()
            )));
        }
        if self.client().dialect().asks_for_commands() {
            let reported = match self {
                Self::Before(_) => None,
                Self::Reported(call) => Some(call.id()),
            };
            mark(&mut meta, marks::COMMAND, command(&line, &cwd, reported));
        }
        Ok(meta)
    }

    /// The tool may run.
    async fn allowed(&self) -> Result<()> {
        match self {
            Self::Before(_) => Ok(()),
            Self::Reported(call) => call.in_progress().await,
        }
    }

    async fn ask(&self, client: &Client, options: Vec<PermissionOption>) -> Result<Permission> {
        let permission = client.request_permission(self.described()?, options).await?;
        if permission.is_allowed() {
            self.allowed().await?;
        }
        Ok(permission)
    }

    /// The key of the call's tool.
    fn tool(&self) -> Result<String> {
        let (name, kind) = match self {
            Self::Before(call) => call.name_and_kind(),
            Self::Reported(call) => call.name_and_kind(),
        };
        match (name, kind) {
            (Some(name), _) => Ok(format!("tool/{name}")),
            (None, ToolKind::Other) => Err(Error::internal_error(
                "a permission that is remembered by its tool needs the tool: give the call a `name` or a `kind`, or \
                 remember the permission by a key",
            )),
            (None, kind) => Ok(format!("kind/{kind}")),
        }
    }

    async fn ask_for_good(
        &self,
        client: &Client,
        key: &str,
        options: Option<Vec<PermissionOption>>,
    ) -> Result<Permission> {
        let remembered = self.output().remembered();
        let way = remembered.way(key);
        let way = client.cancellation().run_until_cancelled(way).await.ok_or(Cancelled)?;
        let question = match way {
            _ if client.cancellation().is_cancelled() => return Err(Cancelled.into()),
            Way::Decided(is_allowed) => {
                if is_allowed {
                    self.allowed().await?;
                }
                return Ok(Permission::remembered(is_allowed));
            }
            Way::Ask(question) => question,
        };
        let options = options.unwrap_or_else(Permission::once_or_always);
        let permission = client.request_permission(self.described()?, options).await?;
        if permission.is_lasting() {
            question.remember(permission.is_allowed());
            let kept = self.output().keep_permissions();
            client.cancellation().run_until_cancelled(kept).await.ok_or(Cancelled)?;
        } else {
            drop(question);
        }
        if permission.is_allowed() {
            self.allowed().await?;
        }
        Ok(permission)
    }
}
