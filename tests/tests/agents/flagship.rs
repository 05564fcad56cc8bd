//! The client drives the agents that most people use, as version 2: `claude-agent-acp` and `codex-acp`. The test scripts their
//! models, and the judge reads each conversation.

use std::{
    collections::BTreeSet,
    path::Path,
    process::Stdio,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use acp_client::{
    Connection, Endpoint, Session, Steered, Update,
    testing::{
        Party, Recorder,
        judge::{Finding, judge},
    },
    values::{ListSessionsRequest, SessionUpdate, StopReason, ToolCallStatus},
};
use acp_tests::chat::{Answer, Request, Server};
use tokio::process::{Child, Command};

use crate::agents::{
    model::{DONE, ON, SLOW, WORDS},
    person::{Decision, Person},
    sdk::told,
    traces::Mark,
};

/// An agent, and what it needs.
pub(crate) struct Flagship {
    /// The name of its package, and in `initialize`.
    pub(crate) name: &'static str,
    /// Lets a command find the model at an address, and keep its files in a folder.
    pub(crate) configure: fn(&mut Command, &str, &Path),
    /// The model.
    pub(crate) answer: fn(Request) -> Answer,
    /// The mode in which the agent asks the person.
    pub(crate) asks: &'static str,
    /// Whether it serves `_session/steering` on version 2.
    pub(crate) steers: bool,
    /// What the judge finds: the rules in their order. A rule that the agent does not break any more has to go from the list.
    pub(crate) known: &'static [&'static str],
}

/// A name that nobody has had.
pub(crate) fn unique(prefix: &str) -> String {
    static LAST: AtomicUsize = AtomicUsize::new(0);
    format!("{prefix}_{}", LAST.fetch_add(1, Ordering::Relaxed))
}

/// A process of the agent.
struct Running {
    connection: Connection,
    child: Child,
    mark: Mark,
    recorder: Recorder,
}

impl Flagship {
    /// Drives the agent in the folder `installed`.
    pub(crate) async fn drive(&self, installed: &Path) {
        let model = Server::start(self.answer).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let (home, cwd) = (folder.join("home"), folder.join("project"));
        for folder in [&home, &cwd] {
            std::fs::create_dir(folder).unwrap();
        }
        let program = installed.join("node_modules").join(self.name).join("dist/index.js");
        let start = async |person: &Person| {
            let mut command = Command::new("node");
            // Nothing of the person who runs the test, such as keys, reaches the agent.
            command.arg(&program).env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
            command.current_dir(&cwd).env("HOME", &home).env("NO_PROXY", "127.0.0.1");
            (self.configure)(&mut command, &model.url(), &home);
            self.start(command, person).await
        };

        let person = Person::new();
        let running = start(&person).await;
        let session = running.connection.new_session(&*cwd).await.unwrap();
        answers(&session).await;
        session.set_option("mode", self.asks).await.unwrap();
        asks_for_permission(&session, &person, &cwd).await;
        is_cancelled(&session).await;
        lets_prompts_wait(&session).await;
        assert_eq!(session.can_steer(), self.steers);
        if self.steers {
            is_steered(&session).await;
        }
        let id = session.id().clone();
        session.close().await.unwrap();
        let mut found = running.end().await;

        // The agent has stored the session, so a second process can continue it.
        let running = start(&person).await;
        let mut listing = running.connection.list_sessions(ListSessionsRequest::new()).unwrap();
        let mut listed = Vec::new();
        while let Some(info) = listing.next().await.unwrap() {
            listed.push(info.session_id);
        }
        assert_eq!(listed, std::slice::from_ref(&id));
        let mut loading = running.connection.load_session(id, &*cwd).await.unwrap();
        let (mut user, mut agent) = (String::new(), String::new());
        while let Some(update) = loading.next().await.unwrap() {
            agent.push_str(update.text().unwrap_or_default());
            if let Update::Known(SessionUpdate::UserMessageChunk(chunk)) = &update {
                user.push_str(&serde_json::to_string(&chunk.content).unwrap());
            }
        }
        assert!(user.contains("Hello!") && agent.starts_with(&WORDS.concat()), "{user}\n{agent}");
        let session = loading.finish().await.unwrap();
        answers(&session).await;
        found.extend(running.end().await);
        let rules: BTreeSet<&str> = found.iter().map(|finding| finding.rule.id).collect();
        assert!(rules.iter().eq(self.known), "{found:#?}");
    }

    async fn start(&self, mut command: Command, person: &Person) -> Running {
        let mark = Mark::put_on(&mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let stream = tokio::io::join(child.stdout.take().unwrap(), child.stdin.take().unwrap());
        let recorder = Recorder::new();
        let transport = recorder.record(Party::Client, stream);
        let connection = Endpoint::over(transport).connect_as(person.clone()).await.unwrap();
        assert_eq!(connection.version(), 2);
        assert_eq!(connection.agent().agent_info.as_ref().unwrap().name, self.name);
        Running { connection, child, mark, recorder }
    }
}

impl Running {
    /// Ends the process. Returns what the judge finds.
    async fn end(mut self) -> Vec<Finding> {
        self.connection.close().await.unwrap();
        assert!(self.child.wait().await.unwrap().success());
        self.mark.is_gone(Duration::from_secs(10)).await;
        let findings = judge(&self.recorder.tape());
        let ours: Vec<_> = findings.iter().filter(|finding| finding.by == Party::Client).collect();
        assert!(ours.is_empty(), "{ours:#?}");
        findings
    }
}

async fn answers(session: &Session) {
    assert_eq!(told(session.prompt("Hello!").await.unwrap()).await, (WORDS.concat(), StopReason::EndTurn));
}

async fn asks_for_permission(session: &Session, person: &Person, cwd: &Path) {
    for (decision, file) in [(Decision::Reject, "refused.txt"), (Decision::Allow, "allowed.txt")] {
        let before = person.asked().len();
        person.decides(decision);
        let mut turn = session.prompt(format!("run! touch {file}!")).await.unwrap();
        let (mut status, mut text) = (None, String::new());
        while let Some(update) = turn.next().await.unwrap() {
            text.push_str(update.text().unwrap_or_default());
            match update {
                Update::Known(SessionUpdate::ToolCall(call)) => status = Some(call.status),
                Update::Known(SessionUpdate::ToolCallUpdate(call)) => status = call.status.or(status),
                _ => {}
            }
        }
        let end = turn.end().unwrap().stop_reason;
        assert_eq!(person.asked().len(), before + 1);
        assert_eq!(cwd.join(file).exists(), decision == Decision::Allow);
        if decision == Decision::Allow {
            assert_eq!((status, &*text, end), (Some(ToolCallStatus::Completed), DONE, Some(StopReason::EndTurn)));
        } else {
            // After a refusal, one of the agents ends the turn, and the other asks its model.
            assert_eq!(status, Some(ToolCallStatus::Failed), "{text} {end:?}");
        }
    }
}

async fn is_cancelled(session: &Session) {
    let mut turn = session.prompt(SLOW).await.unwrap();
    for _ in 0..2 {
        assert_eq!(turn.text().await.unwrap().as_deref(), Some(ON));
    }
    turn.cancel();
    assert_eq!(told(turn).await.1, StopReason::Cancelled);
    answers(session).await;
}

async fn lets_prompts_wait(session: &Session) {
    let mut turn = session.prompt(SLOW).await.unwrap();
    assert_eq!(turn.text().await.unwrap().as_deref(), Some(ON));
    let held = session.prompt_beside("Hello!").await.unwrap();
    turn.cancel();
    assert_eq!(told(turn).await.1, StopReason::Cancelled);
    assert_eq!(held.end().await.unwrap().stop_reason, Some(StopReason::Cancelled));
    answers(session).await;
}

async fn is_steered(session: &Session) {
    let mut turn = session.prompt(SLOW).await.unwrap();
    assert_eq!(turn.text().await.unwrap().as_deref(), Some(ON));
    assert_eq!(session.steer("Hello!").await.unwrap(), Steered::Injected);
    turn.cancel();
    assert_eq!(told(turn).await.1, StopReason::Cancelled);
    assert_eq!(session.steer("Hello!").await.unwrap(), Steered::PromptRequired);
    answers(session).await;
}
