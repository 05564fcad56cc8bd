//! The documentation of drafts.

/// A description with the remark that the stable protocol lacks this part. If the description already tells this, it is
/// unchanged.
pub(crate) fn remark(text: Option<&str>) -> String {
    let text = text.unwrap_or_default();
    if is_remarked(text) {
        return text.to_owned();
    }
    let text =
        format!("{text}\n\n**Draft**: the stable protocol does not have this part yet. It may change or be removed.");
    text.trim().to_owned()
}

/// Whether a description tells that the part is a draft.
pub(crate) fn is_remarked(text: &str) -> bool {
    text.contains("**UNSTABLE**") || text.contains("**Draft**")
}
