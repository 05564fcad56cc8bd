//! Valid traffic of version 2.

use crate::traffic::Corpus;

/// Version 2.
pub(crate) const VERSION_2: Corpus = Corpus {
    opening: concat!(
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":2,"info":{"name":"c","version":"1"},"capabilities":{}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":1,"method":"session/resume","params":{"sessionId":"stored","cwd":"/","mcpServers":[],"replayFrom":{"type":"start"}}}"#,
        "\n"
    ),
    messages: &[
        r#"{"jsonrpc":"2.0","id":@,"method":"initialize","params":{"protocolVersion":2,"capabilities":{"auth":{"terminal":{}},"elicitation":{"form":{},"url":{}}},"info":{"name":"~","version":"1","title":"~"}}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"session/new","params":{"cwd":"/tmp/~","mcpServers":[{"type":"stdio","name":"~","command":"/bin/x","args":["~"],"env":[{"name":"A","value":"~"}]},{"type":"http","name":"h","url":"https://~","headers":[]}],"additionalDirectories":["/a"]}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"session/new","params":{"cwd":"/","mcpServers":[{"type":"stdio","name":"n","command":"/bin/x"},{"type":"_~","a":["~"]}]}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"session/resume","params":{"sessionId":"stored","cwd":"/~","replayFrom":{"type":"start","_meta":{"a":"~"}}}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"session/resume","params":{"sessionId":"stored","cwd":"/","mcpServers":[],"replayFrom":null,"_meta":{"~":[1,2.5,{"a":null}]}}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"session/resume","params":{"sessionId":"stored","cwd":"/","replayFrom":{"type":"_~"}}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"session/list","params":{"cwd":"/","cursor":"~"}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"session/list","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"session/prompt","params":{"sessionId":"stored","prompt":[{"type":"text","text":"~ \u00fc\ud83d\ude00\\\""},{"type":"resource_link","uri":"file:///~","name":"~"}]}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"session/prompt","params":{"sessionId":"stored","prompt":[{"type":"image","data":"~","mimeType":"image/png"},{"type":"resource","resource":{"uri":"file:///a","text":"~"}}]}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"session/prompt","params":{"sessionId":"stored","prompt":[ ]}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"session/set_config_option","params":{"sessionId":"stored","configId":"talk","type":"boolean","value":true}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"session/set_config_option","params":{"sessionId":"stored","configId":"style","type":"id","value":"fancy","more":"~"}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"session/set_config_option","params":{"sessionId":"stored","configId":"~","type":"_~","value":{"a":["~"]}}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"auth/login","params":{"methodId":"key"}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"auth/logout","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"session/delete","params":{"sessionId":"~"}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"session/close","params":{"sessionId":"~"}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"tool_call/cancel","params":{"sessionId":"stored","toolCallId":"~"}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"terminal/cancel","params":{"sessionId":"stored","terminalId":"~"}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"session/load","params":{"sessionId":"stored","cwd":"/~","mcpServers":[]}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"_fuzz.dev/echo","params":{"~":[true,false,null,1e5,"~"],"_meta":{"a":{}}}}"#,
        r#"{"jsonrpc":"2.0","id":@,"method":"_unknown","params":[1,"~"]}"#,
        r#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"stored"}}"#,
        r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":5}}"#,
        r#"{"jsonrpc":"2.0","method":"_fuzz.dev/note","params":{"a":"~"}}"#,
        r#"{"jsonrpc":"2.0","method":"$/unknown","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"session/list","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"session/list","params":{"cwd":"/~"}}"#,
        r#"{"jsonrpc":"2.0","id":3,"result":{"outcome":{"outcome":"selected","optionId":"allow"}}}"#,
        r#"{"jsonrpc":"2.0","id":"3","error":{"code":-32603,"message":"~","data":{"a":"~"}}}"#,
        "",
        "\r",
    ],
};
