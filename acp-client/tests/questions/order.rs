//! Whoever reads is asked behind the updates before the question.

use std::time::Duration;

use acp_client::{
    acp_client,
    parts::{Decision, Permissions},
    values::{
        CreateElicitationRequest, ElicitationAction, PermissionOptionId, RequestPermissionRequest,
        RequestPermissionResponse, SessionNotification, SessionUpdate,
    },
};

use super::{Agent, Screen, burst, chunk, form, in_order, json, open, show, soon, updates};

/// A client that asks its user by the part for permissions.
pub(crate) struct Asks(pub(crate) Permissions);

impl Asks {
    pub(crate) fn on(screen: &Screen) -> Self {
        let screen = screen.clone();
        Self(Permissions::ask(move |_| {
            let screen = screen.clone();
            async move {
                screen.show("asked");
                Decision::AllowOnce
            }
        }))
    }
}

#[acp_client]
impl Asks {
    async fn request_permission(
        &self,
        request: RequestPermissionRequest,
    ) -> Result<RequestPermissionResponse, acp_client::handlers::Error> {
        self.0.request_permission(request).await
    }
}

/// Sends the burst, and ends the turn when the question is answered.
async fn play(mut agent: Agent, rounds: usize) {
    for _ in 0..rounds {
        let prompt = agent.burst().await;
        let answer = agent.end(&prompt).await;
        assert_eq!(answer["result"]["outcome"]["optionId"], "yes");
    }
}

async fn rounds(rounds: usize) {
    let screen = Screen::default();
    let (_connection, session, agent) = open(Asks::on(&screen)).await;
    let playing = tokio::spawn(play(agent, rounds));
    for round in 0..rounds {
        let turn = session.prompt("go").await.unwrap();
        let before = screen.lines().len();
        soon(show(turn, screen.clone())).await;
        let shown = screen.lines()[before..].to_vec();
        assert_eq!(shown, [in_order(), vec!["end".to_owned()]].concat(), "round {round}");
    }
    playing.await.unwrap();
}

#[tokio::test]
async fn a_question_comes_behind_the_updates_before_it() {
    rounds(50).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_question_comes_behind_the_updates_before_it_on_threads() {
    rounds(200).await;
    // The reader is a task of the runtime, too.
    tokio::spawn(rounds(200)).await.unwrap();
}

/// What the loop does with an update may take a while, and may wait.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_loop_that_waits_while_it_shows_is_asked_behind_it() {
    let screen = Screen::default();
    let (_connection, session, agent) = open(Asks::on(&screen)).await;
    let playing = tokio::spawn(play(agent, 5));
    for _ in 0..5 {
        let mut turn = session.prompt("go").await.unwrap();
        let before = screen.lines().len();
        while let Some(update) = turn.next().await.unwrap() {
            tokio::time::sleep(Duration::from_millis(2)).await;
            screen.show(super::line(&update));
        }
        assert_eq!(screen.lines()[before..], in_order());
    }
    playing.await.unwrap();
}

/// What does not ask the user has nothing to wait for.
#[tokio::test]
async fn only_questions_wait() {
    struct Reads(Screen);
    #[acp_client]
    impl Reads {
        async fn read_text_file(&self) -> String {
            self.0.show("read");
            String::new()
        }
    }
    let screen = Screen::default();
    let (_connection, session, mut agent) = open(Reads(screen.clone())).await;
    let mut turn = session.prompt("go").await.unwrap();
    let prompt = agent.next().await;
    let params = json!({"sessionId": "s", "path": "/a"});
    let read = json!({"jsonrpc": "2.0", "id": "q", "method": "fs/read_text_file", "params": params});
    agent.send(&[chunk("first")]).await;
    turn.next().await.unwrap().unwrap();
    agent.send(&[updates(), vec![read]].concat()).await;
    screen.shows("read").await;
    assert_eq!(screen.lines(), ["read"], "the loop stands at the first update, and the file is read");
    let (_, ended) = tokio::join!(agent.end(&prompt), turn.finish());
    ended.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_form_comes_behind_the_updates_before_it() {
    struct Forms(Screen);
    #[acp_client(elicitation(form))]
    impl Forms {
        async fn create_elicitation(&self, _request: CreateElicitationRequest) -> ElicitationAction {
            self.0.show("asked");
            ElicitationAction::Decline
        }
    }
    let screen = Screen::default();
    let (_connection, session, mut agent) = open(Forms(screen.clone())).await;
    for _ in 0..50 {
        let turn = session.prompt("go").await.unwrap();
        let before = screen.lines().len();
        let showing = tokio::spawn(show(turn, screen.clone()));
        let prompt = agent.next().await;
        agent.send(&[updates(), vec![form()]].concat()).await;
        assert_eq!(agent.end(&prompt).await["result"]["action"], "decline");
        soon(showing).await.unwrap();
        assert_eq!(screen.lines()[before..before + 7], in_order());
    }
}

/// Updates that handlers take come before the question, however long the handlers take, and so do those of the turn
/// behind them.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_question_comes_behind_the_handlers_of_updates() {
    struct Handles {
        screen: Screen,
        pause: Duration,
    }
    #[acp_client]
    impl Handles {
        async fn request_permission(&self, request: RequestPermissionRequest) -> PermissionOptionId {
            self.screen.show("asked");
            request.options[0].option_id.clone()
        }
        async fn session_update(&self, notification: SessionNotification) {
            if !self.pause.is_zero() {
                tokio::time::sleep(self.pause).await;
            }
            self.screen.show(super::line(&acp_client::Update::Known(notification.update)));
        }
    }
    struct Half(Handles);
    #[acp_client]
    impl Half {
        async fn request_permission(&self, request: RequestPermissionRequest) -> PermissionOptionId {
            self.0.request_permission(request).await
        }
        async fn tool_call(&self, call: acp_client::values::ToolCall) {
            tokio::time::sleep(self.0.pause).await;
            self.0.screen.show(super::line(&acp_client::Update::Known(SessionUpdate::ToolCall(call))));
        }
    }
    for pause in [Duration::ZERO, Duration::from_millis(3)] {
        let screen = Screen::default();
        let (_connection, session, agent) = open(Handles { screen: screen.clone(), pause }).await;
        let playing = tokio::spawn(play(agent, 5));
        for _ in 0..5 {
            let before = screen.lines().len();
            soon(session.prompt("go").await.unwrap().finish()).await.unwrap();
            assert_eq!(screen.lines()[before..], in_order(), "{pause:?}");
        }
        playing.await.unwrap();
        // The handler takes the tool call, and the loop the text.
        let screen = Screen::default();
        let (_connection, session, agent) = open(Half(Handles { screen: screen.clone(), pause })).await;
        let playing = tokio::spawn(play(agent, 5));
        for _ in 0..5 {
            let before = screen.lines().len();
            soon(show(session.prompt("go").await.unwrap(), screen.clone())).await;
            let shown = screen.lines()[before..].to_vec();
            assert_eq!((shown.len(), &*shown[6], &*shown[7]), (8, "asked", "end"), "{shown:?}");
        }
        playing.await.unwrap();
    }
}

/// Outside of turns, the reader is that of the session.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_question_outside_of_turns_comes_behind_the_updates_outside_of_turns() {
    let screen = Screen::default();
    let (_connection, session, mut agent) = open(Asks::on(&screen)).await;
    let reading = tokio::spawn({
        let (session, screen) = (session.clone(), screen.clone());
        async move {
            while let Some(update) = session.next_update().await {
                screen.show(super::line(&update));
            }
        }
    });
    agent.send(&[chunk("first")]).await;
    screen.shows("first").await;
    for round in 0..50 {
        let before = screen.lines().len();
        agent.send(&burst()).await;
        assert_eq!(agent.next().await["id"], "q");
        assert_eq!(screen.lines()[before..], in_order(), "round {round}");
    }
    reading.abort();
}
