//! Fields with three states: absent, `null`, and a value.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A field whose absence and whose `null` have different meanings.
///
/// Updates use it: if the field is absent, the current value stays; `null` removes it; a value replaces it.
///
/// ```
/// use acp_runtime::schema::MaybeUndefined;
/// use acp_runtime::schema::v1::SessionInfoUpdate;
///
/// let rename = SessionInfoUpdate::new().title("Fix the build");
/// assert_eq!(serde_json::to_string(&rename)?, r#"{"title":"Fix the build"}"#);
/// let clear = SessionInfoUpdate::new().title(MaybeUndefined::Null);
/// assert_eq!(serde_json::to_string(&clear)?, r#"{"title":null}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum MaybeUndefined<T> {
    /// The field is absent, so the update does not mention it.
    #[default]
    Undefined,
    /// The field is `null`: the update removes the value.
    Null,
    /// The field has a value.
    Value(T),
}

impl<T> MaybeUndefined<T> {
    /// Whether the field is absent.
    #[must_use]
    pub const fn is_undefined(&self) -> bool {
        matches!(self, Self::Undefined)
    }

    /// Whether the field is `null`.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The value, if there is one.
    #[must_use]
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Undefined | Self::Null => None,
        }
    }

    /// The value, if there is one.
    #[must_use]
    pub fn into_value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Undefined | Self::Null => None,
        }
    }

    /// Applies the field to `current`: keeps, clears or replaces it.
    ///
    /// ```
    /// use acp_runtime::schema::MaybeUndefined;
    ///
    /// let mut title = Some("old");
    /// MaybeUndefined::Undefined.update(&mut title);
    /// assert_eq!(title, Some("old"));
    /// MaybeUndefined::Null.update(&mut title);
    /// assert_eq!(title, None);
    /// ```
    pub fn update(self, current: &mut Option<T>) {
        match self {
            Self::Undefined => {}
            Self::Null => *current = None,
            Self::Value(value) => *current = Some(value),
        }
    }
}

/// An absent field must not be written (`skip_serializing_if`). Without this attribute, it is written as `null`.
impl<T: Serialize> Serialize for MaybeUndefined<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => value.serialize(serializer),
            Self::Undefined | Self::Null => serializer.serialize_unit(),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for MaybeUndefined<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Null, Self::Value))
    }
}

/// The argument of the setter of such a field: the value itself, an `Option` of it (`None` means `null`), or the state.
pub trait IntoMaybeUndefined<T> {
    /// The state for the field.
    fn into_maybe_undefined(self) -> MaybeUndefined<T>;
}

impl<T> IntoMaybeUndefined<T> for MaybeUndefined<T> {
    fn into_maybe_undefined(self) -> Self {
        self
    }
}

impl<T> IntoMaybeUndefined<T> for Option<T> {
    fn into_maybe_undefined(self) -> MaybeUndefined<T> {
        self.map_or(MaybeUndefined::Null, MaybeUndefined::Value)
    }
}

impl<T> IntoMaybeUndefined<T> for T {
    fn into_maybe_undefined(self) -> MaybeUndefined<T> {
        MaybeUndefined::Value(self)
    }
}

impl IntoMaybeUndefined<String> for &str {
    fn into_maybe_undefined(self) -> MaybeUndefined<String> {
        MaybeUndefined::Value(self.to_owned())
    }
}
