//! Tests of `world!` and `parts!`.

use proc_macro2::TokenStream;
use quote::quote;

use super::{clean, message, messages, tokens};
use crate::stages;

#[test]
fn the_world_of_a_system_must_be_a_type() {
    let reported = |arguments| message(stages::system(arguments, tokens("fn s() {}")));
    assert!(reported(quote!("Game")).contains("is not a world"));
    assert!(reported(quote!(3)).contains("`3` is not a world"));
    assert!(reported(quote!(&Game)).contains("`&Game` is not a world"));
    assert!(reported(quote!(Game, Editor)).contains("bound to one world: `Game`"));
}

#[test]
fn worlds_of_every_kind_expand() {
    clean(stages::world(tokens("struct Empty {}")));
    let text = clean(stages::world(quote! {
        /// Documented.
        #[derive(Clone)]
        pub struct Game {
            components { position: Position, Match, held: Holder<u8, 3>, #[cfg(test)] Hidden, }
            resources { clock: Clock, score: HashMap<u8, u8> = HashMap::<u8, u8>::new(), #[cfg(test)] Secret }
            events { Bumped, a: physics::Hit(external), Sent<u8>(external) }
        }
        schedule tick { a, b::c::<D> if !x && (y || z); #[cfg(test)] d, }
        schedule draw {}
    }));
    assert!(text.contains("r#match:::ecs::__private::Column<Match>"));
    assert!(text.contains("#[cfg(not(all(test)))]\"\""), "a hole keeps the numbers");
}

#[test]
fn only_a_world_with_observers_has_code_for_them() {
    let without = clean(stages::world(quote! {
        struct Game { components { Health } }
        schedule tick { greet }
    }));
    assert!(!without.to_lowercase().contains("observer"));
    let with = clean(stages::world(quote! {
        struct Game { components { Health } }
        schedule tick { heal }
        observers { greet if playing }
    }));
    assert!(with.contains("fn run_observers(&mut self)"));
    let with: String = with.split_whitespace().collect();
    assert!(with.contains(
        "constOBSERVERS:::core::option::Option<::core::primitive::usize>=::core::option::Option::Some(1usize)"
    ));
    assert!(with.contains("react:::core::option::Option::Some(16)"), "the bound is 16 rounds");
}

#[test]
fn mistakes_in_a_world_keep_the_struct() {
    let reported = messages(stages::world(quote! {
        #[derive(Debug)]
        struct Game<T> {
            component { Position Velocity, 3, (A, B), Frozen(packed) = 1 }
            resources { position: Clock, Score, again: Score }
            events { Bumped(extern) }
            events { type: Landed }
            junk
            systems { movement }
        }
        shedule tick { a }
        schedule spawn { a }
        schedule update { a, a; b() c if }
    }));
    for part in [
        "world `Game` must not be generic",
        "`derive(Debug)` is not supported on world `Game`: only `Clone`",
        "unknown section `component` in world `Game`: did you mean `components`?",
        "expected `,` after `Position`, found `Velocity`",
        "expected `name: Component` or `Component`, found `3`",
        "an entry has one type: write `A, B`",
        "unknown option `packed` of component `Frozen`",
        "only resources have a first value",
        "two fields are called `position`, of `Position` and of `Clock`",
        "has resource `Score` twice: fields `score` and `again`",
        "unknown option `extern` of event `Bumped` of world `Game`: did you mean `external`?",
        "has section `events` twice",
        "`type` is a keyword: write `r#type`",
        "expected a section",
        "unknown section `systems`",
        "expected `schedule NAME { .. }` after the struct, found `shedule`",
        "schedule `spawn` of world `Game` has the name of a method",
        "has system `a` twice",
        "a system is named, not called: write `b`",
        "expected `,`, `;` or `if CONDITION`, found `c`",
        "expected a condition after `if`",
    ] {
        assert_eq!(
            reported.iter().filter(|reported| reported.contains(part)).count(),
            1,
            "{part}: {reported:#?}"
        );
    }
    assert_eq!(reported.len(), 21, "{reported:#?}");
}

#[test]
fn parts_expand_to_types_macros_and_checks() {
    let text = clean(stages::parts(quote! {
        /// Documented.
        pub physics {
            components { position: Position, Holder<u8, 3> }
            resources { clock: Clock = Clock::unit() }
            events { Bumped(external, keep = 3) }
            schedule step { a, b::<C> if !x && (y || z); d }
        }
    }));
    for part in [
        "Listed<__W, 3>for physics{type Item=Bumped;}",
        "Valued<__W, 2>for physics",
        "Listed<__W, 1>for step{type Item=x;}",
        "struct only_physics",
        "as physics;",
        "as step;",
    ] {
        assert!(text.replace(" =", "=").replace("= ", "=").contains(part), "{part}: {text}");
    }
    let local = clean(stages::parts(quote!(physics {})));
    assert!(text.contains("#[macro_export]") && !local.contains("macro_export"));
}

#[test]
fn mistakes_in_parts_keep_the_other_entries() {
    let reported = messages(stages::parts(quote! {
        #[derive(Clone)]
        pub physics {
            component { Position Velocity, 3 }
            resources { position: Clock, #[cfg(test)] Score }
            include other::parts;
            #[inline] needs more;
            schedule physics { a, a }
            schedule step { include other::step, b() }
        }
        schedule late { a }
    }));
    for part in [
        "parts `physics`: only doc comments are allowed here",
        "unknown section `component` in parts `physics`: did you mean `components`?",
        "expected `,` after `Position`, found `Velocity`",
        "expected `name: Component` or `Component`, found `3`",
        "two fields are called `position`",
        "a `#[cfg(..)]` in here would ask",
        "`include` takes `#[cfg(..)]` and no other attributes",
        "`physics` is the name of the parts and of a schedule",
        "schedule `physics` of parts `physics` has system `a` twice",
        "schedule `step` of parts `physics`: it cannot include another one",
        "a system is named, not called: write `b`",
        "expected the end of `parts!` after `}`",
    ] {
        assert_eq!(
            reported.iter().filter(|reported| reported.contains(part)).count(),
            1,
            "{part}: {reported:#?}"
        );
    }
    assert_eq!(reported.len(), 12, "{reported:#?}");
}

#[test]
fn bounds_of_events_are_checked() {
    let reported = |options| {
        let tokens: TokenStream =
            format!("struct Game {{ events {{ Bumped({options}) }} }}").parse().expect("lexes");
        messages(stages::world(tokens))
    };
    for fine in [
        "keep = 1",
        "keep = 4294967295, full = oldest",
        "full = panic, external, keep = 1_0,",
        "external",
        "keep = all",
        "skip = clear, keep = all",
        "keep = 3, skip = clear, full = newest",
        "skip = keep",
        "",
    ] {
        assert_eq!(reported(fine), Vec::<String>::new(), "{fine}");
    }
    for (options, part) in [
        ("keep = 0", "is a number from 1 to 4294967295, or `all`, not `0`"),
        ("keep = -1", "not `-1`"),
        ("keep = 4294967296", "not `4294967296`"),
        ("keep = 1u8", "not `1u8`"),
        ("keep = \"1\"", "not `\"1\"`"),
        ("keep = 1.5", "not `1.5`"),
        ("keep", "takes its value after `=`: `keep = 1024`"),
        ("keep =", "takes its value after `=`"),
        ("keep(3)", "takes its value after `=`"),
        ("keep 3", "takes its value after `=`"),
        ("keep, full = panic", "option `keep`"),
        ("keep = 1, full", "`full = newest`"),
        ("keep = 1, full = \"oldest\"", "is one of `oldest`, `newest`, `panic`"),
        ("keep = 1, full = old", "is one of"),
        ("full = oldest", "`full` without `keep`"),
        ("keep = all, full = oldest", "has `full` beside `keep = all`"),
        ("skip = clean", "`skip` of event"),
        ("skip", "takes its value after `=`: `skip = clear`"),
        ("external, external", "given twice"),
        ("external(1)", "takes no value"),
        ("= 3", "expected an option of event `Bumped` of world `Game`"),
        ("keep = 1 external = 2", "expected `,` after `keep = 1`, found `external = 2`"),
    ] {
        let reported = reported(options);
        assert!(reported.len() == 1 && reported[0].contains(part), "{options}: {reported:#?}");
        assert!(reported[0].contains("event `Bumped` of world `Game`"), "{options}: {reported:#?}");
    }
}

#[test]
fn more_entries_than_the_limit_are_refused() {
    let components = (0..513).map(|index| quote::format_ident!("C{index}"));
    let reported = message(stages::world(quote!(struct Game { components { #(#components),* } })));
    assert!(reported.contains("513 components: at most 512 fit"));
}

#[test]
fn no_schedule_can_hide_a_method_of_a_world() {
    let sources = [
        (include_str!("../../../ecs/src/world/verbs.rs"), "pub trait World: RawWorld", 25),
        (include_str!("../../../ecs/src/schedule/verbs.rs"), "pub trait Schedules", 6),
        (include_str!("../../../ecs/src/aspect/verbs.rs"), "pub trait Aspects", 5),
        (include_str!("../../../ecs/src/relation/verbs.rs"), "pub trait Relations", 5),
        (include_str!("../../../ecs/src/save.rs"), "pub trait Saved:", 6),
        (include_str!("../../../ecs/src/world/ids.rs"), "pub trait WorldIds", 5),
        (include_str!("../../../ecs/src/world/memory.rs"), "pub trait WorldMemory", 3),
        (include_str!("../../../ecs/src/world/moving.rs"), "pub trait MoveComponents", 5),
        (include_str!("../../../ecs/src/world/generic.rs"), "pub trait GenericComponents", 1),
        (include_str!("../../../ecs/src/query/changes.rs"), "pub trait ChangesSince", 6),
    ];
    for (source, opens, least) in sources {
        let declared = source.split(opens).nth(1).expect("the trait is there");
        let declared = declared.split("\n}\n").next().expect("it ends");
        let names = declared.lines().filter_map(|line| line.strip_prefix("    fn ")).map(|line| {
            let end = line.find(['<', '(']).expect("a method has parameters");
            &line[..end]
        });
        let verbs: Vec<&str> = names.filter(|name| !name.starts_with("__")).collect();
        assert!(verbs.len() > least, "{opens}: {verbs:?}");
        for verb in verbs {
            assert!(crate::words::has_word(crate::check::schedule::VERBS, verb), "`{verb}`");
        }
    }
}

#[test]
#[cfg(not(feature = "serde"))]
fn saving_without_the_feature_is_refused() {
    let world = message(stages::world(tokens("#[derive(Serialize, Deserialize)] struct Game {}")));
    assert!(
        world.contains("world `Game` is to be saved: enable the feature `serde` of the crate `ecs`"),
        "{world}"
    );
    let component = message(stages::component(tokens("#[component(skip)] struct Sprite(u32);")));
    assert!(component.contains("how component `Sprite` is saved: enable the feature `serde`"), "{component}");
}
