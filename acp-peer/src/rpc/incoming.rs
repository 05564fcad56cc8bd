//! The open requests of the client. `$/cancel_request` looks for them here.
//!
//! See [Cancellation](https://agentclientprotocol.com/protocol/v1/cancellation).

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::rpc::CancellationToken;
use serde_json::value::RawValue;

/// Open calls by the JSON text of their ids. So `1` and `"1"` are two ids.
#[derive(Clone, Default)]
pub struct Incoming(Arc<Mutex<Open>>);

#[derive(Default)]
struct Open {
    serial: u64,
    calls: HashMap<Box<str>, (u64, CancellationToken)>,
}

impl Incoming {
    /// Registers a call until the returned guard is dropped. If a client uses an id twice, it can withdraw only the
    /// later call.
    pub fn enter(&self, id: &RawValue, cancel: &CancellationToken) -> Entered {
        let mut open = self.lock();
        open.serial += 1;
        let serial = open.serial;
        let id: Box<str> = id_key(id).into();
        open.calls.insert(id.clone(), (serial, cancel.clone()));
        Entered { calls: self.clone(), id, serial }
    }

    /// Withdraws a call. Finished and unknown calls are ignored.
    pub fn cancel(&self, id: &RawValue) {
        let found = self.lock().calls.get(&*id_key(id)).map(|(_, cancel)| cancel.clone());
        if let Some(cancel) = found {
            cancel.cancel();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The key of an id: its JSON text, with as few escapes as possible.
pub fn id_key(id: &RawValue) -> Cow<'_, str> {
    let text = id.get();
    if memchr::memchr(b'\\', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let plain = serde_json::from_str::<String>(text).and_then(|plain| serde_json::to_string(&plain));
    plain.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// A request of the other side that [can be withdrawn](crate::Peer::enter) until this is dropped.
pub struct Entered {
    calls: Incoming,
    id: Box<str>,
    serial: u64,
}

impl Drop for Entered {
    fn drop(&mut self) {
        let mut open = self.calls.lock();
        if open.calls.get(&self.id).is_some_and(|(serial, _)| *serial == self.serial) {
            open.calls.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).unwrap()
    }

    #[test]
    fn only_the_same_id_of_the_same_type_is_withdrawn() {
        let calls = Incoming::default();
        let (number, text) = (CancellationToken::new(), CancellationToken::new());
        let _one = calls.enter(&raw("1"), &number);
        let _two = calls.enter(&raw("\"1\""), &text);
        calls.cancel(&raw("\"1\""));
        assert!(!number.is_cancelled());
        assert!(text.is_cancelled());
    }

    #[test]
    fn an_id_may_be_written_in_several_ways() {
        let (calls, cancel) = (Incoming::default(), CancellationToken::new());
        let _call = calls.enter(&raw(r#""a\/b\u0063""#), &cancel);
        calls.cancel(&raw(r#""a/b\u0064""#));
        assert!(!cancel.is_cancelled());
        calls.cancel(&raw(r#""a/bc""#));
        assert!(cancel.is_cancelled());
    }

    #[test]
    fn a_finished_call_takes_no_other_with_it() {
        let calls = Incoming::default();
        let (first, second) = (CancellationToken::new(), CancellationToken::new());
        let one = calls.enter(&raw("1"), &first);
        let two = calls.enter(&raw("1"), &second);
        drop(one);
        calls.cancel(&raw("1"));
        assert!(second.is_cancelled() && !first.is_cancelled());
        drop(two);
        assert!(calls.lock().calls.is_empty());
    }
}
