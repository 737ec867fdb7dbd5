//! A game: a world that was filled from content or loaded, and the orders that keep it going.

use std::path::Path;

use ecs::prelude::*;
use ecs::{Parallelism, PrefabInstance};

use crate::clock::{Clock, Outcome};
use crate::component::{Experience, Health, Loot, Player, Position, Sight, Trail};
use crate::content::{Catalogue, Content, HERO, Template};
use crate::dice::Dice;
use crate::error::Error;
use crate::event::Order;
use crate::grid::Grid;
use crate::journal::{Journal, Tone};
use crate::level::{Level, Memory};
use crate::save;
use crate::world::Dungeon;

/// One game, from the first step to the last.
pub struct Game {
    world: Dungeon,
}

impl Game {
    /// Places everything that the map shows, and opens the hero's eyes.
    ///
    /// # Errors
    /// The hero lacks a component that the game cannot do without, a monster is dead from the start, or leaves behind what
    /// does not exist or is alive, or something has components that the world refuses.
    pub fn new(Content { catalogue, map }: Content, seed: u64) -> Result<Self, Error> {
        let mut dice = Dice::new(seed);
        let memory = Grid::new(map.terrain.width(), map.terrain.height(), false);
        let mut placed: Vec<_> = map
            .things
            .iter()
            .filter_map(|thing| {
                let kind = thing.kinds.get(dice.below(thing.kinds.len() as u32) as usize)?;
                Some((catalogue.get(kind)?.clone(), thing.at))
            })
            .collect();
        placed.extend(catalogue.get(HERO).map(|hero| (hero.clone(), map.start)));

        let mut world = Dungeon::new(catalogue, Level(map.terrain), Memory(memory), dice);
        for (template, at) in placed {
            let placed = template.place(&mut world, at)?;
            check(&world, &template, &placed)?;
        }
        let greeting = "You are below ground. Find the amulet and bring it back to the stairs.";
        world.resource_mut::<Journal>().add(0, Tone::Plain, greeting.to_owned());
        world.wake();
        Ok(Self { world })
    }

    /// Goes on with a game that was saved, as if it had never stopped.
    ///
    /// # Errors
    /// The file is not a saved game, or somebody in it is nowhere on the level, or would leave behind what the content does
    /// not have any more.
    pub fn load(content: Content, file: &Path) -> Result<Self, Error> {
        let world = save::read(file, content.catalogue)?;
        let level = &world.resource::<Level>().0;
        for (entity, position, trail) in &world.query::<(Entity, Option<&Position>, Option<&Trail>)>() {
            let places = [position.map(|position| position.0), trail.map(|trail| trail.at)];
            if places.into_iter().flatten().any(|at| level.get(at).is_none()) {
                return Err(Error::file(
                    file,
                    format!("entity {entity} is not on the level, or hunts who is not"),
                ));
            }
        }
        for loot in world.query::<&Loot>() {
            check_loot(&world, loot, file)?;
        }
        Ok(Self { world })
    }

    /// A game in a world that was made elsewhere.
    #[cfg(test)]
    pub fn of(world: Dungeon) -> Self {
        Self { world }
    }

    /// Saves the game.
    ///
    /// # Errors
    /// The file cannot be written; then it is what it was.
    pub fn save(&self, file: &Path) -> Result<(), Error> {
        save::write(&self.world, file)
    }

    /// Carries out an order, and lets everybody else act if that took time. After the end nothing happens any more.
    pub fn press(&mut self, order: Order) {
        if self.outcome() == Outcome::Playing {
            self.world.send(order);
            self.world.turn();
        }
    }

    /// Where systems run that do not clash; the game is the same wherever they do.
    pub fn set_parallelism(&mut self, parallelism: Parallelism) {
        self.world.set_parallelism(parallelism);
    }

    pub fn world(&self) -> &Dungeon {
        &self.world
    }

    pub fn seed(&self) -> u64 {
        self.world.resource::<Dice>().seed()
    }

    pub fn outcome(&self) -> Outcome {
        *self.world.resource::<Outcome>()
    }

    pub fn turn(&self) -> u32 {
        self.world.resource::<Clock>().turn
    }

    pub fn journal(&self) -> &Journal {
        self.world.resource::<Journal>()
    }

    /// The hero's hit points.
    pub fn health(&self) -> Option<Health> {
        self.world.query::<&Health>().filter::<With<Player>>().single().ok().copied()
    }

    /// What the hero has learnt.
    pub fn experience(&self) -> Option<Experience> {
        self.world.query::<&Experience>().filter::<With<Player>>().single().ok().copied()
    }

    /// One sentence about how the game stands.
    pub fn verdict(&self) -> String {
        let turn = self.turn();
        match self.outcome() {
            Outcome::Playing => format!("After {turn} turns the hero is still below ground."),
            Outcome::Won => format!("You have won in {turn} turns!"),
            Outcome::Lost => format!("You have died in turn {turn}."),
        }
    }
}

/// What no type can promise about content: the hero can be played, everybody lives, and nobody leaves behind what does
/// not exist, or what can die in its turn: there is an end to what follows from a death.
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
        if world.get::<Health>(entity).is_some_and(|health| !health.is_alive()) {
            return wrong(format!("component `Health` of `{name}` has no hit points left"));
        }
        if let Some(loot) = world.get(entity) {
            check_loot(world, loot, &template.file)?;
        }
    }
    Ok(())
}

/// Whether the content has what somebody leaves behind; `file` says that he does.
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
