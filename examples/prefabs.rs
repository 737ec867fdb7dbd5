//! Entities as data: a file has the parts of a ship, and the program spawns ships of it.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Debug)]
struct Hull(u32);

#[derive(Component, Serialize, Deserialize, Debug)]
struct Gun {
    damage: u32,
}

#[derive(Component, Serialize, Deserialize, Debug)]
struct Target(Entity);

world! {
    #[derive(Serialize, Deserialize)]
    struct Game { components { Hull, Gun, Target, ChildOf } }
}

const CRUISER: &str = r#"{
    "ship": { "Hull": 90 },
    "bow":  { "Gun": { "damage": 7 }, "ChildOf": "ship" },
    "stern": { "Gun": { "damage": 2 }, "ChildOf": "ship" }
}"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let prefabs = Prefabs::<Game>::new();
    let cruiser = prefabs.from_json("cruiser.json", CRUISER)?;

    let mut game = Game::new();
    let (first, second) = (cruiser.spawn(&mut game)?, cruiser.spawn(&mut game)?);
    // the names of the file are keys of what was spawned
    game.insert(first["bow"], Target(second["ship"]))?;
    game.get_mut::<Gun>(second["stern"]).ok_or("the file says so")?.damage += 1;
    for ship in [first["ship"], second["ship"]] {
        let guns = game.sources::<ChildOf>(ship).iter().filter_map(|&gun| game.get::<Gun>(gun));
        println!("{:?} with {:?}", game.try_get::<Hull>(ship)?, guns.collect::<Vec<_>>());
    }

    // a mistake in a file is an error when it is read, with its line
    let error = prefabs.from_json("raft.json", "{\n  \"raft\": { \"Hul\": 3 }\n}").unwrap_err();
    println!("{error}");
    Ok(())
}
