//! Definitions in JSON: the file is refused, or its values can be spawned and inserted.
#![no_main]

use ecs::prefab::Definitions;
use ecs::prelude::*;
use ecs_fuzz::{Game, crowd, live};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = core::str::from_utf8(data) else { return };
    let mut definitions = Definitions::<Game>::new();
    // The second file may be a later version of the first one.
    let (first, second) = text.split_once('\n').unwrap_or((text, ""));
    for (name, text) in [("first.json", first), ("second.json", second)] {
        let before: Vec<String> = definitions.names().map(String::from).collect();
        if definitions.read_json(name, text).is_err() {
            assert!(definitions.names().eq(&before), "a refused file changed the definitions");
        }
    }
    let names: Vec<String> = definitions.names().map(String::from).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut game = crowd();
    let entities: Vec<Entity> = game.entities().iter().collect();
    for name in &names {
        for &entity in entities.iter().take(3) {
            let _ = definitions.attach(&mut game, entity, name);
        }
    }
    let before = game.entities().len();
    if definitions.spawn(&mut game, &names).is_err() {
        assert_eq!(game.entities().len(), before);
    }
    live(game);
});
