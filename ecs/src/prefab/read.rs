//! Reading a prefab. While the file is read, each entity is a slot of detached columns; afterwards
//! the columns are written in the compact form.

mod aspect;
#[cfg(feature = "json")]
mod definition;

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::RefCell;

use serde::de::{DeserializeSeed, Error};
use serde::{Deserialize, Deserializer};

use super::aspects::KnownAspect;
use super::instance::Roster;
use super::strict::Strict;
use super::{Content, NamedAspect, Prefab, PrefabColumn, PrefabError, Prefabs};
use crate::base::component_set::ComponentSet;
use crate::base::component_set::SpawnSet;
use crate::base::lock::Lock;
use crate::base::nearest::{meant, quoted};
use crate::component::excludes::excluded_by;
use crate::entity::saved::ids::{Names, named};
#[cfg(feature = "json")]
use crate::persist::erased::read::skip;
use crate::persist::erased::read::{Hint, read_map};
use crate::persist::erased::{FormError, ReadForm};
use crate::persist::memory;
use crate::save::Saved;
use crate::save::entry::ValuePlace;
use crate::storage::detached_columns::DetachedColumns;
use crate::world::World;

/// The state of reading a prefab: the entities read so far, and the current position.
struct Reading<'p, W: World> {
    prefabs: &'p Prefabs<W>,
    values: DetachedColumns,
    names: Names,
    /// The components of each entity, by number; `None` for an entity that was referred to and not
    /// yet read.
    entities: Vec<Option<Sources>>,
    aspects: Vec<NamedAspect<W>>,
    entity: Option<String>,
    component: Option<String>,
    /// The path within an aspect, if the current position is in one.
    path: Option<String>,
    /// Whether the text of an error contains entity and component, because the format's error type
    /// has no fields for them.
    position_in_text: bool,
}

/// The components of an entity, by index, each with the name or the aspect path in the file that
/// gives it.
type Sources = BTreeMap<usize, String>;

/// The component or the aspect that a name in a file means.
enum FoundName<W: World> {
    /// A component, by position in `sections.components`.
    Component(usize),
    Aspect(Arc<KnownAspect<W>>),
}

impl<'de, W: World> DeserializeSeed<'de> for &Prefabs<W> {
    type Value = Prefab<W>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Prefab<W>, D::Error> {
        memory::limited(self.memory, 0, || {
            let mut reading = Reading::<W> { position_in_text: true, ..Reading::new(self, Names::open()) };
            let mut form = <dyn ReadForm<'_>>::of(deserializer);
            reading.entities(&mut form).map_err(|error| form.error(error))?;
            reading.finish("").map_err(Error::custom)
        })
    }
}

impl<'de, W: Saved> Deserialize<'de> for Prefab<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Prefabs::new().read(deserializer)
    }
}

#[cfg(feature = "json")]
impl<W: World> Prefab<W> {
    /// Reads a prefab from JSON text; `file` is the name of the file in errors.
    /// [`Prefabs::from_json`] also reads aspects.
    ///
    /// # Errors
    /// If the text is not a valid prefab. The error has the line, the column, and the entity and
    /// component that it concerns.
    pub fn from_json(file: &str, text: &str) -> Result<Self, PrefabError>
    where
        W: Saved,
    {
        Prefabs::new().from_json(file, text)
    }
}

#[cfg(feature = "json")]
impl<W: World> Prefabs<W> {
    /// Reads a prefab from JSON text; `file` is the name of the file in errors.
    ///
    /// # Errors
    /// If the text is not a valid prefab. The error has the line, the column, and the entity,
    /// component and path within an aspect that it concerns.
    pub fn from_json(&self, file: &str, text: &str) -> Result<Prefab<W>, PrefabError> {
        memory::limited(self.memory, text.len(), || self.read_json(file, text))
    }

    fn read_json(&self, file: &str, text: &str) -> Result<Prefab<W>, PrefabError> {
        let place = |error: serde_json::Error| json_error::<W>(file, &error);
        let mut names = Vec::new();
        from_json(text, &mut |form| entity_names(form, &mut names)).map_err(place)?;
        let mut reading = Reading::new(self, Names::of(names));
        let read = from_json(text, &mut |form| reading.entities(form));
        let (entity, component) = (reading.entity.take(), reading.component.take());
        let (entity, component) = (entity.map(Into::into), component.map(Into::into));
        let path = reading.path.take().map(Into::into);
        read.map_err(|error| PrefabError { entity, component, path, ..place(error) })?;
        reading.finish(file).map_err(|error| PrefabError { file: file.into(), ..error })
    }
}

impl<'p, W: World> Reading<'p, W> {
    fn new(prefabs: &'p Prefabs<W>, names: Names) -> Self {
        Self {
            prefabs,
            values: DetachedColumns::default(),
            names,
            entities: Vec::new(),
            aspects: Vec::new(),
            entity: None,
            component: None,
            path: None,
            position_in_text: false,
        }
    }

    /// Finds the component or the aspect of this name. An error gives the most similar name.
    fn find(&self, name: &str) -> Result<FoundName<W>, String> {
        let (sections, aspects) = (&self.prefabs.sections, &self.prefabs.aspects);
        let mut entries = sections.components.iter();
        let found = entries.clone().position(|entry| entry.name == name);
        if let Some(at) = found.or_else(|| entries.position(|entry| entry.aliases.contains(&name))) {
            return match sections.components[at].is_saved() {
                true => Ok(FoundName::Component(at)),
                false => Err(format!("component `{name}` is not saved, so it cannot be in a prefab")),
            };
        }
        if let Some(known) = aspects.iter().find(|known| known.root.name == name) {
            return Ok(FoundName::Aspect(Arc::clone(known)));
        }
        if W::RESOURCE_NAMES.iter().any(|known| known.rsplit("::").next() == Some(name)) {
            return Err(format!(
                "`{name}` is a resource of world `{}`, and a prefab has components only",
                W::NAME
            ));
        }
        let or_aspect = if aspects.is_empty() { "" } else { ", and the `Prefabs` has no such aspect" };
        let aspects = aspects.iter().map(|known| known.root.name);
        let all: Vec<&'static str> = sections.component_names.iter().copied().chain(aspects).collect();
        Err(format!("world `{}` has no such component{or_aspect}{}", W::NAME, meant(name, &all)))
    }

    /// Reads the value of a component or the overrides of an aspect of an entity.
    fn entry(&mut self, number: usize, name: &str, file: &mut dyn ReadForm<'_>) -> Result<(), String> {
        match self.find(name)? {
            FoundName::Component(at) => self.component(number, name, at, file),
            FoundName::Aspect(known) => aspect::read(self, number, known, file),
        }
    }

    /// Reads one component of an entity.
    fn component(
        &mut self,
        number: usize,
        name: &str,
        at: usize,
        file: &mut dyn ReadForm<'_>,
    ) -> Result<(), String> {
        let prefabs = self.prefabs;
        let entry = &prefabs.sections.components[at];
        self.note(number, entry.index, name.into())?;
        let (key, column) = (RefCell::default(), self.values.any(entry.index, || entry.column()));
        let mut strict = Strict::new(file, &key);
        named(&mut self.names, || {
            entry.read_one(None, ValuePlace::Column(column, number as u32), &mut strict)
        })
        .map_err(|error| error.to_string())
    }

    /// Notes that an entity has a component. Returns an error if it already has the component, or
    /// has one that excludes it.
    fn note(&mut self, number: usize, index: usize, source: String) -> Result<(), String> {
        let names = &self.prefabs.sections.component_names;
        let sources = self.entities[number].get_or_insert_default();
        if let Some(first) = sources.get(&index) {
            return Err(match *first == source {
                true => "it occurs twice".into(),
                false => format!("it occurs twice: as `{first}` and as `{source}`"),
            });
        }
        let excludes = excluded_by::<W>(index);
        let excluded = sources.iter().find(|(other, _)| excludes.contains(**other));
        if let Some((&other, first)) = excluded {
            let name = names[other];
            let by = if first == name { String::new() } else { format!(", as `{first}`") };
            return Err(format!("the entity has `{name}`{by}, and the two exclude each other"));
        }
        sources.insert(index, source);
        Ok(())
    }

    /// Adds entity and component to the text of an error, if the format's error type has no fields
    /// for them.
    fn with_context(&self, reason: String) -> String {
        if !self.position_in_text {
            return reason;
        }
        let entity = self.entity.as_deref().map(Into::into);
        let component = self.component.as_deref().map(Into::into);
        let path = self.path.as_deref().map(Into::into);
        PrefabError { entity, component, path, ..PrefabError::new::<W>(reason) }.to_string()
    }

    /// Makes the prefab, after the whole file was read.
    fn finish(mut self, file: &str) -> Result<Prefab<W>, PrefabError> {
        let (names, sections) = (self.names.list(), &self.prefabs.sections);
        let is_there = |number: usize| self.entities.get(number).is_some_and(Option::is_some);
        if let Some((number, from)) = self.names.mentions().find(|(number, _)| !is_there(*number as usize)) {
            let known = names.iter().enumerate().filter(|(number, _)| is_there(*number));
            let (name, known) = (&names[number as usize], quoted(known.map(|(_, name)| name)));
            let reason = format!("no entity of the prefab is named `{name}`; the prefab has {known}");
            let (entity, component) = (from.0.as_deref().map(Into::into), from.1.as_deref().map(Into::into));
            return Err(PrefabError { entity, component, ..PrefabError::new::<W>(reason) });
        }
        let (mut parts, mut used, mut requiring) = (Vec::new(), Vec::new(), Vec::new());
        let sets: Vec<Sources> = self.entities.into_iter().map(Option::unwrap_or_default).collect();
        for (at, entry) in sections.components.iter().enumerate() {
            let holders = sets.iter().zip(0u32..).filter(|(set, _)| set.contains_key(&entry.index));
            let holders: Vec<u32> = holders.map(|(_, number)| number).collect();
            if holders.is_empty() {
                continue;
            }
            used.push(at);
            if !W::REQUIRES[entry.index].is_empty() {
                requiring.extend(holders.iter().map(|&number| (number, at)));
            }
            let column = self.values.any(entry.index, || entry.column());
            let mut words = entry.slots(column);
            // a column has the words of whole pages, which each spawn would go through
            let length = words.iter().rposition(|bits| *bits != 0).map_or(0, |last| last + 1);
            words.truncate(length);
            if words.is_empty() {
                continue;
            }
            let bytes = entry.bytes(column, &words).map_err(|(slot, reason)| PrefabError {
                entity: slot.and_then(|slot| names.get(slot)).map(|name| name.as_str().into()),
                component: Some(entry.name.into()),
                ..PrefabError::new::<W>(reason)
            })?;
            parts.push(PrefabColumn { at, words, bytes });
        }
        // a value that was inserted before a later one failed would be logged as removed
        let direct = used.iter().all(|&at| {
            let offset = &W::OFFSETS[sections.components[at].index];
            !offset.is_guarded() && !offset.is_logged()
        });
        let kinds = sets.iter().map(kind_of::<W>).collect();
        let roster = Arc::new(Roster::new(names.to_vec()));
        let (aspects, sections) = (self.aspects, Arc::clone(sections));
        let file = file.into();
        Ok(Prefab(Arc::new(Content {
            file,
            roster,
            kinds,
            parts,
            aspects,
            used,
            requiring,
            direct,
            sections,
            scratch: Lock::new(Vec::new()),
        })))
    }
}

/// Returns the set of components with which an entity is spawned: those in the file and the
/// components that they require.
fn kind_of<W: World>(sources: &Sources) -> SpawnSet {
    let set = sources.keys().fold(ComponentSet::EMPTY, |set, &index| set.or(W::CLOSURES[index]));
    set.spawn_set(W::COMPONENTS.len())
}

/// The minimum number of bytes of an entity in JSON, without its name: `"":{},`.
const ENTITY: usize = 6;

impl<W: World> Reading<'_, W> {
    /// Reads the map of entities.
    fn entities(&mut self, form: &mut dyn ReadForm<'_>) -> Result<(), FormError> {
        read_map(form, Hint::Map, &ENTITIES, &mut |map| {
            while let Some(name) = map.next_name()? {
                memory::was_read(name.len() + ENTITY);
                let number = self.names.number(&name);
                self.entity = Some(name);
                self.component = None;
                if self.entities.len() <= number {
                    self.entities.resize(number + 1, None);
                }
                if self.entities[number].replace(Sources::new()).is_some() {
                    return Err(FormError::custom("the prefab already has an entity of this name"));
                }
                map.value_by(|form| self.components(number, form))?;
            }
            (self.entity, self.component) = (None, None);
            Ok(())
        })
    }

    /// Reads the map of an entity's components.
    fn components(&mut self, number: usize, form: &mut dyn ReadForm<'_>) -> Result<(), FormError> {
        let expected = &"a map from the names of components and aspects to their values";
        read_map(form, Hint::Map, expected, &mut |map| {
            while let Some(name) = map.next_name()? {
                memory::was_read(name.len());
                self.component = Some(name.clone());
                self.names.reading(self.entity.clone(), self.component.clone());
                map.value_by(|form| {
                    let read = self.entry(number, &name, form);
                    read.map_err(|reason| FormError::custom(self.with_context(reason)))
                })?;
            }
            self.component = None;
            Ok(())
        })
    }
}

const ENTITIES: &str = "a map from the names of entities to their components";

/// Reads the names of all entities, in a first pass over the file, so that ids can refer to
/// entities that come later.
#[cfg(feature = "json")]
fn entity_names(form: &mut dyn ReadForm<'_>, names: &mut Vec<String>) -> Result<(), FormError> {
    read_map(form, Hint::Map, &ENTITIES, &mut |map| {
        while let Some(name) = map.next_name()? {
            names.push(name);
            map.value_by(skip)?;
        }
        Ok(())
    })
}

/// The error of a file, with line and column.
#[cfg(feature = "json")]
fn json_error<W: World>(file: &str, error: &serde_json::Error) -> PrefabError {
    let reason = error.to_string();
    // `serde_json` counts column 0 at the beginning of a line
    let (line, column) = (error.line(), error.column().max(error.line().min(1)));
    // `serde_json` appends the position to the text; the error has fields for it
    let split = reason.rsplit_once(" at line ").filter(|_| line > 0);
    let reason = split.map_or(&*reason, |(reason, _)| reason);
    PrefabError { file: file.into(), line, column, ..PrefabError::new::<W>(reason) }
}

/// Reads the whole of a JSON text by a function.
#[cfg(feature = "json")]
fn from_json<'t>(
    text: &'t str,
    read: &mut dyn FnMut(&mut dyn ReadForm<'t>) -> Result<(), FormError>,
) -> serde_json::Result<()> {
    let mut json = serde_json::Deserializer::from_str(text);
    let mut form = <dyn ReadForm<'t>>::of(&mut json);
    read(&mut form).map_err(|error| form.error(error))?;
    json.end()
}
