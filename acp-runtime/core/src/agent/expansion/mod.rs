//! The contract between the macros' expansion and the runtime. Authors see this contract in error messages, and use
//! [`FromCall`] to write an extractor of their own.

mod answer;
mod assumed;
mod attachment;
mod blocks;
mod check;
mod declaration;
mod default;
mod extract;
mod heard;
mod hook;
mod identity;
mod named;
mod on_thread;
mod sent;
mod shared;
mod threading;

pub use answer::{
    Fallible, IntoAnswer, IntoHandlerError, IntoHandlerResult, Itself, OpenedSession, Plain, Short, WithId,
};
pub use assumed::{
    Assumed, Given, MayBeSent, MayShare, OwnConfig, Threads, declared, options_of, sent_between_threads,
    session_sent_between_threads,
};
pub(crate) use attachment::Attachment;
pub use blocks::{Block, ByMainBlock, Letter, NamedPart, NamesPart, NamesPartsOnItsStruct, OneBlockPerPart};
pub use check::{
    authenticates, changes_once, complete, distinct, extend_once, handled, lets_in, lists_extensions, opens_sessions,
    shares, takes_arguments, takes_no_arguments,
};
pub use declaration::{
    AgentDeclaration, DefaultSession, Extension, ExtensionKind, Handlers, OneBlockWithoutPart, is_method,
};
pub use default::{DefaultOf, MayLackDefault};
pub use extract::{
    Authenticated, ConnectionContext, FromCall, MethodName, OfActiveSession, OfAnySession, RequestMeta, slot,
};
pub use heard::prepared;
pub(crate) use heard::{heard, heard_panic};
pub use hook::{
    Changing, Draft, EveryOption, FromChange, Hook, HookAgent, IntoHookResult, OnChange, OnEveryChange, SharedInHooks,
    running,
};
pub use identity::{AgentInfo, AuthDeclaration};
pub use named::{ConfigOf, MayName, Named, StateOf};
pub use on_thread::{Keeping, OnThread, StaysOnItsThread};
pub use sent::{AnyParams, Sent};
pub(crate) use shared::default_shared;
pub use shared::{
    CanBeCloned, CanBeShared, FromRef, GivenBy, HasDefault, KeptShared, SharedByAll, Shares, State, Unshared,
    WithShared, shared_by_handlers, shared_on_one_thread,
};
pub use threading::{Keeps, Local, NotLocal, SendUnlessLocal, Shared, Threading};
pub(crate) use threading::{Kept as KeptAgent, Lent as LentAgent};
