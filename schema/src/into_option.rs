//! The arguments of setters: a value, an `Option` of a value, or a value that converts into one of these.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The argument of an optional field's setter: the value itself, or an `Option` of it.
///
/// ```
/// use acp_runtime::schema::v1::Implementation;
///
/// let set = Implementation::new("coder", "1.0").title("Coder");
/// assert_eq!(set.title.as_deref(), Some("Coder"));
/// assert_eq!(set.title(None).title, None);
/// ```
pub trait IntoOption<T> {
    /// The value for the field.
    fn into_option(self) -> Option<T>;
}

impl<T> IntoOption<T> for Option<T> {
    fn into_option(self) -> Self {
        self
    }
}

impl<T> IntoOption<T> for T {
    fn into_option(self) -> Option<T> {
        Some(self)
    }
}

impl IntoOption<String> for &str {
    fn into_option(self) -> Option<String> {
        Some(self.to_owned())
    }
}

impl IntoOption<String> for &String {
    fn into_option(self) -> Option<String> {
        Some(self.clone())
    }
}

impl IntoOption<PathBuf> for &str {
    fn into_option(self) -> Option<PathBuf> {
        Some(self.into())
    }
}

impl IntoOption<PathBuf> for String {
    fn into_option(self) -> Option<PathBuf> {
        Some(self.into())
    }
}

impl IntoOption<PathBuf> for &Path {
    fn into_option(self) -> Option<PathBuf> {
        Some(self.to_owned())
    }
}

impl IntoOption<PathBuf> for &PathBuf {
    fn into_option(self) -> Option<PathBuf> {
        Some(self.clone())
    }
}

impl IntoOption<Value> for &str {
    fn into_option(self) -> Option<Value> {
        Some(self.into())
    }
}

impl IntoOption<Value> for String {
    fn into_option(self) -> Option<Value> {
        Some(self.into())
    }
}
