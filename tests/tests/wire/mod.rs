//! The messages of an agent, seen by a scripted peer that reads every message strictly.
//!
//! Most agents are small: the module `agents` declares them with the macros, and the tests serve them in memory. Where
//! the behaviour of a process matters, the agent is a real process. Ids such as INIT-04 name requirements of the
//! protocol: <https://agentclientprotocol.com/protocol/v1/overview> and the following pages and the schema require them
//! of an agent.

mod after_cancel;
mod agents;
mod assistant;
mod blocking;
mod blocks;
mod calls;
mod cancel;
mod client;
mod commands;
mod departures;
mod descriptions;
mod directories;
mod extensions;
mod for_client;
mod gate;
mod given_up;
mod handshake;
mod hooks;
mod hosts;
mod in_a_terminal;
mod initialize;
mod lenient;
mod life;
mod local;
mod malformed;
mod message_hooks;
mod meta;
mod methods;
mod options;
mod permission;
mod process;
mod promises;
mod questions;
mod record;
mod refusals;
mod sessions;
mod several;
mod state;
mod together;
mod truth;
mod turns;
mod vendor;
mod waiting;
mod workspace;
