//! What an agent does on the wire, seen by a scripted peer that reads every message strictly.
//!
//! The agents are small ones, declared here with the macros and served in memory (`agents`), and real processes where a
//! process's behaviour matters. Ids such as INIT-04 name requirements of the protocol, topic by topic: what the pages of
//! <https://agentclientprotocol.com/protocol/v1/overview> and the schema ask of an agent.

mod agents;
mod assistant;
mod cancel;
mod client;
mod descriptions;
mod extensions;
mod given_up;
mod hooks;
mod initialize;
mod local;
mod malformed;
mod options;
mod permission;
mod process;
mod promises;
mod refusals;
mod sessions;
mod truth;
mod turns;
mod vendor;
