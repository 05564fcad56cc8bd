//! What the model does: a word of the prompt says it.

use super::{
    arguments,
    form::{Asked, Call, MARK},
};

/// What the model does next.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// Says this.
    Says(&'static [&'static str]),
    Calls(Call),
    /// Repeats itself until nobody listens.
    Endless,
    /// Says nothing at all.
    Silent,
    /// The connection breaks in the middle of the answer.
    Breaks,
    /// The server fails with this status.
    Fails(u16),
}

/// A command that changes something in the folder of the check: agents ask for permission.
const SHORT: &str = "touch acp-check.tmp";
/// A command without an end. Some agents refuse `sleep`.
const LONG: &str = "tail -f /dev/null";

const TEXT: Step = Step::Says(&["This ", "is a scripted ", "answer: ", "Gr\u{fc}\u{df}e ", "\u{1f980}."]);
const DONE: Step = Step::Says(&["That ", "was it."]);
const NO_TOOL: Step = Step::Says(&["There is ", "no such tool."]);

/// The step that a request asks for.
pub(super) fn step(asked: &Asked) -> Step {
    if asked.has_result {
        return DONE;
    }
    let Some((_, rest)) = asked.said.rsplit_once(MARK) else { return TEXT };
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
    let (word, rest) = rest.split_at(end);
    let called = |call: Option<Call>| call.map_or(NO_TOOL, Step::Calls);
    match word {
        "tool" => called(arguments::command(&asked.tools, SHORT)),
        "long-tool" => called(arguments::command(&asked.tools, LONG)),
        "read" => called(arguments::reading(&asked.tools)),
        "call" => called(named(rest)),
        "unknown-tool" => {
            Step::Calls(Call { name: "acp_check_has_no_such_tool".to_owned(), arguments: "{}".to_owned() })
        }
        "bad-arguments" => called(
            arguments::command(&asked.tools, "echo")
                .map(|call| Call { arguments: "{\"command\": ".to_owned(), ..call }),
        ),
        "endless" => Step::Endless,
        "silent" => Step::Silent,
        "breaks" => Step::Breaks,
        "429" => Step::Fails(429),
        "500" => Step::Fails(500),
        _ => TEXT,
    }
}

/// A call in the words of the prompt: `NAME {"argument": 1}`.
fn named(rest: &str) -> Option<Call> {
    let (name, rest) = rest.trim_start().split_once(char::is_whitespace)?;
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<serde_json::Value>();
    let arguments = values.next()?.ok()?;
    Some(Call { name: name.to_owned(), arguments: arguments.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_of_the_prompt_decides_until_a_tool_has_answered() {
        let asked = |said: &str| Asked { said: said.to_owned(), ..Asked::default() };
        assert_eq!(step(&asked("hello")), TEXT);
        assert_eq!(step(&asked("model:endless\n<reminder>model:429, please</reminder>")), Step::Fails(429));
        assert_eq!(step(&asked("model:tool")), NO_TOOL);
        let call = Call { name: "write".to_owned(), arguments: "{\"a\":[1]}".to_owned() };
        assert_eq!(step(&asked("model:call write {\"a\": [1]} and more")), Step::Calls(call));
        assert_eq!(step(&Asked { has_result: true, ..asked("model:endless") }), DONE);
    }
}
