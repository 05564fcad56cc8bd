//! The types that decode from a scalar only: no such type can be the params of an extension.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use acp_schema::{MaybeUndefined, v1::*};

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
