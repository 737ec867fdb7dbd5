//! The macros in a scope where all names that they could use have another meaning.

/// No name of the standard library is in scope, and other items have its names.
mod hostile {
    #![no_implicit_prelude]
    #![allow(dead_code, unused_macros)]

    // the prelude has macros only under these names; the root also has the modules `system` and
    // `world`
    use ::ecs::prelude::{Bundle, Component, Event, Query, Resource, States, parts, system, world};
    use ::ecs::{Aspect, MetaAspect, components_from};

    #[derive(Component, ::std::clone::Clone)]
    pub struct Option(pub ::std::primitive::u8);
    #[derive(Component, ::std::clone::Clone)]
    #[component(deref)]
    pub struct Some {
        pub deref: ::std::primitive::u8,
    }
    #[derive(Component, ::std::clone::Clone)]
    pub struct None;
    #[derive(Component, ::std::clone::Clone)]
    #[component(requires(Default))]
    pub struct Vec;
    #[derive(Component, ::std::clone::Clone, ::std::default::Default)]
    pub struct Default;
    #[derive(Resource, ::std::clone::Clone, ::std::default::Default)]
    pub struct Clone(pub ::std::primitive::u8);
    #[derive(Resource, ::std::clone::Clone)]
    pub struct Debug;
    #[derive(Event, ::std::clone::Clone)]
    pub struct Send(pub ::std::primitive::u8);

    pub struct Sync;
    pub struct Sized;
    pub struct Drop;
    pub struct Box;
    pub struct Iterator;
    pub struct Result;
    pub struct World;
    pub struct System;
    pub struct Entity;
    pub struct Column;
    pub struct Has;
    pub struct Access;
    pub struct PhantomData;
    pub mod core {}
    pub mod std {}
    pub mod alloc {}

    // The first token is a dollar sign, for the inner macro.
    macro_rules! take {
        ($d:tt $($name:ident)*) => {$(
            macro_rules! $name {
                ($d($d any:tt)*) => {
                    ::core::compile_error!("the user's macro was called")
                };
            }
        )*};
    }
    take!($ concat module_path stringify panic assert vec);

    #[derive(Bundle)]
    pub struct Parts {
        pub parts: Option,
        pub world: (Some, None),
    }

    #[derive(Aspect)]
    pub struct Tree {
        #[aspect(default = Option(3), .0 = 4)]
        pub field: Option,
        pub part: Default,
    }

    #[derive(Aspect)]
    pub struct Field {
        #[aspect(.field.0 = 5)]
        pub tree: Tree,
        #[aspect(default = None)]
        pub none: None,
    }

    #[derive(States)]
    pub enum Phase {
        #[state(to(Clone, Some))]
        Some,
        Clone,
    }
    #[derive(States)]
    #[states(within = phase::Clone)]
    pub(super) enum Within {
        Copy,
        Debug,
    }

    #[derive(MetaAspect)]
    pub enum Part {
        Ok(Field),
        Err(Option),
    }

    components_from! {
        pub "data/meta.json",
    }

    #[derive(Query)]
    pub struct Data<'q> {
        pub base: &'q mut Option,
        pub i: &'q Some,
        pub columns: ::ecs::Is<None>,
        pub word: ::ecs::Entity,
    }

    world! {
        #[derive(Clone)]
        pub struct Game {
            components { this: Option, index: Some, f: None, world: Vec, run: Default }
            resources { clone: Clone, state: Debug = Debug }
            events { events: Send }
        }
        schedule system { world; state if f; run }
    }

    parts! {
        pub listed {
            components { this: Option, value: Some, None }
            resources { clone: Clone = Clone(1) }
            events { Send(external) }
            schedule next { any }
        }
    }

    #[system(init = all)]
    pub fn any(this: &mut Option, value: &Some, _: ::ecs::Without<None>, clone: ::ecs::Res<'_, Clone>) {
        this.0 += value.deref + clone.0;
    }

    fn all<World>(_: &mut World) {}

    world! {
        pub struct Include { include listed { this as option }; }
        schedule state { include next }
    }

    #[system(Game)]
    pub fn world(base: &mut Option, i: &Some, state: ::ecs::Res<'_, Clone>, world: ::ecs::With<None>) {
        let _ = world;
        base.0 += i.deref + state.0;
    }

    #[system(Game)]
    pub fn state(mut p: ::ecs::Query<'_, Data<'_>>, mut out: ::ecs::EventWriter<'_, Send>) {
        p.for_each(|data| data.base.0 += 1);
        out.send(Send(3));
    }

    #[system(Game)]
    pub fn run(mut run: ::ecs::EventReader<'_, Send>, mut out: ::ecs::ResMut<'_, Clone>) {
        for event in &mut run {
            out.0 += event.0;
        }
    }

    #[system(Game)]
    pub fn f(f: ::ecs::Query<'_, &None>) -> ::std::primitive::bool {
        !f.is_empty()
    }
}

use ecs::World;

#[test]
fn expansions_rely_on_no_name_of_the_user() {
    let mut game = hostile::Game::default();
    let parts =
        hostile::Parts { parts: hostile::Option(1), world: (hostile::Some { deref: 4 }, hostile::None) };
    let entity = game.spawn((parts, hostile::Vec));
    game.system();
    assert_eq!(game.get::<hostile::Option>(entity).map(|option| option.0), Some(6));
    assert!(game.has::<hostile::Default>(entity));
    assert_eq!(game.clone().resource::<hostile::Clone>().0, 3);
}

#[test]
fn aspects_and_definitions_rely_on_no_name_of_the_user() {
    use ecs::{Aspect, Aspects};
    let mut game = hostile::Game::default();
    let entity = game.spawn(hostile::Field::fresh());
    let ok = game.take_one_of::<hostile::Part>(entity).unwrap();
    assert!(matches!(ok, hostile::Part::Ok(field) if field.tree.field.0 == 5));
    let meta: hostile::Meta = Default::default();
    assert_eq!(meta.name, "");
}

/// The library under another name, as after a rename in the manifest or a re-export.
mod facade {
    pub mod inner {
        pub use ecs as engine;
    }
}

mod renamed {
    use super::facade::inner::engine::prelude::*;
    use super::facade::inner::engine::{Aspect, MetaAspect, components_from};

    #[derive(Component)]
    #[component(crate = super::facade::inner::engine, requires(Mass))]
    pub struct Position(pub i32);
    #[derive(Component, Default)]
    #[component(crate = super::facade::inner::engine)]
    pub struct Mass(pub i32);
    #[derive(Bundle)]
    #[bundle(crate = super::facade::inner::engine)]
    pub struct Body(pub Position, pub Mass);
    #[derive(Aspect)]
    #[aspect(crate = super::facade::inner::engine)]
    pub struct Heavy {
        #[aspect(.0 = 3, default = Mass(1))]
        pub mass: Mass,
    }
    #[derive(MetaAspect)]
    #[aspect(crate = super::facade::inner::engine)]
    pub enum Some {
        Heavy(Heavy),
    }
    components_from! {
        #![crate = super::facade::inner::engine]
        pub "data/meta.json",
    }
    #[derive(Query)]
    #[query(crate = super::facade::inner::engine)]
    pub struct Mover<'a> {
        pub position: &'a mut Position,
    }

    world! {
        #![crate = super::facade::inner::engine]
        pub struct Game { components { Position, Mass } }
        schedule tick { fall }
    }

    #[system(Game, crate = super::facade::inner::engine)]
    pub fn fall(mut mover: Each<Mover<'_>>, mass: &Mass) {
        mover.position.0 -= mass.0;
    }
}

#[test]
fn the_library_may_have_another_name() {
    use ecs::Aspects;
    let mut game = renamed::Game::new();
    let entity = game.spawn(renamed::Body(renamed::Position(5), renamed::Mass(2)));
    game.tick();
    assert_eq!(game.get::<renamed::Position>(entity).map(|position| position.0), Some(3));
    let renamed::Some::Heavy(heavy) = game.take_one_of(entity).unwrap();
    assert_eq!((heavy.mass.0, <renamed::Heavy as ecs::Aspect>::fresh().mass.0), (2, 3));
    assert_eq!(
        (renamed::Meta::default().name, <renamed::Meta as ecs::Component>::COMPONENT_NAME),
        (String::new(), "Meta")
    );
}
