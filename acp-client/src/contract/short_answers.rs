//! The short forms of the answers to the protocol's methods.

use super::markers::{answers, handlers};
use crate::{
    inbox::question::not_permitted,
    values::{
        CreateElicitationResponse, CreateTerminalResponse, ElicitationAction, KillTerminalResponse, PermissionOptionId,
        ReadTextFileResponse, ReleaseTerminalResponse, RequestPermissionOutcome, RequestPermissionResponse,
        SelectedPermissionOutcome, TerminalExitStatus, TerminalId, WaitForTerminalExitResponse, WriteTextFileResponse,
    },
};

answers! {
    handlers::read_text_file: String as Short = |content| Ok(ReadTextFileResponse::new(content));
    handlers::write_text_file: () as Short = |()| Ok(WriteTextFileResponse::new());
    handlers::create_terminal: TerminalId as Short = |id| Ok(CreateTerminalResponse::new(id));
    handlers::wait_for_terminal_exit: TerminalExitStatus as Short = |status| Ok(exited(status));
    handlers::kill_terminal: () as Short = |()| Ok(KillTerminalResponse::new());
    handlers::release_terminal: () as Short = |()| Ok(ReleaseTerminalResponse::new());
    handlers::request_permission: RequestPermissionOutcome as Short = |outcome| Ok(RequestPermissionResponse::new(outcome));
    handlers::request_permission: PermissionOptionId as Selected = |id| Ok(selected(id));
    // `None` means that the user selected nothing. The protocol's word for this is `cancelled`.
    handlers::request_permission: Option<PermissionOptionId> as Selected = |id| Ok(id.map_or_else(not_permitted, selected));
    handlers::create_elicitation: ElicitationAction as Short = |action| Ok(CreateElicitationResponse::new(action));
}

fn exited(TerminalExitStatus { exit_code, signal, meta, .. }: TerminalExitStatus) -> WaitForTerminalExitResponse {
    let mut response = WaitForTerminalExitResponse::new();
    response.exit_code = exit_code;
    response.signal = signal;
    response.meta = meta;
    response
}

fn selected(id: PermissionOptionId) -> RequestPermissionResponse {
    RequestPermissionResponse::new(RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(id)))
}
