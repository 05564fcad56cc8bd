"""Agentao's own client drives the agent: `drive.py AGENT CWD`. It prints `ok` at the end."""

import sys
import threading
import time

from agentao.acp_client.manager import ACPManager
from agentao.acp_client.models import AcpClientConfig, AcpServerConfig

agent, cwd = sys.argv[1:3]
told = []
server = AcpServerConfig(command=agent, args=["--compat", "agentao"], env={"HOME": cwd, "OPENAI_API_KEY": "none"}, cwd=cwd)
manager = ACPManager(AcpClientConfig(servers={"it": server}), notification_callback=lambda *seen: told.append(seen))


def within(what, condition):
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def updates(kind):
    return [params["update"] for _, _, params in told if params.get("update", {}).get("sessionUpdate") == kind]


def pending():
    return manager.interactions.list_pending("it")


def turn(text):
    """Prompts in a thread, so that this one can answer questions. Returns a function that waits for the end."""
    told.clear()
    ended = []
    thread = threading.Thread(target=lambda: ended.append(manager.send_prompt("it", text, timeout=60)))
    thread.start()

    def end():
        thread.join(60)
        assert ended, "the turn has an end"
        return ended[0]["stopReason"]

    return end


# Connect.
client = manager.connect_server("it", cwd=cwd)
info = client.connection_info
assert info.agent_info["name"] == "agentao" and info.agent_capabilities["loadSession"], info
assert info.session_id, info

# Prompt.
assert turn("Hello")() == "end_turn"
text = "".join(update["content"]["text"] for update in updates("agent_message_chunk"))
assert text == "Hello. Grüße 🦀.", text

# Permission: rejected, allowed, and not asked any more.
for allow in (False, True):
    end = turn("run a command")
    within("a question", pending)
    [question] = pending()
    assert question.kind.value == "permission", question
    decided = manager.approve_interaction("it", question.request_id, always=True) if allow else manager.reject_interaction("it", question.request_id)
    assert decided and end() == "end_turn"
    statuses = [update.get("status") for update in updates("tool_call_update")]
    assert statuses[-1] == ("completed" if allow else "failed"), statuses
assert turn("run a command")() == "end_turn" and not pending()

# A question.
end = turn("ask me")
within("a question", pending)
[question] = pending()
assert question.kind.value == "input" and question.details["question"] == "Which colour?", question
assert manager.reply_interaction("it", question.request_id, "blue") and end() == "end_turn"
assert updates("tool_call_update")[-1]["content"][0]["content"]["text"] == "blue"

# Cancel.
end = turn("be slow")
within("a text", lambda: updates("agent_message_chunk"))
manager.cancel_turn("it")
assert end() == "cancelled"

# Switch the model, and the mode.
session = {"sessionId": info.session_id}
for value, shown in (("openai/gpt-4o", "openai/gpt-4o"), ("bare", "openai/bare")):
    answer = client.call("session/set_config_option", {**session, "configId": "model", "value": value})
    assert answer["configOptions"][0]["currentValue"] == shown, answer
assert client.call("_agentao.cn/set_model", {**session, "model": "other"}) == {"model": "other"}
assert client.call("session/set_mode", {**session, "modeId": "code"}) == {"modeId": "code"}
assert turn("Hello")() == "end_turn"

manager.stop_all()
print("ok")
