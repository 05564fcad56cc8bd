//! The parts from which another crate builds the client's side of the protocol. Other code must not use them.

pub use crate::client::exit::exit_status;
pub use crate::client::output::{Output, Partial};
pub use crate::constant::contains;
pub use crate::rpc::{
    Address, CancellationToken, Dispatcher, DropGuard, Entered, Invalid, Peer, Responder, Role, Start, Tasks, Then,
    after, id_key, serve,
};
pub use crate::values::scalar::Scalar;
pub use crate::wire::decode::from_json;
pub use crate::wire::envelope::Incoming as Message;
pub use crate::wire::message::call_as;
pub use crate::wire::own::{answer as own_answer, read as read_own};
pub use acp_schema as schema;

pub use crate::agent::contract::PANICKED as HANDLER_PANICKED;
