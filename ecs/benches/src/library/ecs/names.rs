//! Components by name.

use ecs::prelude::*;
use ecs::reflect::{DynamicQuery, DynamicValue, PreparedQuery, ReflectWorld};
use serde::{Deserialize, Serialize};

use super::{Position, Rotation, Transform, Velocity, body};
use crate::harness::Suite;
use crate::math::digest;
use crate::workload::names;

#[derive(Component, Clone, Serialize, Deserialize)]
struct Frozen;

world! {
    #[derive(Reflect)]
    struct Named {
        components { Transform, Position, Rotation, Velocity, Frozen }
    }
}

fn named(count: u32) -> (Named, Vec<Entity>, u64) {
    let mut game = Named::new();
    let ids =
        (0..count).map(|i| if i % 2 == 0 { game.spawn(body(i)) } else { game.spawn((body(i), Frozen)) });
    let ids = ids.collect();
    (game, ids, 0)
}

/// The first number of a value.
fn number(value: &DynamicValue) -> u64 {
    match value {
        DynamicValue::F32(number) => u64::from(number.to_bits()),
        DynamicValue::List(values) => values.first().map_or(0, number),
        _ => 0,
    }
}

/// The components of an entity, as a program writes them that knows their types.
#[derive(Serialize)]
struct Row<'w> {
    #[serde(rename = "Transform")]
    transform: &'w Transform,
    #[serde(rename = "Position")]
    position: &'w Position,
    #[serde(rename = "Rotation")]
    rotation: &'w Rotation,
    #[serde(rename = "Velocity")]
    velocity: &'w Velocity,
}

fn bodies(count: u32) -> (Named, Vec<Entity>, u64) {
    let mut game = Named::new();
    let ids = game.spawn_batch((0..count).map(body)).collect();
    (game, ids, 0)
}

fn row(game: &Named, id: Entity) -> Row<'_> {
    Row {
        transform: game.get(id).expect("it lives"),
        position: game.get(id).expect("it lives"),
        rotation: game.get(id).expect("it lives"),
        velocity: game.get(id).expect("it lives"),
    }
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &names::READ,
        bodies,
        |(game, ids, sum)| {
            let world = game.reflect();
            for &id in &*ids {
                let values = world.read_all(id).expect("it lives");
                *sum = values.iter().fold(*sum, |sum, (_, value)| sum.wrapping_add(number(value)));
            }
        },
        |(.., sum)| *sum,
    );
    suite.case(
        &names::READ_TYPED,
        bodies,
        |(game, ids, sum)| {
            for &id in &*ids {
                let row = row(game, id);
                let firsts = [row.transform.0[0], row.position.0[0], row.rotation.0[0], row.velocity.0[0]];
                *sum = firsts.iter().fold(*sum, |sum, first| sum.wrapping_add(first.to_bits().into()));
            }
        },
        |(.., sum)| *sum,
    );
    suite.case(
        &names::JSON,
        bodies,
        |(game, ids, sum)| {
            for &id in &*ids {
                let text = serde_json::to_string(&game.entity(id).expect("it lives")).expect("it can be");
                *sum = sum.wrapping_add(text.len() as u64);
            }
        },
        |(.., sum)| *sum,
    );
    suite.case(
        &names::JSON_TYPED,
        bodies,
        |(game, ids, sum)| {
            for &id in &*ids {
                let text = serde_json::to_string(&row(game, id)).expect("it can be");
                *sum = sum.wrapping_add(text.len() as u64);
            }
        },
        |(.., sum)| *sum,
    );
    let prepared = |count| {
        let (game, ids, _) = named(count);
        let query = DynamicQuery::new().with("Position").with("Velocity").without("Frozen");
        let query: PreparedQuery = game.reflect().prepare(&query).expect("the names are right");
        (game, query, ids)
    };
    suite.case(
        &names::QUERY,
        prepared,
        |(game, query, found)| *found = game.reflect().entities_prepared(query).expect("it is prepared"),
        |(.., found)| sum_of(found),
    );
    suite.case(
        &names::QUERY_ROWS,
        prepared,
        |(game, query, found)| {
            let rows = game.reflect().run_prepared(query).expect("it is prepared").rows;
            found.clear();
            found.extend(rows.iter().map(|row| row.entity));
        },
        |(.., found)| sum_of(found),
    );
    suite.case(
        &names::QUERY_TYPED,
        |count| (named(count).0, Vec::new()),
        |(game, found)| {
            let matching = game.query::<(Entity, &Position, &Velocity)>();
            *found = matching.filter::<Without<Frozen>>().iter().map(|(entity, ..)| entity).collect();
        },
        |(_, found)| sum_of(found),
    );
}

/// The checksum of a list of entities.
fn sum_of(found: &mut [Entity]) -> u64 {
    found.iter().fold(found.len() as u64, |sum, id| sum.wrapping_add(digest(&[&[id.slot() as f32]])))
}
