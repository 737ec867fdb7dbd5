//! Values that move when a world gives memory back: over-aligned ones, values without a size,
//! columns that are exchanged, and drops that panic. No value is lost or dropped twice.

use std::mem::swap;

use ecs::prelude::*;
use ecs_tests::fuse::{blows_up, burn};

use super::ground::{Ledger, Token};

#[derive(Component)]
struct Held(String, #[allow(dead_code)] Token);
#[derive(Component, Clone, Copy, PartialEq, Debug)]
#[repr(align(512))]
struct Wide(u8);
#[derive(Component)]
struct Empty(#[allow(dead_code)] ());
#[derive(Component)]
#[component(storage = "packed")]
struct Rare(Box<u32>, #[allow(dead_code)] Token);
#[derive(Component)]
struct Fused(#[allow(dead_code)] Token);

impl Drop for Fused {
    fn drop(&mut self) {
        burn("a drop");
    }
}

/// A world in a module that sees its private fields.
mod inside {
    use super::*;

    world! {
        pub struct Game { components { held: Held, wide: Wide, empty: Empty, rare: Rare, fused: Fused } }
    }

    pub fn exchange(one: &mut Game, other: &mut Game) {
        swap(&mut one.held, &mut other.held);
        swap(&mut one.rare, &mut other.rare);
    }
}

use inside::{Game, exchange};

fn filled(ledger: &Ledger, count: u32) -> (Game, Vec<Entity>) {
    let mut game = Game::new();
    let ids: Vec<Entity> = (0..count)
        .map(|n| {
            game.spawn((Held(n.to_string(), ledger.token()), Wide(n as u8), Empty(()), Fused(ledger.token())))
        })
        .collect();
    for (n, &id) in ids.iter().enumerate().filter(|(n, _)| n % 11 == 0) {
        game.insert(id, Rare(Box::new(n as u32), ledger.token())).unwrap();
    }
    (game, ids)
}

#[test]
fn values_of_any_kind_move_once() {
    let ledger = Ledger::new();
    let (mut game, ids) = filled(&ledger, 30_000);
    for round in [2, 3, 7, 900, 30_001] {
        for (n, &id) in ids.iter().enumerate() {
            if n % round != 0 {
                _ = game.despawn(id);
            }
        }
        game.shrink_to_fit();
        for (n, &id) in ids.iter().enumerate().filter(|&(_, &id)| game.contains(id)) {
            assert_eq!(game.get::<Held>(id).unwrap().0, n.to_string());
            let wide = game.get::<Wide>(id).unwrap();
            assert!(wide.0 == n as u8 && std::ptr::from_ref(wide).addr().is_multiple_of(512));
            assert_eq!(game.get::<Rare>(id).map(|rare| *rare.0), n.is_multiple_of(11).then_some(n as u32));
            assert!(game.has::<Empty>(id));
        }
    }
    assert_eq!(ledger.alive(), 3, "of the first entity");
    drop(game);
    assert_eq!(ledger.alive(), 0);
}

#[test]
fn exchanged_columns_are_shrunk_by_themselves() {
    let ledger = Ledger::new();
    let ((mut one, ids), (mut other, _)) = (filled(&ledger, 5000), filled(&ledger, 20));
    ids.iter().skip(100).for_each(|&id| one.despawn(id).unwrap());
    exchange(&mut one, &mut other);
    one.shrink_to_fit();
    other.shrink_to_fit();
    assert_eq!((one.query::<&Held>().iter().count(), one.query::<&Wide>().iter().count()), (20, 100));
    exchange(&mut one, &mut other);
    assert_eq!(one.get::<Held>(ids[99]).unwrap().0, "99");
    one.spawn(Held("new".into(), ledger.token()));
    drop((one, other));
    assert_eq!(ledger.alive(), 0);
}

#[test]
fn a_world_is_shrunk_after_a_drop_that_panics() {
    let ledger = Ledger::new();
    let (mut game, _) = filled(&ledger, 10_000);
    assert!(blows_up(500, || game.clear()));
    game.shrink_to_fit();
    assert_eq!((game.entities().len(), game.stats().bytes), (0, 0));
    assert_eq!(ledger.alive(), 0);
    game.spawn(Held("new".into(), ledger.token()));
    drop(game);
    assert_eq!(ledger.alive(), 0);
}
