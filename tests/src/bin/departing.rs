//! An agent that departs from the schema in each way that has a declaration. `tests/clients` drives it by foreign SDKs.
//!
//! `departing --store FOLDER` keeps what the user has said to a session in a file of FOLDER, so that another process finds it.

use std::{
    env, fs,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use acp_runtime::{
    FromCall,
    prelude::*,
    schema::Member,
    values::{AuthMethodAgent, Meta},
};
use acp_vendor::schema::{
    OpenEditorRequest, ProgressNotification, ReviewFinding, ReviewRequest, ReviewResponse, methods,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// What version 1 had before there were options.
const MODELS: Member = Member::new("models").version(1);
const BUDGET: Member = Member::new("budget");
const WORKER: Member = Member::new("worker");
const REGION: Member = Member::new("region");
const TYPE: Member = Member::new("type");
const VARS: Member = Member::new("vars");

#[derive(ConfigOptions, Clone)]
#[config_option(members = older)]
struct Config {
    #[config_option(category = "model", values("fast" = "Fast", "smart" = "Smart"), default = "smart")]
    model: String,
    #[config_option(category = "thought_level", depends_on(model), values = efforts, default = "low")]
    effort: String,
}

fn efforts(model: &str) -> &'static [&'static str] {
    if model == "smart" { &["low", "high"] } else { &["low"] }
}

fn older(config: &Config) -> [(Member, Value); 1] {
    let model = |id, name| json!({ "modelId": id, "name": name });
    let available = [model("fast", "Fast"), model("smart", "Smart")];
    [(MODELS, json!({ "availableModels": available, "currentModelId": config.model }))]
}

/// What the user has said to a session.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<String>>>);

impl Said {
    fn new(said: Vec<String>) -> Self {
        Self(Arc::new(Mutex::new(said)))
    }

    fn push(&self, text: String) -> Vec<String> {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        said.push(text);
        said.clone()
    }

    fn all(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[acp_agent(config = Config, shared = Said, on_demand, needs_auth, capabilities(additional_directories))]
#[derive(Clone)]
struct Departing {
    store: PathBuf,
    /// Whether the provider of the credentials takes them.
    is_signed_in: Arc<AtomicBool>,
}

/// What prompts and commands have.
#[derive(FromCall)]
struct Ask<'c> {
    id: &'c SessionId,
    said: Shared<Said>,
    turn: Turn<Config>,
}

impl Ask<'_> {
    async fn answer(&self, text: impl Into<String>) -> Result<StopReason> {
        self.turn.message(text.into()).await?;
        Ok(StopReason::EndTurn)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SetModel {
    model_id: String,
}

#[acp_agent]
impl Departing {
    async fn initialize(&self) -> Initialized {
        let is_signed_in = self.is_signed_in.clone();
        let way = AuthMethodAgent::new("key", "Use DEPARTING_KEY");
        Initialized::new()
            .member(REGION, "eu")
            .auth_method_with(way, [(TYPE, json!("env_var")), (VARS, json!([{ "name": "DEPARTING_KEY" }]))])
            .check_credentials(move || {
                let is_signed_in = is_signed_in.clone();
                async move { Ok(is_signed_in.load(Ordering::SeqCst)) }
            })
    }

    async fn authenticate(&self) {
        self.is_signed_in.store(true, Ordering::SeqCst);
    }

    async fn new_session(&self) -> OpenedSession<(), Config, Said> {
        OpenedSession::new(()).shared(Said::default()).member(BUDGET, 10).in_updates(WORKER, 3)
    }

    async fn load_session(&self, id: &SessionId, replay: Replay) -> Result<((), Said)> {
        let kept = self.kept(id)?;
        replay.thought("This was there before.").await?;
        for text in &kept {
            replay.user(text.as_str()).await?;
        }
        Ok(((), Said::new(kept)))
    }

    async fn resume_session(&self, id: &SessionId) -> Result<((), Said)> {
        Ok(((), Said::new(self.kept(id)?)))
    }

    /// Goes on with a copy of the session.
    #[method("session/fork", opens, capability = "fork")]
    async fn fork(
        &self,
        Shared(said): Shared<Said>,
        session: SessionHandle<Config>,
    ) -> OpenedSession<(), Config, Said> {
        OpenedSession::new(()).shared(Said::new(said.all())).config((*session.config()).clone())
    }

    #[method("session/set_model")]
    async fn set_model(&self, params: SetModel, session: SessionHandle<Config>) -> Result<()> {
        session.set_for_client(Config::MODEL, params.model_id).await
    }

    /// Reviews one file, as the overlay of the vendor Acme describes it.
    #[ext(methods::Review)]
    async fn review(&self, request: ReviewRequest) -> ReviewResponse {
        let place = ToolCallLocation::new(request.path).line(1);
        ReviewResponse::new(vec![ReviewFinding::new("looks fine".into(), place)])
    }

    /// Does what the text says, or repeats all that was said.
    async fn prompt(&self, request: PromptRequest, ask: Ask<'_>) -> Result<StopReason> {
        let text = request.text();
        let all = ask.said.0.push(text.clone());
        fs::create_dir_all(&self.store)?;
        fs::write(self.store.join(ask.id.as_ref()), all.join("\n"))?;
        match text.as_str() {
            "die" => self.is_signed_in.store(false, Ordering::SeqCst),
            "wait" => {
                ask.turn.message("waits").await?;
                ask.turn.cancelled().await;
            }
            "where" => {
                let additional = ask.turn.additional_directories();
                let places: Vec<_> =
                    [ask.turn.cwd()].iter().chain(&additional).map(|at| at.display().to_string()).collect();
                return ask.answer(places.join(" ")).await;
            }
            "open" => {
                let client = ask.turn.client();
                client.notify::<methods::Progress>(&ProgressNotification::new(50)).await?;
                let place = ToolCallLocation::new(ask.turn.cwd().join("a.rs")).line(2);
                let editor = client.call::<methods::OpenEditor>(&OpenEditorRequest::new(place)).await?;
                return ask.answer(if editor.shown { "shown" } else { "hidden" }).await;
            }
            "test" => return self.test(&ask, all.len()).await,
            _ => {}
        }
        ask.answer(all.join(", ")).await
    }

    /// Tells how much was said.
    #[command(during_turns)]
    async fn count(&self, ask: Ask<'_>) -> Result<StopReason> {
        ask.answer(format!("{} in {}", ask.said.0.all().len(), ask.id)).await
    }
}

impl Departing {
    fn kept(&self, id: &SessionId) -> Result<Vec<String>> {
        let kept =
            fs::read_to_string(self.store.join(id.as_ref())).map_err(|_| Error::session_not_found(id.as_ref()))?;
        Ok(kept.lines().map(str::to_owned).collect())
    }

    /// As a core that asks first, and begins the call later.
    async fn test(&self, ask: &Ask<'_>, number: usize) -> Result<StopReason> {
        let meta = |name: &str| Meta::from_iter([(name.to_owned(), json!(number))]);
        let (cwd, id) = (ask.turn.cwd(), format!("core_{number}"));
        let call = ask.turn.tool_call("cargo test").id(id).kind(ToolKind::Execute).meta(meta("call"));
        let call = call.locations([cwd.join("a.rs"), cwd.join("b.rs")]);
        if !call.permission().remember("cargo test").meta(meta("request")).ask().await?.is_allowed() {
            return ask.answer("not allowed").await;
        }
        call.title("cargo test --all").start().await?.complete("50 tests").await?;
        ask.answer("tested").await
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let [flag, store] = env::args_os().skip(1).collect::<Vec<_>>().try_into().expect("departing --store FOLDER");
    assert_eq!(flag, "--store", "departing --store FOLDER");
    Departing { store: store.into(), is_signed_in: Arc::new(AtomicBool::new(true)) }.serve_stdio().await
}
