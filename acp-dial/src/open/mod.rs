//! The open requests of both sides, and the sessions: all that is known of a connection, and goes on in another one if the server has lost it.

mod again;
mod begin;
mod sessions;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use self::{
    again::Again,
    table::{Leaving, Open},
};
