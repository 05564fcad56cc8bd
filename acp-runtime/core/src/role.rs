//! What the other side of the protocol is built of, in a crate of its own, and nothing else may name.

pub use crate::rpc::{
    Address, CancellationToken, Dispatcher, DropGuard, Entered, Invalid, Peer, Responder, Role, Start, Tasks, Then,
    id_key, serve,
};
pub use crate::wire::envelope::Incoming as Message;
pub use acp_schema as schema;
