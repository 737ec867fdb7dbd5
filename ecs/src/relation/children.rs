//! [`Children`]: spawns entities with a relation to one entity, in a closure, and the macro
//! `children!`, which writes such a closure.
//!
//! One type serves worlds, commands and the flush of commands, so that a closure does not depend on
//! where its entities are spawned.

use crate::bundle::Bundle;
use crate::command::failed_command::Origin;
use crate::command::queue::{BundleCommand, Spawn, SpawnSetOf};
use crate::command::{Commands, EntityCommands, ParCommands};
use crate::entity::Entity;
use crate::raw_world::WorldFields;
use crate::world::World;

/// Spawns the children of one entity: the argument of the closure of
/// [`spawn_with_children`](crate::Relations::spawn_with_children).
///
/// `R` is the relation, or a bundle with it, that the link makes from the id of the parent.
pub struct Children<'c, W: World, R> {
    target: SpawnTarget<'c, W>,
    parent: Entity,
    link: &'c dyn Fn(Entity) -> R,
}

/// The place where children are spawned.
enum SpawnTarget<'c, W: World> {
    World(&'c mut W),
    Commands(Commands<'c, W>),
    /// A world whose commands are being applied: a refusal is a failed command.
    Flush(&'c mut W, &'c Origin),
}

impl<W: World> SpawnTarget<'_, W> {
    fn reborrow(&mut self) -> SpawnTarget<'_, W> {
        match self {
            Self::World(world) => SpawnTarget::World(world),
            Self::Commands(commands) => SpawnTarget::Commands(commands.reborrow()),
            Self::Flush(world, origin) => SpawnTarget::Flush(world, origin),
        }
    }

    #[cfg_attr(debug_assertions, track_caller)]
    fn spawn<B: Bundle<W>>(&mut self, bundle: B) -> Entity {
        match self {
            Self::World(world) => world.spawn(bundle),
            Self::Commands(commands) => commands.spawn(bundle),
            Self::Flush(world, origin) => {
                let entity = world.entities_mut().spawn(SpawnSetOf::<W, B::BundleComponents>::SET);
                BundleCommand::new(bundle).give_new(world, entity, origin);
                entity
            }
        }
    }
}

/// Makes the relation of a child from the id of its parent: the constructor of a relation, or a
/// closure. Implemented for every such function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` makes no relation from the id of the parent",
    label = "write the constructor without an argument, such as `ChildOf`, or a closure, `|parent| Likes {{ parent, .. }}`"
)]
pub trait ParentLink<R>: Fn(Entity) -> R {}
#[diagnostic::do_not_recommend]
impl<R, L: Fn(Entity) -> R> ParentLink<R> for L {}

impl<W: World, R> Children<'_, W, R> {
    /// The id of the entity whose children are spawned.
    pub fn parent(&self) -> Entity {
        self.parent
    }

    /// Spawns a child with the components of a bundle and the relation to the parent.
    ///
    /// # Panics
    /// In the closure of a world, for the reasons for which [`World::spawn`] panics.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn spawn<B>(&mut self, bundle: B) -> Entity
    // a tuple: `spawn((A, B))`
    where
        (R, B): Bundle<W>,
    {
        self.target.spawn(((self.link)(self.parent), bundle))
    }

    /// Spawns a child, and its own children with the same relation.
    ///
    /// # Panics
    /// As [`spawn`](Self::spawn), or if the closure panics.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn spawn_with_children<B>(
        &mut self,
        bundle: B,
        children: impl FnOnce(&mut Children<'_, W, R>),
    ) -> Entity
    where
        (R, B): Bundle<W>,
    {
        let child = self.spawn(bundle);
        children(&mut Children { target: self.target.reborrow(), parent: child, link: self.link });
        child
    }
}

debug!([W: World, R] Children<'_, W, R>, |this, f| {
    f.debug_struct("Children").field("parent", &this.parent).finish_non_exhaustive()
});

/// Children in a literal, any number of them, nested: a closure for
/// [`spawn_with_children`](crate::Relations::spawn_with_children) and the other methods with that
/// argument.
///
/// An element is a bundle; `bundle => [..]` is a bundle with children of its own, by the same
/// relation.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component, PartialEq, Debug)]
/// enum Part { Hull, Turret, Gun, Wheel(u8) }
///
/// world! { struct Game { components { Part, ChildOf } } }
///
/// let mut game = Game::new();
/// let tank = game.spawn_with_children(Part::Hull, ChildOf, children![
///     Part::Turret => [Part::Gun, Part::Gun],
///     Part::Wheel(0),
///     Part::Wheel(1),
/// ]);
/// let parts = game.related::<ChildOf>();
/// let turret = parts.sources(tank)[0];
/// assert_eq!((parts.sources(tank).len(), parts.sources(turret).len()), (3, 2));
/// ```
///
/// `children![move ..]` is a `move` closure, which takes the variables that its elements use:
/// [`ParCommands`] needs one.
///
/// The elements are evaluated when the children are spawned, in the order of the text. They can use
/// what the function has in scope; `?` and `return` in them leave the closure only, which is a
/// compile error. A number of children that is known only at run time needs a closure that is
/// written out: `|children| for i in 0..n { children.spawn(Part::Wheel(i)); }`.
#[macro_export]
macro_rules! children {
    (@child $children:ident $bundle:expr) => {
        $children.spawn($bundle);
    };
    (@child $children:ident $bundle:expr => [$($nested:tt)*]) => {
        $children.spawn_with_children($bundle, $crate::children![$($nested)*]);
    };
    (move $($elements:tt)*) => {
        $crate::children!(@closure [move] $($elements)*)
    };
    (@closure [$($by_move:tt)?] $($bundle:expr $(=> [$($nested:tt)*])?),* $(,)?) => {
        $($by_move)? |children: &mut $crate::relation::Children<'_, _, _>| {
            let _ = &children;
            $($crate::children!(@child children $bundle $(=> [$($nested)*])?);)*
        }
    };
    (@closure [$($by_move:tt)?] $($wrong:tt)*) => {
        $crate::children!(@wrong $($wrong)*)
    };
    (@wrong $bundle:expr $(=> [$($nested:tt)*])?, $($rest:tt)*) => {
        $crate::children!(@wrong $($rest)*)
    };
    (@wrong $bundle:expr => $child:expr $(, $($rest:tt)*)?) => {
        ::core::compile_error!(::core::concat!(
            "`children!`: the children of a child stand in brackets: `", ::core::stringify!($bundle), " => [", ::core::stringify!($child), "]`"
        ))
    };
    (@wrong $($elements:tt)*) => {
        ::core::compile_error!(
            "`children!` lists bundles with `,` between them, and the children of a child stand in brackets: `children![A, (B, C) => [D]]`"
        )
    };
    ($($elements:tt)*) => {
        $crate::children!(@closure [] $($elements)*)
    };
}

/// Spawns children into a world: see
/// [`Relations::spawn_children`](crate::Relations::spawn_children).
pub(super) fn spawn_in_world<W: World, R>(
    world: &mut W,
    parent: Entity,
    link: &dyn Fn(Entity) -> R,
    children: impl FnOnce(&mut Children<'_, W, R>),
) {
    children(&mut Children { target: SpawnTarget::World(world), parent, link });
}

impl<W: World> Commands<'_, W> {
    /// Spawns an entity and its children: see
    /// [`Relations::spawn_with_children`](crate::Relations::spawn_with_children). The ids that the
    /// closure gets can be used at once in other commands.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] enum Part { Hull, Turret, Gun }
    /// # world! { struct Game { components { Part, ChildOf } } schedule tick { build; } }
    /// #[system(Game)]
    /// fn build(mut commands: Commands<Game>) {
    ///     commands.spawn_with_children(Part::Hull, ChildOf, |children| {
    ///         let turret = children.spawn(Part::Turret);
    ///         // ..
    ///         # let _ = turret;
    ///     });
    ///     commands.spawn_with_children(Part::Hull, ChildOf, children![Part::Turret => [Part::Gun]]);
    /// }
    /// # let mut game = Game::new();
    /// # game.tick();
    /// # assert_eq!(game.entities().len(), 5);
    /// ```
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn spawn_with_children<B: Bundle<W>, R, L: ParentLink<R>>(
        &mut self,
        bundle: B,
        link: L,
        children: impl FnOnce(&mut Children<'_, W, R>),
    ) -> Entity // `spawn_with_children((A, B), ChildOf, children![C, D])`
    {
        let parent = self.spawn(bundle);
        self.spawn_children(parent, link, children);
        parent
    }

    /// Spawns children of an entity: see
    /// [`Relations::spawn_children`](crate::Relations::spawn_children). If the entity does not
    /// exist when the commands are applied, each of them fails.
    pub fn spawn_children<R, L: ParentLink<R>>(
        &mut self,
        parent: Entity,
        link: L,
        children: impl FnOnce(&mut Children<'_, W, R>),
    ) // `spawn_children(parent, ChildOf, children![A, B])`
    {
        children(&mut Children { target: SpawnTarget::Commands(self.reborrow()), parent, link: &link });
    }
}

impl<W: World> EntityCommands<'_, W> {
    /// See [`Commands::spawn_children`].
    pub fn spawn_children<R, L: ParentLink<R>>(
        &mut self,
        link: L,
        children: impl FnOnce(&mut Children<'_, W, R>),
    ) -> &mut Self // `spawn_children(ChildOf, children![A, B])`
    {
        self.commands.spawn_children(self.entity, link, children);
        self
    }
}

impl<W: World> ParCommands<'_, W> {
    /// Spawns an entity and its children: see [`Commands::spawn_with_children`]. The closure is
    /// called when the stage ends: the ids do not depend on the threads.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn spawn_with_children<B: Bundle<W>, R, L>(
        &mut self,
        bundle: B,
        link: L,
        children: impl FnOnce(&mut Children<'_, W, R>) + Send + Sync + 'static,
    )
    // `spawn_with_children((A, B), ChildOf, children![C, D])`; no id
    where
        L: ParentLink<R> + Send + Sync + 'static,
    {
        let then = move |world: &mut W, parent, origin: &Origin| {
            children(&mut Children { target: SpawnTarget::Flush(world, origin), parent, link: &link });
        };
        self.push_spawn::<B>(Spawn(BundleCommand::new(bundle), then));
    }
}
