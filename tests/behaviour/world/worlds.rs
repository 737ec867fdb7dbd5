//! Several worlds in a program, a module and a function; attributes on their entries.
#![allow(unexpected_cfgs)]

use ecs::prelude::*;

#[derive(Component, PartialEq, Clone, Debug)]
struct Position(i32);
#[derive(Component, PartialEq, Clone, Debug)]
struct Velocity(i32);

world! {
    struct Red { components { Position, Velocity } }
    schedule tick { movement }
}

world! {
    struct Blue { components { Velocity, Position } }
    schedule tick { movement }
}

/// A system that runs in both worlds.
#[system]
fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

mod elsewhere {
    use ecs::prelude::*;

    world! {
        pub(super) struct Red { components { super::Position } }
    }
}

#[test]
fn worlds_of_one_module_share_nothing() {
    let (mut red, mut blue) = (Red::new(), Blue::new());
    let one = red.spawn((Position(1), Velocity(1)));
    let two = blue.spawn((Position(1), Velocity(5)));
    red.tick();
    assert_eq!((red.get(one), blue.get(two)), (Some(&Position(2)), Some(&Position(1))));
    blue.tick();
    assert_eq!((red.get(one), blue.get(two)), (Some(&Position(2)), Some(&Position(6))));
}

#[test]
fn worlds_of_one_name_are_different_types() {
    let mut red = Red::new();
    let mut other = elsewhere::Red::new();
    let entity = other.spawn(Position(1));
    assert!(!red.contains(entity));
    assert_eq!(red.spawn(Position(1)).slot(), entity.slot());
    assert_eq!(<elsewhere::Red as World>::NAME, "Red");
}

#[test]
fn a_function_may_declare_worlds_components_and_systems() {
    #[derive(Component)]
    struct Local(u8);
    #[derive(Resource)]
    struct Sum(u32);

    world! {
        struct Inner {
            components { Local }
            resources { Sum = Sum(0) }
        }
        schedule run_all { add, double }
    }
    world! {
        struct Second { components { Local, Position } }
    }
    #[system(Inner)]
    fn add(locals: Query<&Local>, mut sum: ResMut<Sum>) {
        sum.0 += locals.iter().map(|local| u32::from(local.0)).sum::<u32>();
    }
    #[system(Inner)]
    fn double(mut sum: ResMut<Sum>) {
        sum.0 *= 2;
    }

    let mut inner = Inner::new();
    inner.spawn_batch((0..10).map(Local));
    inner.run_all();
    inner.run_all();
    assert_eq!(inner.resource::<Sum>().0, 270);
    let mut second = Second::new();
    second.spawn((Local(1), Position(2)));
    assert_eq!(second.query::<(&Local, &Position)>().len(), 1);
}

#[derive(Component)]
struct Here(u8);

world! {
    /// A world with entries that are compiled out; their types need not exist.
    #[allow(missing_docs)]
    struct Conditional {
        components {
            #[cfg(any())]
            gone: NoSuchType,
            /// An entry that is compiled in.
            #[cfg(all())]
            here: Here,
            #[cfg(not(any()))]
            Position,
            #[cfg(never_set)]
            Missing,
            Velocity,
        }
        resources {
            #[cfg(any())]
            lost: NoSuchResource,
            #[cfg(any())]
            also: NoSuchResource2 = NoSuchResource2::new(),
        }
        events {
            #[cfg(any())]
            never: NoSuchEvent,
        }
    }
    schedule tick {
        #[cfg(any())]
        no_such_system,
        movement,
        #[cfg(all())]
        count,
    }
    #[cfg(any())]
    schedule never_run { no_such_system }
}

#[system(Conditional)]
fn count(here: &mut Here) {
    here.0 += 1;
}

#[test]
fn members_may_be_compiled_out() {
    let mut world = Conditional::default();
    let entity = world.spawn((Here(1), Position(2), Velocity(3)));
    world.tick();
    assert_eq!(world.get::<Here>(entity).map(|here| here.0), Some(2));
    assert_eq!(world.get(entity), Some(&Position(5)));
    let names: Vec<_> = world.entity(entity).unwrap().components().collect();
    assert_eq!(names, ["Here", "Position", "Velocity"]);
    assert_eq!(world.stats().columns.len(), 3);
    let ConditionalColumns { here, position, velocity } = world.columns();
    assert_eq!((here.len(), position.len(), velocity.len()), (1, 1, 1));
    assert!(format!("{world:?}").contains("here: 1"));
    world.despawn(entity).unwrap();
    assert!(world.query::<&Velocity>().is_empty());
}

#[test]
fn a_world_may_be_empty() {
    world! {
        struct Void {}
    }
    let mut void = Void::default();
    let entity = void.spawn(());
    assert_eq!((void.entities().len(), void.stats().columns.len()), (1, 0));
    void.despawn(entity).unwrap();
    assert!(!void.contains(entity));
}
