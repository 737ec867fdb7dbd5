//! [`Disabled`], a component of the library: queries pass over the entities that have it.

use ecs_macros::Component;

/// Queries pass over the entities with this component, unless they name it.
///
/// A world that lists `Disabled` among its components has entities that can be switched off and on
/// again with all that they have: in a pool, out of sight, in the menu. Nothing moves: the
/// component is one bit of the entity, and each query of such a world reads one word more for 64
/// entities. The queries of other worlds read nothing more.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::query::AllowDisabled;
///
/// #[derive(Component, PartialEq, Debug)] struct Fuel(u32);
///
/// world! { struct Game { components { Fuel, Disabled } } schedule tick { burn } }
///
/// #[system(Game)]
/// fn burn(fuel: &mut Fuel) { fuel.0 -= 1; }                                    // as if `_: Without<Disabled>` was there
///
/// let mut game = Game::new();
/// let (car, bus) = (game.spawn(Fuel(9)), game.spawn((Fuel(9), Disabled)));
/// game.tick();
/// assert_eq!((game.get::<Fuel>(car), game.get::<Fuel>(bus)), (Some(&Fuel(8)), Some(&Fuel(9))));
/// assert_eq!(game.query::<&Fuel>().len(), 1);
/// assert_eq!(game.query::<&Fuel>().filter::<With<Disabled>>().len(), 1);       // it names `Disabled`
/// assert_eq!(game.query::<(&Fuel, Is<Disabled>)>().len(), 2);
/// assert_eq!(game.query::<&Fuel>().filter::<AllowDisabled>().len(), 2);
/// game.remove::<Disabled>(bus)?;
/// assert_eq!(game.query::<&Fuel>().len(), 2);
/// # Ok::<(), ecs::error::NoSuchEntity>(())
/// ```
///
/// A query names a component if the component is in its data or in its filter: `With<Disabled>`
/// matches only disabled entities, `Is<Disabled>` and `Option<&Disabled>` match both. So does
/// [`AllowDisabled`](crate::query::AllowDisabled), which names all components that disable. This
/// holds for queries of all kinds: [`Query`](struct@crate::Query) and the queries of per-entity
/// systems, `world.query()`, `entities()`, `retain` and `despawn_all`, queries of snapshots.
/// [`Entered`](crate::Entered) and [`Exited`](crate::Exited) follow: an entity that is disabled
/// exits from each filter that does not name `Disabled`, and enters it again when it is enabled.
///
/// Methods that take an entity reach disabled entities as well: `get`, `contains`,
/// [`View`](crate::query::View), commands, relations with their verbs and
/// [`Sources`](crate::Sources), lookups by a key, `unique`. So do the observers of insertions and
/// removals, saves, clones and hashes, which see a component like any other, and the queries of
/// tools by name, such as those of an inspector. The children of a disabled entity are not
/// disabled: insert it into the [`descendants`](crate::Related::descendants), too.
///
/// An own component with the option `disables` does the same. With a list it disables only some
/// components of the entity:
///
/// ```
/// # use ecs::prelude::*;
/// # #[derive(Component)] struct Position(f32);
/// # #[derive(Component)] struct Velocity(f32);
/// /// Queries that require `Velocity` pass over the entity, unless they name `Stunned`.
/// #[derive(Component)]
/// #[component(disables(Velocity))]
/// struct Stunned;
/// # world! { struct Game { components { Position, Velocity, Stunned } } }
/// # let mut game = Game::new();
/// game.spawn((Position(0.0), Velocity(1.0), Stunned));
/// assert_eq!((game.query::<&Position>().len(), game.query::<(&Position, &Velocity)>().len()), (1, 0));
/// assert_eq!(game.query::<(&Position, Option<&Velocity>)>().len(), 1); // does not require it, and sees it
/// ```
///
/// `Storage<Disabled>` is a compile error, since all queries of the stage read the component: use
/// `Commands`.
#[derive(Component, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[component(disables, crate = crate)]
pub struct Disabled;
