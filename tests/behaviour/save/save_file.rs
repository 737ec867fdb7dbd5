//! The parts of a file: fingerprint, checksum, and entries that contradict each other. Limits are
//! tested at the last value that is accepted, and at the first one that is refused.

use ecs::__private::save::{hash_of, reseal};
use ecs::prelude::*;
use ecs::save::{DanglingIds, LoadError, LoadOptions, Saved};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(tracked)]
struct Point(u8, u16);
#[derive(Component, Clone)]
#[component(skip)]
struct Sprite;
#[derive(Resource, Clone, Serialize, Deserialize, Default)]
struct Total(u32);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Point, Sprite }
        resources { total: Total }
    }
    schedule tick { count }
}

#[system(Game)]
fn count(points: Query<&Point>, mut total: ResMut<Total>, mut runs: Local<u32>) {
    *runs += 1;
    total.0 += points.len() as u32;
}

fn game(points: u16) -> Game {
    let mut game = Game::new(Total(0));
    game.spawn_batch((0..points).map(|n| Point(1, n))).count();
    game.tick();
    game
}

fn number(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().unwrap())
}

fn from_json(file: &Value) -> Result<Game, String> {
    serde_json::from_str(&file.to_string()).map_err(|error| error.to_string())
}

/// The worlds below differ in one name or in one layout.
mod others {
    use ecs::prelude::*;
    use serde::{Deserialize, Serialize};

    #[derive(Component, Serialize, Deserialize)]
    pub struct Point(u8, u16);
    pub mod wide {
        use super::*;
        #[derive(Component, Serialize, Deserialize)]
        pub struct Point(u8, u32);
    }
    #[derive(Component, Serialize, Deserialize)]
    pub struct Dot(u8, u16);
    #[derive(Component)]
    #[component(skip)]
    pub struct Sprite;
    #[derive(Resource, Serialize, Deserialize)]
    pub struct Total(u32);
    #[derive(Resource, Serialize, Deserialize)]
    pub struct Sum(u32);

    macro_rules! games {
        ($($module:ident: $name:ident $point:ident $total:ident;)*) => {$(
            pub mod $module {
                use super::*;
                world! {
                    #[derive(Serialize, Deserialize)]
                    pub struct $name {
                        components { $point, Sprite }
                        resources { $total }
                    }
                }
            }
        )*};
    }
    games! { same: Game Point Total; world: Play Point Total; component: Game Dot Total; resource: Game Point Sum; }
    pub mod layout {
        use super::wide::Point;
        use super::{Sprite, Total};
        use ecs::prelude::*;
        use serde::{Deserialize, Serialize};
        world! {
            #[derive(Serialize, Deserialize)]
            pub struct Game {
                components { Point, Sprite }
                resources { Total }
            }
        }
    }
}

#[test]
fn a_file_has_the_fingerprint_of_the_schema() {
    let bytes = game(3).to_bytes().unwrap();
    let schema = Game::schema().unwrap();
    assert_eq!(number(&bytes[12..20]), schema);
    let others = [
        others::world::Play::schema(),
        others::component::Game::schema(),
        others::resource::Game::schema(),
        others::layout::Game::schema(),
    ];
    let mut all = vec![schema];
    for other in others.map(Result::unwrap) {
        assert!(!all.contains(&other));
        all.push(other);
    }
    assert_eq!(others::same::Game::schema().unwrap(), schema, "schedules do not count");
    // a file whose names were changed
    let at = bytes.windows(5).position(|name| name == b"Point").unwrap();
    let mut renamed = bytes.clone();
    renamed[at..at + 5].copy_from_slice(b"Paint");
    assert_eq!(Game::load(&renamed).unwrap_err(), LoadError::Damaged);
    reseal(&mut renamed);
    let said = Game::load(&renamed).unwrap_err().to_string();
    assert!(said.contains("the fingerprint does not match"), "{said}");
}

#[test]
fn the_hash_of_a_world_is_the_checksum_of_its_file() {
    let game = game(300);
    let mut bytes = game.to_bytes().unwrap();
    let end = bytes.len() - 8;
    let sum = number(&bytes[end..]);
    assert_eq!((game.hash(), hash_of([&bytes[..end]])), (sum, sum));
    assert_eq!(hash_of(bytes[..end].chunks(7)), sum, "the parts do not matter");
    assert_ne!(hash_of([&bytes[1..end]]), sum);
    bytes[end - 1] ^= 1;
    assert_eq!(Game::load(&bytes).unwrap_err(), LoadError::Damaged);
    let damaged = hash_of([&bytes[..end]]);
    reseal(&mut bytes);
    assert_eq!(number(&bytes[end..]), damaged);
    assert_ne!(Game::load(&bytes).map(drop), Err(LoadError::Damaged));
    let mut short = [1, 2, 3];
    reseal(&mut short);
    assert_eq!(short, [1, 2, 3]);
}

#[test]
fn a_value_of_a_slot_without_an_entity_is_named_by_its_slot() {
    let bytes = game(66).to_bytes().unwrap();
    // the words of the column: two, with the first 66 slots
    let words = [&2_u32.to_le_bytes()[..], &u64::MAX.to_le_bytes(), &0b11_u64.to_le_bytes()].concat();
    let at = bytes.windows(words.len()).position(|part| part == words).unwrap();
    for bit in [2, 5, 63] {
        let mut forged = bytes.clone();
        forged[at + 12..at + 20].copy_from_slice(&(0b11_u64 | 1 << bit).to_le_bytes());
        reseal(&mut forged);
        let said = Game::load(&forged).unwrap_err().to_string();
        let expected = format!("component `Point` of slot {}: the slot has no live entity", 64 + bit);
        assert!(said.contains(&expected), "{said}");
        let said = game(1).merge(&forged, DanglingIds::Keep).unwrap_err().to_string();
        assert!(said.contains(&expected), "{said}");
    }
}

#[test]
fn a_slot_may_be_as_large_as_the_file_has_entities() {
    const FAR: u32 = 1 << 20;
    let load = |slots: &[u32]| {
        let entities: Vec<String> = slots.iter().map(|slot| format!(r#""{slot}v1@7": {{}}"#)).collect();
        let file = format!(r#"{{ "entities": {{ {} }} }}"#, entities.join(", "));
        let game = serde_json::from_str::<Game>(&file).map_err(|error| error.to_string())?;
        Ok::<_, String>(game.entities().iter().map(|entity| entity.slot()).collect::<Vec<_>>())
    };
    assert_eq!(load(&[FAR - 1]).unwrap(), [FAR - 1]);
    let said = load(&[FAR]).unwrap_err();
    assert!(
        said.contains(&format!("entity {FAR}v1 is out of range: its slot must be less than {FAR}")),
        "{said}"
    );
    // each entity before it allows 64 slots more
    assert_eq!(load(&[3, FAR + 63]).unwrap(), [3, FAR + 63]);
    assert!(load(&[3, FAR + 64]).is_err());
    assert_eq!(load(&[3, 4, FAR + 127]).unwrap(), [3, 4, FAR + 127]);
    assert!(load(&[3, 4, FAR + 128]).is_err());
}

#[test]
fn a_key_that_occurs_twice_is_refused() {
    let text = serde_json::to_string(&game(2)).unwrap();
    let twice = |entry: &str, expected: &str| {
        assert!(text.contains(entry), "{entry} is not in {text}");
        let changed = text.replacen(entry, &format!("{entry},{entry}"), 1);
        let said = serde_json::from_str::<Game>(&changed).map(drop).unwrap_err().to_string();
        assert!(said.contains(expected), "{said}");
    };
    twice(r#""state":[1]"#, "duplicate field `state`");
    twice(r#""Point":[1,0]"#, "has component `Point` twice");
    twice(r#"{"name":"Sprite","layout":"","stamps":[]}"#, "component `Sprite`: it occurs twice");
}

#[test]
fn ticks_that_contradict_the_file_are_refused() {
    let file = serde_json::to_value(game(5)).unwrap();
    let tick = file["allocator"]["tick"].as_u64().unwrap();
    let load = |stamps: Value| {
        let mut file = file.clone();
        file["components"][0]["stamps"] = stamps;
        from_json(&file)
    };
    for accepted in
        [json!([]), json!([[5, tick, tick]]), json!([[2, 0, tick], [3, 0, 0]]), json!([[5, 1, 1]])]
    {
        assert_eq!(load(accepted).unwrap().query::<&Point>().len(), 5);
    }
    let later = "a change tick is later than the tick of the file, or earlier than the tick at which its value was added";
    let number = "the number of change ticks is not the number of values";
    let refused = [
        (json!([[5, 0, tick + 1]]), later),
        (json!([[5, tick + 1, tick]]), later),
        (json!([[5, tick + 1, tick + 1]]), later),
        (json!([[5, 1, 0]]), later),
        (json!([[4, 0, 0]]), number),
        (json!([[6, 0, 0]]), number),
        (json!([[4, 0, 0], [2, 0, 0]]), number),
        (json!([[u32::MAX, 0, 0], [6, 0, 0]]), number),
    ];
    for (stamps, expected) in refused {
        let said = load(stamps.clone()).map(drop).unwrap_err();
        assert!(said.contains("component `Point`") && said.contains(expected), "{stamps}: {said}");
    }
}

#[test]
fn ticks_are_written_in_runs_of_equal_ones() {
    let mut game = Game::new(Total(0));
    let points: Vec<Entity> = game.spawn_batch((0..70).map(|n| Point(1, n))).collect();
    for at in [1, 2, 65] {
        game.tick();
        game.get_tracked::<Point>(points[at]).unwrap().0 = 7;
    }
    let stamps = |game: &Game| serde_json::to_value(game).unwrap()["components"][0]["stamps"].clone();
    let runs: Vec<(u32, u64, u64)> = serde_json::from_value(stamps(&game)).unwrap();
    assert_eq!(runs.iter().map(|(count, ..)| *count).collect::<Vec<_>>(), [1, 1, 1, 62, 1, 4]);
    assert!(runs.iter().all(|(_, added, changed)| *added == runs[0].1 && changed >= added));
    assert_eq!((runs[0], runs[3].2, runs[5].2), ((1, runs[0].1, runs[0].1), runs[0].1, runs[0].1));
    assert!(runs[0].2 < runs[1].2 && runs[1].2 < runs[2].2 && runs[2].2 < runs[4].2);
    let compact = Game::load(&game.to_bytes().unwrap()).unwrap();
    assert_eq!(stamps(&compact), stamps(&game));
}

#[test]
fn a_skipped_component_has_its_name_in_a_file_and_nothing_else() {
    let mut game = game(2);
    game.spawn((Point(0, 0), Sprite));
    let file = serde_json::to_value(&game).unwrap();
    assert_eq!(file["components"][1], json!({ "name": "Sprite", "layout": "", "stamps": [] }));
    assert!(!file["entities"].to_string().contains("Sprite") && file["removed"].get("Sprite").is_none());
}

/// The least limit of memory with which a file is accepted.
fn least(accepts: impl Fn(u64) -> bool) -> u64 {
    let (mut refused, mut accepted) = (0, 1 << 30);
    while refused + 1 < accepted {
        let limit = (refused + accepted) / 2;
        if accepts(limit) { accepted = limit } else { refused = limit }
    }
    accepted
}

#[test]
fn a_merge_is_charged_for_the_new_ids() {
    let mut game = Game::new(Total(0));
    let all: Vec<Entity> = (0..640).map(|_| game.spawn(())).collect();
    all.iter().step_by(3).for_each(|&entity| game.despawn(entity).unwrap());
    let (bytes, living) = (game.to_bytes().unwrap(), game.entities().len() as u64);
    let options = |limit| LoadOptions::new().memory(limit);
    let load = least(|limit| Game::load_with(&bytes, options(limit)).is_ok());
    let merge =
        least(|limit| Game::new(Total(0)).merge_with(&bytes, DanglingIds::Refuse, options(limit)).is_ok());
    let file = serde_json::to_value(&game).unwrap();
    let slots = 64 * file["allocator"]["blocks"].as_array().unwrap().len() as u64;
    assert!(slots > 640, "the last blocks are not used");
    // two lists of pairs of ids, and a new slot for each slot of the file
    assert_eq!(merge - load, 2 * living * 16 + slots * 8);
}

#[test]
fn values_of_a_required_component_are_charged() {
    #[derive(Component, Clone, Serialize, Deserialize)]
    #[component(requires(Kept, Left))]
    struct Needs;
    #[derive(Component, Clone, Serialize, Deserialize, Default)]
    struct Kept([[u64; 32]; 4]);
    #[derive(Component, Clone, Default)]
    #[component(skip)]
    #[allow(dead_code)]
    struct Left([[u64; 32]; 2]);
    mod before {
        use ecs::prelude::*;
        use serde::{Deserialize, Serialize};
        #[derive(Component, Clone, Serialize, Deserialize)]
        pub struct Needs;
        world! { #[derive(Serialize, Deserialize)] pub struct Small { components { Needs } } }
    }
    world! { #[derive(Serialize, Deserialize)] struct Small { components { Needs, Kept, Left } } }
    let mut old = before::Small::new();
    old.spawn_batch((0..640).map(|_| before::Needs)).count();
    let bytes = old.to_bytes().unwrap();
    let plain = least(|limit| before::Small::load_with(&bytes, LoadOptions::new().memory(limit)).is_ok());
    let more = least(|limit| Small::load_with(&bytes, LoadOptions::new().memory(limit)).is_ok()) - plain;
    assert!(more >= 640 * (size_of::<Kept>() + size_of::<Left>()) as u64, "{more}");
    let said = Small::load_with(&bytes, LoadOptions::new().memory(plain)).map(drop).unwrap_err().to_string();
    assert!(said.contains("which others require"), "{said}");
    assert_eq!(Small::load(&bytes).unwrap().query::<(&Needs, &Kept, &Left)>().len(), 640);
}

#[test]
fn the_place_of_a_world_in_its_source_does_not_decide_ids_and_hash() {
    macro_rules! ids_and_hash {
        ($($component:ident)*) => {{
            world! {
                #[derive(Clone, Serialize, Deserialize)]
                struct Placed { components { Point, $($component)* } }
            }
            let mut world = Placed::new();
            let entity = world.spawn(Point(1, 2));
            (serde_json::to_value(entity).unwrap(), world.hash())
        }};
    }
    let first = ids_and_hash!();
    // on another line, and further to the right
    let second = [ids_and_hash!()][0].clone();
    assert_eq!(first, second);
    assert_ne!(first, ids_and_hash!(Sprite), "another list is another world");
}

/// TOML gives its errors a line and a key, which their text lacks until the whole file was read.
#[test]
fn an_error_has_the_place_that_the_format_gives_it() {
    let message = |entities: &str| {
        let file = format!("[resources]\nTotal = 3\n[entities]\n{entities}\n");
        let error = toml::from_str::<Game>(&file).map(drop).unwrap_err().to_string();
        error.trim().to_owned()
    };
    let said = message("\"1v1@7\" = { Point = [1, 2] }\n\"2v1@7\" = { Point = [1, \"x\"] }");
    assert!(said.starts_with("TOML parse error at line 5, column 21"), "{said}");
    assert!(
        said.ends_with("component `Point` of entity 2v1: invalid type: string \"x\", expected u16"),
        "{said}"
    );
    let said = message("\"1v1@7\" = { Line = 1 }");
    assert!(said.starts_with("TOML parse error at line 4, column 20"), "{said}");
    assert!(said.ends_with("world `Game` has no component `Line`"), "{said}");
    let said = message("\"1v1@7\" = {}\nfirst = {}");
    assert!(said.starts_with("TOML parse error at line 5, column 1"), "{said}");
}
