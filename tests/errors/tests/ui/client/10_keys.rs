//! The attribute does not have these keys and words.
use acp_client::{acp_client, values::*};

struct Editor;

#[acp_client(elicitation(form, urls), notice, auth(terminal = true), capabilities(fs), local = true)]
impl Editor {
    async fn create_elicitation(&self) -> ElicitationAction {
        ElicitationAction::Decline
    }
}

fn main() {}
