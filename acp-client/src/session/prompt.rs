//! The content of a prompt.

use crate::values::ContentBlock;

/// The content of a prompt: a text, or blocks of content.
///
/// ```
/// use acp_client::Prompt;
///
/// let prompt: Prompt = "Explain this file.".into();
/// # let _ = prompt;
/// ```
#[derive(Clone, Debug)]
pub struct Prompt(pub(crate) Vec<ContentBlock>);

impl From<&str> for Prompt {
    fn from(text: &str) -> Self {
        Self(vec![text.into()])
    }
}

impl From<String> for Prompt {
    fn from(text: String) -> Self {
        Self(vec![text.into()])
    }
}

impl From<ContentBlock> for Prompt {
    fn from(block: ContentBlock) -> Self {
        Self(vec![block])
    }
}

impl From<Vec<ContentBlock>> for Prompt {
    fn from(blocks: Vec<ContentBlock>) -> Self {
        Self(blocks)
    }
}
