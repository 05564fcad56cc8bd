//! An agent that declares a store: its sessions last. The messages are seen by a scripted client, the store is in memory,
//! and fails or waits when a test says so.

mod agent;
mod cleared;
mod faults;
mod hand_over;
mod kit;
mod lists;
mod long;
mod permissions;
mod picky;
mod principals;
mod restored;
mod resume;
mod sets;
mod store;
mod turns;
mod unused;
mod writers;
