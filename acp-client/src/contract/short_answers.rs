//! The short forms of the answers to the protocol's methods.

use acp_peer::Result;

use super::{
    answer::{IntoAnswer, Selected, Short},
    handled::Handled,
    markers::handlers,
};
use crate::{
    inbox::question::not_permitted,
    values::{
        CreateElicitationResponse, CreateTerminalResponse, ElicitationAction, KillTerminalResponse, PermissionOptionId,
        ReadTextFileResponse, ReleaseTerminalResponse, RequestPermissionOutcome, RequestPermissionResponse,
        SelectedPermissionOutcome, TerminalExitStatus, TerminalId, WaitForTerminalExitResponse, WriteTextFileResponse,
    },
};

macro_rules! short {
    ($($method:ident: $given:ty => |$value:pat_param| $answer:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl IntoAnswer<handlers::$method, Short> for $given {
            fn answer(self) -> Result<<handlers::$method as Handled>::Response> {
                let $value = self;
                Ok($answer)
            }
        }
    )*};
}

short! {
    read_text_file: String => |content| ReadTextFileResponse::new(content);
    write_text_file: () => |()| WriteTextFileResponse::new();
    create_terminal: TerminalId => |id| CreateTerminalResponse::new(id);
    wait_for_terminal_exit: TerminalExitStatus => |status| exited(status);
    kill_terminal: () => |()| KillTerminalResponse::new();
    release_terminal: () => |()| ReleaseTerminalResponse::new();
    request_permission: RequestPermissionOutcome => |outcome| RequestPermissionResponse::new(outcome);
    create_elicitation: ElicitationAction => |action| CreateElicitationResponse::new(action);
}

fn exited(TerminalExitStatus { exit_code, signal, meta, .. }: TerminalExitStatus) -> WaitForTerminalExitResponse {
    let mut response = WaitForTerminalExitResponse::new();
    response.exit_code = exit_code;
    response.signal = signal;
    response.meta = meta;
    response
}

#[diagnostic::do_not_recommend]
impl IntoAnswer<handlers::request_permission, Selected> for PermissionOptionId {
    fn answer(self) -> Result<RequestPermissionResponse> {
        let selected = SelectedPermissionOutcome::new(self);
        Ok(RequestPermissionResponse::new(RequestPermissionOutcome::Selected(selected)))
    }
}

/// `None` means that the user selected nothing. The protocol's word for this is `cancelled`.
#[diagnostic::do_not_recommend]
impl IntoAnswer<handlers::request_permission, Selected> for Option<PermissionOptionId> {
    fn answer(self) -> Result<RequestPermissionResponse> {
        self.map_or_else(
            || Ok(not_permitted()),
            <PermissionOptionId as IntoAnswer<handlers::request_permission, Selected>>::answer,
        )
    }
}
