//! The spatial index, beside a walk through all entities.

use ecs::prelude::*;
use ecs_mechanics::movement::{Position, Vec2};
use ecs_mechanics::space::{Space, track};
use oorandom::Rand32;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
struct Monster;

type Monsters = Space<Position, With<Monster>>;

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Field {
        components { Position, Monster }
        resources { all: Space<Position>, monsters: Space<Position, With<Monster>> = Space::new(2.0) }
    }
    schedule tick { track::<Position, ()>, track::<Position, With<Monster>> }
}

/// A coordinate: mostly near, often on a border of cells, sometimes so far away that cells have no
/// numbers there.
fn coordinate(dice: &mut Rand32) -> f32 {
    let sign = if dice.rand_range(0..2) == 0 { 1.0 } else { -1.0 };
    match dice.rand_range(0..12) {
        0 => sign * 3.0e38,
        1 => sign * 1.0e-40,
        2 => sign * 1.0e9 * dice.rand_float(),
        3..6 => sign * dice.rand_range(0..6) as f32,
        _ => sign * 6.0 * dice.rand_float(),
    }
}

fn point(dice: &mut Rand32) -> Vec2 {
    Vec2::new(coordinate(dice), coordinate(dice))
}

fn distance_squared(one: Vec2, other: Vec2) -> f64 {
    let (x, y) = (f64::from(one.x) - f64::from(other.x), f64::from(one.y) - f64::from(other.y));
    x * x + y * y
}

/// All that the index says, beside all that a walk through the entities says.
fn compare<F: ecs::query::Filter + 'static>(
    space: &Space<Position, F>,
    all: &[(Entity, Vec2)],
    dice: &mut Rand32,
) {
    assert_eq!(space.iter().collect::<Vec<_>>(), all);
    for _ in 0..30 {
        let (one, other) = (point(dice), point(dice));
        let radius = [coordinate(dice).abs(), 0.0, 1.5, f32::INFINITY][dice.rand_range(0..4) as usize];
        let is_within = |at: Vec2| distance_squared(one, at) <= f64::from(radius) * f64::from(radius);
        let within: Vec<_> = all.iter().copied().filter(|(_, at)| is_within(*at)).collect();
        assert_eq!(space.within(one, radius).collect::<Vec<_>>(), within, "{one:?}, {radius}");

        let (low, high) = (
            Vec2::new(one.x.min(other.x), one.y.min(other.y)),
            Vec2::new(one.x.max(other.x), one.y.max(other.y)),
        );
        let is_inside = |at: Vec2| at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y;
        let inside: Vec<_> = all.iter().copied().filter(|(_, at)| is_inside(*at)).collect();
        assert_eq!(space.in_box(low, high).collect::<Vec<_>>(), inside, "{low:?}, {high:?}");

        let n = [0, 1, 2, 7, all.len(), usize::MAX][dice.rand_range(0..6) as usize];
        let mut nearest = all.to_vec();
        nearest.sort_by(|(_, a), (_, b)| distance_squared(one, *a).total_cmp(&distance_squared(one, *b)));
        nearest.truncate(n);
        assert_eq!(space.nearest(one, n).collect::<Vec<_>>(), nearest, "{one:?}, {n}");
    }
}

#[test]
fn all_answers_are_those_of_a_walk_through_all_entities() {
    for seed in 0..25 {
        let mut dice = Rand32::new(seed);
        let cell = [0.001, 0.7, 1.0, 3.0, 1000.0][seed as usize % 5];
        let mut field = Field::new(Space::new(cell));
        let mut living = Vec::new();
        for _ in 0..20 {
            for _ in 0..dice.rand_range(0..30) {
                let at = Position(point(&mut dice));
                living.push(if dice.rand_range(0..3) == 0 {
                    field.spawn((at, Monster))
                } else {
                    field.spawn(at)
                });
            }
            for _ in 0..dice.rand_range(0..9) {
                if living.is_empty() {
                    continue;
                }
                let chosen = dice.rand_range(0..living.len() as u32) as usize;
                match dice.rand_range(0..4) {
                    0 => field.despawn(living.swap_remove(chosen)).unwrap(),
                    1 => _ = field.remove::<Monster>(living[chosen]).unwrap(),
                    _ => field.get_mut::<Position>(living[chosen]).unwrap().0 = point(&mut dice),
                }
            }
            field.tick();
            let all: Vec<_> =
                field.query::<(Entity, &Position)>().iter().map(|(id, at)| (id, at.0)).collect();
            compare(field.resource::<Space<Position>>(), &all, &mut dice);
            let monsters = field.query::<(Entity, &Position)>().filter::<With<Monster>>();
            let monsters: Vec<_> = monsters.iter().map(|(id, at)| (id, at.0)).collect();
            compare(field.resource::<Monsters>(), &monsters, &mut dice);
        }
    }
}

#[test]
fn points_that_are_not_finite_are_left_out_and_counted() {
    let mut field = Field::new(Space::new(1.0));
    let here = field.spawn(Position(Vec2::new(1.0, 1.0)));
    let lost = field.spawn(Position(Vec2::new(f32::NAN, 1.0)));
    field.spawn(Position(Vec2::new(1.0, f32::INFINITY)));
    field.tick();
    let space = field.resource::<Space<Position>>();
    assert_eq!((space.len(), space.left_out(), space.get(lost)), (1, 2, None));
    assert_eq!(space.get(here), Some(Vec2::new(1.0, 1.0)));
    let nan = Vec2::new(f32::NAN, 0.0);
    assert_eq!(space.within(nan, 9.0).len() + space.within(Vec2::ZERO, f32::NAN).len(), 0);
    assert_eq!(space.within(Vec2::ZERO, -1.0).len() + space.in_box(nan, Vec2::new(9.0, 9.0)).len(), 0);
    assert_eq!(space.nearest(nan, 3).len() + space.nearest(Vec2::new(f32::INFINITY, 0.0), 3).len(), 0);
    field.get_mut::<Position>(lost).unwrap().0 = Vec2::ZERO;
    field.tick();
    assert_eq!(field.resource::<Space<Position>>().left_out(), 1);
}

#[test]
fn entities_at_one_distance_are_in_the_order_of_their_slots() {
    let mut field = Field::new(Space::new(0.5));
    let ids: Vec<Entity> = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
        .map(|at| field.spawn(Position(at.into())))
        .to_vec();
    field.tick();
    let space = field.resource::<Space<Position>>();
    assert_eq!(space.nearest(Vec2::ZERO, 3).map(|(id, _)| id).collect::<Vec<_>>(), ids[..3]);
    assert_eq!(
        space.within(Vec2::ZERO, 1.0).map(|(id, _)| id).collect::<Vec<_>>(),
        ids,
        "the radius is included"
    );
}

#[test]
fn a_loaded_index_is_that_of_the_saved_world_before_it_is_tracked_again() {
    let mut dice = Rand32::new(7);
    let mut field = Field::new(Space::new(1.0));
    field.spawn_batch((0..200).map(|_| (Position(point(&mut dice)), Monster)).collect::<Vec<_>>());
    field.tick();
    let before = field.resource::<Space<Position>>().clone();
    for position in field.query_mut::<&mut Position>() {
        position.0 = Vec2::ZERO;
    }
    let text = serde_json::to_string(&field).unwrap();
    for other in [
        Field::load(&field.to_bytes().unwrap()).unwrap(),
        field.clone(),
        serde_json::from_str(&text).unwrap(),
    ] {
        assert_eq!(other.hash(), field.hash());
        let space = other.resource::<Space<Position>>();
        assert_eq!(*space, before);
        let near = |space: &Space<Position>| space.within(Vec2::new(1.0, 1.0), 3.0).collect::<Vec<_>>();
        assert!(near(space).len() > 3 && near(space) == near(&before));
    }
    let error = |edit: fn(&mut serde_json::Value)| {
        let mut value: serde_json::Value = serde_json::to_value(&before).unwrap();
        edit(&mut value);
        serde_json::from_value::<Space<Position>>(value).unwrap_err().to_string()
    };
    let message = error(|value| value["cell"] = 0.into());
    assert_eq!(message, "the cells of a `Space` have the width 0");
    let message = error(|value| value["entities"].as_array_mut().unwrap().swap(0, 1));
    assert!(message.contains("of a `Space` stands after entity"), "{message}");
}

#[test]
#[should_panic = "the cells of a `Space` have a finite width greater than zero, not NaN"]
fn cells_without_a_width_are_refused() {
    let _ = Space::<Position>::new(f32::NAN);
}
