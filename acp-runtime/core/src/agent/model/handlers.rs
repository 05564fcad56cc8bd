//! The impl half of an agent: its handlers.

use super::{Block, Call, Part};
use crate::agent::declaration::{AgentDeclaration, Keeps};

/// A type with both halves of `#[acp_agent]`: an agent with its handlers. Use it as the bound of code that is generic
/// over agents.
///
/// The macro implements this trait. `A::Config`, `A::Session` and `A::Shared` of an agent `A` are the types that
/// `config =`, `session =` and `shared =` name on the struct. To serve the agent, call the functions of [`Serve`](crate::agent::Serve).
///
/// ```
/// use acp_runtime::agent::{Handlers, Serve};
/// use acp_runtime::transport::{ByteStream, Limits};
///
/// /// Serves an agent to one client after the other.
/// async fn listen<A: Handlers + Clone>(agent: A, listener: tokio::net::TcpListener) -> std::io::Result<()> {
///     loop {
///         let (reader, writer) = listener.accept().await?.0.into_split();
///         if let Err(error) = agent.clone().serve(ByteStream::new(reader, writer), Limits::default()).await {
///             eprintln!("a connection failed: {error}");
///         }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no agent yet: it has no handlers",
    label = "no `#[acp_agent] impl` block for this struct",
    note = "help: add `#[acp_agent] impl {Self} {{ async fn prompt(&self, request: PromptRequest, turn: Turn<..>) -> Result<StopReason> {{ .. }} }}`"
)]
pub trait Handlers: OneBlockWithoutPart {}

impl<A: OneBlockWithoutPart> Handlers for A {}

/// The handlers of an agent, as the block without `part = ..` implements them. If an agent has two such blocks, the compiler's
/// error has the name of this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no agent yet: it has no handlers",
    label = "no `#[acp_agent] impl` block for this struct",
    note = "help: add `#[acp_agent] impl {Self} {{ async fn prompt(&self, request: PromptRequest, turn: Turn<..>) -> Result<StopReason> {{ .. }} }}`"
)]
pub trait OneBlockWithoutPart: AgentDeclaration + Sized {
    /// The threading of the agent: any thread may serve it, or one thread only. The type of
    /// [`Serving`](crate::agent::Serving) depends on it.
    // The struct half declares the threading. This trait repeats it, so that an agent without a struct half is one
    // error. The call that serves the agent would be a second one.
    type Threading: Keeps<Self>;

    /// A type that only this block knows.
    #[doc(hidden)]
    type Main;
    /// The parts of the agent, as a list: those of its functions, and those of its struct.
    #[doc(hidden)]
    type Parts: Part<Self>;
    /// The handlers, block by block.
    #[doc(hidden)]
    const BLOCKS: &'static [Block<Self>];
    /// The way in which a session starts without a `new_session` handler.
    #[doc(hidden)]
    const NEW_SESSION: Option<fn() -> Self::Session> = None;
    /// [`complete`](crate::agent::expansion::complete) reads this constant, so that `cargo check` evaluates it.
    #[doc(hidden)]
    const CHECKED: () = ();
    /// Hands a call to its handler.
    #[doc(hidden)]
    fn call(call: Call<'_, Self>);
}
