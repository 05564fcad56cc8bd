//! `acp check --model-server`: an agent that needs a model, with a scripted one.

use super::{check, report, rules};
use crate::acp::{ECHO, LLM};

#[test]
fn the_scripted_model_calls_tools_of_an_agent_that_asks_for_them() {
    let data = tempfile::tempdir().unwrap();
    let start = format!("XDG_DATA_HOME={} exec {LLM}", data.path().display());
    let more = ["--model-server", "--format", "json", "--protocol", "1", "--only", "cancel-while-asked"];
    let ran = check(&more, &["sh", "-c", &start]);
    let report = report(&ran);
    assert_eq!((ran.exit, &report["notPlayed"]), (0, &serde_json::json!([])), "{ran:?}");
    let judged = rules(&report, |rule| rule["occasions"].as_u64() > Some(0));
    for rule in ["permission-options", "tool-call-ended", "cancel-in-time"] {
        assert!(judged.contains(rule), "no {rule} in {judged:?}");
    }
}

#[test]
fn an_agent_that_asks_no_model_is_told_so() {
    let ran = check(&["--model-server", "--only", "model-busy"], &[ECHO]);
    let text = "model-busy, version 1: the agent does not have a model behind OPENAI_BASE_URL or ANTHROPIC_BASE_URL";
    assert!(ran.exit == 0 && ran.stdout.contains(text), "{ran:?}");
    check(&["--only", "model-busy"], &[ECHO]).failed(2, &["needs a scripted model: add `--model-server`"]);
}
