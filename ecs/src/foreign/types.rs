//! Types and traits of other libraries that stand outside of the parameters of systems. A type of
//! the user, declared or imported by its name, hides the one of the prelude.
//!
//! The types of callback parameters accept everything: the method that takes the callback is the
//! mistake.

use core::marker::PhantomData;

use crate::entity::Entity;

/// The parameter of a callback of an observer.
pub struct On<E = (), B = ()>(PhantomData<fn() -> (E, B)>);

deref!([E, B] On<E, B> => E, |_| unreachable!("there are no values of this type"));

/// The relation from a parent to its children. It is an alias without a type, so that whatever
/// names it is one error. A foreign method to which it is given, `despawn_related::<Children>()`, has
/// its condition on the type argument: then it is not reported, too.
pub type ForeignChildren = <() as ListsChildren>::Never;

/// The condition of [`ForeignChildren`].
#[diagnostic::on_unimplemented(
    message = "`Children` is of bevy: a world finds the children of an entity by their `ChildOf`",
    label = "write `game.sources::<ChildOf>(parent)`; in a query, `Sources<ChildOf>`; children are despawned with their parent",
    note = "if `Children` is a type of your own, import it"
)]
pub trait ListsChildren {
    /// The type that is not there.
    type Never;
}

/// The parameter of a callback of an entity.
pub struct EntityWorldMut<'w>(PhantomData<&'w ()>);

/// The parameter of the function of a [`Plugin`].
pub struct App(());

/// Methods that accept everything: another mistake was reported.
macro_rules! accepting {
    ([$($generics:tt)*] $of:ty { $($method:ident($($argument:ident),*);)* } { $($turbofish:ident;)* }) => {
        #[doc(hidden)]
        #[allow(clippy::should_implement_trait, reason = "the signatures are those of other libraries")]
        impl $($generics)* $of {
            $(
                pub fn $method<$($argument),*>(&mut self, $(_: $argument),*) -> &mut Self {
                    self
                }
            )*
            $(
                pub fn $turbofish<T>(&mut self) -> &mut Self {
                    self
                }
            )*
        }
    };
}

accepting! {
    [<'w>] EntityWorldMut<'w> { insert(A); insert_if_new(A); add_child(A); add_children(A); despawn(); } { remove; }
}
accepting! {
    [] App {
        add_systems(A, B); add_plugins(A); insert_resource(A); configure_sets(A, B); add_observer(A); insert_state(A); run();
    } { init_resource; add_event; add_message; init_state; register_type; add_sub_state; }
}

#[doc(hidden)]
impl EntityWorldMut<'_> {
    pub fn id(&self) -> Entity {
        unreachable!("there are no values of this type")
    }
}

#[doc(hidden)]
impl App {
    #[rustfmt::skip]
    pub fn new<T>() -> T where [T; 0]: MakesAnApp {
        unreachable!("no type fulfils the condition")
    }
}

/// The condition of `App::new`.
#[diagnostic::on_unimplemented(
    message = "`App` is of bevy: a program declares its world, `world! {{ struct Game {{ .. }} }}`",
    label = "write `Game::new()`, with the name of the world",
    note = "if `App` is a type of your own, import it"
)]
pub trait MakesAnApp {}

/// The labels of schedules.
pub struct Update;
/// The labels of schedules.
pub struct FixedUpdate;
/// The labels of schedules.
pub struct Startup;

/// The condition of [`Plugin`].
#[diagnostic::on_unimplemented(
    message = "`Plugin` is of bevy: a library offers `parts! {{ pub physics {{ .. }} }}`, and a world writes `include physics;`",
    label = "no plugin",
    note = "if `Plugin` is a trait of your own, import it"
)]
pub trait OffersAPlugin<Type: ?Sized> {}

/// A library for an [`App`].
#[doc(hidden)]
#[rustfmt::skip]
pub trait Plugin where (): OffersAPlugin<Self> {
    fn build(&self, app: &mut App);
    fn name(&self) -> &str {
        ""
    }
    fn finish(&self, _app: &mut App) {}
}

/// The builder of a bundle.
pub struct EntityBuilder(());

#[doc(hidden)]
impl EntityBuilder {
    #[rustfmt::skip]
    pub fn new<R>() -> R where [R; 0]: BuildsAnEntity {
        unreachable!("no type fulfils the condition")
    }
}

/// The condition of [`EntityBuilder`].
#[diagnostic::on_unimplemented(
    message = "`EntityBuilder` is of hecs: spawn a tuple, and `insert` the rest",
    label = "write `let entity = game.spawn((A, B))`, and `game.insert(entity, C)`",
    note = "if `EntityBuilder` is a type of your own, import it"
)]
pub trait BuildsAnEntity {}

/// The functions stand at the types and not in traits: rustc proposes such traits for every type
/// that lacks a function of the name.
#[doc(hidden)]
impl Entity {
    #[rustfmt::skip]
    pub fn new<R>() -> R where [R; 0]: MadeByNew
    {
        unreachable!("no type fulfils the condition")
    }
}

#[doc(hidden)]
impl<W> crate::Snapshot<W> {
    #[rustfmt::skip]
    pub fn restore<R>(&self) -> R where Self: RestoresItself
    {
        unreachable!("no type fulfils the condition")
    }
}

/// The condition of `restore` of a snapshot.
#[diagnostic::on_unimplemented(
    message = "a snapshot has no `restore`: the world goes back to it",
    label = "write `game.restore(&snapshot)`"
)]
pub trait RestoresItself {}

#[doc(hidden)]
impl<R: crate::Accumulate> crate::Accumulator<'_, R> {
    #[rustfmt::skip]
    pub fn accumulate<A>(&mut self, _: A) where Self: AccumulatesAtOnce
    {
        unreachable!("no type fulfils the condition")
    }
}

/// The condition of `accumulate` of an accumulator.
#[diagnostic::on_unimplemented(
    message = "an `Accumulator` has no `accumulate`: the library calls that of the resource later",
    label = "write `.add(..)`"
)]
pub trait AccumulatesAtOnce {}

/// The kind of a timer.
#[doc(hidden)]
pub enum TimerMode {
    Once,
    Repeating,
}

#[doc(hidden)]
impl crate::time::Timer {
    #[rustfmt::skip]
    pub fn new<A, R>(_: A, _: TimerMode) -> R where [R; 0]: HasAMode
    {
        unreachable!("no type fulfils the condition")
    }

    #[rustfmt::skip]
    pub fn from_seconds<R>(_: f32, _: TimerMode) -> R where [R; 0]: HasAMode
    {
        unreachable!("no type fulfils the condition")
    }
}

/// The condition of `Timer::new` and `Timer::from_seconds`.
#[diagnostic::on_unimplemented(
    message = "a `Timer` has a constructor for each kind",
    label = "write `Timer::once(Duration::from_secs(1))`, or `Timer::repeating(Duration::from_secs(1))`",
    note = "the type is `core::time::Duration`"
)]
pub trait HasAMode {}

/// The condition of `Entity::new`.
#[diagnostic::on_unimplemented(
    message = "an `Entity` is not made by `new`",
    label = "`game.spawn(..)` and `commands.spawn(..)` return the id of a new entity"
)]
pub trait MadeByNew {}

#[cfg(feature = "serde")]
#[doc(hidden)]
impl<W: crate::world::World> crate::prefab::Prefab<W> {
    #[rustfmt::skip]
    pub fn load<A, R>(_: A) -> R where Self: PrefabLoad
    {
        unreachable!("no type fulfils the condition")
    }

    #[rustfmt::skip]
    pub fn new<A, R>(_: A) -> R where Self: PrefabNew
    {
        unreachable!("no type fulfils the condition")
    }
}

/// The condition of `Prefab::load`.
#[diagnostic::on_unimplemented(
    message = "a `Prefab` has no `load`: it is read from text",
    label = "write `Prefab::<Game>::from_json(path, &std::fs::read_to_string(path)?)`",
    note = "`from_json` needs the feature `json`; `Prefabs::<Game>::new().from_json(path, text)` also reads aspects"
)]
pub trait PrefabLoad {}

/// The condition of `Prefab::new`.
#[diagnostic::on_unimplemented(
    message = "a `Prefab` has no `new`: it is read from text",
    label = "write `Prefab::<Game>::from_json(name, text)`, or spawn the bundle itself",
    note = "a kind of entities in the program is a struct with `#[derive(Aspect)]`: `game.spawn(Monster::fresh())`"
)]
pub trait PrefabNew {}
