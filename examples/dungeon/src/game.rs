//! A game: a world that is filled from content or loaded, and that the player's orders advance.

use std::fs;
use std::path::Path;

use ecs::prefab::PrefabInstance;
use ecs::prelude::*;
use ecs::reflect::ReflectWorld;
use ecs::save::LoadOptions;
use ecs::schedule::Parallelism;
use ecs_inspect::ecs_history::{BlackBox, Limit, Place, Recording, TimeMachine, Timeline};
use ecs_mechanics::minds::Machine;
use ecs_mechanics::turns::{Clock, Turn, TurnClock};

use crate::component::{Experience, Health, Loot, Minds, Mood, Player, Position, Sight, Tactics, mood};
use crate::content::{Catalogue, Content, HERO, Template};
use crate::dice::Dice;
use crate::error::Error;
use crate::event::Order;
use crate::journal::{Journal, Tone};
use crate::level::Level;
use crate::outcome::Outcome;
use crate::save;
use crate::world::Dungeon;

/// The file with the world before a turn that has failed.
const BLACK_BOX: &str = "dungeon.box";

/// One game, from the first step to the last.
pub struct Game {
    world: Dungeon,
    /// The turns that were played, for the inspector.
    history: TimeMachine<Dungeon>,
    black_box: BlackBox,
}

impl Game {
    /// Places everything on the map, and computes the hero's first view.
    ///
    /// # Errors
    /// The hero lacks a required component, a monster is dead from the start, a monster leaves
    /// behind a kind that is unknown or alive, or the world refuses components.
    pub fn new(Content { catalogue, minds, map }: Content, seed: u64) -> Result<Self, Error> {
        let mut dice = Dice::new(seed);
        let mut placed: Vec<_> = map
            .things
            .iter()
            .filter_map(|thing| {
                let kind = thing.kinds.get(dice.below(thing.kinds.len() as u32) as usize)?;
                Some((catalogue.get(kind)?.clone(), thing.at))
            })
            .collect();
        placed.extend(catalogue.get(HERO).map(|hero| (hero.clone(), map.start)));

        let mut world = Dungeon::new(catalogue, minds, Level(map.terrain), dice);
        for (template, at) in placed {
            let placed = template.place(&mut world, at)?;
            check(&world, &template, &placed)?;
        }
        let greeting = "You are below ground. Find the amulet and bring it back to the stairs.";
        world.resource_mut::<Journal>().add(0, Tone::Plain, greeting.to_owned());
        world.wake();
        Ok(Self::of(world))
    }

    /// Loads a saved game, which continues as if it had never stopped.
    ///
    /// # Errors
    /// The file is not a saved game, a creature in it has a position outside the level, or it
    /// leaves behind a kind that the content does not have any more.
    pub fn load(content: Content, file: &Path) -> Result<Self, Error> {
        let world = save::read(file, content.catalogue, content.minds)?;
        let level = &world.resource::<Level>().0;
        for (entity, position, mood) in &world.query::<(Entity, Option<&Position>, Option<&Machine<Mood>>)>()
        {
            let trail = mood.and_then(|mood| mood.data::<mood::Hunting>());
            let places = [position.map(|position| position.0), trail.map(|trail| trail.at)];
            if places.into_iter().flatten().any(|at| level.get(at).is_none()) {
                return Err(Error::file(
                    file,
                    format!("entity {entity} is not on the level, or hunts who is not"),
                ));
            }
        }
        check_living(&world, file)?;
        Ok(Self::of(world))
    }

    /// Goes on with another content, which was read from `data` while the game runs: what is placed
    /// from now on has its values, what is on the level already keeps its own, and so does the map.
    ///
    /// # Errors
    /// A new game would refuse the content, or somebody on the level needs what it does not have.
    /// Then the game goes on with its present one.
    pub fn reload(&mut self, content: Content, data: &Path) -> Result<(), Error> {
        let (catalogue, minds) = (content.catalogue.clone(), content.minds.clone());
        Self::new(content, self.seed())?;
        let catalogue = std::mem::replace(&mut *self.world.resource_mut::<Catalogue>(), catalogue);
        let minds = std::mem::replace(&mut *self.world.resource_mut::<Minds>(), minds);
        check_living(&self.world, data).inspect_err(|_| {
            *self.world.resource_mut::<Catalogue>() = catalogue;
            *self.world.resource_mut::<Minds>() = minds;
        })
    }

    /// A game with an existing world.
    pub fn of(world: Dungeon) -> Self {
        let program = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
        let limit = Limit::runs(1000).and_bytes(64 << 20);
        Self { world, history: TimeMachine::new(limit), black_box: BlackBox::new(BLACK_BOX, program) }
    }

    /// Reads the file of a turn that has failed, and makes the turn again. Returns the game at the
    /// last step before the failure, and what the file and the repetition say.
    ///
    /// # Errors
    /// The file is not one of this game.
    pub fn replay(content: Content, file: &Path) -> Result<(Self, String), Error> {
        let bytes = fs::read(file).map_err(|error| Error::io(file, &error))?;
        let options = LoadOptions::new().resource(content.catalogue).resource(content.minds);
        let recording = Recording::<Dungeon>::from_bytes_with(&bytes, options);
        let recording = recording.map_err(|error| Error::file(file, error.to_string()))?;
        let mut game = Self::of(recording.world().clone());
        let machine = game.history.clone();
        let again = game.world.try_run(move |world| machine.run(world, Dungeon::turn));
        let report = format!(
            "written by {}: system `{}`: {}\nagain: {}\n",
            recording.program(),
            recording.system(),
            recording.message(),
            again.map_or_else(|error| error.to_string(), |()| "the turn did not fail".to_owned()),
        );
        let last = Place { run: 0, step: usize::MAX };
        let gone = game.history.go_to(&mut game.world.reflect_mut(), last);
        gone.map_err(|error| Error::file(file, error.to_string()))?;
        Ok((game, report))
    }

    /// Saves the game.
    ///
    /// # Errors
    /// The file cannot be written. It is unchanged then.
    pub fn save(&self, file: &Path) -> Result<(), Error> {
        save::write(&self.world, file)
    }

    /// Executes an order, and lets all other creatures act if the order took time. Does nothing
    /// after the end of the game.
    ///
    /// # Errors
    /// A system has panicked. The world is as before the turn, and in a file.
    pub fn press(&mut self, order: Order) -> Result<(), Error> {
        if self.outcome() == Outcome::Playing {
            self.world.send(order);
            let machine = self.history.clone();
            let turn = move |world: &mut Dungeon| machine.run(world, Dungeon::turn);
            self.black_box.run(&mut self.world, turn).map_err(Error::Turn)?;
        }
        Ok(())
    }

    /// Makes a turn without an order, for the inspector.
    pub fn turn_without_order(&mut self) {
        self.history.run(&mut self.world, Dungeon::turn);
    }

    /// The turns that were played, for the inspector.
    pub fn history(&self) -> TimeMachine<Dungeon> {
        self.history.clone()
    }

    /// Sets the threads on which systems without conflicts run. The game is the same on any number
    /// of threads.
    pub fn set_parallelism(&mut self, parallelism: Parallelism) {
        self.world.set_parallelism(parallelism);
    }

    pub fn world(&self) -> &Dungeon {
        &self.world
    }

    /// The world for the inspector. Its changes are not orders: a recording does not contain them.
    pub fn world_mut(&mut self) -> &mut Dungeon {
        &mut self.world
    }

    pub fn seed(&self) -> u64 {
        self.world.resource::<Dice>().seed()
    }

    pub fn outcome(&self) -> Outcome {
        *self.world.resource::<Outcome>()
    }

    pub fn turn(&self) -> u64 {
        self.world.resource::<Clock<Turn>>().turn()
    }

    pub fn journal(&self) -> &Journal {
        self.world.resource::<Journal>()
    }

    /// The hero's hit points.
    pub fn health(&self) -> Option<Health> {
        self.world.query::<&Health>().filter::<With<Player>>().single().ok().copied()
    }

    /// The hero's experience.
    pub fn experience(&self) -> Option<Experience> {
        self.world.query::<&Experience>().filter::<With<Player>>().single().ok().copied()
    }

    /// A sentence about the state of the game.
    pub fn verdict(&self) -> String {
        let turn = self.turn();
        match self.outcome() {
            Outcome::Playing => format!("After {turn} turns the hero is still below ground."),
            Outcome::Won => format!("You have won in {turn} turns!"),
            Outcome::Lost => format!("You have died in turn {turn}."),
        }
    }
}

/// Checks the rules of content that types do not express: the hero can be played, every creature is
/// alive, and loot is a known kind that cannot die. The last rule bounds the chain of effects of a
/// death.
fn check(world: &Dungeon, template: &Template, placed: &PrefabInstance) -> Result<(), Error> {
    let wrong = |reason: String| Err(Error::file(&template.file, reason));
    if template.kind == HERO {
        let needs = [
            ("Player", template.has::<Player>()),
            ("Health", template.has::<Health>()),
            ("Sight", template.has::<Sight>()),
        ];
        if let Some((missing, _)) = needs.into_iter().find(|(_, is_there)| !is_there) {
            return wrong(format!("the hero needs the component `{missing}`"));
        }
    }
    for (name, entity) in placed.iter() {
        if name != HERO && world.has::<Player>(entity) {
            return wrong(format!("component `Player` belongs to the hero alone, not to `{name}`"));
        }
        if world.get::<Health>(entity).is_some_and(|health| health.is_empty()) {
            return wrong(format!("component `Health` of `{name}` has no hit points left"));
        }
        if let Some(loot) = world.get(entity) {
            check_loot(world, loot, &template.file)?;
        }
        if let Some(tactics) = world.get(entity) {
            check_tactics(world, tactics, &template.file)?;
        }
    }
    Ok(())
}

/// Checks that the content has all that the creatures on the level need.
fn check_living(world: &Dungeon, file: &Path) -> Result<(), Error> {
    for loot in world.query::<&Loot>() {
        check_loot(world, loot, file)?;
    }
    for tactics in world.query::<&Tactics>() {
        check_tactics(world, tactics, file)?;
    }
    Ok(())
}

/// Checks that the content has the kind of a loot. `file` is the file with the loot.
fn check_loot(world: &Dungeon, Loot { item }: &Loot, file: &Path) -> Result<(), Error> {
    let wrong = |reason: &str| {
        Err(Error::file(file, format!("component `Loot` leaves behind `{item}`, which {reason}")))
    };
    match world.resource::<Catalogue>().get(item) {
        None => wrong("no file defines"),
        Some(loot) if loot.has::<Health>() => wrong("is alive"),
        Some(_) => Ok(()),
    }
}

/// Checks that the content has the behaviour tree of a monster. `file` is the file with the
/// monster.
fn check_tactics(world: &Dungeon, tactics: &Tactics, file: &Path) -> Result<(), Error> {
    let (tree, minds) = (&tactics.tree, world.resource::<Minds>());
    if minds.get(tree).is_some() {
        return Ok(());
    }
    let known: Vec<&str> = minds.names().collect();
    let reason = format!(
        "component `Tactics` follows the mind `{tree}`, which no file defines; there are {}",
        known.join(", ")
    );
    Err(Error::file(file, reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Watch;

    /// A copy of the content that ships, in a folder of its own.
    fn copied(from: &Path, to: &Path) {
        fs::create_dir_all(to).expect("a temporary folder");
        for entry in fs::read_dir(from).expect("it ships") {
            let (file, name) =
                (entry.as_ref().expect("it ships").path(), entry.expect("it ships").file_name());
            match file.is_dir() {
                true => copied(&file, &to.join(name)),
                false => _ = fs::copy(&file, to.join(name)).expect("a temporary folder"),
            }
        }
    }

    #[test]
    fn files_that_change_are_read_again_and_a_mistake_keeps_the_old_ones() {
        let data = std::env::temp_dir().join(format!("dungeon-{}-data", std::process::id()));
        copied(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data"), &data);
        let mut watch = Watch::new(&data);
        let mut game = Game::new(Content::read(&data).expect("it ships"), 1).expect("it ships");
        assert!(watch.changed().is_none());
        let mut kinds = |game: &mut Game| {
            let content = watch.changed().expect("a file has changed");
            let reloaded = content.and_then(|content| game.reload(content, watch.data()));
            let names: Vec<String> = game.world.resource::<Catalogue>().names().map(str::to_owned).collect();
            (reloaded.map_err(|error| error.to_string()), names)
        };
        let before = kinds_of(&game);
        let write =
            |name: &str, text: &str| fs::write(data.join("items").join(name), text).expect("it is there");
        write("pebble.json", "{ \"pebble\": {} }");
        let (reloaded, names) = kinds(&mut game);
        assert_eq!((reloaded, names.len()), (Ok(()), before + 1));
        write("pebble.json", "{ \"pebble\": { \"Helth\": 3 } }");
        let (reloaded, names) = kinds(&mut game);
        let error = reloaded.expect_err("there is no such component");
        assert!(error.contains("pebble.json") && error.contains("Helth"), "{error}");
        assert_eq!(names.len(), before + 1);
        // somebody on the level follows a mind that is gone
        fs::remove_file(data.join("items/pebble.json")).expect("it is there");
        assert_eq!(kinds(&mut game).0, Ok(()));
        let mind = fs::read_dir(data.join("minds")).expect("it ships").flatten().next().expect("it ships");
        fs::remove_file(mind.path()).expect("it is there");
        assert!(kinds(&mut game).0.is_err());
        game.press(Order::Wait).expect("it goes on with what it has");
        fs::remove_dir_all(&data).expect("it is there");
    }

    fn kinds_of(game: &Game) -> usize {
        game.world.resource::<Catalogue>().names().count()
    }
}

#[cfg(all(test, debug_assertions))]
mod failing_tests {
    use super::*;
    use crate::point::{Direction, Point};

    #[test]
    fn a_turn_that_fails_is_a_file_that_opens_before_the_failure() {
        let content = || {
            let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
            Content::read(&data).expect("it ships")
        };
        let mut game = Game::new(content(), 1).expect("it ships");
        let file = std::env::temp_dir().join(format!("dungeon-{}.box", std::process::id()));
        game.black_box = BlackBox::new(&file, "dungeon 7");
        game.press(Order::Wait).expect("no system panics");
        // a hero at the end of all numbers, where a sum overflows; no loaded game has one
        let hero = game.world.query::<Entity>().filter::<With<Player>>().single().expect("there is a hero");
        game.world.get_mut::<Position>(hero).expect("it is somewhere").0 = Point::new(i32::MAX, 5);
        let error = game.press(Order::Walk(Direction::East)).expect_err("a system panics").to_string();
        assert!(error.contains("panicked") && error.contains(&*file.to_string_lossy()), "{error}");

        let (again, report) = Game::replay(content(), &file).expect("it was just written");
        fs::remove_file(&file).expect("it was just written");
        assert!(report.starts_with("written by dungeon 7: system `"), "{report}");
        assert!(!report.contains("did not fail"), "{report}");
        let state = again.history.state().expect("no turn is being made");
        assert_eq!((state.place.step, &*state.failed), (state.steps.len(), &[0][..]));
        assert!(state.place.step > 0);
    }
}
