//! What documentation says of drafts.

/// A description with the remark that the stable protocol does not have the thing, unless it says so already.
pub(crate) fn remark(text: Option<&str>) -> String {
    let text = text.unwrap_or_default();
    if is_remarked(text) {
        return text.to_owned();
    }
    let text = format!("{text}\n\n**Draft**: the stable protocol does not have this yet; it may change, or go.");
    text.trim().to_owned()
}

/// Whether a description says that the thing is a draft.
pub(crate) fn is_remarked(text: &str) -> bool {
    text.contains("**UNSTABLE**") || text.contains("**Draft**")
}
