//! Sheep flee from the nearest wolf, and wolves run to the nearest sheep: two indices of `space`,
//! and `movement`.
//!
//! `cargo run -p checked-ecs-mechanics --example flock` prints the meadow three times, and checks
//! that no wolf has caught a sheep.
#![allow(elided_lifetimes_in_paths, reason = "a program of a user has no such lint")]

use ecs::prelude::*;
use ecs_mechanics::clocks;
use ecs_mechanics::movement::{self, Body, Position, Shape, Solid, Vec2, Walk};
use ecs_mechanics::space::{Space, track};

#[derive(Component)]
struct Sheep;
#[derive(Component)]
struct Wolf;

world! {
    struct Meadow {
        include clocks::fixed_step;
        include movement::movement;
        components { Sheep, Wolf }
        resources {
            flock: Space<Position, With<Sheep>> = Space::new(4.0),
            pack: Space<Position, With<Wolf>> = Space::new(8.0),
        }
    }
    schedule step {
        track::<Position, With<Sheep>>, track::<Position, With<Wolf>>;
        flee, hunt;
        include movement::step;
    }
}

/// Away from all wolves that are near, and otherwise towards the middle of the flock that is near.
#[system(Meadow)]
fn flee(
    position: &Position,
    walk: &mut Walk,
    _: With<Sheep>,
    sheep: Res<Space<Position, With<Sheep>>>,
    wolves: Res<Space<Position, With<Wolf>>>,
) {
    let here = position.0;
    let away = wolves.within(here, 8.0).fold(Vec2::ZERO, |sum, (_, wolf)| sum + here - wolf);
    let together = sheep.within(here, 4.0).fold(Vec2::ZERO, |sum, (_, other)| sum + other - here);
    let wish = if away == Vec2::ZERO { together * 0.1 } else { away };
    // and not over the fence
    let is_outside = |at: f32, wish: f32| (at < 1.0 && wish < 0.0) || (at > 39.0 && wish > 0.0);
    walk.wish.x = if is_outside(here.x, wish.x) { 0.0 } else { wish.x };
    walk.wish.y = if is_outside(here.y, wish.y) { 0.0 } else { wish.y };
}

#[system(Meadow)]
fn hunt(position: &Position, walk: &mut Walk, _: With<Wolf>, sheep: Res<Space<Position, With<Sheep>>>) {
    let nearest = sheep.nearest(position.0, 1).next();
    walk.wish = nearest.map_or(Vec2::ZERO, |(_, sheep)| sheep - position.0);
}

fn print(meadow: &Meadow) {
    let mut rows = [[' '; 41]; 21];
    for (Position(at), is_wolf) in meadow.query::<(&Position, Is<Wolf>)>() {
        let (x, y) = (at.x.clamp(0.0, 40.0) as usize, at.y.clamp(0.0, 40.0) as usize / 2);
        rows[y][x] = if *is_wolf { 'W' } else { 's' };
    }
    rows.iter().for_each(|row| println!("|{}|", row.iter().collect::<String>()));
    println!("+{}+", "-".repeat(41));
}

fn main() {
    let mut meadow = Meadow::new();
    let shape = Shape::circle(0.4);
    for n in 0..60 {
        let place = Position(Vec2::new(10.0 + (n % 10) as f32 * 2.0, 10.0 + (n / 10) as f32 * 3.0));
        meadow.spawn((place, Sheep, Body(shape), Solid(shape), Walk::new(5.0, 40.0)));
    }
    for corner in [[0.0, 0.0], [40.0, 20.0]] {
        meadow.spawn((Position(corner.into()), Wolf, Body(shape), Walk::new(4.0, 20.0)));
    }
    for step in 0..=600 {
        if step % 300 == 0 {
            print(&meadow);
        }
        meadow.step();
    }
    let wolves = meadow.resource::<Space<Position, With<Wolf>>>();
    let sheep = meadow.resource::<Space<Position, With<Sheep>>>();
    for (wolf, at) in wolves.iter() {
        let (prey, there) = sheep.nearest(at, 1).next().expect("a sheep lives");
        println!("wolf {wolf} is {:.2} away from sheep {prey}", (there - at).length());
        assert!((there - at).length() > 1.0, "sheep are faster");
    }
    assert_eq!((sheep.len(), sheep.left_out()), (60, 0));
}
