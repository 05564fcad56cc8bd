//! The runtime repeats some parts of the schema by hand, because it writes them from borrowed data or bases decisions
//! on them. If the schema adds members to these parts, no other test fails. This test fails, and names the place to
//! change.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

/// A definition, its known names (the properties, or the constants that tell its variants apart), and the code that
/// depends on them.
type Known = (&'static str, &'static [&'static str], &'static str);

const OPENED: &str = "`Response` in acp-runtime/core/src/dialect/v1.rs, and `Opened` beside it, write the answers of methods that open \
                      a session";
const SHOWN: &str = "acp-runtime/core/src/config/shown.rs writes the options";
const OFFERED: &str = "a capability of the agent comes from a handler (its file in acp-runtime/core/src/agent/methods), or is stated: \
                       `CAPABILITIES` in acp-macros/src/agent/declaration/raw.rs, and in acp-runtime/core/src/agent the \
                       files declaration/identity.rs, initialize.rs and capability_checks.rs; copy `additional_directories`";
const CLIENT: &str = "a capability of the client has a method that asks for it in acp-runtime/core/src/client, and gates what \
                      needs it; or, of updates, acp-runtime/core/src/session/update.rs. The test `gates` asks for it in acp-client";

const ASKED: &str = "acp-runtime/core/src/client/questions/ask.rs writes the form of a struct of questions";
const LIMITS: &str = "acp-runtime/core/src/client/questions/check.rs compares an answer with its question; a new limit is a key \
                      in acp-macros/src/questions/raw.rs";
const JOINED: &str = "acp-runtime/core/src/session/journal/patch.rs joins it to what was said before";

const KNOWN: &[Known] = &[
    ("ContentChunk", &["content", "messageId", "_meta"], JOINED),
    (
        "ToolCallUpdate",
        &["toolCallId", "kind", "status", "title", "name", "content", "locations", "rawInput", "rawOutput", "_meta"],
        JOINED,
    ),
    ("CompactionUpdate", &["compactionId", "status", "summary", "error", "_meta"], JOINED),
    ("CompactionSummaryChunk", &["compactionId", "content", "_meta"], JOINED),
    ("NewSessionResponse", &["sessionId", "modes", "configOptions", "_meta"], OPENED),
    ("LoadSessionResponse", &["modes", "configOptions", "_meta"], OPENED),
    ("ResumeSessionResponse", &["modes", "configOptions", "_meta"], OPENED),
    ("SessionConfigOption", &["id", "name", "description", "category", "_meta", "select", "boolean"], SHOWN),
    ("SessionConfigSelect", &["currentValue", "options"], SHOWN),
    ("SessionConfigBoolean", &["currentValue"], SHOWN),
    ("SessionConfigSelectOption", &["value", "name", "description", "_meta"], SHOWN),
    ("SessionConfigSelectGroup", &["group", "name", "options", "_meta"], SHOWN),
    (
        "SetSessionConfigOptionResponse",
        &["configOptions", "_meta"],
        "`full_state` in acp-runtime/core/src/dialect/v1.rs writes it",
    ),
    (
        "ConfigOptionUpdate",
        &["configOptions", "_meta"],
        "`options_update` in acp-runtime/core/src/dialect/v1.rs writes it",
    ),
    (
        "SessionNotification",
        &["sessionId", "update", "_meta"],
        "`notification` in acp-runtime/core/src/dialect/v1.rs writes it",
    ),
    (
        "SetSessionConfigOptionRequest",
        &["sessionId", "configId", "_meta", "boolean"],
        "acp-runtime/core/src/config/request.rs reads it",
    ),
    (
        "SessionUpdate",
        &[
            "user_message_chunk",
            "agent_message_chunk",
            "agent_thought_chunk",
            "tool_call",
            "tool_call_update",
            "plan",
            "available_commands_update",
            "current_mode_update",
            "config_option_update",
            "session_info_update",
            "usage_update",
            "notice",
            "compaction_update",
            "compaction_summary_chunk",
        ],
        "an update has a method in acp-runtime/core/src/session/report.rs; if a capability gates it, an arm in \
         `check_offered` of update.rs beside it, where it is also decided whether a replay may hold it; and `message_id` \
         in acp-runtime/core/src/dialect/message_tracker.rs says whether it separates two messages; and `Joined::takes` in \
         acp-runtime/core/src/session/journal/joined.rs says whether a store keeps it. Copy `notice`",
    ),
    (
        "Implementation",
        &["name", "title", "version", "_meta"],
        "acp-runtime/core/src/agent/declaration/identity.rs makes `agentInfo` from the keys `name`, `version` and `title` of \
         acp-macros/src/agent/declaration/raw.rs",
    ),
    (
        "AgentCapabilities",
        &["loadSession", "promptCapabilities", "mcpCapabilities", "sessionCapabilities", "auth", "_meta"],
        OFFERED,
    ),
    ("PromptCapabilities", &["image", "audio", "embeddedContext", "_meta"], OFFERED),
    ("McpCapabilities", &["http", "sse", "_meta"], OFFERED),
    ("SessionCapabilities", &["list", "delete", "additionalDirectories", "resume", "close", "_meta"], OFFERED),
    ("AgentAuthCapabilities", &["logout", "_meta"], OFFERED),
    ("ClientCapabilities", &["fs", "terminal", "session", "auth", "elicitation", "_meta"], CLIENT),
    ("ClientSessionCapabilities", &["compaction", "configOptions", "notices", "_meta"], CLIENT),
    (
        "SessionConfigOptionsCapabilities",
        &["boolean", "_meta"],
        "`ClientView` in acp-runtime/core/src/config/publish.rs reads it",
    ),
    ("FileSystemCapabilities", &["readTextFile", "writeTextFile", "_meta"], CLIENT),
    ("AuthCapabilities", &["terminal", "_meta"], CLIENT),
    ("ElicitationCapabilities", &["form", "url", "_meta"], CLIENT),
    ("CreateElicitationRequest", &["message", "_meta", "form", "url"], ASKED),
    ("ElicitationFormMode", &["requestedSchema"], ASKED),
    ("ElicitationSessionScope", &["sessionId", "toolCallId"], ASKED),
    ("ElicitationRequestScope", &["requestId"], ASKED),
    ("ElicitationSchema", &["type", "title", "properties", "required", "description", "_meta"], ASKED),
    (
        "ElicitationPropertySchema",
        &["string", "number", "integer", "boolean", "array"],
        "acp-runtime/core/src/client/questions: form.rs sets the texts of each kind, check.rs compares its answers",
    ),
    (
        "StringPropertySchema",
        &["title", "description", "minLength", "maxLength", "pattern", "format", "default", "enum", "oneOf", "_meta"],
        LIMITS,
    ),
    ("NumberPropertySchema", &["title", "description", "minimum", "maximum", "default", "_meta"], LIMITS),
    ("IntegerPropertySchema", &["title", "description", "minimum", "maximum", "default", "_meta"], LIMITS),
    (
        "MultiSelectPropertySchema",
        &["title", "description", "minItems", "maxItems", "items", "default", "_meta"],
        LIMITS,
    ),
];

/// The properties of a definition, and the constants that tell its variants apart.
fn names(definition: &Value) -> BTreeSet<String> {
    let properties = definition["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone());
    let variants = ["oneOf", "anyOf"].iter().filter_map(|key| definition[key].as_array()).flatten();
    let constants = variants.filter_map(|variant| {
        let properties = variant["properties"].as_object()?;
        properties.values().find_map(|property| property["const"].as_str().map(str::to_owned))
    });
    properties.chain(constants).collect()
}

#[test]
fn what_is_repeated_by_hand_is_what_the_schema_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/v1/schema.json");
    let schema = fs::read_to_string(path).expect("the schema of version 1");
    let schema: Value = serde_json::from_str(&schema).expect("it is JSON");
    let mut told = Vec::new();
    for (name, known, then) in KNOWN {
        let said = names(&schema["$defs"][name]);
        let known: BTreeSet<String> = known.iter().map(|&name| name.to_owned()).collect();
        let (new, gone): (Vec<_>, Vec<_>) = (said.difference(&known).collect(), known.difference(&said).collect());
        if !new.is_empty() || !gone.is_empty() {
            told.push(format!("`{name}` has now {new:?}, and no longer {gone:?}: {then}"));
        }
    }
    assert!(told.is_empty(), "{}\n\nThen say so in this test.", told.join("\n\n"));
}

/// The files and folders that a text names. A name without a folder of the workspace is of the folder named before, or
/// of a file's folder.
fn places(text: &str) -> Vec<PathBuf> {
    let (mut places, mut folder) = (Vec::new(), PathBuf::new());
    let words = text.split([' ', ',', ':', ';', '(', ')']).map(|word| word.trim_end_matches('.'));
    for word in words.filter(|word| word.contains('/') || word.ends_with(".rs")) {
        let is_whole = word.starts_with("acp-") || word.starts_with("schema/") || word.starts_with("tests/");
        let place = if is_whole { PathBuf::from(word) } else { folder.join(word) };
        if is_whole {
            let is_file = place.extension().is_some();
            folder = if is_file { place.parent().expect("a folder").to_owned() } else { place.clone() };
        }
        places.push(place);
    }
    places
}

#[test]
fn where_to_look_is_there() {
    for (name, _, then) in KNOWN {
        let places = places(then);
        assert!(!places.is_empty(), "{name}: no file is named");
        for place in places {
            let exists = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(&place).exists();
            assert!(exists, "{name}: {} is no more", place.display());
        }
    }
}

#[test]
fn each_file_that_a_text_names_is_seen() {
    let text = "look at acp-a/src/one.rs, then at two.rs beside it; and, in acp-b/src, inner/three.rs.";
    let seen: Vec<_> = places(text).into_iter().map(|place| place.display().to_string()).collect();
    assert_eq!(seen, ["acp-a/src/one.rs", "acp-a/src/two.rs", "acp-b/src", "acp-b/src/inner/three.rs"]);
}
