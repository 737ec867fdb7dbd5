//! Relations: one target with many sources, one source with many targets, a hub of a symmetric
//! relation, a long chain.

use ecs::prelude::*;
use ecs::relation::ExclusiveRelation;
use ecs::{ChildOf, Many};

use super::game::{Game, Guards, Knows, Owes, Position, Seeks, shuffled};
use super::measure::Growth::{Linear, Square};
use super::measure::{Row, cost, rows};

/// A world with a target and its sources.
fn star<R: ExclusiveRelation>(n: usize, relation: fn(Entity) -> R) -> (Game, Entity, Vec<Entity>)
where
    Game: ecs::Has<R>,
    (Position, R): Bundle<Game>,
{
    let mut game = Game::new();
    let hub = game.spawn(Position(0));
    let sources = (0..n as u64).map(|i| game.spawn((Position(i), relation(hub)))).collect();
    (game, hub, sources)
}

/// A world with a source that has edges to many targets.
fn debtor(n: usize) -> (Game, Entity, Vec<Entity>) {
    let (mut game, targets) = Game::of(n);
    let hub = game.spawn(targets.iter().map(|&target| Owes(target)).collect::<Many<Owes>>());
    (game, hub, targets)
}

/// A world in which many sources have an edge to one target.
fn creditor(n: usize) -> (Game, Entity, Vec<Entity>) {
    let (mut game, sources) = Game::of(n);
    let hub = game.spawn(());
    for &source in &sources {
        game.relate(source, Owes(hub)).unwrap();
    }
    (game, hub, sources)
}

/// A world with a hub of a symmetric relation.
fn known(n: usize) -> (Game, Entity, Vec<Entity>) {
    let (mut game, spokes) = Game::of(n);
    let hub = game.spawn(spokes.iter().map(|&spoke| Knows(spoke)).collect::<Many<Knows>>());
    (game, hub, spokes)
}

/// A chain of children.
fn chain(n: usize) -> (Game, Vec<Entity>) {
    let mut game = Game::new();
    let mut all = vec![game.spawn(Position(0))];
    for i in 1..n {
        all.push(game.spawn((Position(i as u64), ChildOf(all[i - 1]))));
    }
    (game, all)
}

pub(crate) const ROWS: &[&[Row]] = &[STAR, MANY, SYMMETRIC, CHAIN];

const STAR: &[Row] = rows! {
    Linear "spawn: sources of one target" => |n| {
        cost(|| star(n, ChildOf))
    };
    Linear "despawn: sources of one target, in order" => |n| {
        let (mut game, _, sources) = star(n, ChildOf);
        cost(|| sources.iter().for_each(|&source| game.despawn(source).unwrap()))
    };
    Linear "despawn: sources of one target, from the last one" => |n| {
        let (mut game, _, sources) = star(n, ChildOf);
        cost(|| sources.iter().rev().for_each(|&source| game.despawn(source).unwrap()))
    };
    Linear "despawn: sources of one target, in no order" => |n| {
        let (mut game, _, sources) = star(n, ChildOf);
        let sources = shuffled(&sources);
        cost(|| sources.iter().for_each(|&source| game.despawn(source).unwrap()))
    };
    Square "despawn: sources of one target, which are read after each" => |n| {
        let n = n / 5;
        let (mut game, hub, sources) = star(n, ChildOf);
        let sources = shuffled(&sources);
        cost(|| sources.iter().for_each(|&source| {
            game.despawn(source).unwrap();
            assert!(game.sources::<ChildOf>(hub).len() < n);
        }))
    };
    Linear "despawn: always the first source, which is read before" => |n| {
        let (mut game, hub, _) = star(n, ChildOf);
        cost(|| while let Some(&first) = game.sources::<ChildOf>(hub).first() {
            game.despawn(first).unwrap();
        })
    };
    Linear "despawn: always the last source, which is read before" => |n| {
        let (mut game, hub, _) = star(n, ChildOf);
        cost(|| while let Some(&last) = game.sources::<ChildOf>(hub).last() {
            game.despawn(last).unwrap();
        })
    };
    Linear "despawn_all: sources of one target" => |n| {
        let (mut game, ..) = star(n, ChildOf);
        cost(|| assert_eq!(game.despawn_all::<With<ChildOf>>(), n))
    };
    Linear "retain: every second source of one target" => |n| {
        let (mut game, hub, _) = star(n, ChildOf);
        cost(|| {
            game.retain::<&Position>(|position| position.0 % 2 == 0);
            assert_eq!(game.sources::<ChildOf>(hub).len(), n / 2);
        })
    };
    Linear "remove_all: sources of one target" => |n| {
        let (mut game, ..) = star(n, ChildOf);
        cost(|| assert_eq!(game.remove_all::<ChildOf>(), n))
    };
    Linear "remove: sources of one target, in no order" => |n| {
        let (mut game, _, sources) = star(n, ChildOf);
        let sources = shuffled(&sources);
        cost(|| sources.iter().for_each(|&source| _ = game.remove::<ChildOf>(source).unwrap()))
    };
    Linear "commands: remove from sources of one target, in no order" => |n| {
        let (mut game, _, sources) = star(n, ChildOf);
        let sources = shuffled(&sources);
        cost(|| game.with_commands(|mut commands| {
            sources.iter().for_each(|&source| commands.remove::<ChildOf>(source));
        }))
    };
    Linear "commands: despawn sources of one target, in no order" => |n| {
        let (mut game, _, sources) = star(n, ChildOf);
        let sources = shuffled(&sources);
        cost(|| game.with_commands(|mut commands| {
            sources.iter().for_each(|&source| commands.despawn(source));
        }))
    };
    Linear "relate: another target, in order" => |n| {
        let (mut game, _, sources) = star(n, ChildOf);
        let other = game.spawn(());
        cost(|| sources.iter().for_each(|&source| _ = game.relate(source, ChildOf(other)).unwrap()))
    };
    Linear "relate: another target, in no order" => |n| {
        let (mut game, _, sources) = star(n, ChildOf);
        let (other, sources) = (game.spawn(()), shuffled(&sources));
        cost(|| sources.iter().for_each(|&source| _ = game.relate(source, ChildOf(other)).unwrap()))
    };
    Linear "relate: to another target and back, in no order" => |n| {
        let (mut game, hub, sources) = star(n, ChildOf);
        let (other, sources) = (game.spawn(()), shuffled(&sources));
        cost(|| for &source in &sources {
            game.relate(source, ChildOf(other)).unwrap();
            game.relate(source, ChildOf(hub)).unwrap();
        })
    };
    Linear "relate_at: index 0" => |n| {
        let (mut game, sources) = Game::of(n);
        let hub = game.spawn(());
        cost(|| for &source in &sources {
            game.relate_at(source, ChildOf(hub), 0).unwrap();
            assert_eq!(game.sources::<ChildOf>(hub)[0], source);
        })
    };
    Linear "relate_at: the end, in no order" => |n| {
        let (mut game, hub, sources) = star(n, ChildOf);
        let sources = shuffled(&sources);
        cost(|| sources.iter().for_each(|&source| _ = game.relate_at(source, ChildOf(hub), n).unwrap()))
    };
    Square "relate_at: an index in the middle" => |n| {
        let n = n / 5;
        let (mut game, hub, sources) = star(n, ChildOf);
        let sources = shuffled(&sources);
        cost(|| sources.iter().for_each(|&source| _ = game.relate_at(source, ChildOf(hub), n / 2).unwrap()))
    };
    Linear "despawn: the target, whose sources are despawned" => |n| {
        let (mut game, hub, _) = star(n, ChildOf);
        cost(|| game.despawn(hub).unwrap())
    };
    Linear "despawn: the target, whose sources lose the relation" => |n| {
        let (mut game, hub, _) = star(n, Guards);
        cost(|| game.despawn(hub).unwrap())
    };
    Linear "despawn: the target, whose sources keep the relation" => |n| {
        let (mut game, hub, _) = star(n, Seeks);
        cost(|| {
            game.despawn(hub).unwrap();
            assert_eq!(game.related::<Seeks>().dangling().count(), n);
        })
    };
    Linear "clone_tree: a target and its sources" => |n| {
        let (mut game, hub, _) = star(n, ChildOf);
        cost(|| game.clone_tree::<ChildOf>(hub).unwrap())
    };
};

const MANY: &[Row] = rows! {
    Linear "Many: from an iterator of edges" => |n| {
        let (_, targets) = Game::of(n);
        cost(|| targets.iter().map(|&target| Owes(target)).collect::<Many<Owes>>())
    };
    Linear "relate: one source to many targets" => |n| {
        let (mut game, targets) = Game::of(n);
        let hub = game.spawn(());
        cost(|| targets.iter().for_each(|&target| assert!(game.relate(hub, Owes(target)).unwrap().is_none())))
    };
    Linear "relate: one source to the same targets again, in no order" => |n| {
        let (mut game, hub, targets) = debtor(n);
        let targets = shuffled(&targets);
        cost(|| targets.iter().for_each(|&target| assert!(game.relate(hub, Owes(target)).unwrap().is_some())))
    };
    Linear "relate_batch: one source to many targets" => |n| {
        let (mut game, targets) = Game::of(n);
        let hub = game.spawn(());
        cost(|| game.relate_batch(targets.iter().map(|&target| (hub, Owes(target)))).unwrap())
    };
    Linear "relate_batch: many sources to one target" => |n| {
        let (mut game, sources) = Game::of(n);
        let hub = game.spawn(());
        cost(|| game.relate_batch(sources.iter().map(|&source| (source, Owes(hub)))).unwrap())
    };
    Linear "relate: many sources to one target" => |n| {
        cost(|| creditor(n))
    };
    Linear "insert: another Many with the same targets" => |n| {
        let (mut game, hub, targets) = debtor(n);
        let other = targets.iter().rev().map(|&target| Owes(target)).collect::<Many<Owes>>();
        cost(|| game.insert(hub, other).unwrap())
    };
    Linear "unrelate: one source from its targets, in order" => |n| {
        let (mut game, hub, targets) = debtor(n);
        cost(|| targets.iter().for_each(|&target| assert!(game.unrelate::<Owes>(hub, target).unwrap().is_some())))
    };
    Linear "unrelate: one source from its targets, in no order" => |n| {
        let (mut game, hub, targets) = debtor(n);
        let targets = shuffled(&targets);
        cost(|| targets.iter().for_each(|&target| assert!(game.unrelate::<Owes>(hub, target).unwrap().is_some())))
    };
    Linear "unrelate: many sources from one target, in no order" => |n| {
        let (mut game, hub, sources) = creditor(n);
        let sources = shuffled(&sources);
        cost(|| sources.iter().for_each(|&source| assert!(game.unrelate::<Owes>(source, hub).unwrap().is_some())))
    };
    Linear "despawn: the targets of one source, in no order" => |n| {
        let (mut game, _, targets) = debtor(n);
        let targets = shuffled(&targets);
        cost(|| targets.iter().for_each(|&target| game.despawn(target).unwrap()))
    };
    Linear "despawn_all: the targets of one source" => |n| {
        let (mut game, ..) = debtor(n);
        cost(|| assert_eq!(game.despawn_all::<With<Position>>(), n))
    };
    Linear "despawn: one source of many targets" => |n| {
        let (mut game, hub, _) = debtor(n);
        cost(|| game.despawn(hub).unwrap())
    };
    Linear "despawn: one target of many sources" => |n| {
        let (mut game, hub, _) = creditor(n);
        cost(|| game.despawn(hub).unwrap())
    };
};

const SYMMETRIC: &[Row] = rows! {
    Linear "relate: a hub to its spokes" => |n| {
        let (mut game, spokes) = Game::of(n);
        let hub = game.spawn(());
        cost(|| spokes.iter().for_each(|&spoke| _ = game.relate(hub, Knows(spoke)).unwrap()))
    };
    Linear "relate: spokes to their hub" => |n| {
        let (mut game, spokes) = Game::of(n);
        let hub = game.spawn(());
        cost(|| spokes.iter().for_each(|&spoke| _ = game.relate(spoke, Knows(hub)).unwrap()))
    };
    Linear "relate_batch: spokes to their hub" => |n| {
        let (mut game, spokes) = Game::of(n);
        let hub = game.spawn(());
        cost(|| game.relate_batch(spokes.iter().map(|&spoke| (spoke, Knows(hub)))).unwrap())
    };
    Linear "relate: a random graph" => |n| {
        let (mut game, all) = Game::of(n);
        let others = shuffled(&all);
        cost(|| for (&a, &b) in all.iter().zip(&others).filter(|(a, b)| a != b) {
            game.relate(a, Knows(b)).unwrap();
        })
    };
    Linear "relate_batch: a random graph" => |n| {
        let (mut game, all) = Game::of(n);
        let others = shuffled(&all);
        let pairs = all.iter().zip(&others).filter(|(a, b)| a != b).map(|(&a, &b)| (a, Knows(b)));
        cost(|| game.relate_batch(pairs).unwrap())
    };
    Linear "insert: all spokes into a hub" => |n| {
        cost(|| known(n))
    };
    Linear "insert: the same spokes into a hub" => |n| {
        let (mut game, hub, spokes) = known(n);
        let again = spokes.iter().rev().map(|&spoke| Knows(spoke)).collect::<Many<Knows>>();
        cost(|| game.insert(hub, again).unwrap())
    };
    Linear "unrelate: a hub from its spokes, in no order" => |n| {
        let (mut game, hub, spokes) = known(n);
        let spokes = shuffled(&spokes);
        cost(|| spokes.iter().for_each(|&spoke| _ = game.unrelate::<Knows>(hub, spoke).unwrap()))
    };
    Linear "unrelate: spokes from their hub, in no order" => |n| {
        let (mut game, hub, spokes) = known(n);
        let spokes = shuffled(&spokes);
        cost(|| spokes.iter().for_each(|&spoke| _ = game.unrelate::<Knows>(spoke, hub).unwrap()))
    };
    Linear "despawn: spokes of a hub, in no order" => |n| {
        let (mut game, _, spokes) = known(n);
        let spokes = shuffled(&spokes);
        cost(|| spokes.iter().for_each(|&spoke| game.despawn(spoke).unwrap()))
    };
    Linear "despawn: a hub" => |n| {
        let (mut game, hub, _) = known(n);
        cost(|| game.despawn(hub).unwrap())
    };
    Linear "remove: from a hub" => |n| {
        let (mut game, hub, _) = known(n);
        cost(|| game.remove::<Many<Knows>>(hub).unwrap())
    };
    Linear "remove_all: a hub and its spokes" => |n| {
        let (mut game, ..) = known(n);
        cost(|| game.remove_all::<Many<Knows>>())
    };
};

const CHAIN: &[Row] = rows! {
    Linear "spawn: a chain" => |n| {
        cost(|| chain(n))
    };
    Linear "despawn: the first of a chain" => |n| {
        let (mut game, all) = chain(n);
        cost(|| game.despawn(all[0]).unwrap())
    };
    Linear "despawn: a chain from its end" => |n| {
        let (mut game, all) = chain(n);
        cost(|| all.iter().rev().for_each(|&one| game.despawn(one).unwrap()))
    };
    Linear "ancestors and descendants of a chain" => |n| {
        let (game, all) = chain(n);
        let tree = game.related::<ChildOf>();
        cost(|| assert_eq!(tree.ancestors(all[n - 1]).count() + tree.descendants(all[0]).count(), 2 * n - 2))
    };
};
