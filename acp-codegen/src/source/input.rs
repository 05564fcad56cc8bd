//! What the generator reads: files of the author, and the published schema, which this crate carries.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::read;
use crate::error::Result;

/// A schema or an overlay.
#[derive(Debug, Clone)]
pub(crate) enum Input {
    File(PathBuf),
    /// A file of this crate.
    Carried {
        name: &'static str,
        text: &'static str,
    },
}

macro_rules! carried {
    ($($constant:ident = $path:literal),* $(,)?) => {
        $(pub(crate) const $constant: Input = Input::Carried {
            name: concat!("acp-codegen/", $path),
            text: include_str!(concat!("../../", $path)),
        };)*
    };
}

// The files are links to the folder of `acp-schema`, which generates its types from them. A package holds the files
// themselves. All crates of the toolkit have one version, and ask for exactly this version of each other.
carried! {
    V1 = "schema/v1/schema.json",
    V1_DRAFTS = "schema/v1/schema.unstable.json",
    V1_OVERLAY = "schema/v1/overlay.json",
}

impl Input {
    /// The name in errors.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Carried { name, .. } => Path::new(name),
        }
    }

    pub(super) fn read(&self) -> Result<Value> {
        match self {
            Self::File(path) => read::json(path),
            Self::Carried { name, text } => read::parse(Path::new(name), text),
        }
    }
}

impl Default for Input {
    fn default() -> Self {
        Self::File(PathBuf::new())
    }
}
