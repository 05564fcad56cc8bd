//! Keys and words that there are not.
use acp_client::{acp_client, values::*};

struct Editor;

#[acp_client(elicitation(form, urls), notice, auth(terminal = true), capabilities(fs), local = true)]
impl Editor {
    async fn create_elicitation(&self) -> ElicitationAction {
        ElicitationAction::Decline
    }
}

fn main() {}
