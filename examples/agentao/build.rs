//! Generates the types of the protocol and of Agentao's methods. `src/lib.rs` includes them.

fn main() -> Result<(), acp_codegen::Error> {
    acp_codegen::Builder::new()
        .schema("../../schema/v1/schema.json")
        .overlay("../../schema/v1/overlay.json")
        .overlay("agentao.json")
        .compile("agentao")
}
