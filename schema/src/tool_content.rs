//! The usual contents of a tool call, as its type: texts, and terminals by their id. The same of its locations: paths.

use std::path::{Path, PathBuf};

use crate::v1::{ContentBlock, Terminal, TerminalId, ToolCallContent, ToolCallLocation};

impl From<&str> for ToolCallContent {
    fn from(text: &str) -> Self {
        ContentBlock::from(text).into()
    }
}

impl From<String> for ToolCallContent {
    fn from(text: String) -> Self {
        ContentBlock::from(text).into()
    }
}

impl From<TerminalId> for ToolCallContent {
    fn from(id: TerminalId) -> Self {
        Terminal::new(id).into()
    }
}

macro_rules! locations {
    ($($path:ty),+) => {
        $(impl From<$path> for ToolCallLocation {
            fn from(path: $path) -> Self {
                Self::new(path)
            }
        })+
    };
}

locations!(&str, String, &Path, PathBuf);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::Diff;

    #[test]
    fn the_usual_contents_convert() {
        let contents: [ToolCallContent; 5] = [
            "text".into(),
            "text".to_owned().into(),
            ContentBlock::from("text").into(),
            Diff::new("/a", "b").into(),
            TerminalId::from("t").into(),
        ];
        let told = contents.map(|content| serde_json::to_value(content).unwrap());
        let text = serde_json::json!({ "type": "content", "content": { "type": "text", "text": "text" } });
        assert_eq!(told[..3], [text.clone(), text.clone(), text]);
        assert_eq!(told[3], serde_json::json!({ "type": "diff", "path": "/a", "newText": "b" }));
        assert_eq!(told[4], serde_json::json!({ "type": "terminal", "terminalId": "t" }));
    }
}
