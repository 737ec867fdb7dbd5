//! [`ChildOf`], the relation of a child to its parent.

use crate::entity::Entity;

/// Relates a child to its parent. When the parent is despawned, the child is, too.
///
/// `target::<ChildOf>(child)` is the parent, and `sources::<ChildOf>(parent)` are the children in
/// order. Inserting a `ChildOf` into a child moves the child to another parent. An insert that
/// would make an entity its own ancestor is refused. For another policy, declare a relation with
/// other options: `#[relation(exclusive, acyclic, gone = cascade)]` are those of `ChildOf`.
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
/// assert!(game.insert(root, ChildOf(hand)).is_err()); // it would be a cycle
/// game.insert(hand, ChildOf(leg))?; // moves the hand to another parent
/// game.despawn(leg)?;
/// assert!(!game.contains(hand) && game.contains(arm));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(ecs_macros::Relation, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[relation(exclusive, acyclic, gone = cascade, crate = crate)]
pub struct ChildOf(pub Entity);
