//! The texts in which `diff` reports changes.

use acp_codegen::diff::Format;
use serde_json::{Value, json};

use super::{DRAFT, compare, field, method};

#[test]
fn reports_tell_together_what_belongs_together() {
    let old =
        json!({ "T": { "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "string" } } } });
    let mut new = method("door/open", "Open", DRAFT);
    new["T"] = json!({ "type": "object", "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } } });
    let markdown = compare("together", &old, &new).report(Format::Markdown, "1", "2");
    let fields = "- 2 fields changed: `Option<String>` is now `Option<i64>`: `T.a`, `T.b`";
    assert!(markdown.contains(fields), "{markdown}");
    let method = "- Method `door/open` added: a request to the agent, with `OpenRequest`, answered by `OpenResponse`\n";
    assert!(markdown.ends_with(method), "the types of a method are told with it: {markdown}");
    let counted = "(2 breaking, 0 compatible, 1 in drafts)";
    assert!(markdown.contains(counted), "what is counted is shown: {markdown}");
}

#[test]
fn reports() {
    let old = field(json!({ "type": "string" }), true);
    let new = field(json!({ "type": "integer" }), true);
    let diff = compare("reports", &old, &new);
    let markdown = diff.report(Format::Markdown, "1", "2");
    assert!(
        markdown.contains(
            "- Field `T.a` changed: `String` is now `i64` (its type, its name or its form in JSON changes)\n"
        ),
        "{markdown}"
    );
    assert!(markdown.contains("Breaking: a major step (1 breaking, 0 compatible, 0 in drafts)."), "{markdown}");
    let json: Value = serde_json::from_str(&diff.report(Format::Json, "1", "2")).expect("it is JSON");
    assert_eq!(json["verdict"], "breaking");
    assert_eq!(json["changes"][0]["item"], "T.a");
    let text = diff.report(Format::Text, "1", "2");
    assert!(text.contains("\u{1b}["), "a terminal gets colours");
}
