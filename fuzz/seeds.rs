//! Writes the seeds of the fuzzer to `corpus`: `cargo run --example seeds`.

use std::fs;
use std::io;
use std::path::Path;

use ecs::prelude::*;
use ecs_fuzz::{Game, unsealed};

#[path = "delta.rs"]
#[allow(dead_code, reason = "only the seeds are used")]
mod delta;
#[path = "../tests/delta/edit.rs"]
#[allow(dead_code, reason = "only the seeds are used")]
mod edit;
#[path = "../tests/delta/game.rs"]
#[allow(dead_code, reason = "only the seeds are used")]
mod game;
#[path = "names.rs"]
#[allow(dead_code, reason = "only the seeds are used")]
mod names;

const PREFABS: [&str; 3] = [
    r#"{"a":{"Position":[1.0,2.0],"ChildOf":"b","Name":"x"},"b":{"Leader":{"under":{"under":null}},"Many<Likes>":[{"whom":"a","much":1}]}}"#,
    r#"{"a":{"Married":"b","Team":3},"b":{"Married":"a","Mind":{"Hunts":{"whom":"a","path":[[1,2]]}}},"c":{"Frozen":null}}"#,
    r#"{"a":{"Mind":{"Recalls":{"7":["a",null]}},"Burning":[null],"Rare":["x",9],"Many<Knows>":["b"]},"b":{"StableId":9}}"#,
];

const DEFINITIONS: [&str; 4] = [
    r#"{"type":"terrain","schema":{"seed":3}}"#,
    "[{\"type\":\"leader\",\"schema\":{\"under\":{\"under\":null}}},{\"type\":\"tag\"}]\n{\"type\":\"leader\",\"schema\":{\"under\":null}}",
    r#"[{"type":"health","schema":7},{"type":"label","schema":"x"},{"type":"position","schema":[1.0,2.0]}]"#,
    r#"{"type":"mind","schema":{"Recalls":{"7":[null]}}}"#,
];

const BY_HAND: &str =
    r#"{"entities":{"3v1@7":{"Position":[1.0,2.0],"Frozen":null},"70v5@7":{"ChildOf":"3v1@7"}}}"#;

fn main() -> io::Result<()> {
    let worlds = [Game::default(), ecs_fuzz::game()];
    for (at, world) in worlds.iter().enumerate() {
        let bytes = world.to_bytes().map_err(io::Error::other)?;
        for target in ["load_compact", "merge"] {
            write(target, &format!("world{at}"), &unsealed(&bytes))?;
        }
        write("load_human", &format!("world{at}"), &serde_json::to_vec(world)?)?;
    }
    write("load_human", "by_hand", BY_HAND.as_bytes())?;
    for (at, prefab) in PREFABS.iter().enumerate() {
        write("prefab_json", &format!("prefab{at}"), prefab.as_bytes())?;
    }
    for (at, definition) in DEFINITIONS.iter().enumerate() {
        write("definitions_json", &format!("definition{at}"), definition.as_bytes())?;
    }
    for (at, text) in names::SEEDS.iter().enumerate() {
        write("reflect", &format!("text{at}"), text.as_bytes())?;
    }
    for (at, messages) in delta::seeds().iter().enumerate() {
        write("delta", &format!("messages{at}"), messages)?;
    }
    let rounds: Vec<u8> = (0..=255).flat_map(|kind: u8| [kind, kind / 3, kind / 7]).collect();
    write("baseline", "rounds", &rounds)
}

fn write(target: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), bytes)
}
