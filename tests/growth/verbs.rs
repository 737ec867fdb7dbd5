//! Verbs of worlds, for single entities and for many, and indexes.

use ecs::prelude::*;
use ecs::{ChildOf, Snapshot};

use super::game::{Cell, Game, Hit, Label, Lit, Offset, Position, Rare, Ticket, Title, shuffled};
use super::measure::Growth::Linear;
use super::measure::{Row, cost, rows};

pub(crate) const ROWS: &[&[Row]] = &[SINGLE, BULK, COMMANDS, INDEXES, STATES];

type All = (Position, Label, Lit, Rare, Offset, Cell, Ticket, Title);

fn all(i: u64) -> All {
    let text = i.to_string();
    (Position(i), Label(text.clone()), Lit, Rare(i), Offset(i), Cell(i), Ticket(i), Title(text))
}

/// A world in which each entity has components of all kinds.
pub(crate) fn rich(n: usize) -> (Game, Vec<Entity>) {
    let mut game = Game::new();
    let entities = (0..n as u64).map(|i| game.spawn(all(i))).collect();
    (game, entities)
}

const SINGLE: &[Row] = rows! {
    Linear "spawn" => |n| {
        cost(|| rich(n))
    };
    Linear "spawn: into the slots of despawned entities" => |n| {
        let (mut game, entities) = rich(n);
        shuffled(&entities).iter().for_each(|&entity| game.despawn(entity).unwrap());
        cost(|| (0..n as u64).for_each(|i| _ = game.spawn(all(i))))
    };
    Linear "despawn: in order" => |n| {
        let (mut game, entities) = rich(n);
        cost(|| entities.iter().for_each(|&entity| game.despawn(entity).unwrap()))
    };
    Linear "despawn: in no order" => |n| {
        let (mut game, entities) = rich(n);
        let entities = shuffled(&entities);
        cost(|| entities.iter().for_each(|&entity| game.despawn(entity).unwrap()))
    };
    Linear "insert: one by one, in no order" => |n| {
        let (mut game, entities) = Game::of(n);
        let entities = shuffled(&entities);
        cost(|| entities.iter().zip(0..).for_each(|(&entity, i)| drop(game.insert(entity, all(i)).unwrap())))
    };
    Linear "insert: other values" => |n| {
        let (mut game, entities) = rich(n);
        cost(|| entities.iter().zip(n as u64..).for_each(|(&entity, i)| drop(game.insert(entity, all(i)).unwrap())))
    };
    Linear "remove: one by one, in no order" => |n| {
        let (mut game, entities) = rich(n);
        let entities = shuffled(&entities);
        cost(|| entities.iter().for_each(|&entity| _ = game.remove::<All>(entity).unwrap()))
    };
    Linear "get and get_mut, in no order" => |n| {
        let (mut game, entities) = rich(n);
        let entities = shuffled(&entities);
        cost(|| for &entity in &entities {
            let rare = game.get::<Rare>(entity).map_or(0, |rare| rare.0);
            game.get_mut::<Position>(entity).unwrap().0 += rare;
        })
    };
    Linear "swap: neighbours" => |n| {
        let (mut game, entities) = rich(n);
        cost(|| entities.windows(2).for_each(|pair| game.swap_all(pair[0], pair[1]).unwrap()))
    };
    Linear "move_all_components: to new entities" => |n| {
        let (mut game, entities) = rich(n);
        cost(|| for &entity in &entities {
            let new = game.spawn(());
            game.move_all_components(entity, new).unwrap();
        })
    };
    Linear "take_entity" => |n| {
        let (mut game, entities) = rich(n);
        cost(|| entities.iter().for_each(|&entity| _ = game.take_entity::<All>(entity).unwrap()))
    };
    Linear "clone_entity" => |n| {
        let (mut game, entities) = rich(n);
        cost(|| entities.iter().for_each(|&entity| _ = game.clone_entity(entity).unwrap()))
    };
    Linear "spawn_at: ids that another program has chosen, in no order" => |n| {
        let (_, ids) = Game::of(n);
        let (ids, mut game) = (shuffled(&ids), Game::new());
        cost(|| ids.iter().for_each(|&id| game.spawn_at(id, Position(0)).unwrap()))
    };
};

const BULK: &[Row] = rows! {
    Linear "spawn_batch" => |n| {
        let mut game = Game::new();
        cost(|| game.spawn_batch((0..n as u64).map(all)).count())
    };
    Linear "insert_batch" => |n| {
        let (mut game, entities) = Game::of(n);
        cost(|| game.insert_batch(entities.iter().copied().zip((0..).map(all))).unwrap())
    };
    Linear "despawn_all" => |n| {
        let (mut game, _) = rich(n);
        cost(|| game.despawn_all::<With<Lit>>())
    };
    Linear "retain: every second entity" => |n| {
        let (mut game, _) = rich(n);
        cost(|| game.retain::<&Position>(|position| position.0 % 2 == 0))
    };
    Linear "remove_all" => |n| {
        let (mut game, _) = rich(n);
        cost(|| game.remove_all::<All>())
    };
    Linear "clear" => |n| {
        let (mut game, _) = rich(n);
        cost(|| game.clear())
    };
    Linear "shrink_to_fit: after a retain" => |n| {
        let (mut game, _) = rich(n);
        game.retain::<&Position>(|position| position.0 % 97 == 0);
        cost(|| game.shrink_to_fit())
    };
    Linear "regroup: half of the entities have got a component" => |n| {
        let (mut game, entities) = rich(n);
        game.remove_all::<Lit>();
        entities.iter().step_by(2).for_each(|&entity| _ = game.insert(entity, Lit).unwrap());
        cost(|| game.regroup())
    };
    Linear "clone_entities" => |n| {
        let (mut game, entities) = rich(n);
        cost(|| game.clone_entities(&entities).unwrap())
    };
    Linear "move_entities: a star" => |n| {
        let mut game = Game::new();
        let hub = game.spawn(Position(0));
        let all: Vec<Entity> = std::iter::once(hub).chain((0..n).map(|_| game.spawn(ChildOf(hub)))).collect();
        cost(|| game.move_entities(&all, &mut Game::new()).unwrap())
    };
    Linear "move_entities: a star, the target last" => |n| {
        let mut game = Game::new();
        let hub = game.spawn(Position(0));
        let mut all: Vec<Entity> = (0..n).map(|_| game.spawn(ChildOf(hub))).collect();
        all.push(hub);
        cost(|| game.move_entities(&all, &mut Game::new()).unwrap())
    };
    Linear "move_entities: components of all kinds" => |n| {
        let (mut game, entities) = rich(n);
        cost(|| game.move_entities(&entities, &mut Game::new()).unwrap())
    };
    Linear "query: iteration, sorted, to_set" => |n| {
        let (mut game, _) = rich(n);
        cost(|| {
            game.query_mut::<(&mut Position, &Rare)>().for_each(|(position, rare)| position.0 += rare.0);
            let sorted = game.query::<(Entity, &Position)>();
            assert_eq!(sorted.iter().count() + sorted.to_set().len(), 2 * n);
        })
    };
};

const COMMANDS: &[Row] = rows! {
    Linear "commands: spawn" => |n| {
        let mut game = Game::new();
        cost(|| game.with_commands(|mut commands| (0..n as u64).for_each(|i| _ = commands.spawn(all(i)))))
    };
    Linear "commands: insert, in no order" => |n| {
        let (mut game, entities) = Game::of(n);
        let entities = shuffled(&entities);
        cost(|| game.with_commands(|mut commands| {
            entities.iter().zip(0..).for_each(|(&entity, i)| commands.insert(entity, all(i)));
        }))
    };
    Linear "commands: remove and despawn, in no order" => |n| {
        let (mut game, entities) = rich(n);
        let entities = shuffled(&entities);
        cost(|| game.with_commands(|mut commands| for &entity in &entities {
            commands.remove::<Label>(entity);
            commands.despawn(entity);
        }))
    };
    Linear "commands: spawn, in a system" => |n| {
        let (mut game, _) = Game::of(n);
        cost(|| game.breed())
    };
    Linear "commands: relate to one target" => |n| {
        let (mut game, entities) = Game::of(n);
        let hub = game.spawn(());
        cost(|| game.with_commands(|mut commands| {
            entities.iter().for_each(|&entity| commands.relate(entity, ChildOf(hub)));
        }))
    };
};

const INDEXES: &[Row] = rows! {
    Linear "index: equal values are inserted and removed, in no order" => |n| {
        let (mut game, entities) = Game::of(n);
        let entities = shuffled(&entities);
        cost(|| {
            entities.iter().for_each(|&entity| _ = game.insert(entity, Cell(7)).unwrap());
            assert_eq!(game.find::<Cell>(&Cell(7)).len(), n);
            entities.iter().for_each(|&entity| _ = game.remove::<Cell>(entity).unwrap());
        })
    };
    Linear "index: a change by get_tracked, a lookup, and again" => |n| {
        let (mut game, entities) = rich(n);
        cost(|| for &entity in &entities {
            game.get_tracked::<Cell>(entity).unwrap().0 += n as u64;
            assert!(game.find_one::<Cell>(&Cell(n as u64)).is_some());
        })
    };
    Linear "index: a change by a view, a lookup, and again" => |n| {
        let (mut game, entities) = rich(n);
        let mut columns = game.columns_mut();
        cost(|| for &entity in &entities {
            columns.cell.get_mut(entity).unwrap().0 += n as u64;
            assert!(columns.cell.find_one(&Cell(n as u64)).is_some());
        })
    };
    Linear "index: a change by query_mut, a lookup, and again" => |n| {
        let (mut game, entities) = rich(n);
        cost(|| for &entity in &entities {
            game.query_mut::<Mut<Cell>>().get_mut(entity).unwrap().0 += n as u64;
            assert!(game.find_one::<Cell>(&Cell(n as u64)).is_some());
        })
    };
    Linear "index: a system changes all, the next one of the stage looks all up" => |n| {
        let (mut game, _) = rich(n);
        cost(|| game.collide())
    };
    Linear "index: a change by Storage, a lookup, and again" => |n| {
        let (mut game, _) = rich(n);
        cost(|| game.walk())
    };
    Linear "key: removed, looked up and inserted by Storage" => |n| {
        let (mut game, _) = rich(n);
        cost(|| game.ask())
    };
    Linear "key: find" => |n| {
        let (game, _) = rich(n);
        let names: Vec<String> = (0..n).map(|i| i.to_string()).collect();
        cost(|| names.iter().for_each(|name| assert!(game.find_one::<Title>(&**name).is_some())))
    };
};

const STATES: &[Row] = rows! {
    Linear "snapshot and restore, all entities changed" => |n| {
        let (mut game, entities) = rich(n);
        cost(|| {
            let snapshot: Snapshot<Game> = game.snapshot();
            entities.iter().for_each(|&entity| game.get_mut::<Position>(entity).unwrap().0 += 1);
            game.restore(&snapshot);
        })
    };
    Linear "snapshot: one after each change, in a world of 10,000 entities" => |n| {
        let (mut game, entities) = Game::of(10_000);
        cost(|| for i in 0..n / 10 {
            game.get_mut::<Position>(entities[i % 10_000]).unwrap().0 += 1;
            drop(game.snapshot());
        })
    };
    Linear "try_run that fails" => |n| {
        let (mut game, entities) = rich(n);
        cost(|| {
            let failed = game.try_run(|game| {
                entities.iter().for_each(|&entity| game.despawn(entity).unwrap());
                game.fails()
            });
            assert!(failed.is_err());
        })
    };
    Linear "clone, clone_from" => |n| {
        let (mut game, _) = rich(n);
        cost(|| {
            let copy = game.clone();
            game.clone_from(&copy);
        })
    };
    Linear "events: sent and drained" => |n| {
        let mut game = Game::new();
        cost(|| {
            (0..n as u64).for_each(|i| game.send(Hit(i)));
            game.drain::<Hit>().for_each(drop);
        })
    };
};
