//! Compile errors as an author reads them. Each fixture has one mistake, and its error stands in a file beside it.
//! After a change, `TRYBUILD=overwrite cargo test -p acp-error-tests` writes the error files again. Read their
//! diff.

#[test]
fn compile_errors() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/agent/*.rs");
    cases.compile_fail("tests/ui/options/*.rs");
    cases.compile_fail("tests/ui/client/*.rs");
    cases.compile_fail("tests/ui/questions/*.rs");
    cases.compile_fail("tests/ui/turn/*.rs");
}
