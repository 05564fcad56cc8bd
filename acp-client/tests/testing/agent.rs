//! An agent that does what its prompt says.

use std::time::Duration;

use acp_runtime::{
    client::Elicitation,
    prelude::*,
    values::{ElicitationSchema, SessionUpdate, ToolCallUpdate},
};

#[derive(ConfigOptions, Clone, Debug, PartialEq)]
pub(crate) struct Config {
    /// What the agent may do.
    #[config_option(category = "mode", values("ask" = "Ask", "code" = "Code"), default = "ask")]
    mode: String,
}

#[derive(Questions, Debug)]
struct Commit {
    branch: String,
    #[question(default = false)]
    push: bool,
}

#[acp_agent(title = "Subject", config = Config)]
#[derive(Clone)]
pub(crate) struct Subject;

#[acp_agent]
impl Subject {
    async fn new_session(&self) {}

    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        let client = turn.client();
        match &*request.text() {
            "ask" => {
                let call = turn.tool_call("Delete everything").kind(ToolKind::Delete).start().await?;
                let permission = call.ask_permission().await?;
                let choice = permission.selected().map(|option| option.option_id.to_string());
                match permission.is_allowed() {
                    true => call.complete(()).await?,
                    false => call.fail("not allowed").await?,
                }
                turn.message(choice.unwrap_or_else(|| "nothing".to_owned())).await?;
            }
            "read" => turn.message(client.read_text_file("/project/a.txt").await?).await?,
            "write" => client.write_text_file("/project/b.txt", "new").await?,
            "build" => {
                let terminal = client.terminal("cargo").args(["build", "-q"]).output_byte_limit(5).start().await?;
                let exit = terminal.wait_for_exit().await?;
                let output = terminal.output().await?;
                terminal.release().await?;
                turn.message(format!("{:?} {} {}", exit.exit_code, output.output, output.truncated)).await?;
            }
            "serve" => {
                let terminal = client.terminal("server").start().await?;
                let early = terminal.output().await?.exit_status.is_none();
                terminal.kill().await?;
                let exit = terminal.wait_for_exit().await?;
                terminal.release().await?;
                turn.message(format!("{early} {:?}", exit.signal)).await?;
            }
            "form" => {
                let said = match client.elicit_form("Which branch?", ElicitationSchema::new()).await? {
                    Elicitation::Accepted(content) => format!("{content:?}"),
                    other => format!("{other:?}"),
                };
                turn.message(said).await?;
            }
            "questions" => {
                let said = match turn.ask::<Commit>("What shall I commit?").await? {
                    Elicitation::Accepted(Commit { branch, push }) => format!("{branch} {push}"),
                    other => format!("{other:?}"),
                };
                turn.message(said).await?;
            }
            "ext" => {
                let said: String = client.ext_request("_vendor/name", &()).await?;
                turn.message(said).await?;
            }
            "slow" => {
                for number in 1..=3 {
                    turn.until_cancelled(tokio::time::sleep(Duration::from_secs(3600))).await?;
                    turn.message(format!("{number} ")).await?;
                }
            }
            "panic" => panic!("as asked"),
            "hang" => std::future::pending().await,
            "stray" => {
                let update = ToolCallUpdate::new("never-reported").status(ToolCallStatus::Completed);
                turn.update(SessionUpdate::ToolCallUpdate(update)).await?;
            }
            "plan" => {
                turn.thought("Let me see.").await?;
                for status in [PlanEntryStatus::Pending, PlanEntryStatus::Completed] {
                    turn.plan([PlanEntry::new("Look", PlanEntryPriority::High, status)]).await?;
                }
            }
            text => turn.message(text.to_owned()).await?,
        }
        Ok(StopReason::EndTurn)
    }
}
