//! Answers, models, prompts and commands.

use acp_client::values::{
    ContentBlock, EmbeddedResource, ImageContent, ResourceLink, SessionUpdate, StopReason, TextResourceContents,
};
use serde_json::json;

use super::{
    connect,
    fake::{Fake, Reply, end, says, text},
    select_unlisted, until,
};

#[tokio::test]
async fn an_answer_arrives_in_pieces_with_thoughts_usage_and_a_title() {
    let thought = |name: &str, text: &str| json!({ "choices": [{ "delta": { name: text, "content": "" } }] });
    let stream = vec![
        thought("reasoning_content", "Let me "),
        thought("reasoning", "see."),
        text("Four"),
        text("."),
        end("stop"),
    ];
    let fake = Fake::new([Reply::Events(stream)]).await;
    let agent = connect(&fake.url).await;
    let turn = agent.session().await.turn("What is 2 + 2?\nThink.").await;
    assert_eq!(
        (turn.text(), turn.thoughts(), turn.stop_reason()),
        ("Four.".into(), "Let me see.".into(), StopReason::EndTurn)
    );
    assert_eq!(
        turn.updates().iter().filter(|update| update.text().is_some()).count(),
        2,
        "the pieces arrive one by one"
    );
    let told = |wanted: fn(&SessionUpdate) -> Option<String>| {
        turn.updates().iter().filter_map(|update| wanted(update.known()?)).next()
    };
    let usage = told(|update| match update {
        SessionUpdate::UsageUpdate(usage) => Some(format!("{} of {}", usage.used, usage.size)),
        _ => None,
    });
    assert_eq!(usage.as_deref(), Some("42 of 1000"));
    let title = told(|update| match update {
        SessionUpdate::SessionInfoUpdate(info) => {
            Some(serde_json::to_value(info).unwrap()["title"].as_str()?.to_owned())
        }
        _ => None,
    });
    assert_eq!(title.as_deref(), Some("What is 2 + 2?"));
    let asked = fake.asked();
    assert_eq!(
        (&asked["model"], &asked["stream"], &asked["stream_options"]["include_usage"]),
        (&json!("tiny"), &json!(true), &json!(true))
    );
    assert_eq!(
        (fake.messages("user"), fake.authorization()),
        (vec![json!("What is 2 + 2?\nThink.")], "Bearer secret".into())
    );
    agent.finish().await;
}

#[tokio::test]
async fn the_conversation_goes_on() {
    let fake = Fake::new([says("Hello."), says("Yes.")]).await;
    let agent = connect(&fake.url).await;
    let session = agent.session().await;
    session.turn("Hi").await;
    session.turn("Still there?").await;
    assert_eq!(fake.messages("user"), ["Hi", "Still there?"]);
    assert_eq!(fake.messages("assistant"), ["Hello."]);
    agent.finish().await;
}

#[tokio::test]
async fn the_user_selects_a_model_of_the_server_or_another_one() {
    let fake = Fake::new([says("a"), says("b"), says("c")]).await;
    let agent = connect(&fake.url).await;
    let session = agent.session().await;
    until("the models", || session.options().get("model").is_some_and(|model| model.values() == ["tiny", "large"]))
        .await;
    session.set_option("model", "large").await.expect("a model");
    session.turn("Hi").await;
    assert_eq!(fake.asked()["model"], "large");
    select_unlisted(&agent, &session, "of-tomorrow").await;
    session.turn("Hi").await;
    assert_eq!(fake.asked()["model"], "of-tomorrow");
    agent.allow("option-offered", super::OPEN).finish().await;
}

#[tokio::test]
async fn a_model_that_calls_no_tools_gets_none() {
    for model in [
        json!({ "id": "a", "capabilities": { "function_calling": false } }),
        json!({ "id": "b", "supported_parameters": ["stop"] }),
    ] {
        let fake = Fake::with_models(json!([model]), [says("Hi.")]).await;
        let agent = connect(&fake.url).await;
        agent.session().await.turn("Hi").await;
        assert_eq!(fake.asked().get("tools"), None);
        agent.finish().await;
    }
}

#[tokio::test]
async fn images_and_resources_reach_the_model() {
    let fake = Fake::new([says("A cat.")]).await;
    let agent = connect(&fake.url).await;
    let file = EmbeddedResource::new(TextResourceContents::new("fn main() {}", "file:///project/main.rs"));
    let prompt = vec![
        ContentBlock::from("What is this?"),
        ImageContent::new("aGk=", "image/png").into(),
        file.into(),
        ResourceLink::new("notes", "file:///project/notes.md").into(),
    ];
    agent.session().await.turn(prompt).await;
    let url = json!({ "url": "data:image/png;base64,aGk=" });
    let parts = json!([
        { "type": "text", "text": "What is this?" },
        { "type": "image_url", "image_url": url },
    ]);
    let user = &fake.messages("user")[0];
    assert_eq!(user.as_array().unwrap()[..2], *parts.as_array().unwrap());
    let file = user[2]["text"].as_str().unwrap();
    assert!(file.contains("fn main() {}") && file.contains("file:///project/main.rs"), "{file}");
    assert!(user[3]["text"].as_str().unwrap().contains("file:///project/notes.md"), "{user}");
    agent.finish().await;
}

#[tokio::test]
async fn commands_forget_and_shorten_the_conversation() {
    let fake =
        Fake::new([says("Blue."), says("They like blue."), says("Blue, you said."), says("I do not know.")]).await;
    let agent = connect(&fake.url).await;
    let session = agent.session().await;
    let names: Vec<_> = session.commands().await.into_iter().map(|command| command.name).collect();
    assert_eq!(names, ["clear", "compact"]);
    session.turn("My colour is blue.").await;
    session.turn("/compact").await;
    session.turn("Which colour?").await;
    assert_eq!(fake.messages("assistant"), ["They like blue."], "the summary stands for the conversation");
    session.turn("/clear").await;
    session.turn("Which colour?").await;
    assert_eq!((fake.messages("user"), fake.messages("assistant")), (vec![json!("Which colour?")], vec![]));
    agent.finish().await;
}

#[tokio::test]
async fn a_summary_that_fails_or_is_empty_leaves_the_conversation_as_it_was() {
    let busy = Reply::Refused("429 Too Many Requests", "", "busy");
    let fake = Fake::new([says("Blue."), busy, Reply::Events(vec![end("stop")]), says("Blue, you said.")]).await;
    let agent = connect(&fake.url).await;
    let session = agent.session().await;
    session.turn("My colour is blue.").await;
    assert!(super::failure(&session, "/compact").await.contains("the server is busy"));
    session.turn("/compact").await;
    session.turn("Which colour?").await;
    assert_eq!(fake.messages("user"), ["My colour is blue.", "Which colour?"]);
    assert_eq!(fake.messages("assistant"), ["Blue."]);
    agent.finish().await;
}

#[tokio::test]
async fn a_summary_that_is_cancelled_or_not_whole_leaves_the_conversation_as_it_was() {
    let begun = || vec![text("They")];
    let too_long = Reply::Events(vec![text("They"), end("length")]);
    let replies = [says("Blue."), Reply::Silent(begun()), too_long, Reply::Cut(begun()), says("Blue, you said.")];
    let fake = Fake::new(replies).await;
    let agent = connect(&fake.url).await;
    let session = agent.session().await;
    session.turn("My colour is blue.").await;
    let mut turn = session.prompt("/compact").await.expect("a turn");
    assert_eq!(turn.text().await.expect("a text").as_deref(), Some("They"));
    turn.cancel();
    assert_eq!(turn.finish().await.expect("an end").stop_reason, Some(StopReason::Cancelled));
    assert_eq!(session.turn("/compact").await.stop_reason(), StopReason::MaxTokens);
    assert!(super::failure(&session, "/compact").await.contains("in the middle"));
    session.turn("Which colour?").await;
    assert_eq!(fake.messages("user"), ["My colour is blue.", "Which colour?"]);
    assert_eq!(fake.messages("assistant"), ["Blue."]);
    agent.finish().await;
}

#[tokio::test]
async fn the_end_of_an_answer_has_its_reason() {
    let ended = |reason| Reply::Events(vec![text("…"), end(reason)]);
    let fake = Fake::new([ended("length"), ended("content_filter")]).await;
    let agent = connect(&fake.url).await;
    let session = agent.session().await;
    assert_eq!(session.turn("Tell me all").await.stop_reason(), StopReason::MaxTokens);
    assert_eq!(session.turn("Tell me more").await.stop_reason(), StopReason::Refusal);
    agent.finish().await;
}
