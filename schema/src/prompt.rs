//! The text of a prompt.

use crate::v1::{ContentBlock, PromptRequest};

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
        let texts = self.prompt.iter().filter_map(|block| match block {
            ContentBlock::Text(text) => Some(text.text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}
