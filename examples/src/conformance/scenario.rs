//! The behaviours that a prompt can choose: `tck:tool`, `tck:permission`, `tck:echo TEXT`, `stream N BYTES`, ..

use std::{path::Path, time::Duration};

use acp_runtime::{
    Cancelled,
    client::Elicitation,
    prelude::*,
    values::{
        AvailableCommand, AvailableCommandInput, Cost, ElicitationSchema, ImageContent, NoticeSeverity,
        PermissionOption, PermissionOptionKind, SessionInfoUpdate, UnstructuredCommandInput, UsageUpdate,
    },
};

use super::{Config, Mode, Model};

/// A picture of one pixel, as PNG.
const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/// Shows the behaviour that the prompt chooses.
pub(super) async fn play(prompt: &str, cwd: &Path, turn: &Turn<Config>) -> Result<StopReason> {
    let (word, rest) = prompt.split_once(' ').unwrap_or((prompt, ""));
    match word {
        "stream" => return stream(rest, turn).await,
        "tck:hang" => turn.until_cancelled(std::future::pending::<()>()).await?,
        "tck:tool" => tool(turn).await?,
        "tck:permission" => permission(turn).await?,
        "tck:read" => read(cwd, turn).await?,
        "tck:write" => write(cwd, turn).await?,
        "tck:terminal" => terminal(turn).await?,
        "tck:plan" => plan(turn).await?,
        "tck:usage" => turn.usage(UsageUpdate::new(1200, 200_000).cost(Cost::new(0.02, "USD"))).await?,
        "tck:commands" => turn.commands(commands()).await?,
        "tck:mode" => turn.update_config(|config| config.mode = other_mode(config.mode)).await?,
        "tck:config" => turn.update_config(|config| config.model = other_model(config.model)).await?,
        "tck:title" => {
            turn.info(SessionInfoUpdate::new().title("A title".to_owned())).await?;
            turn.info(SessionInfoUpdate::new().title(None)).await?;
        }
        "tck:image" => turn.message(ContentBlock::Image(ImageContent::new(PIXEL, "image/png"))).await?,
        "tck:together" => together(turn).await?,
        "tck:thought" => turn.thought("Let me think.").await?,
        "tck:notice" => {
            if !turn.notice(NoticeSeverity::Info, "This is a notice").await? {
                turn.message("(this client shows no notices)").await?;
            }
        }
        "tck:compaction" => compaction(turn).await?,
        "tck:elicit-form" => elicit_form(turn).await?,
        "tck:elicit-url" => elicit_url(turn).await?,
        "tck:refuse" => return Ok(StopReason::Refusal),
        "tck:max_tokens" => return Ok(StopReason::MaxTokens),
        "tck:max_turn" => return Ok(StopReason::MaxTurnRequests),
        "tck:crash" => panic!("`tck:crash` was asked for"),
        "tck:echo" => turn.message(rest).await?,
        // The wait is long enough for a client to cancel the turn, and short enough for all other clients.
        _ if prompt.contains("slowly") => {
            turn.until_cancelled(tokio::time::sleep(Duration::from_secs(2))).await?;
        }
        _ => turn.message("ok").await?,
    }
    Ok(StopReason::EndTurn)
}

/// The behaviour `stream N BYTES`: N updates of BYTES bytes each.
async fn stream(counts: &str, turn: &Turn<Config>) -> Result<StopReason> {
    let mut counts = counts.split(' ').map(|count| count.parse::<usize>().unwrap_or(0));
    let (updates, bytes) = (counts.next().unwrap_or(0), counts.next().unwrap_or(0));
    let chunk = "x".repeat(bytes);
    for _ in 0..updates {
        if turn.is_cancelled() {
            break;
        }
        turn.message(chunk.as_str()).await?;
    }
    Ok(StopReason::EndTurn)
}

async fn tool(turn: &Turn<Config>) -> Result<()> {
    let call = turn.tool_call("Look around").kind(ToolKind::Search).start().await?;
    call.in_progress().await?;
    call.complete("Nothing to see.").await
}

/// Asks for two permissions at once.
async fn together(turn: &Turn<Config>) -> Result<()> {
    tokio::try_join!(permission(turn), permission(turn)).map(|_| ())
}

async fn permission(turn: &Turn<Config>) -> Result<()> {
    let call = turn.tool_call("Change something").kind(ToolKind::Edit).start().await?;
    let options = vec![
        PermissionOption::new("yes", "Yes", PermissionOptionKind::AllowOnce),
        PermissionOption::new("always", "Always", PermissionOptionKind::AllowAlways),
        PermissionOption::new("no", "No", PermissionOptionKind::RejectOnce),
    ];
    if call.ask_permission_with(options).await?.is_allowed() {
        call.complete("Changed.").await
    } else {
        call.fail("not allowed").await
    }
}

async fn read(cwd: &Path, turn: &Turn<Config>) -> Result<()> {
    if !turn.client().can_read_files() {
        return turn.message("(this client reads no files)").await;
    }
    let text = turn.client().read_text_file_lines(cwd.join("README.md"), 1, 10).await?;
    turn.message(text).await
}

async fn write(cwd: &Path, turn: &Turn<Config>) -> Result<()> {
    if !turn.client().can_write_files() {
        return turn.message("(this client writes no files)").await;
    }
    turn.client().write_text_file(cwd.join("out.txt"), "written by the conformance agent\n").await
}

async fn terminal(turn: &Turn<Config>) -> Result<()> {
    if !turn.client().can_run_terminals() {
        return turn.message("(this client runs no terminals)").await;
    }
    let terminal = turn.client().terminal("echo").args(["out"]).output_byte_limit(1024).start().await?;
    let call = turn.tool_call("Run echo").kind(ToolKind::Execute).content(terminal.id().clone()).start().await?;
    call.in_progress().await?;
    terminal.wait_for_exit().await?;
    terminal.output().await?;
    terminal.release().await?;
    call.complete(()).await
}

async fn plan(turn: &Turn<Config>) -> Result<()> {
    use PlanEntryStatus::{Completed, InProgress, Pending};
    for (first, second) in [(InProgress, Pending), (Completed, InProgress)] {
        turn.plan([
            PlanEntry::new("Look", PlanEntryPriority::High, first),
            PlanEntry::new("Leap", PlanEntryPriority::Low, second),
        ])
        .await?;
    }
    Ok(())
}

fn commands() -> [AvailableCommand; 2] {
    let what = AvailableCommandInput::Unstructured(UnstructuredCommandInput::new("what to plan"));
    [AvailableCommand::new("plan", "Make a plan").input(what), AvailableCommand::new("status", "Say what is done")]
}

fn other_mode(mode: Mode) -> Mode {
    match mode {
        Mode::Code => Mode::Ask,
        Mode::Ask => Mode::Code,
    }
}

fn other_model(model: Model) -> Model {
    match model {
        Model::Fast => Model::Smart,
        Model::Smart => Model::Fast,
    }
}

async fn compaction(turn: &Turn<Config>) -> Result<()> {
    let Some(compaction) = turn.compaction().await? else {
        return turn.message("(this client follows no compactions)").await;
    };
    compaction.summary("So far, ").await?;
    compaction.complete("So far, nothing happened.").await
}

async fn elicit_form(turn: &Turn<Config>) -> Result<()> {
    if !turn.client().can_elicit_forms() {
        return turn.message("(this client shows no forms)").await;
    }
    // If the client cannot ask the user, there is no answer, and the turn continues.
    let said = match turn.client().elicit_form("Which branch?", ElicitationSchema::new()).await {
        Ok(Elicitation::Accepted(_)) => "thank you",
        Ok(_) => "never mind",
        Err(_) if turn.is_cancelled() => return Err(Cancelled.into()),
        Err(_) => "(the client could not ask)",
    };
    turn.message(said).await
}

async fn elicit_url(turn: &Turn<Config>) -> Result<()> {
    if !turn.client().can_elicit_urls() {
        return turn.message("(this client opens no pages)").await;
    }
    let errand = format!("errand-{}", turn.id());
    let asked = turn.client().elicit_url("Please sign in", errand.as_str(), "https://example.com/sign-in").await;
    if turn.is_cancelled() {
        return Err(Cancelled.into());
    }
    if matches!(asked, Ok(Elicitation::Accepted(_))) {
        turn.client().elicitation_complete(errand.as_str()).await?;
    }
    Ok(())
}
