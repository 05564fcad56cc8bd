//! An agent that makes the mistakes.

use std::sync::{
    Mutex,
    atomic::{AtomicBool, Ordering},
};

use acp_runtime::{
    agent::RequestMeta,
    client::Elicitation,
    prelude::*,
    schema::v1::{
        AvailableCommand, CompactionId, CompactionStatus, CompactionUpdate, ConfigOptionUpdate, CurrentModeUpdate,
        ElicitationSchema, Notice, NoticeSeverity, PermissionOption, PermissionOptionKind, SessionInfoUpdate,
        SessionUpdate, ToolCall, ToolCallLocation, ToolCallUpdate, UsageUpdate,
    },
};
use serde_json::json;

/// Does what the prompt says, right or wrong.
#[acp_agent(
    session = (),
    auth(agent(id = "key", name = "Key"), terminal(id = "login", name = "Log in", args("--login"))),
    capabilities(additional_directories)
)]
#[derive(Clone)]
pub(super) struct Careless {
    /// Nothing.
    #[config_option(default = false)]
    idle: bool,
    pub(super) shared: std::sync::Arc<Shared>,
}

#[derive(Default)]
pub(super) struct Shared {
    pub(super) signed_in: AtomicBool,
    pub(super) replay: Mutex<Option<Replay>>,
}

pub(super) fn careless() -> Careless {
    Careless::with_default_options(std::sync::Arc::default())
}

#[acp_agent]
impl Careless {
    async fn authenticate(&self, client: Client) -> Result<()> {
        if client.can_elicit_forms() {
            client.elicit_form("Who are you?", ElicitationSchema::new()).await?;
        }
        self.shared.signed_in.store(true, Ordering::Release);
        Ok(())
    }

    async fn logout(&self) {
        self.shared.signed_in.store(false, Ordering::Release);
    }

    async fn new_session(&self, request: NewSessionRequest) -> Result<()> {
        let roots = request.additional_directories.iter().chain([&request.cwd]);
        assert!(roots.into_iter().all(|root| root.is_absolute()), "the runtime lets relative paths through");
        if self.shared.signed_in.load(Ordering::Acquire) { Ok(()) } else { Err(Error::auth_required()) }
    }

    async fn load_session(&self, request: LoadSessionRequest, replay: Replay) -> Result<()> {
        match request.session_id.as_str() {
            "notice" => replay.update(SessionUpdate::Notice(Notice::new(NoticeSeverity::Info, "Old news"))).await?,
            "compaction" => {
                let update = CompactionUpdate::new(CompactionId::from("c"), CompactionStatus::Completed);
                replay.update(SessionUpdate::CompactionUpdate(update)).await?;
            }
            "options" => replay.update(SessionUpdate::ConfigOptionUpdate(ConfigOptionUpdate::new(vec![]))).await?,
            _ => replay.user("hello").await?,
        }
        *self.shared.replay.lock().expect("nobody panics with it") = Some(replay);
        Ok(())
    }

    async fn list_sessions(&self, request: ListSessionsRequest) -> Result<ListSessionsResponse> {
        let mut sessions =
            vec![SessionInfo::new("a", "/a").additional_directories(vec!["/more".into()]), SessionInfo::new("b", "/b")];
        match request.cursor.as_deref() {
            None => {}
            Some("relative") => sessions.push(SessionInfo::new("c", "c")),
            Some("relative root") => sessions[0].additional_directories.push("more".into()),
            Some(_) => return Err(Error::invalid_params("`cursor` is none of this agent's")),
        }
        Ok(ListSessionsResponse::new(sessions))
    }

    async fn prompt(&self, request: PromptRequest, meta: RequestMeta, turn: Turn<Self>) -> Result<StopReason> {
        let text = request.text();
        let client = turn.client();
        match text.as_str() {
            "config update" => turn.update(SessionUpdate::ConfigOptionUpdate(ConfigOptionUpdate::new(vec![]))).await?,
            "mode update" => turn.update(SessionUpdate::CurrentModeUpdate(CurrentModeUpdate::new("m"))).await?,
            "half a compaction" => {
                let update = CompactionUpdate::new(CompactionId::from("c"), CompactionStatus::InProgress);
                turn.update(SessionUpdate::CompactionUpdate(update)).await?;
            }
            "raw notice" => turn.update(SessionUpdate::Notice(Notice::new(NoticeSeverity::Info, "News"))).await?,
            "notice" => drop(turn.notice(NoticeSeverity::Warning, "News").await?),
            "nameless notice" => drop(turn.notice(NoticeSeverity::Warning, " ").await?),
            "compaction" => {
                if let Some(compaction) = turn.compaction().await? {
                    compaction.summary("So far, ").await?;
                    compaction.complete("so good.").await?;
                }
            }
            "compaction given up" => drop(turn.compaction().await?),
            "relative terminal" => drop(client.terminal("make").cwd("build").start().await?),
            "line zero" => drop(client.read_text_file_lines("/a", 0, 1).await?),
            "relative location" => drop(turn.tool_call("Look").location("src").start().await?),
            "relative diff" => drop(turn.tool_call("Edit").content(Diff::new("src", "x")).start().await?),
            "raw relative location" => {
                let call = ToolCall::new("raw", "Look").locations(vec![ToolCallLocation::new("src")]);
                turn.update(SessionUpdate::ToolCall(call)).await?;
            }
            "raw line zero" => {
                let mut place = ToolCallLocation::new("/src");
                place.line = Some(0);
                let mut update = ToolCallUpdate::new("raw");
                update.locations = Some(vec![place]);
                turn.update(SessionUpdate::ToolCallUpdate(update)).await?;
            }
            "relative end" => turn.tool_call("Edit").start().await?.complete(Diff::new("src", "x")).await?,
            "relative show" => turn.tool_call("Edit").start().await?.show(Diff::new("src", "x")).await?,
            "no option" => drop(turn.tool_call("Run").start().await?.ask_permission_with(vec![]).await?),
            "many calls" => {
                for _ in 0..20 {
                    turn.tool_call("Look").start().await?.complete("there").await?;
                }
            }
            "meta" => turn.message(json!(meta.0).to_string()).await?,
            "location zero" => {
                let call = turn.tool_call("Look").start().await?;
                let mut place = ToolCallLocation::new("/src");
                place.line = Some(0);
                let mut update = ToolCallUpdate::new("ignored");
                update.locations = Some(vec![place]);
                call.update(update).await?;
            }
            "same option twice" => {
                let option = |kind| PermissionOption::new("same", "Same", kind);
                let options = vec![option(PermissionOptionKind::AllowOnce), option(PermissionOptionKind::RejectOnce)];
                drop(turn.tool_call("Run").start().await?.ask_permission_with(options).await?);
            }
            "same errand twice" => {
                let ask = || client.elicit_url("Sign in", "errand", "https://example.com");
                let (first, second) = tokio::join!(ask(), ask());
                assert!(second.is_err(), "the errand is not done");
                assert!(matches!(first?, Elicitation::Accepted(_)));
                client.elicitation_complete("errand").await?;
                client.elicitation_complete("errand").await?;
            }
            "form" => {
                let said = match client.elicit_form("Which?", ElicitationSchema::new()).await? {
                    Elicitation::Accepted(content) => format!("accepted {}", content.len()),
                    other => format!("{other:?}"),
                };
                turn.message(said).await?;
            }
            "late replay" => {
                let replay = self.shared.replay.lock().expect("nobody panics with it").take();
                replay.expect("a session was loaded").agent("too late").await?;
            }
            "reports" => {
                turn.usage(UsageUpdate::new(10, 100)).await?;
                turn.info(SessionInfoUpdate::new().title("Title".to_owned())).await?;
                turn.info(SessionInfoUpdate::new().title(None)).await?;
                turn.commands([AvailableCommand::new("plan", "Make one")]).await?;
                turn.plan([PlanEntry::new("Look", PlanEntryPriority::High, PlanEntryStatus::Pending)]).await?;
                turn.thought("hm").await?;
            }
            _ => turn.message(text).await?,
        }
        Ok(StopReason::EndTurn)
    }
}
