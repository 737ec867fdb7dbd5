//! Aspects: a player and a monster are built from named sets of components, and then their minds
//! are swapped.
//!
//! After the example in the readme of WECS, an entity component system in Python. Two swaps restore
//! the original state.

use std::error::Error;

use ecs::aspect::aspect_graph;
use ecs::error::MissingError;
use ecs::prelude::*;
use ecs::{Aspect, MetaAspect};

#[derive(Component, Default, Debug)]
struct Name(&'static str);
#[derive(Component, Default, Debug)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Component, Default, Debug)]
struct Speed(u32);
/// Listens to the keyboard.
#[derive(Component, Default, Debug)]
struct Input {
    keys: &'static str,
}
/// Looks down from above.
#[derive(Component, Default, Debug)]
struct Overhead {
    height: u32,
}
/// Looks through the eyes of its entity.
#[derive(Component, Default, Debug)]
struct FirstPerson;
/// A need of a creature.
#[derive(Component, Default, Debug)]
struct Hunger(u32);
#[derive(Component, Default, Debug)]
struct Plan(Vec<&'static str>);

/// A body that walks and can be hurt.
#[derive(Aspect)]
struct Body {
    name: Name,
    #[aspect(default = Health { now: 5, max: 5 })]
    health: Health,
    speed: Speed,
}

#[derive(Aspect)]
struct PlayerMind {
    #[aspect(default = Input { keys: "hjkl" })]
    input: Input,
}

#[derive(Aspect)]
struct MonsterMind {
    #[aspect(default = Hunger(3))]
    hunger: Hunger,
    #[aspect(default = Plan(vec!["find food", "eat it"]))]
    plan: Plan,
}

#[derive(Aspect)]
struct Player {
    #[aspect(.name.0 = "Ada", .health = Health { now: 9, max: 9 }, .speed.0 = 2)]
    body: Body,
    mind: PlayerMind,
}

#[derive(Aspect)]
struct Monster {
    #[aspect(.name.0 = "rat", .speed.0 = 1)]
    body: Body,
    mind: MonsterMind,
}

/// The cameras of a player.
#[derive(MetaAspect)]
enum Camera {
    Overhead(Overhead),
    FirstPerson(FirstPerson),
}

/// The kinds of minds; the first matching variant is taken. A player's mind includes one of the
/// cameras.
#[derive(MetaAspect)]
enum Mind {
    Player(PlayerMind, #[one_of] Camera),
    Monster(MonsterMind),
}

world! {
    struct Game {
        components { Name, Health, Speed, Input, Overhead, FirstPerson, Hunger, Plan }
    }
}

fn swap_minds(game: &mut Game, one: Entity, other: Entity) -> Result<(), Box<dyn Error>> {
    let first: Mind = game.take_one_of(one)?;
    let second: Mind = game.take_one_of(other)?;
    game.add_one_of(one, second)?;
    game.add_one_of(other, first)?;
    Ok(())
}

fn show(game: &Game, entity: Entity) -> Result<(), MissingError> {
    let (name, health) = (game.try_get::<Name>(entity)?, game.try_get::<Health>(entity)?);
    let mind = match (game.get::<Input>(entity), game.get::<Plan>(entity)) {
        (Some(Input { keys }), None) => format!("steered with {keys}"),
        (None, Some(Plan(steps))) => format!("plans to {}", steps.join(" and ")),
        _ => "of no mind, or of two".to_owned(),
    };
    let camera = match (game.get::<Overhead>(entity), game.has::<FirstPerson>(entity)) {
        (Some(Overhead { height }), _) => format!(", seen from {height} above"),
        (None, true) => ", through its eyes".to_owned(),
        (None, false) => String::new(),
    };
    println!("  {}, health {} of {}: {mind}{camera}", name.0, health.now, health.max);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = Game::new();
    let player = game.spawn((Player::fresh(), Overhead { height: 7 }));
    // the value in the call overrides that of `Monster`, which overrides that of `Body`
    let monster = game.spawn(Monster::fresh_with(|it| it.body.health.now = 3));

    println!("in the beginning:");
    for turn in ["swapped:", "swapped back:", "all of an aspect, or nothing:"] {
        show(&game, player)?;
        show(&game, monster)?;
        if turn.starts_with("swapped") {
            swap_minds(&mut game, player, monster)?;
        }
        println!("{turn}");
    }

    if let Err(error) = game.add_aspect(monster, Body::fresh()) {
        println!("  {error}");
    }
    if let Err(error) = game.remove_aspect::<Monster>(player) {
        println!("  {error}");
    }
    let MonsterMind { hunger, plan } = game.remove_aspect(monster)?;
    println!("  taken from the monster: hunger {}, {} plans", hunger.0, plan.0.len());
    if let Err(error) = game.take_one_of::<Mind>(monster) {
        println!("  {error}");
    }

    print!("{}", aspect_graph::<Player>().and::<Monster>().to_dot());
    Ok(())
}
