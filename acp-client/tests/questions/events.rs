//! A turn that yields its questions among its updates.

use acp_client::{
    TurnEvent, TurnEvents, acp_client,
    values::{CreateElicitationRequest, ElicitationAction, ToolCall},
};
use serde_json::json;

use super::{Screen, burst, chunk, form, in_order, line, open, order::Asks, question, soon, updates};

async fn show(turn: &mut TurnEvents, screen: &Screen) {
    while let Some(event) = turn.next().await.unwrap() {
        match event {
            TurnEvent::Update(update) => screen.show(line(&update)),
            TurnEvent::Permission(question) => {
                screen.show("asked");
                let first = question.request().options[0].option_id.clone();
                question.select(first);
            }
            TurnEvent::Elicitation(question) => {
                assert_eq!(question.request().message, "Which?");
                screen.show("asked");
                question.answer(ElicitationAction::Decline);
            }
            other => panic!("{other:?}"),
        }
    }
}

/// No handler is needed, and none is called.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_loop_shows_the_updates_and_asks_in_the_order_of_the_wire() {
    let (screen, handler) = (Screen::default(), Screen::default());
    let (_connection, session, mut agent) = open(Asks::on(&handler)).await;
    for round in 0..50 {
        let mut turn = session.prompt_events("go").await.unwrap();
        let before = screen.lines().len();
        let playing = async {
            let prompt = agent.next().await;
            agent.send(&[burst(), vec![chunk("behind")]].concat()).await;
            assert_eq!(agent.end(&prompt).await["result"]["outcome"]["optionId"], "yes");
        };
        soon(async { tokio::join!(show(&mut turn, &screen), playing) }).await;
        let expected = [in_order(), vec!["behind".to_owned()]].concat();
        assert_eq!(screen.lines()[before..], expected, "round {round}");
        assert!(turn.end().is_some());
    }
    assert!(handler.lines().is_empty());
    // A turn of the other kind asks the handler.
    let turn = session.prompt("go").await.unwrap();
    let finishing = tokio::spawn(turn.finish());
    let prompt = agent.burst().await;
    agent.end(&prompt).await;
    finishing.await.unwrap().unwrap();
    assert_eq!(handler.lines(), ["asked"]);
}

#[tokio::test]
async fn forms_come_to_the_loop_if_the_client_shows_forms() {
    struct Forms(Screen);
    #[acp_client(elicitation(form))]
    impl Forms {
        async fn create_elicitation(&self, _request: CreateElicitationRequest) -> ElicitationAction {
            unreachable!("the loop answers")
        }
        /// The handler of an update comes before the question, too.
        async fn tool_call(&self, call: ToolCall) {
            tokio::task::yield_now().await;
            self.0.show(call.title);
        }
    }
    let screen = Screen::default();
    let (_connection, session, mut agent) = open(Forms(screen.clone())).await;
    let mut turn = session.prompt_events("go").await.unwrap();
    let playing = async {
        let prompt = agent.next().await;
        agent.send(&[updates(), vec![form()]].concat()).await;
        assert_eq!(agent.end(&prompt).await["result"]["action"], "decline");
    };
    soon(async { tokio::join!(show(&mut turn, &screen), playing) }).await;
    let mut shown = screen.lines();
    assert_eq!(shown.pop().unwrap(), "asked");
    shown.retain(|line| line != "call");
    assert_eq!(shown, ["1", "2", "3", "4", "5"]);
    // A client that shows none refuses them.
    let (_connection, session, mut agent) = open(Asks::on(&screen)).await;
    let mut turn = session.prompt_events("go").await.unwrap();
    let playing = async {
        let prompt = agent.next().await;
        agent.send(&[form()]).await;
        assert_eq!(agent.end(&prompt).await["error"]["code"], -32601);
    };
    soon(async { tokio::join!(show(&mut turn, &screen), playing) }).await;
}

#[tokio::test]
async fn a_question_that_nobody_answers_is_answered_cancelled() {
    let (_connection, session, mut agent) = open(Asks::on(&Screen::default())).await;
    // It is dropped by the loop.
    let mut turn = session.prompt_events("go").await.unwrap();
    let prompt = agent.next().await;
    agent.send(&[question()]).await;
    assert!(matches!(turn.next().await.unwrap(), Some(TurnEvent::Permission(_))));
    let cancelled = json!({"outcome": {"outcome": "cancelled"}});
    assert_eq!(agent.end(&prompt).await["result"], cancelled);
    assert!(turn.next().await.unwrap().is_none());
    // It is dropped with the turn, before the loop came to it.
    let turn = session.prompt_events("go").await.unwrap();
    let prompt = agent.burst().await;
    drop(turn);
    assert_eq!(agent.next().await["method"], "session/cancel");
    assert_eq!(agent.end(&prompt).await["result"], cancelled);
}

#[tokio::test]
async fn a_cancel_and_a_withdrawal_reach_a_question_that_is_shown() {
    let (_connection, session, mut agent) = open(Asks::on(&Screen::default())).await;
    let mut turn = session.prompt_events("go").await.unwrap();
    let prompt = agent.next().await;
    agent.send(&[question()]).await;
    let Some(TurnEvent::Permission(mut shown)) = turn.next().await.unwrap() else { panic!("it is asked") };
    let withdraw = json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": "q"}});
    agent.send(std::slice::from_ref(&withdraw)).await;
    soon(shown.withdrawn()).await;
    shown.select("yes");
    assert_eq!(agent.next().await["id"], "q");
    // One that was withdrawn before the loop came to it is left out.
    agent.send(&[chunk("a"), question(), withdraw, chunk("b")]).await;
    assert_eq!(agent.next().await["id"], "q");
    for text in ["a", "b"] {
        assert!(matches!(turn.next().await.unwrap(), Some(TurnEvent::Update(update)) if line(&update) == text));
    }
    agent.send(&[question()]).await;
    let Some(TurnEvent::Permission(mut shown)) = turn.next().await.unwrap() else { panic!("it is asked") };
    turn.cancel();
    soon(shown.withdrawn()).await;
    assert_eq!(agent.next().await["method"], "session/cancel");
    assert_eq!(agent.end(&prompt).await["result"], json!({"outcome": {"outcome": "cancelled"}}));
    assert!(turn.next().await.unwrap().is_none());
}
