//! Authors use these names of a version's types beside the schema's own definitions. The tests use each name, so that a
//! lost name does not compile.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use acp_runtime::schema::v1::{
    AGENT_METHOD_NAMES, CLIENT_METHOD_NAMES, CancelNotification, CancelRequestNotification, ClientNotification,
    ClientRequest, EmptyJsonRpcBatch, ErrorCode, ErrorObject, ExtNotification, ExtRequest, ExtResponse, JsonRpcBatch,
    JsonRpcMessage, MaybeUndefined, Meta, Notification, PROTOCOL_LEVEL_METHOD_NAMES, ProtocolLevelNotification,
    RawValue, Request, RequestId, Response, SessionInfoUpdate, TextContent,
};
use serde_json::{Value, from_str, json, to_value};

fn raw(json: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(json).unwrap()
}

#[test]
fn protocol_level_notifications_are_parsed_by_name() {
    let name = PROTOCOL_LEVEL_METHOD_NAMES.cancel_request;
    let parsed = ProtocolLevelNotification::parse(name, json!({ "requestId": 7 })).unwrap().unwrap();
    assert_eq!(parsed.method(), "$/cancel_request");
    assert!(matches!(&parsed, ProtocolLevelNotification::CancelRequestNotification(cancel)
        if cancel.request_id == RequestId::Number(7)));
    assert!(ProtocolLevelNotification::parse(name, json!({})).unwrap().is_err());
    assert!(ProtocolLevelNotification::parse("$/other", json!({})).is_none());
    let made = ProtocolLevelNotification::from(CancelRequestNotification::new("a"));
    assert_eq!(to_value(Notification::of(made)).unwrap(), json!({ "method": name, "params": { "requestId": "a" } }));
}

#[test]
fn every_code_of_an_error_has_a_constructor() {
    let all = [
        (ErrorObject::parse_error(), ErrorCode::ParseError, -32700),
        (ErrorObject::invalid_request(), ErrorCode::InvalidRequest, -32600),
        (ErrorObject::method_not_found(), ErrorCode::MethodNotFound, -32601),
        (ErrorObject::invalid_params(), ErrorCode::InvalidParams, -32602),
        (ErrorObject::internal_error(), ErrorCode::InternalError, -32603),
        (ErrorObject::request_cancelled(), ErrorCode::RequestCancelled, -32800),
        (ErrorObject::auth_required(), ErrorCode::AuthRequired, -32000),
        (ErrorObject::resource_not_found(), ErrorCode::ResourceNotFound, -32002),
    ];
    for (error, code, number) in all {
        assert_eq!((error.code, i32::from(code)), (code, number));
        assert_eq!(to_value(&error).unwrap(), json!({ "code": number, "message": code.to_string() }));
    }
    let fails =
        || -> Result<(), ErrorObject> { Err(ErrorObject::resource_not_found().data(json!({ "uri": "file:///a" }))) };
    let error: Box<dyn std::error::Error> = fails().unwrap_err().into();
    assert_eq!(error.to_string(), "Resource not found (code -32002)");
}

#[test]
fn messages_say_their_version() {
    let payload = ClientRequest::parse(AGENT_METHOD_NAMES.session_list, json!({ "cursor": "c" })).unwrap().unwrap();
    let line = serde_json::to_string(&JsonRpcMessage::wrap(Request::of(1, payload))).unwrap();
    assert_eq!(line, r#"{"jsonrpc":"2.0","id":1,"method":"session/list","params":{"cursor":"c"}}"#);
    let read: JsonRpcMessage<Request<Box<RawValue>>> = from_str(&line).unwrap();
    assert_eq!(read.inner().params.as_ref().unwrap().get(), r#"{"cursor":"c"}"#);
    assert_eq!(serde_json::to_string(&read).unwrap(), line);
    for wrong in [r#"{"id":1,"method":"m"}"#, r#"{"jsonrpc":"1.0","id":1,"method":"m"}"#, r#"{"jsonrpc":"2.0","id":1}"#]
    {
        assert!(from_str::<JsonRpcMessage<Request<Value>>>(wrong).is_err(), "{wrong}");
    }
    let bare = Request::<Value>::new("a", CLIENT_METHOD_NAMES.fs_read_text_file, None);
    assert_eq!(to_value(bare).unwrap(), json!({ "id": "a", "method": "fs/read_text_file" }));
}

#[test]
fn an_answer_is_a_result_or_an_error() {
    let answer = |text: &str| from_str::<JsonRpcMessage<Response<Value>>>(text).map(JsonRpcMessage::into_inner);
    let failed = Response::new(1, Err(ErrorObject::auth_required()));
    assert_eq!(answer(r#"{"jsonrpc":"2.0","id":1,"result":null}"#).unwrap(), Response::new(1, Ok(Value::Null)));
    assert_eq!(
        answer(r#"{"jsonrpc":"2.0","id":1,"result":[],"error":null}"#).unwrap(),
        Response::new(1, Ok(json!([])))
    );
    let text = serde_json::to_string(&JsonRpcMessage::wrap(failed.clone())).unwrap();
    assert_eq!(answer(&text).unwrap(), failed);
    for wrong in ["{}", r#"{"id":1}"#, r#"{"result":1}"#, r#"{"id":1,"result":1,"error":{"code":1,"message":"m"}}"#] {
        assert!(from_str::<Response<Value>>(wrong).is_err(), "{wrong}");
    }
    let unread = from_str::<Response<Value>>(r#"{"id":null,"error":{"code":-32700,"message":"m"}}"#).unwrap();
    assert!(matches!(unread, Response::Error { id: RequestId::Null, error } if error.code == ErrorCode::ParseError));
}

#[cfg(feature = "v2-types")]
#[test]
fn version_2_has_no_null_ids() {
    use acp_runtime::schema::v2;

    assert!(from_str::<v2::Request<Value>>(r#"{"id":null,"method":"m"}"#).is_err());
    assert!(from_str::<v2::Response<Value>>(r#"{"id":null,"result":1}"#).is_err());
    assert!(from_str::<v2::Response<Value>>(r#"{"error":{"code":-32700,"message":"m"}}"#).is_err());
    let unread = from_str::<v2::Response<Value>>(r#"{"id":null,"error":{"code":-32700,"message":"m"}}"#).unwrap();
    assert_eq!(unread, v2::Response::Error { id: None, error: v2::ErrorObject::new(v2::ErrorCode::ParseError, "m") });
    let cancel = v2::ProtocolLevelNotification::parse("$/cancel_request", json!({ "requestId": 1 })).unwrap().unwrap();
    assert_eq!(cancel.method(), v2::PROTOCOL_LEVEL_METHOD_NAMES.cancel_request);
}

#[test]
fn a_batch_is_never_empty() {
    let cancel = ClientNotification::from(CancelNotification::new("s"));
    let message = JsonRpcMessage::wrap(Notification::of(cancel));
    let batch = JsonRpcBatch::new(vec![message]).unwrap();
    let text = serde_json::to_string(&batch).unwrap();
    assert_eq!(text, r#"[{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}]"#);
    assert_eq!(from_str::<JsonRpcBatch<Notification<Box<RawValue>>>>(&text).unwrap().into_vec().len(), 1);
    assert_eq!(JsonRpcBatch::<Notification<()>>::try_from(vec![]), Err(EmptyJsonRpcBatch));
    assert!(from_str::<JsonRpcBatch<Notification<Value>>>("[]").is_err());
}

#[test]
fn extensions_metadata_and_three_states() {
    let params = raw(&json!({ "a": [1, null] }));
    let request = ClientRequest::ExtMethodRequest(ExtRequest::new("_v/x", params.clone().into()));
    assert_eq!((request.method(), to_value(&request).unwrap()), ("_v/x", json!({ "a": [1, null] })));
    let notification = ClientNotification::ExtNotification(ExtNotification::new("_v/y", params.clone().into()));
    assert_eq!(notification.method(), "_v/y");
    assert_eq!(to_value(ExtResponse::new(params.into())).unwrap(), json!({ "a": [1, null] }));

    let meta = Meta::from_iter([("v/k".to_owned(), json!(1))]);
    let text = TextContent::new("t").meta(meta.clone());
    assert_eq!(text.meta, Some(meta));
    let update = SessionInfoUpdate::new().title(MaybeUndefined::Null);
    assert_eq!(to_value(&update).unwrap(), json!({ "title": null }));
}

#[test]
fn texts_and_times_need_no_conversion() {
    use std::time::{Duration, SystemTime};

    use acp_runtime::{
        store::Timestamp,
        values::{AvailableCommand, SessionConfigOption, SessionConfigSelect, SessionInfo},
    };

    let command = AvailableCommand::new("web", "Searches the web").input("what to look for");
    assert_eq!(to_value(&command.input).unwrap(), json!({ "hint": "what to look for" }));
    assert_eq!(command.clone().input("what to look for".to_owned()), command);
    assert_eq!(command.input(None).input, None);

    let time = SystemTime::UNIX_EPOCH + Duration::from_micros(1_700_000_000_000_001);
    let shown = "2023-11-14T22:13:20.000001Z";
    assert_eq!(SessionInfo::new("s", "/").updated_at(time).updated_at.as_deref(), Some(shown));
    assert_eq!(SessionInfo::new("s", "/").updated_at(Timestamp::from(time)).updated_at.as_deref(), Some(shown));
    let update = SessionInfoUpdate::new().updated_at(time).title("A title");
    assert_eq!(to_value(update).unwrap(), json!({ "title": "A title", "updatedAt": shown }));
    let update = SessionInfoUpdate::new().updated_at(Timestamp::from(time)).title("A title".to_owned());
    assert_eq!(to_value(update).unwrap(), json!({ "title": "A title", "updatedAt": shown }));

    let select = SessionConfigSelect::new("a", Vec::<acp_runtime::values::SessionConfigSelectOption>::new());
    let option = SessionConfigOption::new("model", "Model", select).category("model");
    assert_eq!(to_value(option).unwrap()["category"], "model");
}

/// The prelude and the schema may export the same name, but only with one meaning. Otherwise this module does not
/// compile.
mod both_names {
    use acp_runtime::{agent::RequestMeta, prelude::*, schema::v1::*};

    pub(super) fn of_both(_: Error, _: Meta, _: RequestMeta, _: SessionId, _: ErrorObject) -> Result<StopReason> {
        Ok(StopReason::EndTurn)
    }
}

/// The names that agents with pictures, MCP servers, permissions and usage need. Without them in the prelude, this module
/// does not compile.
mod of_an_agent {
    use acp_runtime::prelude::*;

    pub(super) fn files(block: &ContentBlock) -> Option<&str> {
        match block {
            ContentBlock::Text(TextContent { text, .. }) => Some(text),
            ContentBlock::Image(ImageContent { uri, .. }) => uri.as_deref(),
            ContentBlock::ResourceLink(ResourceLink { uri, .. }) => Some(uri),
            ContentBlock::Resource(EmbeddedResource { resource, .. }) => match resource {
                EmbeddedResourceResource::TextResourceContents(text) => Some(&text.uri),
                EmbeddedResourceResource::BlobResourceContents(blob) => Some(&blob.uri),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) async fn told<C>(session: &SessionHandle<C>, meta: Meta) -> Result<Vec<PermissionOption>> {
        session.usage(UsageUpdate::new(1_u64, 2_u64).cost(Cost::new(0.5, "USD"))).await?;
        session.info(SessionInfoUpdate::new().title("A title").meta(meta)).await?;
        session.notice(NoticeSeverity::Warning, "Slow").await?;
        Ok(vec![PermissionOption::new("always", "Always", PermissionOptionKind::AllowAlways)])
    }

    pub(super) fn call(path: &str) -> (ToolCallLocation, ToolCallContent, AvailableCommand) {
        let command = AvailableCommand::new("web", "Searches the web").input("what to look for");
        (ToolCallLocation::new(path), ToolCallContent::from(ContentBlock::from("done")), command)
    }

    pub(super) fn is_local(server: &McpServer) -> bool {
        matches!(server, McpServer::Stdio(_))
    }
}

#[test]
fn an_agent_needs_the_prelude_alone() {
    assert_eq!(of_an_agent::files(&"a".into()), Some("a"));
    assert_eq!(to_value(of_an_agent::call("/a").0).unwrap(), json!({ "path": "/a" }));
    let server = from_str(r#"{"name":"a","command":"/a","args":[],"env":[]}"#).unwrap();
    assert!(of_an_agent::is_local(&server));
    let _ = of_an_agent::told::<()>;
}

#[test]
fn the_prelude_and_the_schema_are_imported_together() {
    let stopped = both_names::of_both(
        acp_runtime::Error::invalid_params("no"),
        Meta::new(),
        acp_runtime::agent::RequestMeta(None),
        "a".into(),
        ErrorObject::auth_required(),
    );
    assert!(stopped.is_ok());
}
