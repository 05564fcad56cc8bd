//! Tool calls: their ids, their end, and permissions that last.

mod agent;
mod ends;
mod ids;
mod remembered;
