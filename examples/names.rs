//! Names, and ids that stay the same in another program: an entity is found by both.

use ecs::component::{StableId, StableIds};
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Debug)]
struct Level(u32);

world! {
    #[derive(Serialize, Deserialize)]
    struct Game {
        components { Name, StableId, Level }
        resources { StableIds = StableIds::default() }
    }
    schedule tick { train }
}

/// A system finds entities by their names with a `Lookup`.
#[system(Game)]
fn train(names: Lookup<Name>, mut levels: Query<&mut Level>) {
    for entity in names.find("bob") {
        if let Some(level) = levels.get_mut(entity) {
            level.0 += 1;
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new();
    let mut spawn = |name: &str| {
        let id = game.resource_mut::<StableIds>().make();
        game.spawn((Name::new(name), id, Level(1)));
        id
    };
    let (ann, bob, other_bob) = (spawn("ann"), spawn("bob"), spawn("bob"));
    game.tick();

    // names need not be unique; a stable id is
    println!("bobs: {}", game.find::<Name>("bob").count());
    let taken = game.try_spawn((Name::new("carl"), ann)).unwrap_err();
    println!("{taken}");

    // the file, or a message to another program, has the stable ids
    let file = game.to_json()?;
    drop(game);
    let game = Game::from_json(&file)?;
    for id in [ann, bob, other_bob] {
        let entity = game.find_one::<StableId>(&id).ok_or("the file has the entity")?;
        println!("{id:?}: {} {:?}", game.try_get::<Name>(entity)?.as_str(), game.try_get::<Level>(entity)?);
    }
    Ok(())
}
