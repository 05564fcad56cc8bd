//! The rules. Each has a demand, the party that it binds, a level, the versions that it binds, and a place in each of them.

use std::fmt;

use crate::tape::Party;

/// The level of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The protocol, its schema or JSON-RPC demands this.
    Must,
    /// The protocol recommends this, or peers rely on it.
    Should,
    /// The protocol allows this, but it has surprised peers. No test fails because of it.
    Note,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Must => "must",
            Self::Should => "should",
            Self::Note => "note",
        })
    }
}

/// A rule of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The rule's name, for reports, and for tests that allow a breach of it.
    pub id: &'static str,
    /// The rule's level.
    pub level: Level,
    /// The party that the rule binds; `None` if it binds both.
    pub of: Option<Party>,
    /// The rule's demand.
    pub sentence: &'static str,
    /// The place of the demand in the protocol: a page of the lowest version that the rule binds.
    pub place: &'static str,
    /// The versions of the protocol that the rule binds, each with its page. The lowest is first.
    pub places: &'static [(u16, &'static str)],
    /// Its place in [`RULES`].
    pub(super) number: usize,
}

impl Rule {
    /// The place of the demand in this version of the protocol; `None` if the rule does not bind this version.
    ///
    /// ```
    /// let rule = acp_judge::rule("resume-state").unwrap();
    /// assert!(rule.place_in(2).unwrap().contains("/protocol/v2/session-setup#"));
    /// assert_eq!(rule.place_in(1), None);
    /// ```
    pub fn place_in(&self, version: u16) -> Option<&'static str> {
        self.places.iter().find(|(of, _)| *of == version).map(|(_, place)| *place)
    }
}

const AGENT: Option<Party> = Some(Party::Agent);
const CLIENT: Option<Party> = Some(Party::Client);
const BOTH: Option<Party> = None;

/// The place of a rule is a page of each version: one for both versions, or one for each version that the rule binds.
macro_rules! rules {
    ($($name:ident: $id:literal, $level:ident, $of:ident, $place:tt, $sentence:literal;)*) => {
        /// The rules by number.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number { $($name),* }

        $(pub(super) static $name: Rule = {
            const PLACES: &[(u16, &str)] = rules!(@places $place);
            Rule {
                id: $id,
                level: Level::$level,
                of: $of,
                sentence: $sentence,
                place: PLACES[0].1,
                places: PLACES,
                number: Number::$name as usize,
            }
        };)*

        /// All rules of all versions, in the order of the protocol's pages.
        pub static RULES: &[&Rule] = &[$(&$name),*];
    };
    (@places [$place:literal]) => { rules!(@places [1: $place, 2: $place]) };
    (@places [$($version:literal: $place:literal),+]) => {
        &[$(($version, concat!("https://agentclientprotocol.com/protocol/v", $version, "/", $place))),+]
    };
}

rules! {
    // Messages.
    MESSAGES: "message-lines", Must, BOTH, ["transports#stdio"], "each line is one JSON object in UTF-8, and nothing else is on the stream";
    BATCH: "no-batches", Must, BOTH, ["transports#stdio"], "messages are sent one by one, not as a list";
    JSONRPC: "jsonrpc-version", Must, BOTH, ["overview#communication-model"], "each message has `\"jsonrpc\": \"2.0\"`";
    SHAPE: "message-shape", Must, BOTH, ["overview#communication-model"], "a message is a request, a notification or an answer: it has a method, or an id and an outcome";
    OUTCOME: "answer-shape", Must, BOTH, ["schema#error"], "an answer has either a `result`, or an `error` with an integer `code` and a `message`";
    CODE: "error-code", Note, BOTH, ["schema#errorcode"], "an error's code is of the ranges that JSON-RPC reserves";
    ID_TYPE: "id-type", Must, BOTH, [1: "schema#requestid"], "an id is a string, an integer or null";
    ID_NULL: "id-null", Should, BOTH, [1: "schema#requestid"], "the id of a request is not null, which is that of requests that could not be read";
    REQUEST_ID: "request-id", Must, BOTH, [2: "schema#requestid"], "the id of a request is a string or an integer, and not null";
    ID_OPEN: "id-reuse", Must, BOTH, ["schema#requestid"], "a request does not have the id of one that is not answered yet";
    KNOWN: "answer-known", Must, BOTH, ["schema#requestid"], "an answer has the id of a request, with the type that it had";
    ONCE: "answer-once", Must, BOTH, ["overview#communication-model"], "a request is answered once";
    MISSING: "answer-missing", Must, BOTH, ["overview#communication-model"], "a request is answered";
    UNREADABLE: "unreadable-code", Should, BOTH, ["schema#errorcode"], "a line that is no JSON is answered with the code -32700, and JSON that is no message with -32600";
    SILENT: "notification-unanswered", Must, BOTH, ["overview#communication-model"], "a notification is not answered, also not with an error";
    PARAMS: "params-code", Should, BOTH, ["schema#errorcode"], "params that are not what the schema says are refused with the code -32602";
    WITHDRAWN_CODE: "withdrawn-code", Note, BOTH, ["cancellation"], "a request that its sender has withdrawn is answered with its result, or refused with the code -32800; it may also fail for a reason of its own";
    NAME: "method-name", Must, BOTH, ["extensibility#custom-requests"], "a method that the protocol does not have begins with an underscore";
    SIDE: "method-side", Must, BOTH, ["overview#agent"], "a method is sent to the side that has it";
    KIND: "method-kind", Must, BOTH, ["overview#communication-model"], "a request of the protocol has an id, and a notification has none";
    UNKNOWN: "method-unknown", Should, BOTH, ["extensibility#custom-requests"], "a request whose method is nobody's is answered with the code -32601";
    SCHEMA: "schema", Must, BOTH, ["schema"], "params and results are what the schema says";
    FIELDS: "own-fields", Must, BOTH, ["extensibility"], "types of the protocol have no further fields but under `_meta`";
    DRAFTS: "drafts", Note, BOTH, ["draft/schema"], "methods and fields of the protocol's drafts may change or go";
    RESERVED: "reserved-values", Must, BOTH, [2: "extensibility#enum-and-tagged-union-variants"], "a value that the protocol does not have begins with an underscore";
    ABSOLUTE: "absolute-paths", Must, BOTH, ["overview#argument-requirements"], "paths are absolute";
    TIMES: "times", Must, AGENT, ["session-list#response"], "times are those of ISO 8601";
    BASE64: "base64", Must, BOTH, [1: "content"], "images, audio and blobs are in Base64";
    LINES: "line-numbers", Must, BOTH, [1: "overview#argument-requirements"], "the first line of a file is line 1";

    // Initialization.
    FIRST: "initialize-first", Must, CLIENT, ["initialization"], "a client asks for nothing else before `initialize` is answered";
    EARLY: "agent-initialize-first", Should, AGENT, ["initialization"], "an agent asks and tells nothing before it has answered `initialize`";
    INIT_ONCE: "initialize-once", Must, CLIENT, [1: "initialization"], "a client initializes a connection once";
    VERSION: "version-answered", Must, AGENT, ["initialization#version-negotiation"], "`initialize` is answered with a version: the highest of the agent that is not above the one asked for. Only if an agent has none, as one without version 1 may, its answer is the error -32022, whose data names its versions";
    AGENT_INFO: "agent-info", Should, AGENT, [1: "initialization#implementation-information"], "an agent says its name and version";
    CLIENT_INFO: "client-info", Should, CLIENT, [1: "initialization#implementation-information"], "a client says its name and version";

    // Capabilities.
    OFFERED_METHODS: "agent-offers-method", Must, CLIENT, ["initialization#agent-capabilities"], "a client calls only methods that the agent offers";
    OFFERED_CONTENT: "agent-takes-content", Must, CLIENT, [1: "initialization#prompt-capabilities", 2: "initialization#session-prompt-capabilities"], "a prompt has only content that the agent takes";
    OFFERED_SERVERS: "agent-takes-mcp-servers", Must, CLIENT, [1: "initialization#mcp-capabilities", 2: "initialization#session-mcp-capabilities"], "a client names only MCP servers of kinds that the agent takes";
    OFFERED_FOLDERS: "agent-takes-directories", Must, CLIENT, ["session-setup#additional-workspace-roots"], "a client names further directories only if the agent takes them";
    ALLOWED_METHODS: "client-offers-method", Must, AGENT, ["initialization#client-capabilities"], "an agent calls only methods that the client offers";
    BASELINE: "baseline", Must, AGENT, [2: "initialization#session-capabilities"], "an agent has the methods that its answer to `initialize` obliges it to: those of sessions, and those of logins";
    ALLOWED_UPDATES: "client-takes-update", Must, AGENT, [1: "initialization#client-capabilities"], "an agent sends notices, compactions and drafts of updates only to a client that takes them";
    BOOLEANS: "client-takes-booleans", Must, AGENT, [1: "session-config-options#boolean-config-options"], "an agent shows boolean options only to a client that knows them";

    // Authentication.
    AUTH_IDS: "auth-ids", Must, AGENT, ["authentication#advertising-authentication"], "the ids of the ways to authenticate differ";
    AUTH_TERMINAL: "auth-terminal", Must, AGENT, ["authentication#terminal-authentication"], "an agent offers logins in a terminal only to a client that can run them";
    AUTH_KNOWN: "auth-known", Must, CLIENT, [1: "authentication#protocol-driven-authentication", 2: "authentication#agent-handled-authentication"], "a client authenticates by a way that the agent offered, and not by one in a terminal";
    AUTH_DONE: "auth-lets-in", Should, AGENT, ["authentication"], "an agent asks for no login when one has succeeded";
    AUTH_WAYS: "auth-ways", Should, AGENT, ["authentication#advertising-authentication"], "an agent that demands authentication offers a way";

    // Sessions.
    NEW_ID: "session-id", Must, AGENT, ["session-setup#creating-a-session"], "a new session has an id of its own";
    SESSION: "session-known", Must, AGENT, ["session-setup#session-id"], "an agent speaks of sessions that were opened, and not closed or deleted since";
    NO_SESSION: "session-unknown", Should, AGENT, [1: "schema#errorcode", 2: "error#unknown-sessions"], "a request for a session that is not there is refused with the code -32002";
    ERROR_DATA: "error-data", Must, AGENT, [2: "error#unknown-sessions"], "the error -32002 about a session has its id as data";
    REPLAYED: "load-replays", Must, AGENT, [1: "session-setup#loading-a-session", 2: "session-setup#resuming-sessions"], "a session that is loaded, or resumed from its start, replays its conversation before the answer";
    RESUME: "resume-silent", Must, AGENT, ["session-setup#resuming-sessions"], "a session that is resumed does not send its history, unless a client of version 2 asks for it";
    RESUME_STATE: "resume-state", Must, AGENT, [2: "session-setup#current-state-synchronization"], "a session that is resumed sends its state after what it replays, and before the answer";
    REPLAY_IDS: "replay-ids", Must, AGENT, [2: "prompt-lifecycle#2-prompt-accepted"], "a user message that is replayed keeps its id";
    CLOSE: "close-cancels", Must, AGENT, ["session-setup#closing-active-sessions"], "closing a session ends its turn as cancelled";
    CLOSE_AGAIN: "close-again", Should, AGENT, [2: "session-setup#closing-active-sessions"], "closing a session that is not active succeeds";
    LISTED: "list-filter", Must, AGENT, ["session-list#listing-sessions"], "a list for a folder has sessions of this folder only";
    LIST_IDS: "list-ids", Must, AGENT, ["session-list#listing-sessions"], "a list has each session once";
    CURSOR_REFUSED: "list-cursor-refused", Should, AGENT, ["session-list#pagination"], "a cursor that the agent has not given is refused";
    UNLISTED: "delete-unlists", Must, AGENT, ["session-delete"], "a list has no session that was deleted";
    DELETE_AGAIN: "delete-again", Should, AGENT, ["session-delete"], "deleting a session that is deleted already succeeds";
    CURSOR: "list-cursor", Must, CLIENT, ["session-list#pagination"], "a client asks for the next page with the cursor that it was given";

    // Turns.
    IN_TURN: "updates-in-turn", Note, AGENT, [1: "prompt-turn#4-check-for-completion"], "the updates of a turn come before its answer; messages, tool calls and plans at other times are allowed, but they may be late ones";
    ONE_TURN: "one-turn", Should, CLIENT, [1: "prompt-turn#6-continue-conversation"], "a client begins a turn when the one before has ended, unless the agent takes prompts during a turn";
    CANCELLED: "cancel-outcome", Must, AGENT, [1: "prompt-turn#cancellation", 2: "prompt-lifecycle#cancellation"], "a cancelled turn ends with the stop reason `cancelled`, not with another one or an error";
    NOT_CANCELLED: "cancel-asked", Must, AGENT, [1: "prompt-turn#cancellation", 2: "prompt-lifecycle#stop-reasons"], "a turn that nobody cancelled does not end with `cancelled`";
    CANCEL_PERMISSION: "cancel-permissions", Must, CLIENT, [1: "prompt-turn#cancellation"], "a client that cancels a turn answers its open permission requests with `cancelled`";
    COMPACTION: "compaction-order", Must, AGENT, [1: "schema#sessionupdate"], "a compaction has an id of its own, begins with `in_progress`, and ends once";

    // Turns of version 2: prompts, and the work in the foreground.
    WORK: "work-running", Must, AGENT, [2: "prompt-lifecycle#session-states"], "work in the foreground stands between `running`, or `requires_action`, and `idle`";
    IN_WORK: "updates-in-work", Note, AGENT, [2: "prompt-lifecycle#session-states"], "messages, new tool calls and plans come between `running` and `idle`; background work may send them at other times, but they may be late ones";
    ACTION: "requires-action", Must, AGENT, [2: "prompt-lifecycle#session-states"], "`requires_action` is followed by `running` when the work goes on, or by `idle`";
    STOP_REASON: "stop-reason", Should, AGENT, [2: "prompt-lifecycle#4-report-completion"], "an `idle` that ends work has a stop reason";
    ECHO: "prompt-message", Must, AGENT, [2: "prompt-lifecycle#2-prompt-accepted"], "a prompt that was inserted is sent as a user message, with the id of the prompt's answer";
    ECHO_ONCE: "prompt-message-once", Note, AGENT, [2: "prompt-lifecycle#message-ids"], "the user message of a prompt is sent once; another one with its content replaces the first";
    MESSAGE_ID: "message-ids", Must, AGENT, [2: "prompt-lifecycle#message-ids"], "each prompt has a message id that no other user message of the session has";
    PROMPT_ORDER: "prompt-order", Should, AGENT, [2: "prompt-lifecycle#2-prompt-accepted"], "prompts of a session are inserted in the order of their arrival";
    HELD: "cancel-prompts", Must, AGENT, [2: "prompt-lifecycle#cancellation"], "a prompt that was not inserted before its session was cancelled or closed is answered with the code -32800";
    WITHDRAWN: "cancel-withdraws", Should, AGENT, [2: "prompt-lifecycle#cancellation"], "an agent whose work is cancelled withdraws its open permission requests and elicitations with `$/cancel_request`";
    PERMISSION_WITHDRAWN: "permission-withdrawn", Should, CLIENT, [2: "prompt-lifecycle#cancellation"], "a client answers a permission request that the agent withdrew with `cancelled`";

    // Background work.
    BACKGROUND_ALWAYS: "background-always", Must, AGENT, [2: "prompt-lifecycle#background-work"], "an agent that reports background work reports it in every `state_update` of the session";
    BACKGROUND_ONCE: "background-once", Must, AGENT, [2: "prompt-lifecycle#background-work"], "a piece of background work is listed once";
    BACKGROUND_ANNOUNCED: "background-announced", Must, AGENT, [2: "prompt-lifecycle#background-work"], "a tool call or a terminal is reported before a list of background work names it";
    BACKGROUND_FINAL: "background-final", Must, AGENT, [2: "prompt-lifecycle#background-work"], "a tool call has its final status, and a terminal its exit status, before a list of background work leaves it out";
    BACKGROUND_AGAIN: "background-again", Must, AGENT, [2: "prompt-lifecycle#background-work"], "background work that has ended, or that a list has left out, is not listed again";

    // Tool calls.
    CALL_FIRST: "tool-call-first", Must, AGENT, [1: "tool-calls#creating"], "a tool call is reported before it is updated";
    CALL_ID: "tool-call-id", Must, AGENT, [1: "tool-calls#creating"], "a tool call has an id that the session has not had";
    CALL_ENDED: "tool-call-ended", Should, AGENT, ["tool-calls#status"], "a tool call that completed, failed or was cancelled stays so";
    CALL_OPEN: "tool-call-open", Should, AGENT, [1: "tool-calls#status"], "a turn that was not cancelled ends with its tool calls completed or failed";
    CANCEL_OFFERED: "cancel-offered", Must, CLIENT, [2: "tool-calls#cancelling-tool-calls"], "a client cancels a tool call or a terminal only while it advertises `capabilities.cancel`";
    CANCEL_REFUSED: "cancel-refused", Must, AGENT, [2: "tool-calls#cancelling-tool-calls"], "cancelling a tool call or a terminal that is unknown, has ended or cannot be cancelled fails with the code -32602";
    CANCEL_LEFT: "cancel-left", Should, AGENT, [2: "tool-calls#cancelling-tool-calls"], "a tool call or a terminal that has ended does not advertise `capabilities.cancel` any more";
    TERMINAL_ENDED: "terminal-ended", Must, AGENT, [2: "tool-calls#display-only-terminals"], "a terminal that has exited stays so, and its id is not used again";

    // The agent's requests to the client.
    CHOICES: "permission-options", Must, AGENT, ["tool-calls#requesting-permission"], "a permission request has options, whose ids differ";
    ASKED_FIRST: "permission-tool-call", Note, AGENT, [1: "tool-calls#requesting-permission"], "a tool call is reported before permission for it is asked; a call that begins later, or never, is allowed, but a client may know too little of it to show";
    ASKED_LATE: "permission-in-time", Should, AGENT, ["tool-calls#requesting-permission"], "permission is asked for a tool call that has not ended";
    ASKED_BESIDE: "permission-in-turn", Note, AGENT, [1: "tool-calls#requesting-permission"], "permission is asked in a turn; at other times it is allowed, but a client may show it late";
    CHOSEN: "permission-outcome", Must, CLIENT, ["tool-calls#permission-options"], "a client selects an option that was offered";
    TERMINAL: "terminal-known", Must, AGENT, [1: "terminals"], "an agent names terminals that were created in the session, and not released since";
    RELEASED: "terminal-released", Must, AGENT, [1: "terminals#releasing-terminals"], "an agent releases the terminals that it created";
    ELICITATION: "elicitation-ids", Must, AGENT, ["elicitation#url-completion"], "an elicitation by URL has an id of its own, and only such an id is completed";

    // Commands, options and modes.
    COMMANDS: "command-names", Should, AGENT, ["slash-commands"], "the names of slash commands differ";
    OPTION_IDS: "option-ids", Must, AGENT, ["session-config-options#configoption"], "the ids of options differ";
    OPTION_VALUES: "option-values", Must, AGENT, ["session-config-options#configoptionvalue"], "the values of an option differ, and the current one is among them";
    OPTION_GONE: "option-list", Note, AGENT, ["session-config-options#from-the-agent"], "a list of options is complete: an option that it leaves out is gone";
    OPTION_ALL: "option-complete", Must, AGENT, ["session-config-options#from-the-client"], "the answer to a set has all options: one that sets the value that is there leaves none out";
    OPTION_SET: "option-set", Should, AGENT, ["session-config-options#from-the-client"], "the answer to a set shows the value that was set";
    OPTION_REFUSED: "option-refused", Should, AGENT, [1: "session-config-options#from-the-client"], "an option or a value that is not offered is refused with the code -32602, or the answer adds the value to the list";
    OPTION_INVALID: "option-invalid", Must, AGENT, [2: "session-config-options#setting-a-config-option"], "an option or a value that is not offered is refused with the code -32602, and nothing changes";
    OPTION_OFFERED: "option-offered", Must, CLIENT, ["session-config-options#from-the-client"], "a client sets an option to a value that it offers";
    MODES: "mode-offered", Must, AGENT, [1: "session-modes#initial-state"], "the ids of modes differ, and the current one is among them";
    MODE_REFUSED: "mode-refused", Should, AGENT, [1: "session-modes#from-the-client"], "a mode that is not offered is refused with the code -32602";
    MODE_SET: "mode-known", Must, CLIENT, [1: "session-modes#from-the-client"], "a client sets a mode that is offered";
    IN_STEP: "modes-in-step", Should, AGENT, [1: "session-config-options#relationship-to-session-modes"], "modes and the option of the category `mode` show the same, at the latest with the answer or at the end of the turn";

    // The end.
    ENDS: "ends-with-input", Should, AGENT, ["transports#stdio"], "an agent ends within two seconds of its input";
}

/// The rule with this id.
///
/// ```
/// use acp_judge::{Level, rule};
///
/// assert_eq!(rule("message-lines").map(|rule| rule.level), Some(Level::Must));
/// assert!(rule("no-such-rule").is_none());
/// ```
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id).copied()
}
