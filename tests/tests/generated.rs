//! Generated code in another crate: it must compile there, and follow the schema.
//!
//! The types are those of acp-codegen's golden file. They come from a small schema with every shape.

/// The output of acp-codegen in its own formatting.
#[rustfmt::skip]
#[path = "../../acp-codegen/tests/golden/every_shape.rs"]
pub mod every_shape;

use acp_runtime::schema::{MaybeUndefined, Method};
use every_shape::{
    ClientRequest, Code, Colour, Empty, Leaf, Level, MakeThingRequest, MakeThingResponse, Mood, Node, Source, ThingId,
    ThingKind, Value, methods,
};
use serde_json::{from_value, json, to_value};

#[test]
fn a_struct_is_made_of_what_it_requires_and_what_is_set() {
    let request = MakeThingRequest::new("t1", Empty::new())
        .nodes(vec!["text".into(), Node::End])
        .level(Level(3))
        .title(MaybeUndefined::Null)
        .folder("/tmp");
    let wire = json!({
        "thingId": "t1",
        "nodes": [{ "type": "leaf", "text": "text" }, { "type": "end" }],
        "level": 3,
        "title": null,
        "folder": "/tmp",
        "quiet": false,
        "kind": "plain",
    });
    assert_eq!(to_value(&request).unwrap(), wire);
    assert_eq!(from_value::<MakeThingRequest>(wire).unwrap(), request);
    assert_eq!(request.kind, ThingKind::Plain(Empty::new()));
    assert_eq!(request.level(None).level, None);
}

#[test]
fn what_is_wrong_is_left_out_where_the_schema_allows_it() {
    let wire = json!({ "thingId": "t", "kind": "plain", "colour": 7, "nodes": [3, { "type": "end" }], "env": null });
    let request: MakeThingRequest = from_value(wire).unwrap();
    assert_eq!(request.colour, Colour::DarkGreen);
    assert_eq!(request.nodes, [Node::End]);
    assert!(request.env.is_empty() && request.title.is_undefined());
    assert!(from_value::<MakeThingRequest>(json!({ "thingId": 1, "kind": "plain" })).is_err());
}

#[test]
fn a_tag_may_stand_anywhere() {
    for text in [r#"{"type":"leaf","text":"a"}"#, r#"{"text":"a","type":"leaf"}"#] {
        assert_eq!(serde_json::from_str::<Node>(text).unwrap(), Node::Leaf(Leaf::new("a")));
    }
    for text in [r#"{"text":"a"}"#, r#"{"type":"tree","text":"a"}"#, r#"{"type":1}"#, "{}", "[]", "3"] {
        assert!(serde_json::from_str::<Node>(text).is_err(), "{text}");
    }
}

#[test]
fn an_open_union_keeps_what_it_does_not_know() {
    let known: Source = from_value(json!({ "type": "inline", "lines": ["a"] })).unwrap();
    assert_eq!(known, Source::Inline { lines: vec!["a".to_owned()] });
    let unknown = json!({ "type": "remote", "url": "x", "deep": [{ "a": null }] });
    let other: Source = from_value(unknown.clone()).unwrap();
    assert!(matches!(&other, Source::Other(other) if other.type_ == "remote" && other.fields.len() == 2));
    assert_eq!(to_value(other).unwrap(), unknown);
    assert_eq!(from_value::<Source>(json!({ "text": "a" })).unwrap(), Leaf::new("a").into());
    assert!(from_value::<Source>(json!({ "type": "inline" })).is_err(), "a known tag is not kept as unknown");
}

#[test]
fn lists_of_constants() {
    assert_eq!(from_value::<Colour>(json!("red")).unwrap().as_str(), "red");
    assert_eq!(from_value::<Colour>(json!("ultraviolet")).unwrap(), Colour::DarkGreen);
    assert!("ultraviolet".parse::<Colour>().is_err());
    assert_eq!((Mood::from("good"), Mood::from("odd")), (Mood::Good, Mood::Other("odd".to_owned())));
    assert_eq!(to_value([Code::Missing, Code::Other(5)]).unwrap(), json!([-1, 5]));
    assert_eq!(format!("{}, {}", Code::from(-1), Code::from(5)), "Not here, Other (5)");
    assert_eq!(from_value::<Value>(json!(["a"])).unwrap(), vec!["a".to_owned()].into());
}

#[test]
fn a_payload_in_which_nothing_is_required_may_be_null() {
    assert_eq!(from_value::<MakeThingResponse>(json!(null)).unwrap(), MakeThingResponse::new());
    assert_eq!(from_value::<Option<MakeThingResponse>>(json!(null)).unwrap(), None);
    assert_eq!(from_value::<MakeThingResponse>(json!({ "level": 1 })).unwrap().level, Some(1));
    assert!(from_value::<MakeThingResponse>(json!(false)).is_err());
}

#[test]
fn a_message_is_decoded_by_its_method() {
    let payload = json!({ "thingId": "t", "kind": "plain" });
    let request = ClientRequest::parse("thing/make", &payload).unwrap().unwrap();
    assert_eq!(request.method(), methods::Make::NAME);
    assert!(matches!(request, ClientRequest::MakeThingRequest(request) if request.thing_id == "t"));
    let extension = ClientRequest::parse("_vendor/x", &payload).unwrap().unwrap();
    assert_eq!((extension.method(), to_value(&extension).unwrap()), ("_vendor/x", payload.clone()));
    assert!(ClientRequest::parse("thing/break", &payload).is_none());
    assert!(ClientRequest::parse("thing/make", &json!({})).unwrap().is_err());
    assert_eq!((methods::Make::HANDLER, every_shape::AGENT_METHOD_NAMES.thing_make), ("make", "thing/make"));
}

#[test]
fn ids_are_texts_that_are_cheap_to_clone() {
    let id = ThingId::from("x".to_owned());
    assert!(std::ptr::eq(id.as_str(), id.clone().as_str()));
    assert_eq!((id.to_string(), to_value(&id).unwrap()), ("x".to_owned(), json!("x")));
    assert_eq!(std::collections::HashMap::from([(id, 1)]).get("x"), Some(&1));
}
