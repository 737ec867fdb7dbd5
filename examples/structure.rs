//! Structural change while iterating: adding or removing a component moves no values.

use ecs::prelude::*;

#[derive(Component)]
struct Temperature(i32);

#[derive(Component)]
struct Burning {
    turns: u32,
}

world! {
    struct Game {
        components { Temperature, Burning }
    }
    schedule tick { ignite; cool; bury }
}

/// `Storage<Burning>` adds and removes `Burning` while the query iterates over `Temperature`.
#[system(Game)]
fn ignite(bodies: Query<(Entity, &Temperature)>, mut burning: Storage<Burning>) {
    for (entity, temperature) in &bodies {
        if temperature.0 > 100 && !burning.contains(entity) {
            burning.insert(entity, Burning { turns: 2 }).expect("it lives: it was just matched");
            println!("{entity} catches fire");
        }
    }
}

#[system(Game)]
fn cool(temperature: &mut Temperature, burning: Option<&mut Burning>) {
    if let Some(burning) = burning {
        burning.turns = burning.turns.saturating_sub(1);
        temperature.0 -= 80;
    }
}

/// An exclusive system: it takes the whole world.
#[system(Game)]
fn bury(game: &mut Game) {
    let burnt: Vec<Entity> = game
        .query::<(Entity, &Burning)>()
        .iter()
        .filter(|(_, burning)| burning.turns == 0)
        .map(|(e, _)| e)
        .collect();
    for entity in burnt {
        println!("{entity} is ashes");
        game.despawn(entity).expect("it lives: it was just matched");
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn_batch([20, 150, 300].map(Temperature));
    for _ in 0..3 {
        game.tick();
    }
    println!("{game:?}");
}
