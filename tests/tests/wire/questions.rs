//! Questions to the user by `#[derive(Questions)]`: the form that a client gets, and the answers that it sends.

use acp_runtime::{client::Elicitation, prelude::*, values::ElicitationSchema};
use acp_tests::peer::{Asked, Peer};
use serde_json::{Value, json};

/// Say where to deploy.
#[expect(dead_code, reason = "`Debug` reads the fields")]
#[derive(Questions, Debug)]
#[question(title = "Deployment")]
struct Deploy {
    /// A branch or a tag.
    #[question(default = "main", max = 8, pattern = "^[a-z]+$")]
    branch: String,
    #[question(id = "where")]
    stage: Stage,
    #[question(min = 1, max = MOST)]
    replicas: u8,
    #[question(title = "How much memory?", min = 0.5)]
    memory: f64,
    #[question(default = [Check::Tests], min = 1)]
    checks: Vec<Check>,
    #[question(format = "email")]
    report_to: Option<String>,
    #[question(default = false)]
    quiet: bool,
    #[question(default = -3)]
    offset: Option<i32>,
}

const MOST: u8 = 9;

#[derive(SelectValue, Debug)]
enum Stage {
    Test,
    /// What customers see.
    #[select_value(id = "prod", name = "Production")]
    Live,
}

#[derive(SelectValue, Debug, Clone, Copy)]
enum Check {
    Tests,
    Lints,
}

#[expect(dead_code, reason = "`Debug` reads the fields")]
#[derive(Questions, Debug)]
struct Commit {
    #[question(default = "main")]
    branch: String,
    files: Vec<String>,
}

#[acp_agent(auth(agent(id = "key", name = "Key")))]
#[derive(Clone)]
struct Asking;

#[acp_agent]
impl Asking {
    async fn authenticate(&self, client: Client) -> Result<()> {
        client.ask::<Commit>("Who?").offer("files", ["a"]).await.map(drop)
    }

    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let said = match request.text().as_str() {
            "deploy" => format!("{:?}", turn.ask::<Deploy>("Where to?").await?),
            "fallback" => {
                let main = || Commit { branch: "main".to_owned(), files: Vec::new() };
                format!("{:?}", turn.ask::<Commit>("What?").offer("files", ["a"]).or_else(main).await?)
            }
            "declined" => {
                let nobody = || Elicitation::Declined;
                format!("{:?}", turn.ask::<Commit>("What?").offer("files", ["a"]).or_else(nobody).await?)
            }
            "offer" => {
                let files = [("a", "A file"), ("b", "Another")];
                let asked = turn.ask::<Commit>("What?").offer("files", files).offer("branch", ["dev", "next"]);
                format!("{:?}", asked.await?)
            }
            "raw" => format!("{:?}", turn.client().elicit_form("What?", ElicitationSchema::new()).await?),
            "nothing" => format!("{:?}", turn.ask::<Commit>("What?").await?),
            "unknown" => format!("{:?}", turn.ask::<Commit>("What?").offer("fils", ["a"]).await?),
            "no list" => format!("{:?}", turn.ask::<Deploy>("What?").offer("replicas", ["a"]).await?),
            "call" => {
                let call = turn.tool_call("Commit").start().await?;
                let asked = turn.ask::<Commit>("What?").offer("files", ["a"]).tool_call(call.id().clone());
                let answer = asked.await?;
                call.complete("done").await?;
                format!("{answer:?}")
            }
            _ => String::new(),
        };
        turn.message(said).await?;
        Ok(StopReason::EndTurn)
    }
}

async fn session() -> (Peer, String) {
    Peer::session_with(Asking, json!({ "elicitation": { "form": {} } })).await
}

/// The form that the agent asks for at this prompt, and the turn.
async fn asked(peer: &mut Peer, session: &str, prompt: &str) -> (i64, Asked) {
    let turn = peer.prompt(session, prompt).await;
    (turn, peer.asked("elicitation/create").await)
}

/// The agent's text after this answer, or the message of its error.
async fn answered(prompt: &str, answer: Value) -> Result<String, String> {
    let (mut peer, id) = session().await;
    let (turn, asked) = asked(&mut peer, &id, prompt).await;
    peer.reply(&asked, answer).await;
    let answer = peer.answer(turn).await;
    let mut said = || peer.updates().last().expect("a message")["content"]["text"].as_str().expect("a text").to_owned();
    answer.map(|_| said()).map_err(|error| error.message)
}

fn accepted(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

// ELIC-02
#[tokio::test]
async fn a_struct_is_a_form_in_the_order_of_its_fields() {
    let (mut peer, id) = session().await;
    peer.prompt(&id, "deploy").await;
    let line = peer.next_line().await;
    let expected = concat!(
        r#""params":{"mode":"form","message":"Where to?","requestedSchema":{"type":"object","title":"Deployment","#,
        r#""description":"Say where to deploy.","properties":{"#,
        r#""branch":{"type":"string","title":"Branch","description":"A branch or a tag.","maxLength":8,"#,
        r#""pattern":"^[a-z]+$","default":"main"},"#,
        r#""where":{"type":"string","title":"Stage","oneOf":[{"const":"test","title":"Test"},"#,
        r#"{"const":"prod","title":"Production","description":"What customers see."}]},"#,
        r#""replicas":{"type":"integer","title":"Replicas","minimum":1,"maximum":9},"#,
        r#""memory":{"type":"number","title":"How much memory?","minimum":0.5},"#,
        r#""checks":{"type":"array","title":"Checks","minItems":1,"items":{"anyOf":["#,
        r#"{"const":"tests","title":"Tests"},{"const":"lints","title":"Lints"}]},"default":["tests"]},"#,
        r#""report_to":{"type":"string","title":"Report To","format":"email"},"#,
        r#""quiet":{"type":"boolean","title":"Quiet","default":false},"#,
        r#""offset":{"type":"integer","title":"Offset","minimum":-2147483648,"maximum":2147483647,"default":-3}},"#,
        r#""required":["where","replicas","memory"]},"#,
    );
    let expected = format!("{expected}\"sessionId\":{id:?}}}");
    assert!(line.contains(&expected), "{line}\n{expected}");
}

// ELIC-04
#[tokio::test]
async fn the_answer_is_the_struct() {
    let all = json!({
        "branch": "dev", "where": "prod", "replicas": 2, "memory": 1.5, "checks": ["lints", "tests"], "report_to": "a@b",
        "quiet": true, "offset": 5, "more": "than asked"
    });
    assert_eq!(
        answered("deploy", accepted(all)).await.as_deref(),
        Ok("Accepted(Deploy { branch: \"dev\", stage: Live, replicas: 2, memory: 1.5, checks: [Lints, Tests], \
            report_to: Some(\"a@b\"), quiet: true, offset: Some(5) })")
    );
    // Numbers are written in either way, a value comes twice, and questions with a default are left out.
    let some = json!({ "where": "test", "replicas": 3.0, "memory": 1, "checks": ["lints", "lints"] });
    assert_eq!(
        answered("deploy", accepted(some)).await.as_deref(),
        Ok("Accepted(Deploy { branch: \"main\", stage: Test, replicas: 3, memory: 1.0, checks: [Lints], \
            report_to: None, quiet: false, offset: None })")
    );
    for (action, said) in [("decline", "Declined"), ("cancel", "Cancelled"), ("_later", "Cancelled")] {
        assert_eq!(answered("deploy", json!({ "action": action })).await.as_deref(), Ok(said));
    }
}

#[tokio::test]
async fn an_answer_that_breaks_the_form_is_an_error_about_the_question() {
    let wrong = [
        ("branch", json!("too long a name"), "wrong", "a text of at most 8 characters"),
        ("branch", json!(5), "wrong", "a text of at most 8 characters"),
        ("where", json!("live"), "wrong", "one of `test`, `prod`"),
        ("where", Value::Null, "lacks", "one of `test`, `prod`"),
        ("replicas", json!(0), "wrong", "a whole number of 1 to 9"),
        ("replicas", json!(10), "wrong", "a whole number of 1 to 9"),
        ("replicas", json!(1.5), "wrong", "a whole number of 1 to 9"),
        ("replicas", json!(true), "wrong", "a whole number of 1 to 9"),
        ("memory", json!("1"), "wrong", "a number of at least 0.5"),
        ("memory", json!(0.4), "wrong", "a number of at least 0.5"),
        ("checks", json!([]), "wrong", "some of `tests`, `lints`: at least 1"),
        ("checks", json!(["tests", "none"]), "wrong", "some of `tests`, `lints`: at least 1"),
        ("checks", json!("tests"), "wrong", "some of `tests`, `lints`: at least 1"),
        ("report_to", json!("nobody"), "wrong", "an e-mail address"),
        ("quiet", json!("yes"), "wrong", "`true` or `false`"),
        ("offset", json!(2_147_483_648_u32), "wrong", "a whole number of -2147483648 to 2147483647"),
    ];
    for (question, answer, how, possible) in wrong {
        let mut content = json!({ "where": "test", "replicas": 3, "memory": 1 });
        match answer {
            Value::Null => drop(content.as_object_mut().expect("an object").remove(question)),
            answer => content[question] = answer,
        }
        let how = if how == "wrong" { "has a wrong answer to" } else { "lacks the answer to" };
        let told = format!(
            "the client's answer to the form `Deployment` {how} the question `{question}`, which must be {possible}"
        );
        assert_eq!(answered("deploy", accepted(content.clone())).await, Err(told), "{content}");
    }
    let told = answered("deploy", json!({ "action": "accept" })).await.expect_err("no content");
    assert!(told.contains("lacks the answer to the question `where`"), "{told}");
}

/// What JavaScript sends for an input that was left empty, and what no question has.
#[tokio::test]
async fn a_value_of_no_type_is_an_error_about_its_question_or_no_answer() {
    let filled_in = || json!({ "where": "test", "replicas": 3, "memory": 1 });
    let mut content = filled_in();
    (content["report_to"], content["offset"], content["unknown"]) = (Value::Null, Value::Null, Value::Null);
    let said = answered("deploy", accepted(content)).await;
    assert!(
        said.as_deref().is_ok_and(|said| said.ends_with("report_to: None, quiet: false, offset: None })")),
        "{said:?}"
    );
    for (question, value, how) in [
        ("where", Value::Null, "lacks the answer to"),
        ("branch", Value::Null, "lacks the answer to"),
        ("quiet", Value::Null, "lacks the answer to"),
        ("branch", json!({ "name": "main" }), "has a wrong answer to"),
        ("report_to", json!([1, 2]), "has a wrong answer to"),
        ("checks", json!(["tests", null]), "has a wrong answer to"),
    ] {
        let mut content = filled_in();
        content[question] = value;
        let told = answered("deploy", accepted(content.clone())).await.expect_err("a wrong answer");
        let named =
            format!("the client's answer to the form `Deployment` {how} the question `{question}`, which must be ");
        assert!(told.starts_with(&named), "{content}: {told}");
    }
    let told = answered("deploy", json!({ "action": "accept", "content": ["main"] })).await.expect_err("no object");
    assert!(told.starts_with("JSON did not decode"), "{told}");
}

#[tokio::test]
async fn of_a_form_without_a_struct_empty_inputs_are_left_out() {
    let sent = json!({ "branch": null, "push": true });
    assert_eq!(answered("raw", accepted(sent)).await.as_deref(), Ok("Accepted({\"push\": Boolean(true)})"));
    let told = answered("raw", accepted(json!({ "branch": { "name": "main" } }))).await.expect_err("a wrong value");
    assert_eq!(told, "the client's answer to a form has a value that answers no question, at `branch`");
}

// ELIC-01
#[tokio::test]
async fn a_client_without_forms_gets_the_answer_that_the_author_wrote() {
    for capabilities in [json!({}), json!({ "elicitation": { "url": {} } })] {
        let (mut peer, id) = Peer::session_with(Asking, capabilities).await;
        assert_eq!(peer.turn(&id, "fallback").await, "end_turn");
        assert_eq!(peer.turn(&id, "declined").await, "end_turn");
        let said: Vec<_> = peer.updates().iter().map(|update| update["content"]["text"].clone()).collect();
        assert_eq!(said, ["Accepted(Commit { branch: \"main\", files: [] })", "Declined"]);
        let turn = peer.prompt(&id, "deploy").await;
        assert_eq!(
            peer.answer(turn).await.unwrap_err().message,
            "the client does not offer `elicitation/create`: it did not advertise the capability `elicitation.form`"
        );
    }
    let content = accepted(json!({ "branch": "dev", "files": ["a"] }));
    let asked = answered("fallback", content).await;
    assert_eq!(asked.as_deref(), Ok("Accepted(Commit { branch: \"dev\", files: [\"a\"] })"));
}

#[tokio::test]
async fn values_that_are_known_only_now_are_offered_and_checked() {
    let (mut peer, id) = session().await;
    let (turn, form) = asked(&mut peer, &id, "offer").await;
    let schema = &form.params["requestedSchema"];
    let branches = json!([{ "const": "dev", "title": "dev" }, { "const": "next", "title": "next" }]);
    assert_eq!(schema["properties"]["branch"], json!({ "type": "string", "title": "Branch", "oneOf": branches }));
    let files = json!([{ "const": "a", "title": "A file" }, { "const": "b", "title": "Another" }]);
    assert_eq!(schema["properties"]["files"]["items"], json!({ "anyOf": files }));
    assert_eq!(schema["required"], json!(["branch", "files"]), "`main` is not offered, so it is no default any more");

    peer.reply(&form, json!({ "action": "decline" })).await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");

    let right = accepted(json!({ "branch": "next", "files": ["b", "a"] }));
    let said = answered("offer", right).await;
    assert_eq!(said.as_deref(), Ok("Accepted(Commit { branch: \"next\", files: [\"b\", \"a\"] })"));
    for (content, question) in [
        (json!({ "branch": "main", "files": ["a"] }), "`branch`, which must be one of `dev`, `next`"),
        (json!({ "branch": "dev", "files": ["c"] }), "`files`, which must be some of `a`, `b`"),
    ] {
        let told = answered("offer", accepted(content)).await.expect_err("a value that is not offered");
        assert!(told.ends_with(question), "{told}");
    }
    for (prompt, told) in [
        (
            "nothing",
            "the question `files` of the form `Commit` has nothing to select from; list its values with `Ask::offer`",
        ),
        ("unknown", "values are offered for the question `fils`, and the form `Commit` asks for `branch`, `files`"),
        ("no list", "the question `replicas` has no values: only a `String` and a `Vec` have them"),
    ] {
        let turn = peer.prompt(&id, prompt).await;
        assert_eq!(peer.answer(turn).await.unwrap_err().message, told);
    }
}

// ELIC-02
#[tokio::test]
async fn questions_belong_to_a_session_a_tool_call_or_a_request() {
    let (mut peer, id) = session().await;
    let (turn, of_call) = asked(&mut peer, &id, "call").await;
    assert_eq!(of_call.params["sessionId"], id.as_str());
    let call = peer.updates()[0]["toolCallId"].clone();
    assert_eq!(of_call.params["toolCallId"], call);
    peer.reply(&of_call, json!({ "action": "decline" })).await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");

    let mut peer = Peer::serve(Asking);
    peer.initialize(json!({ "elicitation": { "form": {} } })).await;
    let request = peer.request("authenticate", json!({ "methodId": "key" })).await;
    let of_request = peer.asked("elicitation/create").await;
    assert_eq!((&of_request.params["requestId"], of_request.params.get("sessionId")), (&json!(request), None));
    peer.reply(&of_request, accepted(json!({ "files": ["a"] }))).await;
    assert_eq!(peer.answer(request).await, Ok(json!({})));
}

#[tokio::test]
async fn a_cancelled_turn_withdraws_its_questions() {
    let (mut peer, id) = session().await;
    let (turn, asked) = asked(&mut peer, &id, "deploy").await;
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    let withdrawn = peer.notified("$/cancel_request").await;
    assert_eq!(withdrawn["requestId"], asked.id);
}
