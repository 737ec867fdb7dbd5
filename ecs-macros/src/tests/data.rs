//! Tests of the derives of components, bundles, aspects and queries.

use super::{clean, each_is_reported_once, message, messages, tokens};
use crate::stages;

#[test]
fn components_of_every_shape_expand() {
    let tag = clean(stages::component(tokens("struct Frozen;")));
    assert!(tag.contains("::ecs::Component for Frozen") && tag.contains("__private::Tag"));
    for item in [
        "struct Position { x: f32 }",
        "enum Mood { Happy, Sad(u8) }",
        "struct Holder<T: Copy = u8, const N: usize = 3>([T; N]) where T: Send;",
        "#[component(requires(Velocity, Mass), deref, crate = my::ecs)] struct Engine(f32);",
    ] {
        assert!(clean(stages::component(tokens(item))).contains("__private::Value"));
    }
}

#[test]
fn the_path_of_the_library_is_used_everywhere() {
    let inside = [
        stages::component(tokens("#[component(crate = lib)] struct A(u8);")),
        stages::resource(tokens("#[resource(crate = lib)] struct A(u8);")),
        stages::event(tokens("#[event(crate = lib)] struct A(u8);")),
        stages::bundle(tokens("#[bundle(crate = lib)] struct A(B);")),
        stages::aspect(tokens(
            "#[aspect(crate = lib)] struct A(#[aspect(default = b())] B, #[aspect(.0 = 3)] C);",
        )),
        stages::meta_aspect(tokens("#[aspect(crate = lib)] enum A { A(B), C(D) }")),
        stages::components_from(tokens(
            r#"#![crate = lib] #[derive(Clone)] pub "../tests/data/components.json""#,
        )),
        stages::query(tokens("#[query(crate = lib)] struct A<'a> { b: &'a B }")),
        stages::system(tokens("Game, crate = lib"), tokens("fn a(b: &B, c: Res<C>, d: Without<D>) {}")),
        stages::world(tokens(
            "#![crate = lib] struct Game { components { A } resources { B } events { C } } schedule t { s }",
        )),
    ];
    for expansion in inside {
        let text = clean(expansion);
        assert!(text.contains("lib::") && !text.contains("::ecs::"), "{text}");
    }
}

#[test]
fn unknown_options_list_the_valid_ones() {
    let reported = messages(stages::component(tokens("#[component(require(A), deref, derf)] struct X(u8);")));
    assert_eq!(reported.len(), 2);
    assert!(reported[0].contains("unknown option `require` of component `X`: did you mean `requires`?"));
    assert!(reported[1].contains(
        "`requires(..)`, `excludes(..)`, `disables`, `disables(..)`, `deref`, `immutable`, `tracked`, `removed`, `removed = 1024`, \
             `removed = all`, `unique`, `index`, `index = field`, `index(ordered)`, `index(by = Type)`, \
             `key`, `key = field`, `key(ordered)`, `hook = Type`, `storage = \"packed\"`, `alias = \"Old\"`, `from = Old`, `skip`, `hidden`, `crate = path`"
    ));
    assert!(
        message(stages::event(tokens("#[event(x)] struct E;"))).contains(
            "the options are `alias = \"Old\"`, `skip`, `hidden`, `check = CONSTANT`, `crate = path`"
        )
    );
    assert!(
        message(stages::system(tokens("Game, fast"), tokens("fn a() {}"))).contains("unknown option `fast`")
    );
}

#[test]
fn packed_storage_is_named_where_it_is_asked_for_in_another_way() {
    let packed = message(stages::component(tokens("#[component(packed)] struct X(u8);")));
    assert!(packed.contains("the storage of a rare component is `storage = \"packed\"`"), "{packed}");
    let relation =
        message(stages::relation(tokens(r#"#[relation(exclusive, storage = "packed")] struct In(Entity);"#)));
    assert!(relation.contains("write `#[component(storage = \"packed\")]` beside"), "{relation}");
}

#[test]
fn data_without_an_owner_is_refused() {
    let item = "struct X<'a>(&'a str);";
    each_is_reported_once(stages::component, &[(item, "component `X` must own its data")]);
    each_is_reported_once(stages::resource, &[(item, "resource `X` must own its data")]);
    each_is_reported_once(stages::event, &[(item, "event `X` must own its data")]);
}

#[test]
fn bundles_hold_each_component_once() {
    clean(stages::bundle(tokens("struct Ship { body: Body, engine: Engine }")));
    let cases = [
        (
            "struct X { a: Position, b: Position }",
            "component `Position` is in bundle `X` twice: fields `a` and `b`",
        ),
        ("struct X;", "a bundle holds at least one component"),
        ("enum X {}", "is an enum"),
    ];
    each_is_reported_once(stages::bundle, &cases);
}

#[test]
fn an_invalid_override_is_reported_once() {
    for (options, part) in [
        (".health.max", "an override of field `body` is the path within it, `=` and a value"),
        (".(health) = 3", "expected the name or the number of a field"),
        (".2e3 = 3", "expected the name or the number of a field"),
        (
            "health.max = 3",
            "in field `body` begins with a dot, and is a path within that field: `.health.max = ..`",
        ),
        ("body.max = 3", "a path within that field: `.max = ..`"),
        ("health = 3", "unknown option `health` of field `body`"),
        ("default", "is written after `=`"),
        ("default = ", "expected a value after `=`"),
        (".a = , .b = 2", "expected a value after `=`"),
        (".a.", "expected the name or the number of a field"),
        ("default = 1, default = 2", "is given twice"),
        (".a.b = 1, .a.b = 2", "makes the first void"),
        (".a.b = 1, .a = 2", "makes the first void"),
        (".a = 1 .b = 2", "separated by commas"),
    ] {
        let item = format!("struct Monster {{ #[aspect({options})] body: Body }}");
        each_is_reported_once(stages::aspect, &[(&item, part)]);
    }
    clean(stages::aspect(tokens("struct Monster { #[aspect(.a = 1, .a.b = 2)] body: Body }")));
}

#[test]
fn queries_have_named_fields_and_one_lifetime() {
    let reads = clean(stages::query(tokens("struct Mover<'a> { position: &'a Position }")));
    assert!(reads.contains("ReadData"));
    let writes =
        clean(stages::query(tokens("struct Mover<'a> { position: (Entity, Option<&'a mut Position>) }")));
    assert!(!writes.contains("ReadData"));
    let cases = [
        ("struct X {}", "a query without elements"),
        ("struct X<'a>(&'a A);", "fields without names"),
        ("struct X<'a, 'b> { a: &'a A, b: &'b B }", "second lifetime `'b`"),
    ];
    each_is_reported_once(stages::query, &cases);
}
