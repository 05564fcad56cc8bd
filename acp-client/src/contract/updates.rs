//! Passes updates to their handlers, in order.

use std::sync::Arc;

use acp_peer::{Peer, rpc::Start, wire::decode::from_json};
use serde_json::value::RawValue;

use super::{Call, Handlers, is_local, updates_of};
use crate::{
    dialect::messages::kind_of,
    inbox::intake::{Draining, Intake, Started},
};

struct OfClient<C> {
    client: Arc<C>,
    peer: Arc<Peer>,
    /// The kinds that the client or its base handles.
    kinds: Vec<&'static str>,
}

/// Makes the intake of a client. `None` for a client without handlers of updates: its updates then go to turns
/// directly.
pub(crate) fn intake<C: Handlers>(client: &Arc<C>, peer: &Arc<Peer>) -> Option<Arc<dyn Intake>> {
    // Constants, so that other clients have no code of it.
    if C::UPDATES.is_empty() && !C::EXTENDS {
        return None;
    }
    let kinds = updates_of(&**client);
    if kinds.is_empty() {
        return None;
    }
    Some(Arc::new(OfClient { client: client.clone(), peer: peer.clone(), kinds }))
}

impl<C: Handlers> Intake for OfClient<C> {
    fn offer(&self, params: &str) -> Started {
        let mut started = Started::No;
        if let Some(kind) = kind_of(params)
            && self.kinds.iter().any(|handled| *handled == kind || *handled == "session_update")
            && let Ok(params) = from_json::<&RawValue>(params)
        {
            C::update(Call::of_update(&self.client, &self.peer, &kind, params, &mut started));
        }
        started
    }

    fn start(&self, draining: Draining) {
        if is_local(&*self.client) {
            self.peer.tasks.start_local(draining, Start::Task, None);
        } else {
            self.peer.tasks.start(draining, Start::Task, None);
        }
    }
}
