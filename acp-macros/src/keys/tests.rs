//! Small mistakes inside an attribute. Each gives one error with its remedy, and the macro reads the intended text.

use super::*;
use quote::quote;
use syn::{Expr, LitStr};

/// The keys and values that the macro understood, and the errors.
fn read_all(tokens: TokenStream) -> (Vec<String>, String) {
    let sink = Sink::new();
    let mut read = Vec::new();
    let words = &["kind", "id", "default", "flatten", "depends_on"];
    let known = Vocabulary { module: "option", words, place: "", lines: &[] };
    let reading = Reading { sink: &sink, hints: &Hints::default() };
    read_arguments(tokens, &known, reading, |entry| {
        let value = match entry.key.to_string().as_str() {
            "flatten" => entry.flag().key.to_string(),
            "default" => shown(&entry.assigned::<Expr>("false")),
            "depends_on" => {
                let names =
                    entry.list("names in parentheses", "model", |name| match syn::parse2::<Ident>(name.clone()) {
                        Ok(name) => Element::Right(name),
                        Err(_) => Element::Wrong,
                    });
                names.value.map_or_else(|| "?".to_owned(), |names| quote!(#(#names)*).to_string())
            }
            _ => entry.assigned::<LitStr>("\"x\"").value.map_or_else(|| "?".to_owned(), |text| text.value()),
        };
        read.push(format!("{}={value}", entry.key));
    });
    (read, sink.finish().to_string())
}

fn shown(given: &Given<Expr>) -> String {
    given.value.as_ref().map_or_else(|| "?".to_owned(), |value| quote!(#value).to_string())
}

#[test]
fn keys_in_any_order_and_a_trailing_comma() {
    let (read, errors) = read_all(quote!(default = f::<A, B>(1, 2), flatten, id = "x",));
    assert_eq!(read, ["default=f :: < A , B > (1 , 2)", "flatten=flatten", "id=x"]);
    assert_eq!(errors, "");
}

#[test]
fn a_slip_is_one_error_and_keeps_its_value() {
    let (read, errors) = read_all(quote!(knd = "select", id = "x"));
    assert_eq!(read, ["kind=select", "id=x"]);
    assert_eq!(errors.matches("compile_error").count(), 1);
    assert!(errors.contains(r"unknown key `knd`\nhelp: did you mean `kind`?"), "{errors}");
}

#[test]
fn a_broken_value_does_not_hide_the_other_keys() {
    let (read, errors) =
        read_all(quote!(default = (1, 2) (,), 3, id = (1), zzz = 2, kind = "select", kind = "boolean"));
    assert_eq!(read, ["default=?", "id=?", "kind=select"]);
    let expected = ["`default` takes an expression", "`id` takes a text", "unknown key `zzz`", "is given twice"];
    for expected in expected {
        assert!(errors.contains(expected), "{expected} in {errors}");
    }
    assert_eq!(errors.matches("compile_error").count(), 4);
}

/// Each case has the mistake, the values that the macro still reads, and the line with the remedy.
#[test]
fn one_slip_is_one_error_with_its_cure() {
    for (slip, expected, cure) in [
        ("kind = \"a\" default = true", "kind=a default=true", "a comma is missing before `default`"),
        ("kind = \"a\"; default = true", "kind=a default=true", "write `,` instead"),
        ("kind: \"a\", default = true", "kind=a default=true", "write `kind = \\\"a\\\"`"),
        ("kind \"a\", flatten", "kind=a flatten=flatten", "write `kind = \\\"a\\\"`"),
        ("kind == \"a\", flatten", "kind=? flatten=flatten", "write `kind = \\\"x\\\"`"),
        ("default(true), kind = \"a\"", "default=true kind=a", "write `default = true`"),
        ("default, kind = \"a\"", "default=? kind=a", "write `default = false`"),
        ("default =, kind = \"a\"", "default=? kind=a", "write `default = false`"),
        ("default =", "default=?", "write `default = false`"),
        ("kind = boolean default = true", "kind=boolean default=true", ""),
        ("kind = a, default = f::<A, B>(1)", "kind=a default=f :: < A , B > (1)", "write `kind = \\\"a\\\"`"),
        ("kind = 1", "kind=1", "write `kind = \\\"1\\\"`"),
        ("flatten = true, kind = \"a\"", "flatten=flatten kind=a", "write `flatten` alone"),
        ("flatten true, kind = \"a\"", "flatten=flatten kind=a", "write `flatten` alone"),
        ("kind = \"a\",, flatten", "kind=a flatten=flatten", "remove this one"),
        ("kind = id, id = id", "kind=id id=id", ""),
        ("depends_on = kind, kind = \"a\"", "depends_on=kind kind=a", "write `depends_on(kind)`"),
        ("\"a\", flatten", "flatten=flatten", "the keys are"),
        ("depends_on = model, flatten", "depends_on=model flatten=flatten", "write `depends_on(model)`"),
        ("depends_on = [model, a], flatten", "depends_on=model a flatten=flatten", "write `depends_on(model, a)`"),
        ("depends_on[model], flatten", "depends_on=model flatten=flatten", "write `depends_on(model)`"),
        ("depends_on(1, 2), flatten", "depends_on=? flatten=flatten", "write `depends_on(model)`"),
        ("depends_on(model), flaten", "depends_on=model flatten=flatten", "did you mean `flatten`?"),
        ("depends_on, flatten", "depends_on=? flatten=flatten", "write `depends_on(model)`"),
    ] {
        let (read, errors) = read_all(slip.parse().unwrap());
        assert_eq!(read.join(" "), expected, "{slip}");
        let slips = if cure.is_empty() { 2 } else { 1 };
        assert_eq!(errors.matches("compile_error").count(), slips, "{slip}: {errors}");
        assert!(errors.contains(cure), "{slip}: {errors}");
    }
}
