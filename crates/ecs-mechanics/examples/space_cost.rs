//! Prints the cost of the spatial index with 100,000 entities: medians, beside a walk through all
//! entities.
//!
//! `cargo run --release -p checked-ecs-mechanics --example space_cost`

use std::time::Instant;

use ecs::prelude::*;
use ecs_mechanics::movement::{Position, Vec2};
use ecs_mechanics::space::{Space, track};
use oorandom::Rand32;

world! {
    struct Field {
        components { Position }
        resources { Space<Position> }
    }
    schedule tick { track::<Position, ()> }
}

fn distance_squared(one: Vec2, other: Vec2) -> f64 {
    let (x, y) = (f64::from(one.x) - f64::from(other.x), f64::from(one.y) - f64::from(other.y));
    x * x + y * y
}

/// The median of 21 times, in microseconds.
fn median(mut run: impl FnMut()) -> f64 {
    let mut times = [0.0; 21];
    for time in &mut times {
        let start = Instant::now();
        run();
        *time = start.elapsed().as_secs_f64() * 1e6;
    }
    times.sort_by(f64::total_cmp);
    times[10]
}

fn main() {
    let mut dice = Rand32::new(1);
    let mut field = Field::new(Space::new(1.0));
    let mut at = || Vec2::new(180.0 * dice.rand_float(), 180.0 * dice.rand_float());
    field.spawn_batch((0..100_000).map(|_| Position(at())).collect::<Vec<_>>());
    let moving = median(|| {
        for position in field.query_mut::<&mut Position>() {
            position.0.x += 0.01;
        }
        field.tick();
    });
    let steps = median(|| {
        for position in field.query_mut::<&mut Position>() {
            position.0.x += 0.01;
        }
    });
    let quiet = median(|| field.tick());
    let space = field.resource::<Space<Position>>();
    let centers: Vec<Vec2> = (0..10_000).map(|_| at()).collect();
    let mut found = 0;
    let within = median(|| found = centers.iter().map(|at| space.within(*at, 1.0).len()).sum()) / 1e4;
    let per_query = found as f64 / 1e4;
    let nearest =
        median(|| found += centers.iter().map(|at| space.nearest(*at, 1).len()).sum::<usize>()) / 1e4;
    let nearest_ten =
        median(|| found += centers.iter().map(|at| space.nearest(*at, 10).len()).sum::<usize>()) / 1e4;
    let points = field.query::<&Position>();
    let all =
        median(|| found += points.iter().filter(|at| distance_squared(at.0, centers[0]) <= 1.0).count());
    println!("{found} found; 100,000 entities:");
    println!("track, all moved: {:.0} us; none moved: {quiet:.0} us", moving - steps);
    println!(
        "within, {per_query:.1} entities: {within:.2} us; nearest: {nearest:.2} us; nearest 10: {nearest_ten:.2} us"
    );
    println!("a walk through all: {all:.0} us");
}
