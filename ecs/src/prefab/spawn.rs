//! Spawning a prefab: either all its entities are spawned, or none.
//!
//! If a component has a rule, which may refuse a value, all values are first made in detached
//! columns. Otherwise they are inserted as they are made.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{NamedAspect, Override, Prefab, PrefabError, PrefabInstance};
use crate::base::component_set::ComponentSet;
use crate::base::mask::has_bit;
use crate::entity::Entity;
use crate::error::{Reason, Refused};
use crate::persist::compact::read::MapId;
use crate::persist::erased::FormError;
use crate::raw_world::targets::TargetRules;
use crate::raw_world::{WorldFields, discard, journal};
use crate::save::column::ValueChunks;
use crate::save::entry::{SavedComponent, ValuePlace};
use crate::storage::detached_columns::DetachedColumns;
use crate::world::World;

/// The most entities of a prefab that keeps the columns in which a spawn makes its values.
const KEPT: usize = 64;

/// A guard of new entities that do not yet have all their components: despawns them if spawning
/// fails or panics.
pub(super) struct Unfinished<'w, W: World> {
    pub(super) world: &'w mut W,
    pub(super) new: &'w [Entity],
}

impl<W: World> Drop for Unfinished<'_, W> {
    fn drop(&mut self) {
        let mut rest = self.new.iter();
        discard::despite_panics(&mut || rest.next().map(|&entity| self.world.despawn(entity)).is_some());
    }
}

impl<W: World> Prefab<W> {
    /// Spawns the prefab's entities, and returns them by their names in the prefab.
    ///
    /// Components that are not in the prefab can be inserted afterwards:
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Prefab;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] struct Health(u32);
    /// # #[derive(Component, Serialize, Deserialize, PartialEq, Debug)] struct Position(i32, i32);
    /// # world! { #[derive(Serialize, Deserialize)] struct Game { components { Health, Position } } }
    /// # let goblin: Prefab<Game> = serde_json::from_str(r#"{ "goblin": { "Health": 7 } }"#)?;
    /// # let mut game = Game::new();
    /// let goblin = goblin.spawn(&mut game)?["goblin"];
    /// game.insert(goblin, Position(3, 4))?;
    /// # assert_eq!(game.get(goblin), Some(&Position(3, 4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// In a system, [`Commands::spawn_prefab`](crate::Commands::spawn_prefab) spawns the prefab at
    /// the end of the stage.
    ///
    /// # Errors
    /// If a rule of a component refuses a value. Then no entity is spawned.
    ///
    /// # Panics
    /// If the code that makes a value panics, for instance the factory of an aspect. Then no entity
    /// is spawned.
    pub fn spawn(&self, world: &mut W) -> Result<PrefabInstance, PrefabError> {
        let entities = world.entities_mut();
        let new: Box<[Entity]> = self.0.kinds.iter().map(|kind| entities.spawn(kind)).collect();
        journal::record_spawned(world, new.iter().map(|entity| entity.slot()));
        self.give(world, &new)?;
        Ok(self.placed(new))
    }

    /// Makes the instance of this prefab with the given entities.
    pub(crate) fn placed(&self, entities: Box<[Entity]>) -> PrefabInstance {
        PrefabInstance { roster: Arc::clone(&self.0.roster), entities }
    }

    /// Inserts the components into entities that were just spawned without values. After an error,
    /// the entities are despawned.
    pub(crate) fn give(&self, world: &mut W, new: &[Entity]) -> Result<(), PrefabError> {
        let unfinished = Unfinished { world, new };
        let map = |number: Entity| {
            let entity = new.get(number.slot() as usize).copied();
            entity.ok_or_else(|| FormError::text("it contains the id of an entity that is not in the prefab"))
        };
        let values = match self.0.direct {
            true => self.insert(unfinished.world, new, &map).map(|()| None)?,
            false => Some(self.move_detached(unfinished.world, new, &map)?),
        };
        // after all values were inserted, so that a required component is added only to entities
        // that lack it
        for &(number, at) in &self.0.requiring {
            if let Some(entity) = new.get(number as usize) {
                self.0.sections.components[at].fill(unfinished.world, entity.slot(), ComponentSet::EMPTY);
            }
        }
        core::mem::forget(unfinished);
        // all values were moved into the world; the columns of a large prefab are not kept
        if let Some(values) = values
            && new.len() <= KEPT
        {
            let values = values.into_sent();
            drop(self.0.scratch.with(|scratch| core::mem::replace(scratch, values)));
        }
        Ok(())
    }

    /// Inserts the values of a prefab without rules.
    fn insert(&self, world: &mut W, new: &[Entity], map: MapId<'_>) -> Result<(), PrefabError> {
        for part in &self.0.parts {
            let entry = &self.0.sections.components[part.at];
            let read =
                entry.read_into(world, new, &part.words, &mut ValueChunks::new(&part.bytes), Some(map));
            read.map_err(|(number, fault)| self.fail(entry, number, None, fault.to_string()))?;
        }
        for aspect in &self.0.aspects {
            let Some(&entity) = new.get(aspect.number as usize) else { continue };
            (aspect.known.insert)(world, entity);
            for patch in &aspect.overrides {
                self.apply(aspect, patch, ValuePlace::World(&mut *world, entity), map)?;
            }
        }
        Ok(())
    }

    /// Makes the values in detached columns and moves them into the world. Returns the columns.
    fn move_detached(
        &self,
        world: &mut W,
        new: &[Entity],
        map: MapId<'_>,
    ) -> Result<DetachedColumns, PrefabError> {
        let mut values = self.values(map)?;
        self.check_targets(&mut values, new)?;
        let to = |number: u32| new.get(number as usize).map(|entity| entity.slot());
        // the first pass only asks the rules, so that a value that the world refuses is found
        // before any value is inserted; if two values of the prefab conflict with each other, the
        // second pass finds it when it inserts the second value
        for check_only in [true, false] {
            for &at in &self.0.used {
                let entry = &self.0.sections.components[at];
                let column = values.any(entry.index, || entry.column());
                let placed = entry.move_values(world, column, &to, check_only);
                placed.map_err(|(number, refused)| PrefabError {
                    refused: Some(Box::new(refused)),
                    ..self.fail(entry, number, None, self.words_of(&refused, new))
                })?;
            }
        }
        Ok(values)
    }

    /// Checks that the targets of relations have the components that the relations name.
    fn check_targets(&self, values: &mut DetachedColumns, new: &[Entity]) -> Result<(), PrefabError> {
        if TargetRules::<W>::NONE {
            return Ok(());
        }
        let entries = || self.0.used.iter().map(|&at| &self.0.sections.components[at]);
        let numbers: BTreeMap<Entity, u32> = new.iter().copied().zip(0..).collect();
        let of_values = entries().map(|entry| {
            let column = values.any(entry.index, || entry.column());
            let words = entry.detached(column).map(|column| column.masks().to_vec());
            (&W::CLOSURES[entry.index], words.unwrap_or_default())
        });
        let given: Vec<_> = of_values.collect();
        let has = |component: usize, number: u32| {
            let gives = |words: &[u64]| has_bit(words, number as usize);
            given.iter().any(|(closure, words)| closure.contains(component) && gives(words))
        };
        for entry in entries() {
            let Some(rule) = W::OFFSETS[entry.index].targets else { continue };
            let lacking = |target| {
                let number = *numbers.get(&target)?;
                rule.components.indices().find(|&component| !has(component, number))
            };
            let column = values.any(entry.index, || entry.column());
            if let Some((number, target)) = entry.find_target(column, &|_, target| lacking(target).is_some())
                && let Some(component) = lacking(target)
            {
                let (component, reason) = (entry.name, Reason::TargetLacks(target, W::COMPONENTS[component]));
                let entity = new.get(number as usize).copied();
                let refused = Refused { entity, component, world: W::NAME, reason };
                let of = self.fail(entry, number, None, self.words_of(&refused, new));
                return Err(PrefabError { refused: Some(Box::new(refused)), ..of });
            }
        }
        Ok(())
    }

    /// Makes the values in detached columns; the slot of an entity is its number.
    fn values(&self, map: MapId<'_>) -> Result<DetachedColumns, PrefabError> {
        // after an error or a panic, the columns may have values, and are dropped
        let mut values = DetachedColumns::with(self.0.scratch.with(core::mem::take));
        for &at in &self.0.used {
            let entry = &self.0.sections.components[at];
            values.any(entry.index, || entry.column());
        }
        for part in &self.0.parts {
            let entry = &self.0.sections.components[part.at];
            let column = values.any(entry.index, || entry.column());
            let read = entry.read(None, column, &part.words, &mut ValueChunks::new(&part.bytes), Some(map));
            read.map_err(|(number, fault)| self.fail(entry, number, None, fault.to_string()))?;
        }
        for aspect in &self.0.aspects {
            (aspect.known.make)(&mut values, aspect.number);
            for patch in &aspect.overrides {
                let entry = &self.0.sections.components[patch.at];
                let column = values.any(entry.index, || entry.column());
                self.apply(aspect, patch, ValuePlace::Column(column, aspect.number), map)?;
            }
        }
        Ok(values)
    }

    /// Overrides a value of an aspect.
    fn apply(
        &self,
        aspect: &NamedAspect<W>,
        Override { at, path, patch }: &Override,
        place: ValuePlace<'_>,
        map: MapId<'_>,
    ) -> Result<(), PrefabError> {
        let entry = &self.0.sections.components[*at];
        let applied = patch.apply(entry, place, map);
        applied.map_err(|reason| self.fail(entry, aspect.number, Some(path), reason))
    }

    /// The words of a refusal. An entity of the prefab has the name of the file in them: no reader
    /// has seen its id, and no entity keeps it.
    fn words_of(&self, refused: &Refused, new: &[Entity]) -> String {
        let (Reason::Cycle(other)
        | Reason::HeldBy(other)
        | Reason::Duplicate(other)
        | Reason::TargetLacks(other, _)) = &refused.reason
        else {
            return refused.to_string();
        };
        let number = new.iter().position(|entity| entity == other);
        let Some(name) = number.and_then(|number| self.0.roster.names.get(number)) else {
            return refused.to_string();
        };
        match refused.reason {
            Reason::Cycle(_) => format!(
                "its target `{name}` already leads back to the entity, and the relation must not form a cycle"
            ),
            Reason::TargetLacks(_, component) => {
                format!("its target `{name}` has no `{component}`, which every target of the relation has")
            }
            Reason::Duplicate(_) => {
                format!("the component is a key, and `{name}` already has an equal value")
            }
            _ => format!("the component is unique, and `{name}` already has it"),
        }
    }

    fn fail(&self, entry: &SavedComponent, number: u32, path: Option<&str>, reason: String) -> PrefabError {
        PrefabError {
            file: self.0.file.clone(),
            entity: self.0.roster.names.get(number as usize).map(|name| name.as_str().into()),
            component: Some(entry.name.into()),
            path: path.map(Into::into),
            ..PrefabError::new::<W>(reason)
        }
    }
}
