//! Compile errors as an author reads them: one fixture a mistake, its message beside it. After a change,
//! `TRYBUILD=overwrite cargo test -p acp-tests --test ui` writes the messages anew; read them in the diff.

#[test]
fn compile_errors() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/agent/*.rs");
    cases.compile_fail("tests/ui/options/*.rs");
    cases.compile_fail("tests/ui/client/*.rs");
}
