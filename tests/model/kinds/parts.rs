//! The components of the worlds, each with a number, and tables of the verbs for one component and
//! for the components of a kind.

use ecs::prelude::*;
use ecs::{Commands, Has, World};

/// A component with a number; 0 for one without fields.
pub trait Numbered: Component {
    const NAME: &'static str;
    /// Whether a value has a token.
    const COUNTED: bool;
    fn make(number: u32) -> Self;
    fn number(&self) -> u32;
}

/// Components that are made of a number: tuples of [`Numbered`].
pub trait Numbers: Sized {
    fn names() -> Vec<&'static str>;
    fn make(number: u32) -> Self;
    fn numbers(&self) -> Vec<u32>;
}

macro_rules! tuples {
    ($($name:ident)+) => {
        #[allow(non_snake_case)]
        impl<$($name: Numbered),+> Numbers for ($($name,)+) {
            fn names() -> Vec<&'static str> {
                vec![$($name::NAME),+]
            }
            fn make(number: u32) -> Self {
                ($($name::make(number),)+)
            }
            fn numbers(&self) -> Vec<u32> {
                let ($($name,)+) = self;
                vec![$($name.number()),+]
            }
        }
    };
}
tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);

impl Numbers for () {
    fn names() -> Vec<&'static str> {
        Vec::new()
    }
    fn make(_: u32) {}
    fn numbers(&self) -> Vec<u32> {
        Vec::new()
    }
}

/// Declares components, with attributes: `held` with a token, `plain` without a drop, `tag` without
/// fields.
macro_rules! numbered {
    ($($attributes:tt $kind:ident: $($name:ident)*;)*) => {
        $($(numbered!(@$kind $attributes $name);)*)*
    };
    (@held $attributes:tt $name:ident) => {
        numbered!(@declare $attributes $name (ecs_tests::Counted));
        numbered!(@impl $name true, |number| Self(ecs_tests::Counted::new(number)), |value| value.0.0);
    };
    (@plain $attributes:tt $name:ident) => {
        numbered!(@declare $attributes $name (u32));
        numbered!(@impl $name false, |number| Self(number), |value| value.0);
    };
    (@tag $attributes:tt $name:ident) => {
        numbered!(@declare $attributes $name);
        numbered!(@impl $name false, |_number| Self, |_value| 0);
    };
    (@declare [$($attribute:meta),*] $name:ident $($fields:tt)?) => {
        #[derive(Component, Clone, Debug)]
        $(#[$attribute])*
        pub struct $name $($fields)?;
    };
    (@impl $name:ident $counted:literal, |$number:ident| $make:expr, |$value:ident| $read:expr) => {
        impl Numbered for $name {
            const NAME: &'static str = stringify!($name);
            const COUNTED: bool = $counted;
            fn make($number: u32) -> Self {
                $make
            }
            fn number(&self) -> u32 {
                let $value = self;
                $read
            }
        }
    };
}
pub(super) use numbered;

/// The verbs for one component.
pub struct Part<W: World> {
    pub name: &'static str,
    pub counted: bool,
    pub get: fn(&W, Entity) -> Option<u32>,
    /// The result of a living entity is the number of the replaced value.
    pub insert: fn(&mut W, Entity, u32) -> Option<Option<u32>>,
    pub remove: fn(&mut W, Entity) -> Option<u32>,
    pub list: fn(&W) -> Vec<(Entity, u32)>,
    pub despawn_all: fn(&mut W) -> usize,
    pub remove_all: fn(&mut W) -> usize,
    /// Keeps the entities without the component, and those of whose number `keep` holds.
    pub retain: fn(&mut W, &dyn Fn(u32) -> bool) -> usize,
    pub insert_command: fn(&mut Commands<'_, W>, Entity, u32),
    pub remove_command: fn(&mut Commands<'_, W>, Entity),
}

impl<W: World> Part<W> {
    pub const fn of<T: Numbered + Bundle<W>>() -> Self
    where
        W: Has<T>,
    {
        Self {
            name: T::NAME,
            counted: T::COUNTED,
            get: |world, entity| world.get::<T>(entity).map(T::number),
            insert: |world, entity, number| {
                let replaced = world.insert_one(entity, T::make(number)).ok()?;
                Some(replaced.map(|value| value.number()))
            },
            remove: |world, entity| world.remove_one::<T>(entity).ok().flatten().map(|value| value.number()),
            list: |world| {
                let query = world.query::<(Entity, &T)>();
                let list: Vec<_> = query.iter().map(|(entity, value)| (entity, value.number())).collect();
                assert_eq!(query.len(), list.len());
                list
            },
            despawn_all: |world| world.despawn_all::<With<T>>(),
            remove_all: |world| world.remove_all::<T>(),
            retain: |world, keep| world.retain::<&T>(|value| keep(value.number())),
            insert_command: |commands, entity, number| commands.insert(entity, T::make(number)),
            remove_command: |commands, entity| commands.remove::<T>(entity),
        }
    }
}

/// The verbs for entities with one set of components.
pub struct Kind<W: World> {
    pub names: fn() -> Vec<&'static str>,
    pub spawn: fn(&mut W, u32) -> Entity,
    /// Spawns so many entities with ascending numbers; from a `Vec` if the last argument is true.
    pub batch: fn(&mut W, u32, u32, bool) -> Vec<Entity>,
    pub spawn_at: fn(&mut W, Entity, u32) -> bool,
    pub reserve: fn(&mut W, usize),
    pub insert: fn(&mut W, Entity, u32) -> bool,
    pub insert_if_new: fn(&mut W, Entity, u32) -> bool,
    pub remove: fn(&mut W, Entity) -> bool,
    pub try_remove: fn(&mut W, Entity) -> Option<Vec<u32>>,
    pub swap: fn(&mut W, Entity, Entity) -> bool,
    pub move_components: fn(&mut W, Entity, Entity) -> bool,
    pub take_entity: fn(&mut W, Entity) -> bool,
    pub insert_batch: fn(&mut W, &[Entity], u32) -> bool,
    pub command: fn(&mut Commands<'_, W>, u32) -> Entity,
    pub batch_command: fn(&mut Commands<'_, W>, u32, u32) -> Vec<Entity>,
}

impl<W: World> Kind<W> {
    pub const fn of<B: Numbers + Bundle<W>>() -> Self {
        Self {
            names: B::names,
            spawn: |world, number| world.spawn(B::make(number)),
            batch: |world, first, count, vec| {
                let bundles = (first..first + count).map(B::make);
                if vec {
                    return world.spawn_batch(bundles.collect::<Vec<B>>()).collect();
                }
                world.spawn_batch(bundles).collect()
            },
            spawn_at: |world, entity, number| world.spawn_at(entity, B::make(number)).is_ok(),
            reserve: |world, count| world.reserve::<B>(count),
            insert: |world, entity, number| world.insert(entity, B::make(number)).is_ok(),
            insert_if_new: |world, entity, number| world.insert_if_new(entity, B::make(number)).is_ok(),
            remove: |world, entity| world.remove::<B>(entity).is_ok(),
            try_remove: |world, entity| world.try_remove::<B>(entity).ok().map(|bundle| bundle.numbers()),
            swap: |world, a, b| world.swap::<B>(a, b).is_ok(),
            move_components: |world, from, to| world.move_components::<B>(from, to).is_ok(),
            take_entity: |world, entity| world.take_entity::<B>(entity).is_ok(),
            insert_batch: |world, entities, number| {
                world.insert_batch(entities.iter().map(|&entity| (entity, B::make(number)))).is_ok()
            },
            command: |commands, number| commands.spawn(B::make(number)),
            batch_command: |commands, first, count| {
                commands.spawn_batch((first..first + count).map(B::make)).collect()
            },
        }
    }
}
