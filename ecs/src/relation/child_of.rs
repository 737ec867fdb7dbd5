//! The relation that nearly every program has.

use crate::entity::Entity;

/// As a component: the entity is a child of this one, and dies with it.
///
/// `target::<ChildOf>(child)` is the parent, `sources::<ChildOf>(parent)` are the children in order. To insert another one
/// moves the child; an insert that would make an entity its own ancestor is refused. A program that wants it otherwise
/// declares a relation of its own, with the same line and another policy.
///
/// ```
/// use ecs::ChildOf;
/// use ecs::prelude::*;
///
/// world! { struct Game { components { ChildOf } } }
///
/// let mut game = Game::new();
/// let root = game.spawn(());
/// let arm = game.spawn(ChildOf(root));
/// let hand = game.spawn(ChildOf(arm));
/// let leg = game.spawn(ChildOf(root));
/// let tree = game.related::<ChildOf>();
/// assert!(tree.descendants(root).eq([arm, hand, leg]));
/// assert!(tree.ancestors(hand).eq([arm, root]));
/// assert!(game.insert(root, ChildOf(hand)).is_err()); // a cycle
/// game.insert(hand, ChildOf(leg))?; // moves it
/// game.despawn(leg)?;
/// assert!(!game.contains(hand) && game.contains(arm));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(ecs_macros::Relation, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[relation(exclusive, acyclic, gone = cascade, crate = crate)]
pub struct ChildOf(pub Entity);
