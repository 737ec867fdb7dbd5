//! [`MetaAspect`]: enums whose variants are aspects, tried in order.

use super::verbs::has_all;
use crate::bundle::Bundle;
use crate::entity::Entity;
use crate::error::PresentError;
use crate::world::{MoveComponents, World};

/// An enum of alternatives, each an aspect or a component. Derived: `#[derive(MetaAspect)]`.
///
/// [`Aspects::take_one_of`](super::Aspects::take_one_of) removes the first alternative of which an
/// entity has all components, and [`Aspects::add_one_of`](super::Aspects::add_one_of) adds the
/// components of an alternative to an entity.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::{Aspect, MetaAspect};
///
/// #[derive(Component, Default, PartialEq, Debug)] struct Input;
/// #[derive(Component, Default, PartialEq, Debug)] struct Plan(Vec<u8>);
/// #[derive(Component, Default, PartialEq, Debug)] struct Mood(i8);
///
/// #[derive(Aspect)]
/// struct MonsterMind { plan: Plan, mood: Mood }
///
/// #[derive(MetaAspect)]
/// enum Mind { Player(Input), Monster(MonsterMind) }
///
/// world! { struct Game { components { Input, Plan, Mood } } }
///
/// let mut game = Game::new();
/// let (hero, rat) = (game.spawn(Input), game.spawn(MonsterMind::fresh()));
/// let (mind, other) = (game.take_one_of::<Mind>(hero)?, game.take_one_of::<Mind>(rat)?);
/// game.add_one_of(hero, other)?;
/// game.add_one_of(rat, mind)?;
/// assert!(game.has_aspect::<MonsterMind>(hero) && game.has::<Input>(rat));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Alternatives nest: write `#[one_of]` before a field that holds another enum with
/// `#[derive(MetaAspect)]`.
///
/// ```
/// # use ecs::prelude::*;
/// # use ecs::MetaAspect;
/// # #[derive(Component, Default, PartialEq, Debug)] struct Input;
/// # #[derive(Component, Default, PartialEq, Debug)] struct FirstPerson;
/// # #[derive(Component, Default, PartialEq, Debug)] struct Overhead { height: u32 }
/// # #[derive(Component, Default, PartialEq, Debug)] struct Plan;
/// #[derive(MetaAspect, PartialEq, Debug)]
/// enum Camera { First(FirstPerson), Overhead(Overhead) }
///
/// #[derive(MetaAspect, PartialEq, Debug)]
/// enum Mind { Player(Input, #[one_of] Camera), Monster(Plan) }
///
/// # world! { struct Game { components { Input, FirstPerson, Overhead, Plan } } }
/// # let mut game = Game::new();
/// let hero = game.spawn((Input, Overhead { height: 9 }));
/// let mind = game.take_one_of::<Mind>(hero)?; // with its camera, whichever that is
/// assert_eq!(mind, Mind::Player(Input, Camera::Overhead(Overhead { height: 9 })));
/// # Ok::<(), ecs::error::NoneOfError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `MetaAspect` of world `{W}`",
    label = "not an enum of aspects of `{W}`",
    note = "`#[derive(MetaAspect)]` is for an enum, and each variant has one field: an aspect or a component of the world"
)]
pub trait MetaAspect<W: World>: Sized {
    /// The name of the type, without its module path.
    const META_ASPECT_NAME: &'static str;
    /// The types of the variants, as the declaration spells them, in order.
    const ALTERNATIVES: &'static [&'static str];
    /// Whether the entity has all components of at least one variant.
    #[doc(hidden)]
    fn is_in(world: &W, entity: Entity) -> bool;
    /// Removes and returns the first variant of which the entity has all components.
    #[doc(hidden)]
    fn take_from(world: &mut W, entity: Entity) -> Option<Self>;
    /// Adds the components of the variant to the entity.
    #[doc(hidden)]
    fn add_to(self, world: &mut W, entity: Entity) -> Result<(), PresentError>;
}

/// Removes a bundle and an alternative of a nested enum from an entity that has both, and returns
/// them; otherwise changes nothing.
pub fn take_both<W: World, B: Bundle<W>, M: MetaAspect<W>>(world: &mut W, entity: Entity) -> Option<(B, M)> {
    if !has_all::<W, B>(world, entity) || !M::is_in(world, entity) {
        return None;
    }
    let all = world.try_remove::<B>(entity).ok()?;
    match M::take_from(world, entity) {
        Some(one) => Some((all, one)),
        None => {
            // the alternative and the bundle have a component in common, which was removed with the
            // bundle
            drop(world.insert(entity, all));
            None
        }
    }
}

/// Adds a bundle and an alternative of a nested enum to an entity.
///
/// # Errors
/// If the entity cannot have both; then it gets neither.
pub fn add_both<W: World, B: Bundle<W>, M: MetaAspect<W>>(
    world: &mut W,
    entity: Entity,
    all: B,
    one: M,
) -> Result<(), PresentError> {
    world.insert_if_new(entity, all)?;
    one.add_to(world, entity).inspect_err(|_| drop(world.try_remove::<B>(entity)))
}
