//! The data of a session besides its entries.

use std::{collections::BTreeMap, path::PathBuf};

use serde::{Deserialize, Serialize, de::DeserializeOwned, de::IgnoredAny};
use serde_json::Value;

use super::{error::StoreError, time::Timestamp};
use crate::values::SessionConfigId;

/// The data of a session besides its entries. A commit changes some of it: see [`Change`](super::Change).
///
/// ```
/// use acp_store::{Kept, KeptState};
///
/// let mut kept = Kept::new("/home/me/project");
/// kept.title = Some("Six times seven".to_owned());
/// kept.options.insert("brave".into(), true.into());
/// kept.state = Some(KeptState::new(1, &vec!["a note"])?);
/// # Ok::<(), acp_store::StoreError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Kept {
    /// The working directory, absolute. A store may leave out parts without a meaning, such as a `/` at the end.
    pub cwd: PathBuf,
    /// The other folders of the session, absolute and in their order.
    pub additional_directories: Vec<PathBuf>,
    /// The name of the principal whose session it is; `None` if it belongs to nobody in particular. It is given when the session is
    /// created, and never changes.
    pub principal: Option<String>,
    /// The title that users see in the list of sessions.
    pub title: Option<String>,
    /// The time of the session's begin.
    pub created: Timestamp,
    /// The time of the last change, as users see it. The list is sorted by it.
    pub updated: Timestamp,
    /// The options that are in force, by their ids. A later version of the agent takes those that it still offers.
    pub options: BTreeMap<SessionConfigId, KeptOption>,
    /// The user's lasting decisions about tools, by their keys: whether the tool may run. See
    /// `SessionHandle::permissions`.
    pub permissions: BTreeMap<String, bool>,
    /// The author's state, if the agent keeps one.
    pub state: Option<KeptState>,
    /// The mark of a turn that has not ended: the entries from this place on are its entries, which were kept while it ran. The
    /// end of the turn takes the mark away. If nobody has the session, the turn was interrupted: its process is gone.
    /// The options and the state are those before the turn, but for options that the client has set in it.
    pub unended: Option<u64>,
}

impl Kept {
    /// The data of a session that begins now.
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        let now = Timestamp::now();
        Self {
            cwd: cwd.into(),
            additional_directories: Vec::new(),
            principal: None,
            title: None,
            created: now,
            updated: now,
            options: BTreeMap::new(),
            permissions: BTreeMap::new(),
            state: None,
            unended: None,
        }
    }
}

/// The value of an option. Its JSON is `true`, `false`, or the id of the selected value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum KeptOption {
    /// The value of a boolean option.
    Boolean(bool),
    /// The value of a select: the id of the selected value.
    Id(String),
    /// A value of a kind that this version does not know. A later version has kept it.
    Unknown(Value),
}

impl From<bool> for KeptOption {
    fn from(on: bool) -> Self {
        Self::Boolean(on)
    }
}

impl From<&str> for KeptOption {
    fn from(id: &str) -> Self {
        Self::Id(id.to_owned())
    }
}

/// The author's state, as JSON. Its version says which code wrote it.
///
/// ```
/// use acp_store::{KeptState, StoreError};
///
/// let kept = KeptState::new(2, &("a note", 7))?;
/// assert_eq!((kept.version(), kept.json()), (2, r#"["a note",7]"#));
/// assert_eq!(kept.read::<(String, u8)>()?, ("a note".to_owned(), 7));
/// let error = kept.read::<bool>().unwrap_err();
/// assert!(matches!(error, StoreError::Invalid { .. }), "{error}");
/// # Ok::<(), StoreError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct KeptState {
    version: u32,
    json: String,
}

impl KeptState {
    /// A state as the code of this version writes it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Invalid`]: the state has no JSON form, such as a map whose keys are no texts.
    pub fn new(version: u32, state: &impl Serialize) -> Result<Self, StoreError> {
        let json = serde_json::to_string(state).map_err(|error| StoreError::invalid("the session's state", error))?;
        Ok(Self { version, json })
    }

    /// A state from the store. This is for implementations of stores.
    ///
    /// # Errors
    ///
    /// [`StoreError::Invalid`]: the text is not JSON.
    pub fn from_json(version: u32, json: String) -> Result<Self, StoreError> {
        match serde_json::from_str::<IgnoredAny>(&json) {
            Ok(_) => Ok(Self { version, json }),
            Err(error) => Err(StoreError::invalid("the session's state", error)),
        }
    }

    /// The version of the code that wrote the state.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The state as JSON.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Reads the state.
    ///
    /// # Errors
    ///
    /// [`StoreError::Invalid`]: the state does not have this shape. Perhaps another version of the agent wrote it.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        serde_json::from_str(&self.json)
            .map_err(|error| StoreError::invalid(format!("the session's state (version {})", self.version), error))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn options_of_a_later_version_survive() {
        let kept = json!({ "brave": true, "model": "fast", "temperature": 0.7, "tools": ["a"] });
        let options: BTreeMap<SessionConfigId, KeptOption> = serde_json::from_value(kept.clone()).unwrap();
        assert_eq!(options["brave"], true.into());
        assert_eq!(options["model"], "fast".into());
        assert_eq!(options["temperature"], KeptOption::Unknown(json!(0.7)));
        assert_eq!(serde_json::to_value(&options).unwrap(), kept);
    }

    #[test]
    fn a_state_that_is_no_json_is_refused() {
        assert!(matches!(KeptState::from_json(1, "{".to_owned()), Err(StoreError::Invalid { .. })));
        assert_eq!(KeptState::from_json(1, "{}".to_owned()).unwrap().json(), "{}");
    }
}
