//! The versions of the protocol, for a client that speaks several. Only with the feature `v2`.
//!
//! The same client drives agents of version 1 and of version 2: its requests, updates and questions have the shapes of
//! [`values`](crate::values), which are those of version 1. [`Connection::version`](crate::Connection::version) is the version
//! that is spoken, and [`ConnectOptions::versions`](field@crate::ConnectOptions::versions) bounds it. Version 2 is a draft.
//!
//! **With the feature `v2`, an agent that speaks version 2 is spoken to in version 2, without a change of the client.** Such an agent
//! **sends the user's own prompts back**: they are updates of the kind `UserMessageChunk` in the turn. A client that shows each prompt
//! itself leaves these out while a turn runs, and shows them when a session is loaded. `versions(1..=1)` keeps a client to version 1.
//!
//! | on version 2 | a client gets |
//! |---|---|
//! | the answer to a prompt, then `state_update` | a [`Turn`](crate::Turn), as on version 1. It ends with the `idle` that follows the insertion of its prompt. An `idle` with the reason `error` is the error of the turn. A prompt that the agent withdraws because of a cancel or a close ends as `cancelled` |
//! | `state_update` | [`Update::State`](crate::Update::State): in the turn that is open, otherwise [outside of turns](crate::Session::next_update). What the agent does by itself, and its background work, are there like other updates |
//! | `tool_call_update` | `ToolCall` for a call that is new, `ToolCallUpdate` for the rest. `null` is what a new call has. `paused` is `in_progress`, `cancelled` is `failed` |
//! | `tool_call_content_chunk` | `ToolCallUpdate` with all content of the call up to 64 KiB; above, an `Update::Unknown` |
//! | `user_message`, `agent_message`, `agent_thought` | chunks, if the message is a new one; else `Update::Unknown`, because it replaces what was said. The agent also sends each prompt of this client as a message of the user |
//! | `plan_update` | `Plan`, if the plan has entries |
//! | a diff with `changes` and a patch | a `Diff` for each hunk of the patch, and a line of text for each change that no hunk shows |
//! | a request for permission with a title and a subject | `RequestPermissionRequest` with the call, or with one that stands for the command or the title: see [`permission_title`] |
//! | `configId`, `groupId` | `id`, `group` |
//! | no modes, files or terminals of the client | no [`modes`](crate::Session::modes). An agent that calls files and terminals is answered `-32601`, whatever handlers the client has |
//! | `terminal_update`, `terminal_output_chunk` | [`Update::Terminal`](crate::Update::Terminal); a [`TerminalState`](crate::TerminalState) takes these updates, and has the state and the output |
//! | `capabilities.cancel` of a tool call or a terminal | [`can_cancel_tool_call`](crate::Session::can_cancel_tool_call) and [`can_cancel_terminal`](crate::Session::can_cancel_terminal), with [`cancel_tool_call`](crate::Session::cancel_tool_call) and [`cancel_terminal`](crate::Session::cancel_terminal) |
//! | the draft `session.steering` | [`steer`](crate::Session::steer) sends a plain prompt while the session works |
//! | all else that version 1 lacks | `Update::Unknown`, which has the raw update |
//!
//! What the values cannot hold is in [`original`].

use serde_json::Value;

use crate::{
    dialect::original,
    values::{Meta, RequestPermissionRequest},
};

/// What the agent sent, if the value with this `_meta` has another shape than on the wire: the diff of a `ToolCallContent`, the
/// members of a tool call or a plan entry that the values lack, the title and the subject of a request for permission, and
/// the capabilities of the agent. `None` if the value has all of it.
///
/// ```
/// use acp_client::{values::ToolCallContent, versions::original};
///
/// fn patch(content: &ToolCallContent) -> Option<&str> {
///     let ToolCallContent::Diff(diff) = content else { return None };
///     original(diff.meta.as_ref())?["patch"]["text"].as_str()
/// }
/// # let _ = patch;
/// ```
pub fn original(meta: Option<&Meta>) -> Option<&Value> {
    original::of(meta)
}

/// The question of a request for permission: its own title on version 2, the title of the tool call on version 1.
///
/// ```
/// use acp_client::{values::RequestPermissionRequest, versions::permission_title};
///
/// fn ask(request: &RequestPermissionRequest) {
///     println!("{}", permission_title(request));
/// }
/// # let _ = ask;
/// ```
///
/// See [Requesting permission](https://agentclientprotocol.com/protocol/v2/tool-calls#requesting-permission).
pub fn permission_title(request: &RequestPermissionRequest) -> &str {
    let asked = original::of(request.meta.as_ref()).and_then(|asked| asked.get("title")?.as_str());
    asked.or(request.tool_call.title.as_deref()).unwrap_or_default()
}
