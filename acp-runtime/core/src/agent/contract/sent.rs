//! The types that an extension's params can have: JSON-RPC sends an object, a list, or nothing. A handler whose parameter is
//! a number or a text could never be called, so it does not compile.
//!
//! No trait says which JSON a type decodes from. So the types that decode from a scalar only have an inherent function, whose
//! bound none of them meets. All other types have a trait's function, which has no bound. The compiler finds an inherent
//! function first.

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

// A type that does not decode at all is refused as a parameter.
impl<T: Scalar + DeserializeOwned> Sent<T> {
    /// Does not compile.
    pub fn can_be()
    where
        T: Params,
    {
    }
}

/// The function of all other types.
pub trait AnyParams {
    /// Compiles.
    fn can_be() {}
}

impl<T> AnyParams for Sent<T> {}

/// A type that a client can send as params. No [`Scalar`] implements this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the params of an extension",
    label = "params are an object or a list",
    note = "JSON-RPC has no other params, so no client could send this",
    note = "help: take a struct that derives `serde::Deserialize`, with a field for this value",
    note = "the session that the params name as `sessionId` is the parameter `SessionHandle<Config>`"
)]
pub trait Params {}

/// A type that decodes from a number, a text or a boolean only, or from `null`.
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
