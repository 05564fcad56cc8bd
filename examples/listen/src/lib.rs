//! What the examples `coder` and `llm` share to serve HTTP: their flags, the server, and a page for the browser on it.
//!
//! The page is in the folder `page`: it lists sessions, follows one, prompts, answers and cancels, on the endpoint of
//! the agent alone. Without the feature `http`, the crate has the flags, and [`serve`] says how to build the example.

mod arguments;
#[cfg(feature = "http")]
mod page;
#[cfg(feature = "http")]
mod server;

pub use arguments::{HELP, Listen, Login, Wanted, arguments};
pub use lexopt;
#[cfg(feature = "http")]
pub use server::serve;

/// Says how an example is built that can listen.
///
/// # Errors
///
/// Always.
#[cfg(not(feature = "http"))]
pub async fn serve<A>(_: A, _: Listen) -> std::io::Result<()> {
    Err(std::io::Error::other("this program was built without HTTP: build it with `--features listen`"))
}
