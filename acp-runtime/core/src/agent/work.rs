//! Work that a part has for the path of a call.

use std::{path::PathBuf, pin::Pin};

use crate::wire::Result;

/// Work of a part that waits. It is boxed, so that the future of a call is not larger for it.
pub(crate) type Work<'w, T> = Pin<Box<dyn Future<Output = T> + Send + 'w>>;

/// Work that may fail.
pub(crate) type Try<'w> = Work<'w, Result<()>>;

/// Where a session works: its directory, and further ones.
pub(crate) type Place = (PathBuf, Vec<PathBuf>);

/// See [`Part::watches`](super::model::Part::watches).
pub(crate) type Watch = Box<dyn FnMut() -> bool + Send>;
