//! The future of a report that is on its way.

use std::pin::Pin;

use crate::wire::Result;

/// The future of a report that is rare. It is boxed: an `async fn` that takes any content would give a content of a wrong type as
/// three errors.
pub(crate) type Reporting<'a, T = ()> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;
