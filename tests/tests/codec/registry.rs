//! For every definition, our type and the reference's.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Case, Outcome};

mod reference {
    pub(super) use agent_client_protocol_schema::ProtocolVersion;
    pub(super) use agent_client_protocol_schema::v1::*;
}

/// The two codecs of a definition.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    ours: fn(&Value) -> Outcome,
    theirs: fn(&Value) -> Outcome,
}

impl Pair {
    pub(super) fn case(self, definition: &str, origin: &'static str, input: Value) -> Case {
        let (ours, theirs) = ((self.ours)(&input), (self.theirs)(&input));
        Case { definition: definition.to_owned(), origin, input, ours, theirs }
    }
}

/// Decodes from text, as from the wire, and encodes again.
fn through<T: Serialize + DeserializeOwned>(input: &Value) -> Outcome {
    let value: T = serde_json::from_str(&input.to_string()).map_err(|error| error.to_string())?;
    serde_json::to_value(value).map_err(|error| error.to_string())
}

/// Ours is read from text and from a `Value`, which take different paths through the lenient readers and the unions.
fn ours<T: Serialize + DeserializeOwned>(input: &Value) -> Outcome {
    let from_text = through::<T>(input);
    let from_value = serde_json::from_value::<T>(input.clone()).map(|value| serde_json::to_value(value).unwrap());
    match (&from_text, &from_value) {
        (Ok(text), Ok(value)) => assert_eq!(text, value, "text and value differ for {input}"),
        (Err(_), Err(_)) => {}
        _ => panic!("text gives {from_text:?}, a value {from_value:?} for {input}"),
    }
    from_text
}

macro_rules! registry {
    ($($name:ident,)*) => {
        BTreeMap::from([$((
            stringify!($name),
            Pair { ours: ours::<acp_runtime::schema::v1::$name>, theirs: through::<reference::$name> },
        ),)*])
    };
}

/// All definitions of version 1 but the envelopes. The codec test fails when one is missing.
pub(super) fn v1() -> BTreeMap<&'static str, Pair> {
    registry![
        AgentAuthCapabilities,
        AgentCapabilities,
        Annotations,
        AudioContent,
        AuthCapabilities,
        AuthMethod,
        AuthMethodAgent,
        AuthMethodId,
        AuthMethodTerminal,
        AuthenticateRequest,
        AuthenticateResponse,
        AvailableCommand,
        AvailableCommandInput,
        AvailableCommandsUpdate,
        BlobResourceContents,
        BooleanConfigOptionCapabilities,
        BooleanPropertySchema,
        CancelNotification,
        CancelRequestNotification,
        ClientCapabilities,
        ClientSessionCapabilities,
        CloseSessionRequest,
        CloseSessionResponse,
        CompactionCapabilities,
        CompactionId,
        CompactionStatus,
        CompactionSummaryChunk,
        CompactionUpdate,
        CompleteElicitationNotification,
        ConfigOptionUpdate,
        Content,
        ContentBlock,
        ContentChunk,
        Cost,
        CreateElicitationRequest,
        CreateElicitationResponse,
        CreateTerminalRequest,
        CreateTerminalResponse,
        CurrentModeUpdate,
        DeleteSessionRequest,
        DeleteSessionResponse,
        Diff,
        ElicitationAcceptAction,
        ElicitationCapabilities,
        ElicitationContentValue,
        ElicitationFormCapabilities,
        ElicitationFormMode,
        ElicitationId,
        ElicitationPropertySchema,
        ElicitationRequestScope,
        ElicitationSchema,
        ElicitationSchemaType,
        ElicitationSessionScope,
        ElicitationUrlCapabilities,
        ElicitationUrlMode,
        EmbeddedResource,
        EmbeddedResourceResource,
        EnumOption,
        EnvVariable,
        Error,
        ErrorCode,
        ExtNotification,
        ExtRequest,
        ExtResponse,
        FileSystemCapabilities,
        HttpHeader,
        ImageContent,
        Implementation,
        InitializeRequest,
        InitializeResponse,
        IntegerPropertySchema,
        KillTerminalRequest,
        KillTerminalResponse,
        ListSessionsRequest,
        ListSessionsResponse,
        LoadSessionRequest,
        LoadSessionResponse,
        LogoutCapabilities,
        LogoutRequest,
        LogoutResponse,
        McpCapabilities,
        McpServer,
        McpServerHttp,
        McpServerSse,
        McpServerStdio,
        MessageId,
        MultiSelectItems,
        MultiSelectPropertySchema,
        NewSessionRequest,
        NewSessionResponse,
        Notice,
        NoticeCapabilities,
        NoticeSeverity,
        NumberPropertySchema,
        PermissionOption,
        PermissionOptionId,
        PermissionOptionKind,
        Plan,
        PlanEntry,
        PlanEntryPriority,
        PlanEntryStatus,
        PromptCapabilities,
        PromptRequest,
        PromptResponse,
        ProtocolVersion,
        ReadTextFileRequest,
        ReadTextFileResponse,
        ReleaseTerminalRequest,
        ReleaseTerminalResponse,
        RequestId,
        RequestPermissionOutcome,
        RequestPermissionRequest,
        RequestPermissionResponse,
        ResourceLink,
        ResumeSessionRequest,
        ResumeSessionResponse,
        Role,
        SelectedPermissionOutcome,
        SessionAdditionalDirectoriesCapabilities,
        SessionCapabilities,
        SessionCloseCapabilities,
        SessionConfigBoolean,
        SessionConfigGroupId,
        SessionConfigId,
        SessionConfigOption,
        SessionConfigOptionCategory,
        SessionConfigOptionsCapabilities,
        SessionConfigSelect,
        SessionConfigSelectGroup,
        SessionConfigSelectOption,
        SessionConfigSelectOptions,
        SessionConfigValueId,
        SessionDeleteCapabilities,
        SessionId,
        SessionInfo,
        SessionInfoUpdate,
        SessionListCapabilities,
        SessionMode,
        SessionModeId,
        SessionModeState,
        SessionNotification,
        SessionResumeCapabilities,
        SessionUpdate,
        SetSessionConfigOptionRequest,
        SetSessionConfigOptionResponse,
        SetSessionModeRequest,
        SetSessionModeResponse,
        StopReason,
        StringFormat,
        StringMultiSelectItems,
        StringPropertySchema,
        Terminal,
        TerminalExitStatus,
        TerminalId,
        TerminalOutputRequest,
        TerminalOutputResponse,
        TextContent,
        TextResourceContents,
        TitledMultiSelectItems,
        ToolCall,
        ToolCallContent,
        ToolCallId,
        ToolCallLocation,
        ToolCallStatus,
        ToolCallUpdate,
        ToolKind,
        UnstructuredCommandInput,
        UsageUpdate,
        WaitForTerminalExitRequest,
        WaitForTerminalExitResponse,
        WriteTextFileRequest,
        WriteTextFileResponse,
    ]
}
