//! Types and traits of other libraries that stand outside of the parameters of systems. A type of
//! the user, declared or imported by its name, hides the one of the prelude.
//!
//! The types of callback parameters accept everything: the method that takes the callback is the
//! mistake.

use core::marker::PhantomData;
use core::ops::Deref;

use crate::entity::Entity;

/// The parameter of a callback of an observer.
pub struct On<E = (), B = ()>(PhantomData<fn() -> (E, B)>);

impl<E, B> Deref for On<E, B> {
    type Target = E;
    fn deref(&self) -> &E {
        unreachable!("there are no values of this type")
    }
}

/// The relation from a parent to its children.
pub struct ForeignChildren;

/// The parameter of a callback of an entity.
pub struct EntityWorldMut<'w>(PhantomData<&'w ()>);

/// The parameter of the function of a [`Plugin`].
pub struct App(());

/// Methods that accept everything: another mistake was reported.
macro_rules! accepting {
    ([$($generics:tt)*] $of:ty { $($method:ident($($argument:ident),*);)* } { $($turbofish:ident;)* }) => {
        #[allow(clippy::should_implement_trait, reason = "the signatures are those of other libraries")]
        impl $($generics)* $of {
            $(
                #[doc(hidden)]
                pub fn $method<$($argument),*>(&mut self, $(_: $argument),*) -> &mut Self {
                    self
                }
            )*
            $(
                #[doc(hidden)]
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

impl EntityWorldMut<'_> {
    #[doc(hidden)]
    pub fn id(&self) -> Entity {
        unreachable!("there are no values of this type")
    }
}

impl App {
    #[doc(hidden)]
    pub fn new<T>() -> T
    where
        [T; 0]: MakesAnApp,
    {
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
pub trait OffersAPlugin {}

/// A library for an [`App`].
pub trait Plugin: OffersAPlugin {
    #[doc(hidden)]
    fn build(&self, app: &mut App);
    #[doc(hidden)]
    fn name(&self) -> &str {
        ""
    }
    #[doc(hidden)]
    fn finish(&self, _app: &mut App) {}
}

/// The builder of a bundle.
pub struct EntityBuilder(());

impl EntityBuilder {
    #[doc(hidden)]
    pub fn new<R>() -> R
    where
        [R; 0]: BuildsAnEntity,
    {
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
