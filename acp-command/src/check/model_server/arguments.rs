//! Calls of the agent's own tools: which tool is called, and arguments that its schema allows.

use serde_json::{Map, Value, json};

use super::form::{Call, Tool};

/// Parts of the names of tools that run commands.
const RUNS: [&str; 5] = ["bash", "shell", "exec", "command", "terminal"];
/// Names of the argument that is the command.
const COMMANDS: [&str; 4] = ["command", "cmd", "commands", "script"];
/// Parts of the names of tools that read files.
const READS: [&str; 3] = ["read", "view", "open"];
/// Parts of the names of arguments that are files.
const FILES: [&str; 2] = ["path", "file"];
/// A file that is in each folder of the check.
const FILE: &str = "README.md";
/// How deep a schema is followed.
const DEPTH: usize = 8;

/// A call that runs a command.
pub(super) fn command(tools: &[Tool], command: &str) -> Option<Call> {
    let tool = tools.iter().find(|tool| is_named(&tool.name, &RUNS) && argument(tool, &COMMANDS).is_some())?;
    let name = argument(tool, &COMMANDS)?;
    let value = &tool.schema["properties"][name];
    let value = if kind(value) == "array" { json!(["sh", "-c", command]) } else { json!(command) };
    Some(call(tool, Some((name, value))))
}

/// A call that reads a file.
pub(super) fn reading(tools: &[Tool]) -> Option<Call> {
    let tool = tools.iter().find(|tool| is_named(&tool.name, &READS) && argument(tool, &FILES).is_some())?;
    Some(call(tool, None))
}

fn is_named(name: &str, parts: &[&str]) -> bool {
    let name = name.to_lowercase();
    parts.iter().any(|part| name.contains(part))
}

/// The first argument whose name has one of these parts.
fn argument<'t>(tool: &'t Tool, parts: &[&str]) -> Option<&'t str> {
    let properties = tool.schema["properties"].as_object()?;
    properties.keys().map(String::as_str).find(|name| is_named(name, parts))
}

fn call(tool: &Tool, more: Option<(&str, Value)>) -> Call {
    let mut arguments = object(&tool.schema, &tool.schema, DEPTH);
    arguments.extend(more.map(|(name, value)| (name.to_owned(), value)));
    Call { name: tool.name.clone(), arguments: Value::Object(arguments).to_string() }
}

/// The type of a value, or the first of several.
fn kind(schema: &Value) -> &str {
    let kind = &schema["type"];
    kind.as_str().or_else(|| kind[0].as_str()).unwrap_or_default()
}

/// An object with all that it must have.
fn object(root: &Value, schema: &Value, depth: usize) -> Map<String, Value> {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let fill = |name: &str| (name.to_owned(), value(root, name, &schema["properties"][name], depth));
    required.map(fill).collect()
}

/// A value that this schema allows.
fn value(root: &Value, name: &str, schema: &Value, depth: usize) -> Value {
    let Some(depth) = depth.checked_sub(1) else { return Value::Null };
    let referred = schema["$ref"].as_str().and_then(|place| root.pointer(place.trim_start_matches('#')));
    let one_of = ["anyOf", "oneOf", "allOf"].into_iter().map(|of| &schema[of][0]).find(|schema| !schema.is_null());
    if let Some(other) = referred.or(one_of) {
        return value(root, name, other, depth);
    }
    let fixed = [&schema["const"], &schema["default"], &schema["enum"][0]];
    if let Some(fixed) = fixed.into_iter().find(|value| !value.is_null()) {
        return fixed.clone();
    }
    match kind(schema) {
        "object" => object(root, schema, depth).into(),
        "array" if schema["minItems"].as_u64() > Some(0) => json!([value(root, name, &schema["items"], depth)]),
        "array" => json!([]),
        "boolean" => json!(false),
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
        "null" => Value::Null,
        _ if is_named(name, &FILES) => json!(FILE),
        _ => json!("acp check"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, schema: Value) -> Tool {
        Tool { name: name.to_owned(), schema }
    }

    #[test]
    fn a_tool_is_called_with_all_that_its_schema_demands() {
        let shell = json!({
            "type": "object", "required": ["command", "why", "mode", "level", "place"],
            "properties": {
                "command": { "type": "string" }, "why": { "type": ["string", "null"] }, "mode": { "enum": ["fast", "slow"] },
                "level": { "$ref": "#/$defs/level" }, "place": { "anyOf": [{ "type": "object" }, { "type": "null" }] },
                "other": { "type": "string" },
            },
            "$defs": { "level": { "type": "integer", "minimum": 3 } },
        });
        let read = json!({ "properties": { "file_path": { "type": "string" } }, "required": ["file_path"] });
        let tools = [tool("Read", read), tool("run_shell_command", shell)];
        let arguments = |call: Call| serde_json::from_str::<Value>(&call.arguments).unwrap();
        let expected = json!({ "command": "echo hi", "why": "acp check", "mode": "fast", "level": 3, "place": {} });
        assert_eq!(arguments(command(&tools, "echo hi").unwrap()), expected);
        assert_eq!(arguments(reading(&tools).unwrap()), json!({ "file_path": "README.md" }));
        // A command may be a list of words.
        let words = json!({ "properties": { "command": { "type": "array", "items": { "type": "string" } } } });
        let called = command(&[tool("shell", words)], "echo hi").unwrap();
        assert_eq!(arguments(called), json!({ "command": ["sh", "-c", "echo hi"] }));
        assert_eq!(command(&tools[..1], "echo hi"), None);
    }
}
