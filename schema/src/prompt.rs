//! The text of a prompt and of other blocks, the title that a prompt gives to its session, and the slash command that it calls.

use crate::v1::{ContentBlock, PromptRequest};

impl ContentBlock {
    /// The text of a text block; `None` of any other block.
    ///
    /// See [Text content](https://agentclientprotocol.com/protocol/v1/content#text-content).
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// assert_eq!(ContentBlock::from("Hello").as_text(), Some("Hello"));
    /// ```
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(&text.text),
            _ => None,
        }
    }

    /// The text of some blocks: their text blocks, one below the other, as [`PromptRequest::text`]. It is for blocks outside of a
    /// prompt, such as those of a message or of a method of your own.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// let blocks = vec![ContentBlock::from("Hello"), ContentBlock::from("there")];
    /// assert_eq!(ContentBlock::text_of(&blocks), "Hello\nthere");
    /// ```
    #[must_use]
    pub fn text_of(blocks: &[Self]) -> String {
        blocks.iter().filter_map(Self::as_text).collect::<Vec<_>>().join("\n")
    }

    /// The slash command that some blocks call, and the trimmed text behind its name, as [`PromptRequest::command`].
    ///
    /// See [Slash commands](https://agentclientprotocol.com/protocol/v1/slash-commands).
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// assert_eq!(ContentBlock::command_of(&["/fix the build".into()]), Some(("fix", "the build")));
    /// ```
    #[must_use]
    pub fn command_of(blocks: &[Self]) -> Option<(&str, &str)> {
        command_in(blocks.first()?.as_text()?)
    }
}

impl PromptRequest {
    /// The text of the prompt: its text blocks, one below the other. Links and embedded content are left out.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// let request = PromptRequest::new("s1", vec![ContentBlock::from("Hello"), ContentBlock::from("there")]);
    /// assert_eq!(request.text(), "Hello\nthere");
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        ContentBlock::text_of(&self.prompt)
    }

    /// A title for the session that begins with this prompt: the first line that is not blank, and of a longer line the first 60
    /// characters with `…` behind them. `None` if the prompt has no text.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// let request = PromptRequest::new("s1", vec![ContentBlock::from("\nFix the build\n\nIt fails on CI.")]);
    /// assert_eq!(request.title().as_deref(), Some("Fix the build"));
    /// ```
    #[must_use]
    pub fn title(&self) -> Option<String> {
        title_in(&self.prompt)
    }

    /// The slash command that the prompt calls, and the trimmed text behind its name: `Some(("fix", "the build"))` for
    /// `/fix the build`. `None` if the first block is not a text that begins with `/` and a name.
    ///
    /// A command is a normal prompt, so only the agent knows which names are commands. A name has no slash: a path such as
    /// `/usr/bin` calls none.
    ///
    /// See [Slash commands](https://agentclientprotocol.com/protocol/v1/slash-commands).
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// let request = PromptRequest::new("s1", vec![ContentBlock::from("/fix the build")]);
    /// assert_eq!(request.command(), Some(("fix", "the build")));
    /// assert_eq!(PromptRequest::new("s1", vec![ContentBlock::from("/usr/bin is full")]).command(), None);
    /// ```
    #[must_use]
    pub fn command(&self) -> Option<(&str, &str)> {
        ContentBlock::command_of(&self.prompt)
    }
}

/// As [`PromptRequest::command`], of the text of the first block.
#[must_use]
pub fn command_in(text: &str) -> Option<(&str, &str)> {
    let called = text.strip_prefix('/')?;
    let (name, rest) = called.split_once(char::is_whitespace).unwrap_or((called, ""));
    (!name.is_empty() && !name.contains('/')).then(|| (name, rest.trim()))
}

/// The longest title that is made of a prompt, in characters.
const TITLE: usize = 60;

/// As [`PromptRequest::title`], of the blocks of the prompt.
#[must_use]
pub fn title_in(prompt: &[ContentBlock]) -> Option<String> {
    let is_shown = |sign: char| !sign.is_control() && !sign.is_whitespace();
    let texts = prompt.iter().filter_map(ContentBlock::as_text);
    let mut lines = texts.filter_map(|text| text.lines().find(|line| line.contains(is_shown)));
    // Signs that nobody sees are left out. Some places cannot keep them, such as a NUL in a database.
    let words = lines.next()?.split(char::is_control).map(str::trim).filter(|word| !word.is_empty());
    let (mut title, mut length) = (String::new(), 0);
    for word in words {
        let blank = if length == 0 { "" } else { " " };
        for sign in blank.chars().chain(word.chars()) {
            if length == TITLE {
                title.truncate(title.trim_end().len());
                title.push('…');
                return Some(title);
            }
            title.push(sign);
            length += 1;
        }
    }
    Some(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_begin_of_the_first_line_with_text() {
        let long = "€".repeat(61);
        for (texts, title) in [
            (&["Fix it"][..], Some("Fix it".to_owned())),
            (&["", " \n\tFix it \nnow"], Some("Fix it".to_owned())),
            (&[&long[..180]], Some("€".repeat(60))),
            (&[&long], Some(format!("{}…", "€".repeat(60)))),
            (&[], None),
            (&[" \n"], None),
            (&["\0\u{1b}\n", "a\0b\tc \u{7f} d\0"], Some("a b c d".to_owned())),
            (&[&format!("{}\0\0", "€".repeat(60))], Some("€".repeat(60))),
            (&[&format!("{}\0x", "€".repeat(60))], Some(format!("{}…", "€".repeat(60)))),
        ] {
            let blocks = texts.iter().map(|text| ContentBlock::from(*text)).collect();
            assert_eq!(PromptRequest::new("s", blocks).title(), title, "{texts:?}");
        }
    }

    #[test]
    fn a_command_is_a_name_behind_a_slash_at_the_very_beginning() {
        for (text, command) in [
            ("/fix", Some(("fix", ""))),
            ("/fix  the\tbuild \n", Some(("fix", "the\tbuild"))),
            ("/fix\nthe build", Some(("fix", "the build"))),
            ("/größer", Some(("größer", ""))),
            (" /fix", None),
            ("fix", None),
            ("/", None),
            ("/ fix", None),
            ("//fix", None),
            ("/usr/bin", None),
            ("/fix/ it", None),
            ("", None),
        ] {
            assert_eq!(command_in(text), command, "{text:?}");
        }
    }

    #[test]
    fn only_the_first_block_calls_a_command() {
        let blocks = |texts: &[&str]| texts.iter().map(|text| ContentBlock::from(*text)).collect::<Vec<_>>();
        assert_eq!(PromptRequest::new("s", blocks(&["/fix", "it"])).command(), Some(("fix", "")));
        assert_eq!(PromptRequest::new("s", blocks(&["it", "/fix"])).command(), None);
        assert_eq!(PromptRequest::new("s", blocks(&[])).command(), None);
    }
}
