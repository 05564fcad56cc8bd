//! The types that the params of an extension can have. JSON-RPC sends params as an object, as a list, or not at all. A
//! client could never call a handler whose parameter is a number or a text, so such a handler does not compile.
//!
//! No trait tells which JSON a type decodes from. So there are two functions `can_be`. The types that decode from a
//! number, a text or a boolean have an inherent one, whose bound they do not meet. All other types have the one of a
//! trait, which has no bound. The compiler looks for an inherent function first.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::{schema::MaybeUndefined, values::*};

/// A parameter type of an extension's handler.
#[derive(Debug)]
pub struct Sent<T>(PhantomData<fn() -> T>);

// If a type does not decode at all, the compiler refuses it as a parameter elsewhere.
impl<T: Scalar + DeserializeOwned> Sent<T> {
    /// Does not compile.
    pub fn can_be()
    where
        T: Params,
    {
    }
}

/// The function `can_be` for all types that are no `Scalar`.
pub trait AnyParams {
    /// Compiles.
    fn can_be() {}
}

impl<T> AnyParams for Sent<T> {}

/// A type that a client can send as params. No [`Scalar`] implements this trait, so [`Sent::can_be`] does not compile.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the params of an extension",
    label = "params are an object or a list",
    note = "JSON-RPC has no other params, so no client could send this",
    note = "help: take a struct that derives `serde::Deserialize`, with a field for this value",
    note = "the session that the params name as `sessionId` is the parameter `SessionHandle<Config>`"
)]
pub trait Params {}

/// A type that decodes only from a number, a text, a boolean or `null`.
pub trait Scalar {}

macro_rules! scalars {
    ($($type:ty)*) => {$(impl Scalar for $type {})*};
}
scalars! {
    bool char str String Path PathBuf Cow<'_, str> Cow<'_, Path>
    u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64
    NonZero<u8> NonZero<u16> NonZero<u32> NonZero<u64> NonZero<u128> NonZero<usize>
    NonZero<i8> NonZero<i16> NonZero<i32> NonZero<i64> NonZero<i128> NonZero<isize>
    IpAddr Ipv4Addr Ipv6Addr SocketAddr SocketAddrV4 SocketAddrV6
    AuthMethodId ElicitationId MessageId PermissionOptionId ProtocolVersion SessionConfigGroupId SessionConfigId
    SessionConfigValueId SessionId SessionModeId StopReason TerminalId ToolCallId
}

impl<T: Scalar> Scalar for Option<T> {}
impl<T: Scalar> Scalar for MaybeUndefined<T> {}
impl<T: Scalar + ?Sized> Scalar for Box<T> {}
impl<T: Scalar + ?Sized> Scalar for Arc<T> {}
