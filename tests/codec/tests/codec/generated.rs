//! The types that `acp-runtime` has only with its features. They are generated for this test in the same way.

macro_rules! generated {
    ($($module:ident: $file:literal,)*) => {$(
        #[allow(clippy::enum_variant_names, clippy::large_enum_variant, dead_code, unreachable_pub, reason = "as in `acp_schema`")]
        pub(crate) mod $module {

            include!(concat!(env!("OUT_DIR"), "/", $file));
        }
    )*};
}

generated! {
    v1_unstable: "v1_unstable.rs",
    v2: "v2.rs",
    v2_unstable: "v2_unstable.rs",
}
