//! [`interest`]: the entities that a client sees, by relations or an index.

use std::collections::HashSet;

use ecs::Entity;

/// The entities that are reached from some first ones, each once: `next` yields those that an
/// entity brings with it, and is called once for each that is reached. For
/// [`Selection::only`](ecs::save::Selection::only) in the closure of
/// [`Server::messages`](crate::Server::messages).
///
/// ```
/// use ecs::prelude::*;
/// use ecs::relation::ChildOf;
/// use ecs_replication::interest;
///
/// /// The room of an entity.
/// #[derive(Relation, Clone)]
/// #[relation(exclusive)]
/// struct Inside(Entity);
///
/// world! { struct Game { components { Inside, ChildOf } } }
///
/// let mut game = Game::new();
/// let [hall, cellar] = [(); 2].map(|()| game.spawn(()));
/// let chest = game.spawn(Inside(hall));
/// let coin = game.spawn(ChildOf(chest));
/// game.spawn(Inside(cellar));
/// // a room, all that is inside, and all that is in that
/// let seen = interest([hall], |at| {
///     game.sources::<Inside>(at).iter().chain(game.sources::<ChildOf>(at)).copied()
/// });
/// assert_eq!(seen, [hall, chest, coin]);
/// ```
pub fn interest<I: IntoIterator<Item = Entity>>(
    first: impl IntoIterator<Item = Entity>,
    mut next: impl FnMut(Entity) -> I,
) -> Vec<Entity> {
    let (mut known, mut reached) = (HashSet::new(), Vec::new());
    reached.extend(first.into_iter().filter(|&entity| known.insert(entity)));
    let mut at = 0;
    while let Some(&entity) = reached.get(at) {
        reached.extend(next(entity).into_iter().filter(|&entity| known.insert(entity)));
        at += 1;
    }
    reached
}
