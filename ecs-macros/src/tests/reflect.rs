//! Tests of `derive(Reflect)`.
#![cfg(feature = "serde")]

use super::{clean, each_is_reported_once, message, tokens};
use crate::stages;

#[test]
fn parameters_have_a_description() {
    let text = clean(stages::reflect(tokens(
        "struct Grid<T: Copy, const N: usize> { cells: [T; N], #[reflect(skip)] changed: Vec<T>, #[reflect(skip, default = three)] count: T }",
    )));
    let clause = "for Grid<T, N>where T: ::ecs::Reflect, Vec<T>: ::core::default::Default{";
    assert!(text.contains(&clause.replace(": ", ":")), "{text}");
}

#[test]
fn an_option_without_effect_is_reported_once() {
    let cases = [
        (
            "struct X { #[reflect(skp)] a: u8 }",
            "did you mean `skip`? the options are `skip`, `default`, `default = path`, `rename = \"name\"`",
        ),
        (r#"#[reflect(renam = "Y")] struct X;"#, "did you mean `rename`?"),
        ("#[reflect(skip)] struct X { a: u8 }", "it stands before a field"),
        ("#[reflect(default)] struct X { a: u8 }", "it stands before a field"),
        ("enum X { #[reflect(skip)] A }", "it stands before a field of the variant"),
        ("struct X { #[reflect(check = f)] a: u8 }", "it stands before the type"),
        ("struct X { #[reflect(ignore)] a: u8 }", "write `skip`"),
        (r#"#[reflect(rename_all = "camelCase")] struct X;"#, "it is an option of serde"),
        ("#[reflect(opaque)] struct X;", "it is an option of bevy"),
        ("#[reflect] struct X;", "without options has no effect"),
        (
            "#[reflect(Component)] struct X;",
            "`#[reflect(Component)]` registers traits in bevy: remove it; a `world!` lists",
        ),
        ("#[reflect(Debug, Default)] struct X;", "the derive of a trait is enough"),
        (r#"#[reflect(Serialize, rename = "Y")] struct X;"#, "`Serialize` registers a trait in bevy"),
        ("#[reflect(rename = Y)] struct X;", "written in quotes"),
        (r#"#[reflect(rename("Y"))] struct X;"#, "written in quotes after `=`"),
        ("#[reflect(check)] struct X;", "`check = path`"),
        (r#"#[reflect(check = "f")] struct X;"#, "without quotes and parentheses: `check = path`"),
        ("struct X { #[reflect(default = f())] a: u8 }", "without quotes and parentheses: `default = path`"),
        ("struct X { #[reflect(default(f))] a: u8 }", "takes its value after `=`"),
        ("struct X { #[reflect(skip = true)] a: u8 }", "takes no value"),
        ("struct X { #[reflect(skip, skip)] a: u8 }", "is given twice"),
        (r#"struct X { #[reflect(skip, rename = "b")] a: u8 }"#, "has no name in files"),
        ("struct X { #[reflect(skip, default)] a: u8 }", "remove `default`"),
        (r#"struct X(#[reflect(rename = "b")] u8);"#, "field `0` has no name"),
        ("struct X(#[reflect(default)] u8, u8);", "is not left out before a field without `default`"),
        (r#"struct X { a: u8, #[reflect(rename = "a")] b: u8 }"#, "a second field is called `a`"),
        (r#"struct X { #[reflect(rename = "b")] a: u8, b: u8 }"#, "a second field is called `b`"),
        (r#"enum X { A, #[reflect(rename = "A")] B }"#, "a second variant is called `A`"),
        ("#[repr(C, packed)] struct X { a: u8 }", "is packed"),
        ("union X { a: u8 }", "is a union: `Reflect` is for structs and enums"),
        ("struct X<'a>(&'a str);", "reflected type `X` must own its data"),
        (r#"struct X { #[serde(rename = "b")] a: u8 }"#, "write `#[reflect(rename = \"b\")]`"),
        (
            r#"struct X { #[serde(default = "f", rename = "b")] a: u8 }"#,
            "write `#[reflect(default = f, rename = \"b\")]`",
        ),
        ("struct X { #[serde(flatten)] a: u8 }", "derive `Serialize` and `Deserialize` of serde"),
        ("#[serde(transparent)] struct X { a: u8 }", "in place of `Reflect`"),
    ];
    each_is_reported_once(stages::reflect, &cases);
}

#[test]
fn the_path_of_the_library_is_an_option() {
    let text = clean(stages::reflect(tokens(
        "#[reflect(crate = lib, check = f)] enum A<T> { A(#[reflect(skip)] T), B { #[reflect(default)] b: u8 } }",
    )));
    assert!(text.contains("lib::") && !text.contains("::ecs::"), "{text}");
}

#[test]
fn a_broken_type_still_has_the_traits() {
    let expansion = stages::reflect(tokens("struct X<'a> { #[reflect(skip)] text: &'a str }"));
    assert!(crate::names::source(&expansion).contains("for X<'static>"), "{expansion}");
    assert!(message(expansion).contains("a `String` for a `&str`"));
}
