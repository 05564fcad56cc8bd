//! Texts compared and made while an author's crate compiles, where no trait can be called.

/// A `for` over a slice, in functions that the compiler evaluates. They can use no iterators.
#[macro_export]
macro_rules! each {
    ($item:ident in $list:expr, $body:block) => {
        let mut rest: &[_] = $list;
        while let [$item, others @ ..] = rest {
            rest = others;
            $body
        }
    };
}

/// Whether the names contain this one.
pub const fn contains(names: &[&str], name: &str) -> bool {
    each!(one in names, {
        if same(one, name) {
            return true;
        }
    });
    false
}

/// Whether both texts are equal.
pub const fn same(one: &str, other: &str) -> bool {
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

/// A sentence that is built at compile time. Text beyond its capacity is cut.
pub struct Text {
    bytes: [u8; Self::LONGEST],
    len: usize,
}

impl Text {
    /// The most bytes.
    pub const LONGEST: usize = 256;

    /// An empty sentence.
    pub const EMPTY: Self = Self { bytes: [0; Self::LONGEST], len: 0 };

    /// With one more part.
    pub const fn push(mut self, part: &str) -> Self {
        each!(byte in part.as_bytes(), {
            if self.len < Self::LONGEST {
                self.bytes[self.len] = *byte;
                self.len += 1;
            }
        });
        self
    }

    /// The text.
    pub const fn as_str(&self) -> &str {
        match str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            // The cut has split a character.
            Err(_) => "a name that is too long to be told is used where it cannot be",
        }
    }
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
