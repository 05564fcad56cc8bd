//! Generates the types of Agentao's methods. `src/lib.rs` includes them.

fn main() -> Result<(), acp_codegen::Error> {
    acp_codegen::Builder::v1().overlay("agentao.json").compile("agentao")
}
