//! Files of black boxes: failures in systems, commands, hooks and drops; damaged files; files that
//! cannot be written.
#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]

use std::fs;
use std::path::PathBuf;

use ecs::error::SystemError;
use ecs::prelude::*;
use ecs::save::LoadOptions;
use ecs_history::{BlackBox, BlackBoxError, History, Limit, Recording};
use serde::{Deserialize, Serialize};

/// The accident of a run.
#[derive(Resource, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
enum Accident {
    #[default]
    None,
    System,
    Command,
    Drop,
    Error,
}

#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Gold(u32);

#[derive(Component, Clone, Serialize, Deserialize)]
struct Fragile(u32);

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(self.0 != 77 || std::thread::panicking(), "dropped");
    }
}

/// Panics when it is saved.
#[derive(Component, Clone, Deserialize)]
struct Unsaved(bool);

impl Serialize for Unsaved {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 {
            std::panic::panic_any(Bomb);
        }
        serializer.serialize_bool(self.0)
    }
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Gold, Fragile, Unsaved }
        resources { Accident }
    }
    schedule tick -> Result { earn; spend; break_one }
}

#[system(Game)]
fn earn(gold: &mut Gold) {
    gold.0 += 1;
}

#[system(Game)]
fn spend(
    accident: Res<Accident>,
    all: Query<Entity, With<Gold>>,
    mut commands: Commands<Game>,
) -> Result<(), String> {
    match *accident {
        Accident::System => panic!("two\nlines: \\ {}", "long ".repeat(2000)),
        Accident::Error => return Err("too poor".into()),
        Accident::Command => commands.run(|_: &mut Game| panic!("in a command")),
        _ => all.iter().for_each(|entity| commands.insert(entity, Gold(9))),
    }
    Ok(())
}

#[system(Game)]
fn break_one(accident: Res<Accident>, mut all: Query<&mut Fragile>) {
    if *accident == Accident::Drop {
        all.iter_mut().for_each(|fragile| {
            fragile.0 = 77;
            *fragile = Fragile(0);
        });
    }
}

fn game(accident: Accident) -> Game {
    let mut game = Game::default();
    game.spawn_batch((0..20).map(Gold));
    game.spawn((Fragile(0), Gold(1)));
    *game.resource_mut::<Accident>() = accident;
    game
}

/// A path that no other test has.
fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("ecs-history-{name}-{}.box", std::process::id()))
}

#[test]
fn a_failure_is_recorded_and_made_again() {
    for (accident, system, message) in [
        (Accident::System, "spend", "two\nlines: \\ long"),
        (Accident::Command, "spend", "in a command"),
        (Accident::Drop, "break_one", "dropped"),
        (Accident::Error, "spend", "too poor"),
    ] {
        let path = path(&format!("{accident:?}"));
        let (mut game, black_box) = (game(accident.clone()), BlackBox::new(&path, "my-game 0.3"));
        let hash = game.hash();
        let failed = black_box.run(&mut game, Game::tick).unwrap_err();
        assert_eq!((failed.error.system, game.hash()), (system, hash));
        assert_eq!(failed.file.as_ref().unwrap(), &path);
        assert!(failed.to_string().contains("recorded in"));

        let recording = Recording::<Game>::read(&path).unwrap();
        assert_eq!(
            (recording.program(), recording.schedule(), recording.system()),
            ("my-game 0.3", "tick", system)
        );
        assert!(recording.message().contains(message) && recording.message().len() <= 4096);
        assert_eq!(recording.world().hash(), hash);
        let error = recording.replay(Game::tick).unwrap_err();
        assert_eq!((error.system, error.schedule), (system, "tick"));

        // the last step before the failure, and back from there
        let mut inside = recording.inside(Game::tick);
        let last = inside.last().unwrap().system;
        assert!(last == "earn" || last == "spend", "{last}");
        assert_eq!(inside.position(), inside.steps().len());
        let after = inside.world().hash();
        inside.go_to(0);
        assert_eq!(inside.world().hash(), hash);
        assert_ne!(after, hash);
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_run_without_a_failure_writes_nothing() {
    let path = path("none");
    let (mut game, black_box) = (game(Accident::None), BlackBox::new(&path, "my-game"));
    let mut history = History::new(Limit::runs(10));
    let inner = black_box.clone();
    history.run(&mut game, move |game: &mut Game| inner.run(game, Game::tick)).unwrap();
    assert!(!path.exists());
    assert!(game.query::<&Gold>().iter().all(|gold| gold.0 == 9));

    // a report on demand
    black_box.record(&game, "it looks odd").unwrap();
    let recording = Recording::<Game>::read(&path).unwrap();
    assert_eq!((recording.system(), recording.message()), ("", "it looks odd"));
    assert!(recording.replay(Game::tick).is_ok());
    fs::remove_file(&path).unwrap();
}

#[test]
fn an_earlier_file_is_lost_only_for_a_complete_one() {
    let path = path("kept");
    let black_box = BlackBox::new(&path, "my-game");
    let mut game = game(Accident::Error);
    assert!(black_box.run(&mut game, Game::tick).unwrap_err().file.is_ok());
    let first = fs::read(&path).unwrap();

    // a value that panics while it is saved
    let odd = game.spawn(Unsaved(true));
    let failed = black_box.run(&mut game, Game::tick).unwrap_err();
    assert!(matches!(*failed.file.as_ref().unwrap_err().as_ref(), BlackBoxError::Panicked));
    assert_eq!(failed.error.system, "spend"); // the first failure is the one that is returned
    assert!(failed.to_string().contains("not recorded: a value has panicked"));
    assert_eq!(fs::read(&path).unwrap(), first);

    game.despawn(odd).unwrap();
    game.spawn(Gold(1000));
    assert!(black_box.run(&mut game, Game::tick).unwrap_err().file.is_ok());
    assert_ne!(fs::read(&path).unwrap(), first);
    fs::remove_file(&path).unwrap();

    // no such folder
    let nowhere = BlackBox::new("/no such folder/x.box", "my-game");
    let failed = nowhere.run(&mut game, Game::tick).unwrap_err();
    assert!(
        matches!(failed.file.unwrap_err().as_ref(), BlackBoxError::Io(path, _) if path.ends_with("x.box"))
    );
    assert!(Recording::<Game>::read("/no such folder/x.box").is_err());
}

#[test]
fn damaged_files_are_refused() {
    let path = path("damaged");
    let mut game = game(Accident::Error);
    BlackBox::new(&path, "my-game").run(&mut game, Game::tick).unwrap_err();
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(Recording::<Game>::from_bytes(&bytes).is_ok());
    // cut at every place
    for end in 0..bytes.len() {
        assert!(Recording::<Game>::from_bytes(&bytes[..end]).is_err(), "{end} bytes");
    }
    // every byte changed: a text may differ, the world may not
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x15;
        if let Ok(recording) = Recording::<Game>::from_bytes(&changed) {
            assert_eq!(recording.world().hash(), game.hash(), "byte {at}");
        }
    }
    for odd in [&b""[..], b"\n", b"checked-ecs black box 1\n", &[b'x'; 200_000], &[0xff; 30]] {
        assert!(Recording::<Game>::from_bytes(odd).is_err());
    }
}

#[test]
fn several_black_boxes_write_to_one_path() {
    let path = path("shared");
    // a file that a program which was killed has left, and a link that somebody else has made
    let left = |number: u32| path.with_extension(format!("box.{number}.part"));
    fs::write(left(0), "left").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(left(0), left(1)).unwrap();
    std::thread::scope(|threads| {
        for turn in 0..8 {
            let path = &path;
            threads.spawn(move || {
                let (game, black_box) =
                    (game(Accident::None), BlackBox::new(path, &"program ".repeat(20_000)));
                for _ in 0..10 {
                    black_box.record(&game, &turn.to_string()).unwrap();
                    assert_eq!(Recording::<Game>::read(path).unwrap().world().hash(), game.hash());
                }
            });
        }
    });
    assert_eq!(fs::read(left(0)).unwrap(), b"left");
    (0..2).for_each(|number| drop(fs::remove_file(left(number))));
    fs::remove_file(&path).unwrap();
    let folder = fs::read_dir(path.parent().unwrap()).unwrap();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(
        folder.filter(|file| file.as_ref().unwrap().file_name().to_string_lossy().starts_with(&name)).count(),
        0
    );
}

/// Panics when it is written as a text, or dropped.
#[derive(Debug)]
struct Bomb;

impl std::fmt::Display for Bomb {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        panic!("no text")
    }
}

impl std::error::Error for Bomb {}

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "dropped");
    }
}

#[test]
fn an_error_that_panics_is_recorded() {
    let path = path("bomb");
    let black_box = BlackBox::new(&path, "my-game");
    let mut game = game(Accident::None);
    let error = SystemError { system: "a", schedule: "b", world: "c", source: Box::new(Bomb) };
    let failed = black_box.run(&mut game, |_: &mut Game| Err::<(), _>(error)).unwrap_err();
    assert!(failed.file.is_ok() && Recording::<Game>::read(&path).unwrap().message().is_empty());
    std::mem::forget(failed);
    // a panic with a value that panics when it is dropped
    let failed = black_box.run(&mut game, |_: &mut Game| -> () { std::panic::panic_any(Bomb) }).unwrap_err();
    assert_eq!(failed.file.unwrap(), path);
    fs::remove_file(&path).unwrap();
}

mod later {
    //! Another version of the program.

    use ecs::prelude::*;
    use serde::{Deserialize, Serialize};

    #[derive(Component, Clone, Serialize, Deserialize)]
    pub(crate) struct Gold(pub(crate) String);

    world! {
        #[derive(Clone, Serialize, Deserialize)]
        pub(crate) struct Game { components { Gold } }
    }
}

#[test]
fn another_version_of_the_program_says_what_differs() {
    let path = path("version");
    BlackBox::new(&path, "my-game 0.3").record(&game(Accident::None), "").unwrap();
    let error = Recording::<later::Game>::read(&path).unwrap_err();
    fs::remove_file(&path).unwrap();
    let text = error.to_string();
    assert!(
        text.starts_with("the file was written by `my-game 0.3`, and this program cannot load it: "),
        "{text}"
    );
    assert!(text.contains("Gold") || text.contains("Fragile") || text.contains("Accident"), "{text}");
    let _ = later::Gold(String::new());
}

mod with_settings {
    //! A world with a resource that is not saved.

    use ecs::prelude::*;
    use serde::{Deserialize, Serialize};

    #[derive(Component, Clone, Serialize, Deserialize)]
    pub(crate) struct Gold(pub(crate) u32);
    #[derive(Resource, Clone)]
    #[resource(skip)]
    pub(crate) struct Prices(pub(crate) u32);

    world! {
        #[derive(Clone, Serialize, Deserialize)]
        pub(crate) struct Shop { components { Gold } resources { prices: Prices } }
        schedule tick { buy }
    }

    #[system(Shop)]
    fn buy(gold: &mut Gold, prices: Res<Prices>) {
        gold.0 = gold.0.checked_sub(prices.0).expect("no debts");
    }
}

#[test]
fn resources_that_are_not_saved_are_given_when_the_file_is_read() {
    use with_settings::{Gold, Prices, Shop};
    let path = path("shop");
    let mut shop = Shop::new(Prices(5));
    shop.spawn(Gold(3));
    BlackBox::new(&path, "shop 1").run(&mut shop, Shop::tick).unwrap_err();
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let error = Recording::<Shop>::from_bytes(&bytes).unwrap_err();
    assert!(error.to_string().contains("Prices"), "{error}");
    let of = |prices| {
        Recording::<Shop>::from_bytes_with(&bytes, LoadOptions::new().resource(Prices(prices))).unwrap()
    };
    assert!(of(5).replay(Shop::tick).is_err());
    assert!(of(1).replay(Shop::tick).is_ok());
}
