"""An agent that asks for a permission and a form when a session is open, outside of any turn, and says what was answered."""

import json
import sys

FORM = {"type": "object", "properties": {"branch": {"type": "string", "title": "Branch"}}, "required": ["branch"]}
OPTIONS = [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}, {"optionId": "no", "name": "No", "kind": "reject_once"}]


def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    method, id = message.get("method"), message.get("id")
    if method == "initialize":
        send(id=id, result={"protocolVersion": 1, "agentCapabilities": {}, "authMethods": []})
    elif method == "session/new":
        send(id=id, result={"sessionId": "s"})
        call = {"toolCallId": "c", "title": "Push the branch"}
        send(id="permission", method="session/request_permission", params={"sessionId": "s", "toolCall": call, "options": OPTIONS})
        form = {"sessionId": "s", "mode": "form", "message": "Which branch?", "requestedSchema": FORM}
        send(id="form", method="elicitation/create", params=form)
        send(id="withdrawn", method="elicitation/create", params={**form, "message": "Which remote?"})
        send(method="$/cancel_request", params={"requestId": "withdrawn"})
    elif method is None and id in ("permission", "form"):
        text = f"answered {id}: {json.dumps(message['result'], sort_keys=True)}\n"
        update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        send(method="session/update", params={"sessionId": "s", "update": update})
