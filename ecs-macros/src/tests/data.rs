//! Tests of the derives of components, bundles, aspects and queries.

use quote::quote;

use super::{clean, message, messages};
use crate::stages;

#[test]
fn components_of_every_shape_expand() {
    let tag = clean(stages::component(quote!(
        struct Frozen;
    )));
    assert!(tag.contains("::ecs::Component for Frozen") && tag.contains("__private::Tag"));
    for item in [
        quote!(
            struct Position {
                x: f32,
            }
        ),
        quote!(
            enum Mood {
                Happy,
                Sad(u8),
            }
        ),
        quote!(
            struct Holder<T: Copy = u8, const N: usize = 3>([T; N])
            where
                T: Send;
        ),
        quote!(
            #[component(requires(Velocity, Mass), deref, crate = my::ecs)]
            struct Engine(f32);
        ),
    ] {
        assert!(clean(stages::component(item)).contains("__private::Value"));
    }
}

#[test]
fn the_path_of_the_library_is_used_everywhere() {
    let inside = [
        stages::component(quote!(
            #[component(crate = lib)]
            struct A(u8);
        )),
        stages::resource(quote!(
            #[resource(crate = lib)]
            struct A(u8);
        )),
        stages::event(quote!(
            #[event(crate = lib)]
            struct A(u8);
        )),
        stages::bundle(quote!(
            #[bundle(crate = lib)]
            struct A(B);
        )),
        stages::aspect(quote!(
            #[aspect(crate = lib)]
            struct A(#[aspect(default = b())] B, #[aspect(.0 = 3)] C);
        )),
        stages::meta_aspect(quote!(
            #[aspect(crate = lib)]
            enum A {
                A(B),
                C(D),
            }
        )),
        stages::components_from(quote!(
            #![crate = lib]
            #[derive(Clone)]
            pub "../tests/data/components.json"
        )),
        stages::query(quote!(
            #[query(crate = lib)]
            struct A<'a> {
                b: &'a B,
            }
        )),
        stages::system(
            quote!(Game, crate = lib),
            quote!(
                fn a(b: &B, c: Res<C>, d: Without<D>) {}
            ),
        ),
        stages::world(
            quote!(#![crate = lib] struct Game { components { A } resources { B } events { C } } schedule t { s }),
        ),
    ];
    for expansion in inside {
        let text = clean(expansion);
        assert!(text.contains("lib::") && !text.contains("::ecs::"), "{text}");
    }
}

#[test]
fn unknown_options_list_the_valid_ones() {
    let reported = messages(stages::component(quote!(
        #[component(require(A), deref, derf)]
        struct X(u8);
    )));
    assert_eq!(reported.len(), 2);
    assert!(reported[0].contains("unknown option `require` of component `X`: did you mean `requires`?"));
    assert!(reported[1].contains(
        "`requires(..)`, `excludes(..)`, `disables`, `disables(..)`, `deref`, `tracked`, `removed`, `removed = 1024`, \
             `removed = all`, `unique`, `index`, `index = field`, `index(ordered)`, `index(by = Type)`, \
             `key`, `key = field`, `key(ordered)`, `hook = Type`, `storage = \"packed\"`, `alias = \"Old\"`, `from = Old`, `skip`, `hidden`, `crate = path`"
    ));
    assert!(
        message(stages::event(quote!(
            #[event(x)]
            struct E;
        )))
        .contains("the options are `alias = \"Old\"`, `skip`, `hidden`, `check = CONSTANT`, `crate = path`")
    );
    assert!(
        message(stages::system(
            quote!(Game, fast),
            quote!(
                fn a() {}
            )
        ))
        .contains("unknown option `fast`")
    );
}

#[test]
fn packed_storage_is_named_where_it_is_asked_for_in_another_way() {
    let packed = message(stages::component(quote!(
        #[component(packed)]
        struct X(u8);
    )));
    assert!(packed.contains("the storage of a rare component is `storage = \"packed\"`"), "{packed}");
    let relation = message(stages::relation(quote!(
        #[relation(exclusive, storage = "packed")]
        struct In(Entity);
    )));
    assert!(relation.contains("write `#[component(storage = \"packed\")]` beside"), "{relation}");
}

#[test]
fn data_without_an_owner_is_refused() {
    assert!(
        message(stages::component(quote!(
            struct X<'a>(&'a str);
        )))
        .contains("component `X` must own its data")
    );
    assert!(
        message(stages::resource(quote!(
            struct X<'a>(&'a str);
        )))
        .contains("resource `X` must own its data")
    );
    assert!(
        message(stages::event(quote!(
            struct X<'a>(&'a str);
        )))
        .contains("event `X` must own its data")
    );
}

#[test]
fn bundles_hold_each_component_once() {
    clean(stages::bundle(quote!(
        struct Ship {
            body: Body,
            engine: Engine,
        }
    )));
    let reported = message(stages::bundle(quote!(
        struct X {
            a: Position,
            b: Position,
        }
    )));
    assert!(reported.contains("component `Position` is in bundle `X` twice: fields `a` and `b`"));
    assert!(
        message(stages::bundle(quote!(
            struct X;
        )))
        .contains("a bundle holds at least one component")
    );
    assert!(
        message(stages::bundle(quote!(
            enum X {}
        )))
        .contains("is an enum")
    );
}

#[test]
fn aspects_expand_to_the_defaults_of_their_fields() {
    let text = clean(stages::aspect(quote!(
        struct Monster {
            #[aspect(.health.max = 9, .place.0.1 = f(1, 2))]
            #[aspect(.name = Name { text: "rat" })]
            body: Body,
            #[aspect(default = Gold(3))]
            gold: Gold,
            tag: Tag,
        }
    )));
    for part in
        ["__f0.health.max = 9;", "__f0.place.0.1 = f(1, 2);", ":Gold = Gold(3);", "(\".health.max\", \"9\")"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("(<Tag as::ecs::__private::Fresh>::DEFAULT_PART.make)()"), "{text}");
    assert!(!text.contains("<Gold as::ecs::__private::Fresh>"), "it need not have a default");
}

#[test]
fn an_invalid_override_is_reported_once() {
    for (options, part) in [
        (quote!(.health.max), "an override of field `body` is the path within it, `=` and a value"),
        (quote!(.(health) = 3), "expected the name or the number of a field"),
        (quote!(.2e3 = 3), "expected the name or the number of a field"),
        (
            quote!(health.max = 3),
            "in field `body` begins with a dot, and is a path within that field: `.health.max = ..`",
        ),
        (quote!(body.max = 3), "a path within that field: `.max = ..`"),
        (quote!(health = 3), "unknown option `health` of field `body`"),
        (quote!(default), "is written after `=`"),
        (quote!(default = ), "expected a value after `=`"),
        (quote!(.a = , .b = 2), "expected a value after `=`"),
        (quote!(.a.), "expected the name or the number of a field"),
        (quote!(default = 1, default = 2), "is given twice"),
        (quote!(.a.b = 1, .a.b = 2), "makes the first void"),
        (quote!(.a.b = 1, .a = 2), "makes the first void"),
        (quote!(.a = 1 .b = 2), "separated by commas"),
    ] {
        let reported = messages(stages::aspect(quote!(
            struct Monster {
                #[aspect(#options)]
                body: Body,
            }
        )));
        assert!(reported.len() == 1 && reported[0].contains(part), "{options}: {reported:?}");
    }
    clean(stages::aspect(quote!(
        struct Monster {
            #[aspect(.a = 1, .a.b = 2)]
            body: Body,
        }
    )));
}

#[test]
fn queries_have_named_fields_and_one_lifetime() {
    let reads = clean(stages::query(quote!(
        struct Mover<'a> {
            position: &'a Position,
        }
    )));
    assert!(reads.contains("ReadData"));
    let writes = clean(stages::query(quote!(
        struct Mover<'a> {
            position: (Entity, Option<&'a mut Position>),
        }
    )));
    assert!(!writes.contains("ReadData"));
    assert!(
        message(stages::query(quote!(
            struct X {}
        )))
        .contains("a query without elements")
    );
    assert!(
        message(stages::query(quote!(
            struct X<'a>(&'a A);
        )))
        .contains("fields without names")
    );
    assert!(
        message(stages::query(quote!(
            struct X<'a, 'b> {
                a: &'a A,
                b: &'b B,
            }
        )))
        .contains("second lifetime `'b`")
    );
}
