//! A runner on a map: it walks, jumps over a gap with two jumps, bumps into a wall and lands. Every
//! rule is one of `movement`.
//!
//! `cargo run -p checked-ecs-mechanics --example leaps` follows a fixed list of orders, prints what
//! happens, and checks the end.
#![allow(elided_lifetimes_in_paths, reason = "a program of a user has no such lint")]

use std::time::Duration;

use ecs::prelude::*;
use ecs_mechanics::clocks;
use ecs_mechanics::movement::{
    self, Body, Bumped, Fall, Gravity, Jump, Jumped, Landed, Obstacle, Position, Shape, SolidCells, Vec2,
    Walk, glide_on,
};
use ecs_mechanics::sight::Cell;

/// Rows from above: y grows downwards.
const LEVEL: [&str; 5] = [
    "                              #",
    "                              #",
    "                  #           #",
    "#########         #############",
    "#########         #############",
];

#[derive(Resource)]
struct Level;
impl SolidCells for Level {
    fn is_solid(&self, Cell { x, y }: Cell) -> bool {
        let row = usize::try_from(y).ok().and_then(|y| LEVEL.get(y));
        let character = row.zip(usize::try_from(x).ok()).and_then(|(row, x)| row.as_bytes().get(x));
        character == Some(&b'#')
    }
}

world! {
    struct Run {
        include clocks::fixed_step { FixedTime = FixedTime::new(Duration::from_millis(10)) };
        include movement::movement { Gravity = Gravity(Vec2::new(0.0, 30.0)) };
        resources { Level = Level }
    }
    schedule step {
        include movement::accelerate;
        glide_on::<Level>;
        include movement::settle;
        tell;
    }
}

#[system(Run)]
fn tell(
    mut jumped: EventReader<Jumped>,
    mut bumped: EventReader<Bumped>,
    mut landed: EventReader<Landed>,
    places: Query<&Position>,
) {
    let place = |entity| places.get(entity).map_or(Vec2::ZERO, |position| position.0);
    for jumped in &mut jumped {
        println!("jump {} at x = {:.2}", jumped.number, place(jumped.entity).x);
    }
    for bumped in bumped.iter().filter(|bumped| bumped.normal.x != 0.0 && bumped.speed > 1.0) {
        let Obstacle::Cell(Cell { x, y }) = bumped.into else { continue };
        println!("bump into the cell ({x}, {y}) with a speed of {:.1}", bumped.speed);
    }
    for landed in &mut landed {
        println!("landing at x = {:.2} with a speed of {:.1}", place(landed.entity).x, landed.speed);
    }
}

fn main() {
    let mut run = Run::new();
    let body = (Position(Vec2::new(1.0, 1.0)), Body(Shape::rounded(0.6, 0.9, 0.1)), Fall::new(20.0));
    let walk = Walk { wish: Vec2::new(1.0, 0.0), ..Walk::new(6.0, 40.0) };
    let jump = Jump::new(12.0).with_air_jumps(1).with_coyote(Duration::from_millis(80));
    let runner = run.spawn((body, walk, jump));
    for step in 0..600 {
        // the first press is a little late: the runner has just left the edge
        if step == 148 || step == 200 {
            run.get_mut::<Jump>(runner).unwrap().press();
        }
        run.step();
    }
    let Position(end) = *run.get(runner).unwrap();
    assert!(
        end.x > 29.6 && end.x < 29.7 && end.y > 2.5 && end.y < 2.55,
        "it stands before the last wall: {end:?}"
    );
}
