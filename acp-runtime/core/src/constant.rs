//! Texts compared while an author's crate compiles, where no trait can be called.

/// Whether the names contain this one.
pub const fn contains(names: &[&str], name: &str) -> bool {
    let mut i = 0;
    while i < names.len() {
        if same(names[i], name) {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether both texts are equal.
pub(crate) const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut i = 0;
    while i < one.len() {
        if one[i] != other[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_whole() {
        assert!(contains(&["session/new", "session/prompt"], "session/prompt"));
        assert!(!contains(&["session/new"], "session/ne"));
        assert!(!contains(&[], ""));
    }
}
