//! A schedule that is built at run time: mods of a game add systems, and a console takes them out
//! again.

use ecs::prelude::*;

#[derive(Component, Debug)]
struct Position(f32);

#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

/// Loads a mod: adds its systems, each with a key. Systems run in the order of their keys.
fn load(
    name: &str,
    schedule: &mut Schedule<Game>,
    game: &mut Game,
) -> Result<(), Box<dyn std::error::Error>> {
    match name {
        "gravity" => schedule.add_fn(game, "gravity", 10, |mut bodies: Query<&mut Velocity>| {
            bodies.for_each(|velocity| velocity.0 -= 1.0);
        })?,
        "floor" => schedule.add_fn(game, "floor", 30, |mut bodies: Query<&mut Position>| {
            bodies.for_each(|position| position.0 = position.0.max(0.0));
        })?,
        other => return Err(format!("there is no mod `{other}`").into()),
    };
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new();
    let ball = game.spawn((Position(2.0), Velocity(1.0)));
    let mut schedule = Schedule::<Game>::new("mods");
    schedule.add::<movement>(&mut game, 20)?;
    for line in ["tick", "load floor", "load gravity", "list", "tick", "tick", "tick", "load moon"] {
        println!("> {line}");
        match line.split_once(' ') {
            Some((_, name)) => match load(name, &mut schedule, &mut game) {
                Ok(()) => println!("loaded {name}"),
                Err(error) => println!("{error}"),
            },
            None if line == "list" => println!("{:?}", schedule.iter().collect::<Vec<_>>()),
            None => {
                schedule.run(&mut game)?;
                println!("{:?}", game.get::<Position>(ball));
            }
        }
    }
    schedule.close(&mut game);
    Ok(())
}
