//! What a transport knows of its peer, for handlers.

use std::any::Any;
use std::fmt;
use std::io;
use std::sync::Arc;

use super::{Limits, Outbox, Transport};

type Value = Arc<dyn Any + Send + Sync>;

/// What the program knows of the peer of a connection: who it is, where it comes from. It holds one value of each type.
///
/// A transport [brings it along](Transport::context), or the program [gives it](Transport::with_context) to a transport. A
/// handler of an agent takes it as the parameter `acp_runtime::agent::ConnectionContext`. A clone is cheap.
///
/// ```
/// use acp_peer::transport::Context;
///
/// struct Principal(String);
///
/// let context = Context::new().with(Principal("ann".to_owned()));
/// assert_eq!(context.get::<Principal>().unwrap().0, "ann");
/// ```
#[derive(Clone, Default)]
pub struct Context(Arc<Vec<Value>>);

impl Context {
    /// A context that knows nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value. It replaces an earlier value of the same type.
    #[must_use]
    pub fn with<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        let entries = Arc::make_mut(&mut self.0);
        entries.retain(|other| !other.is::<T>());
        entries.push(Arc::new(value));
        self
    }

    /// The value of this type.
    pub fn get<T: 'static>(&self) -> Option<&T> {
        self.0.iter().find_map(|value| value.downcast_ref())
    }

    /// The values of both; those of `later` replace others of the same types.
    fn and(mut self, later: &Self) -> Self {
        let entries = Arc::make_mut(&mut self.0);
        entries.retain(|value| !later.0.iter().any(|other| (**other).type_id() == (**value).type_id()));
        entries.extend(later.0.iter().cloned());
        self
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("values", &self.0.len()).finish()
    }
}

/// A transport with a context: see [`Transport::with_context`].
#[derive(Debug)]
pub struct WithContext<T> {
    transport: T,
    context: Context,
}

impl<T> WithContext<T> {
    pub(super) fn new(transport: T, context: Context) -> Self {
        Self { transport, context }
    }
}

impl<T: Transport> Transport for WithContext<T> {
    type Source = T::Source;

    fn context(&self) -> Context {
        self.transport.context().and(&self.context)
    }

    fn open(self, limits: &Limits) -> io::Result<(Self::Source, Outbox)> {
        self.transport.open(limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::memory;

    #[test]
    fn a_context_has_one_value_of_each_type() {
        let first = Context::new().with(1u8).with("a");
        let second = first.clone().with(2u8);
        assert_eq!((first.get::<u8>(), first.get::<&str>()), (Some(&1), Some(&"a")));
        assert_eq!((second.get::<u8>(), second.get::<&str>()), (Some(&2), Some(&"a")));
        assert_eq!(second.get::<u16>(), None);
    }

    #[test]
    fn what_is_given_to_a_transport_stands_beside_what_it_brings_along() {
        let (near, _) = memory::pair();
        let inner = near.with_context(Context::new().with(1u8).with("a"));
        let outer = inner.with_context(Context::new().with(2u8)).context();
        assert_eq!((outer.get::<u8>(), outer.get::<&str>()), (Some(&2), Some(&"a")));
    }
}
