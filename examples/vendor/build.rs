//! Generates Acme's types and methods. `src/lib.rs` includes them.

fn main() -> Result<(), acp_codegen::Error> {
    acp_codegen::Builder::v1().overlay("acme.json").compile("acme")
}
