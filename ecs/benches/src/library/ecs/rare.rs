//! A component that one entity in a hundred has.

use ecs::prelude::*;

use super::{Position, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::rare;

/// Given at random: its values take a tenth of the memory, and are found by a list.
#[derive(Component)]
#[component(storage = "packed")]
struct Rare(f32);

/// Of a kind of entities, whose values lie side by side in any case.
#[derive(Component)]
struct OfKind(f32);

world! {
    struct Field {
        components { Position, Rare, OfKind }
    }
}

pub(super) fn cases(suite: &mut Suite) {
    for (workload, make) in [(&rare::RANDOM, given as fn(u32) -> _), (&rare::REGROUPED, regrouped)] {
        suite.case(workload, make, step, |game| {
            let all = game.query::<(&Position, &Rare)>();
            total(all.iter().map(|(position, rare)| digest(&[&position.0, &[rare.0]])))
        });
    }
    suite.case(&rare::KIND, of_kind, step_kind, |game| {
        let all = game.query::<(&Position, &OfKind)>();
        total(all.iter().map(|(position, rare)| digest(&[&position.0, &[rare.0]])))
    });
    suite.case(
        &rare::SET,
        field,
        |state| {
            give(state);
            let (game, chosen) = state;
            step(game);
            for &id in &*chosen {
                game.remove::<Rare>(id).expect("it lives");
            }
        },
        |(game, _)| total(game.query::<&Position>().iter().map(|position| digest(&[&position.0]))),
    );
}

fn step(game: &mut Field) {
    game.query_mut::<(&mut Position, &Rare)>()
        .for_each(|(position, rare)| rare::step(&mut position.0, &rare.0));
}

fn step_kind(game: &mut Field) {
    game.query_mut::<(&mut Position, &OfKind)>()
        .for_each(|(position, rare)| rare::step(&mut position.0, &rare.0));
}

/// A field, and those who are chosen.
fn field(count: u32) -> (Field, Vec<Entity>) {
    let mut game = Field::new();
    let ids: Vec<Entity> = game.spawn_batch((0..count).map(|i| body(i).1)).collect();
    let chosen = rare::chosen(count).into_iter().map(|i| ids[i as usize]).collect();
    (game, chosen)
}

fn give((game, chosen): &mut (Field, Vec<Entity>)) {
    for &id in &*chosen {
        game.insert(id, Rare(rare::VALUE)).expect("it lives");
    }
}

fn given(count: u32) -> Field {
    let mut state = field(count);
    give(&mut state);
    state.0
}

fn regrouped(count: u32) -> Field {
    let mut game = given(count);
    let _ = game.regroup();
    game
}

fn of_kind(count: u32) -> Field {
    let mut game = Field::new();
    for i in 0..count {
        let position = body(i).1;
        if rare::is_of_kind(i) {
            game.spawn((position, OfKind(rare::VALUE)));
        } else {
            game.spawn(position);
        }
    }
    game
}
