//! The human-readable form: by names, entity by entity.
//!
//! ```text
//! {
//!   "about": { "world": "Game", "version": 1 },
//!   "allocator": { .. },                                  // may be left out, with `components` and `systems`
//!   "components": [{ "name": "Position", "layout": "(f32, f32)", "stamps": [] }],
//!   "entities": { "0v1@7": { "Position": [0.5, 1.0], "Frozen": null } },
//!   "events": { "Bumped": { .. } },
//!   "removed": {},
//!   "resources": { "Clock": { "step": 0.125 } },
//!   "systems": { "tick/movement": { "last_run": 12, "off": false, "state": [] } }
//! }
//! ```
//! The order is that of the alphabet, so that a format that sorts keys changes nothing.

mod exact;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use erased_serde::Serialize as Erased;
use serde::de::{self, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::draft::{ComponentImage, Draft, LoadOptions, Sections, are_distinct};
use super::entry::Stored;
use super::memory;
use super::state::{Context, Kept};
use super::{Saved, VERSION};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::image::{Image, LATEST};
use crate::schedule::SavedPlace;
use crate::world::WorldCell;
pub(super) use exact::Exact;

#[derive(Serialize, Deserialize)]
struct About {
    world: String,
    version: u32,
}

const FIELDS: &[&str] =
    &["about", "allocator", "components", "entities", "events", "removed", "resources", "systems"];

/// Names and what they stand for.
struct Map<'e>(Vec<(&'e str, &'e dyn Erased)>);

impl Serialize for Map<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

struct EntitiesOf<'w, W: Saved> {
    world: &'w W,
    /// With its name, and the slots that have it.
    columns: Vec<(&'static str, &'w dyn Stored<W>, Vec<u64>)>,
}

impl<W: Saved> Serialize for EntitiesOf<'_, W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for entity in self.world.__living().living() {
            let (word, bit) = (entity.slot() as usize / 64, entity.slot() % 64);
            let has = |words: &[u64]| words.get(word).is_some_and(|bits| bits >> bit & 1 == 1);
            let held = self.columns.iter().filter(|(.., words)| has(words));
            let values =
                held.filter_map(|(name, entry, _)| Some((*name, entry.value(self.world, entity.slot())?)));
            map.serialize_entry(&entity, &Map(values.collect()))?;
        }
        map.end()
    }
}

/// A place.
#[derive(Serialize)]
pub(super) struct PlaceOf<'s> {
    last_run: u64,
    off: bool,
    state: Vec<alloc::boxed::Box<dyn Erased + 's>>,
}

pub(crate) fn serialize<W: Saved, S: Serializer>(world: &W, serializer: S) -> Result<S::Ok, S::Error> {
    let sections = Sections::<W>::new();
    let (mut columns, mut listed) = (Vec::new(), Vec::new());
    // by index, whatever is compiled out
    for (index, name) in sections.component_names.iter().enumerate() {
        let entry = sections.components.iter().find(|entry| entry.index() == index);
        let words = entry.map_or_else(Vec::new, |entry| entry.present(world));
        let layout = entry.and_then(|entry| entry.layout());
        let stamps = entry.map_or_else(Vec::new, |entry| entry.stamps(world, &words));
        let layout = layout.map_or_else(String::new, |layout| layout.text);
        let order = entry.map_or_else(Vec::new, |entry| entry.order(world));
        listed.push(ComponentImage { name: (*name).into(), layout, stamps, order });
        if let Some(entry) = entry {
            columns.push((*name, &**entry, words));
        }
    }
    let keys = &sections.keys;
    let logs = sections.components.iter();
    let logs =
        logs.filter_map(|entry| Some((sections.component_names[entry.index()], entry.log(world, keys)?)));
    let logs: Vec<_> = logs.collect();
    let saved_events = sections.events.iter().filter(|entry| entry.is_saved());
    let events = saved_events.map(|entry| (sections.event_names[entry.index()], entry.value(world, keys)));
    let events: Vec<_> = events.collect();
    let resources = sections.resources.iter().filter(|entry| entry.is_saved());
    let resources = resources.map(|entry| (sections.resource_names[entry.index()], entry.value(world)));
    let places = places(world);
    let places: Vec<_> =
        places.iter().map(|(place, of)| (keys.of(*place).unwrap_or(""), of as &dyn Erased)).collect();

    let about = About { world: W::NAME.into(), version: VERSION };
    let mut file = serializer.serialize_struct("World", FIELDS.len())?;
    file.serialize_field("about", &about)?;
    file.serialize_field("allocator", &world.__living().image())?;
    file.serialize_field("components", &listed)?;
    file.serialize_field("entities", &EntitiesOf { world, columns })?;
    file.serialize_field("events", &Map(events.iter().map(|(name, value)| (*name, &**value)).collect()))?;
    file.serialize_field("removed", &Map(logs.iter().map(|(name, value)| (*name, &**value)).collect()))?;
    file.serialize_field("resources", &Map(resources.collect()))?;
    file.serialize_field("systems", &Map(places))?;
    file.end()
}

pub(super) fn places<W: Saved>(world: &W) -> Vec<(crate::base::place::Place, PlaceOf<'_>)> {
    #[expect(unsafe_code, reason = "the world is borrowed shared")]
    // SAFETY: the world is borrowed shared for as long as its places are.
    let places = unsafe { WorldCell::shared(world).schedule_states() };
    let places = places.saved::<W>().map(|SavedPlace { place, state, last_run, off }| {
        let mut parts = Vec::new();
        state.kept(&mut |part| parts.push(part.save_kept()));
        (place, PlaceOf { last_run: last_run.min(LATEST), off, state: parts })
    });
    places.collect()
}

/// Calls a function with whatever is there.
struct Dynamic<F>(F);

impl<'de, T, F> DeserializeSeed<'de> for Dynamic<F>
where
    F: FnOnce(&mut dyn erased_serde::Deserializer<'de>) -> Result<T, String>,
{
    type Value = T;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        let mut erased = <dyn erased_serde::Deserializer<'_>>::erase(deserializer);
        (self.0)(&mut erased).map_err(de::Error::custom)
    }
}

/// A map whose entries are read one by one.
struct Named<'f, F>(&'f mut F);

impl<'de, F> DeserializeSeed<'de> for Named<'_, F>
where
    F: FnMut(&str, &mut dyn erased_serde::Deserializer<'de>) -> Result<(), String>,
{
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, F> Visitor<'de> for Named<'_, F>
where
    F: FnMut(&str, &mut dyn erased_serde::Deserializer<'de>) -> Result<(), String>,
{
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map by names")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            memory::was_read(name.len());
            map.next_value_seed(Dynamic(|file: &mut dyn erased_serde::Deserializer<'de>| {
                (self.0)(&name, file)
            }))?;
        }
        Ok(())
    }
}

fn skip(file: &mut dyn erased_serde::Deserializer<'_>) -> Result<(), String> {
    erased_serde::deserialize::<IgnoredAny>(file).map(drop).map_err(|error| error.to_string())
}

/// A whole world.
pub(crate) struct World<'o, W>(pub(crate) &'o mut LoadOptions<W>);

impl<'de, W: Saved> DeserializeSeed<'de> for World<'_, W> {
    type Value = W;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<W, D::Error> {
        deserializer.deserialize_struct("World", FIELDS, self)
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Field {
    About,
    Allocator,
    Components,
    Entities,
    Events,
    Removed,
    Resources,
    Systems,
}

impl<'de, W: Saved> Visitor<'de> for World<'_, W> {
    type Value = W;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a saved world `{}`", W::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<W, A::Error> {
        let mut draft = Draft::<W>::new(self.0);
        let (mut entities, mut world) = (Living::default(), None);
        let mut places = Vec::new();
        while let Some(field) = map.next_key::<Field>()? {
            if world.is_some() {
                return Err(de::Error::custom("`systems` must be the last section"));
            }
            match field {
                Field::About | Field::Allocator | Field::Components | Field::Entities => {
                    entities.read(&field, &mut draft, &mut map)?;
                }
                Field::Events => map.next_value_seed(Named(
                    &mut |name: &str, file: &mut dyn erased_serde::Deserializer<'de>| {
                        let found = draft.event_of(name).map_err(|error| error.to_string())?;
                        let Some(at) = found else { return skip(file) };
                        let queue = draft.sections.events[at].read_one(file);
                        draft.queues[at] = Some(queue.map_err(|error| format!("event `{name}`: {error}"))?);
                        Ok(())
                    },
                ))?,
                Field::Removed => map.next_value_seed(Named(
                    &mut |name: &str, file: &mut dyn erased_serde::Deserializer<'de>| {
                        let found = draft.component(name).map_err(|error| error.to_string())?;
                        let Some(at) = found else { return skip(file) };
                        let old = old_of(&draft, at);
                        if old.is_some() {
                            return skip(file);
                        }
                        let log = draft.sections.components[at].read_log(old, file);
                        draft.logs[at] =
                            Some(log.map_err(|error| format!("removed values of `{name}`: {error}"))?);
                        Ok(())
                    },
                ))?,
                Field::Resources => map.next_value_seed(Named(
                    &mut |name: &str, file: &mut dyn erased_serde::Deserializer<'de>| {
                        let found = draft.resource_of(name).map_err(|error| error.to_string())?;
                        let Some(at) = found else { return skip(file) };
                        if !draft.sections.resources[at].is_saved() {
                            return skip(file);
                        }
                        let value = draft.sections.resources[at].read_one(file);
                        draft.resources[at] =
                            Some(value.map_err(|error| format!("resource `{name}`: {error}"))?);
                        Ok(())
                    },
                ))?,
                Field::Systems => {
                    core::mem::take(&mut entities).settle::<W, A::Error>(&mut draft)?;
                    let mut made = draft.world().map_err(de::Error::custom)?;
                    let drop_unknown = draft.drop_unknown();
                    map.next_value_seed(Named(
                        &mut |name: &str, file: &mut dyn erased_serde::Deserializer<'de>| {
                            let seed = PlaceInto {
                                draft: &draft,
                                world: &mut made,
                                key: name,
                                places: &mut places,
                                drop_unknown,
                            };
                            seed.deserialize(file).map_err(|error| error.to_string())
                        },
                    ))?;
                    world = Some(made);
                }
            }
        }
        let world = match world {
            Some(world) => world,
            None => {
                entities.settle::<W, A::Error>(&mut draft)?;
                draft.world().map_err(de::Error::custom)?
            }
        };
        Draft::finish(world, &places).map_err(de::Error::custom)
    }
}

fn about<W: Saved, E: de::Error>(about: About) -> Result<(), E> {
    if about.world != W::NAME {
        let error = super::LoadError::OtherWorld { found: about.world, world: W::NAME };
        return Err(E::custom(error));
    }
    if about.version != VERSION {
        let error = super::LoadError::Version { found: about.version, known: VERSION };
        return Err(E::custom(error));
    }
    Ok(())
}

/// The older type that the values of an entry are of.
fn old_of<W: Saved>(draft: &Draft<'_, W>, at: usize) -> Option<usize> {
    draft.table.iter().flatten().find(|(found, _)| *found == at).and_then(|(_, old)| *old)
}

/// Who lives in a file.
#[derive(Default)]
struct Living {
    image: Option<Image>,
    /// Sorted.
    ids: Vec<Entity>,
}

impl Living {
    /// Reads a section that has to do with entities.
    fn read<'de, W: Saved, A: MapAccess<'de>>(
        &mut self,
        field: &Field,
        draft: &mut Draft<'_, W>,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match field {
            Field::About => about::<W, A::Error>(map.next_value()?)?,
            Field::Allocator => {
                let image = map.next_value::<Image>()?;
                memory::was_read("[0,0,0],".len() * image.slots() / 64);
                self.image = Some(image);
            }
            Field::Components => {
                for listed in map.next_value::<Vec<ComponentImage>>()? {
                    draft.listed(listed, false).map_err(de::Error::custom)?;
                }
            }
            Field::Entities => {
                self.ids = map.next_value_seed(EntitiesInto { draft, image: self.image.as_ref() })?;
            }
            Field::Events | Field::Removed | Field::Resources | Field::Systems => {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    /// Once all of them are known.
    fn settle<W: Saved, E: de::Error>(self, draft: &mut Draft<'_, W>) -> Result<(), E> {
        let Self { image, ids } = self;
        let Some(image) = image else {
            let entities = Entities::of_living::<W>(&ids).map_err(E::custom)?;
            draft.slots = entities.generations().len();
            draft.entities = Some(entities);
            return Ok(());
        };
        draft.allocator(&image).map_err(E::custom)?;
        let known = draft.entities.as_ref();
        if known.is_some_and(|known| known.living().eq(ids.iter().copied())) {
            return Ok(());
        }
        Err(E::custom(
            "`entities` and `allocator` contain different entities: if you added or removed entities by hand, remove the \
             sections `allocator` and `systems` from the file",
        ))
    }
}

/// Reads the entities of a file into a draft, and nothing else of it.
pub(super) fn read_entities<'de, W: Saved, D: Deserializer<'de>>(
    draft: &mut Draft<'_, W>,
    deserializer: D,
) -> Result<(), D::Error> {
    Exact(deserializer).deserialize_struct("World", FIELDS, EntitiesOnly(draft))
}

struct EntitiesOnly<'d, 'o, W: Saved>(&'d mut Draft<'o, W>);

impl<'de, W: Saved> Visitor<'de> for EntitiesOnly<'_, '_, W> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a saved world `{}`", W::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut entities = Living::default();
        while let Some(field) = map.next_key::<Field>()? {
            entities.read(&field, self.0, &mut map)?;
        }
        entities.settle(self.0)
    }
}

/// Reads all entities, and gives their ids, sorted.
struct EntitiesInto<'d, 'o, W: Saved> {
    draft: &'d mut Draft<'o, W>,
    image: Option<&'d Image>,
}

impl<'de, W: Saved> DeserializeSeed<'de> for EntitiesInto<'_, '_, W> {
    type Value = Vec<Entity>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Entity>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

/// Without an allocator: an id this far beyond those that are there already would take memory that nothing justifies.
const FAR: usize = 1 << 20;

impl<'de, W: Saved> Visitor<'de> for EntitiesInto<'_, '_, W> {
    type Value = Vec<Entity>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("entities by their ids")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<Entity>, A::Error> {
        let Self { draft, image } = self;
        let mut living: Vec<Entity> = Vec::new();
        while let Some(entity) = map.next_key::<Entity>()? {
            let slots = image.map_or_else(|| FAR + living.len() * 64, Image::slots);
            if entity.slot() as usize >= slots {
                return Err(de::Error::custom(format!(
                    "entity {entity} is out of range: its slot must be less than {slots}"
                )));
            }
            living.push(entity);
            memory::was_read("0v1@7".len());
            let mut seen = Vec::new();
            map.next_value_seed(Named(&mut |name: &str, file: &mut dyn erased_serde::Deserializer<'de>| {
                let found = draft.component(name).map_err(|error| error.to_string())?;
                let Some(at) = found else { return skip(file) };
                if seen.contains(&at) {
                    return Err(format!("entity {entity} has component `{name}` twice"));
                }
                seen.push(at);
                let old = old_of(draft, at);
                let entry = &draft.sections.components[at];
                if !entry.is_saved() {
                    return skip(file);
                }
                let column = &mut **draft.columns[at].get_or_insert_with(|| entry.column());
                let read = entry.read_one(old, column, entity.slot(), file);
                read.map_err(|error| format!("component `{name}` of entity {entity}: {error}"))
            }))?;
        }
        living.sort_unstable();
        are_distinct(&living)
            .map_err(|entity| de::Error::custom(format!("two entities have the slot of entity {entity}")))?;
        Ok(living)
    }
}

/// Reads what a system remembers.
struct PlaceInto<'d, 'o, W: Saved> {
    draft: &'d Draft<'o, W>,
    world: &'d mut W,
    key: &'d str,
    places: &'d mut Vec<crate::base::place::Place>,
    drop_unknown: bool,
}

impl<'de, W: Saved> DeserializeSeed<'de> for PlaceInto<'_, '_, W> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_struct("Place", &["last_run", "off", "state"], self)
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum PlaceField {
    LastRun,
    Off,
    State,
}

impl<'de, W: Saved> Visitor<'de> for PlaceInto<'_, '_, W> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the saved state of a system")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let (mut last_run, mut off, mut done) = (0, false, false);
        let Self { draft, world, key, places, drop_unknown } = self;
        let mut failure = None;
        while let Some(field) = map.next_key::<PlaceField>()? {
            match field {
                PlaceField::LastRun => last_run = map.next_value()?,
                PlaceField::Off => off = map.next_value()?,
                PlaceField::State if done => return Err(de::Error::duplicate_field("state")),
                PlaceField::State => {
                    done = true;
                    let read =
                        draft.place(world, key, (last_run, off), places, &mut |parts, context| match map
                            .next_value_seed(Parts { parts, context })
                        {
                            Ok(all) if all || drop_unknown => Ok(all),
                            Ok(_) => Err("its parameters have changed since the world was saved; `LoadOptions::drop_unknown` ignores its state".into()),
                            Err(error) => {
                                failure = Some(error);
                                Err(String::new())
                            }
                        });
                    if let Some(failure) = failure {
                        return Err(failure);
                    }
                    read.map_err(de::Error::custom)?;
                }
            }
        }
        Ok(())
    }
}

/// The parts of a state, of which there must be as many in the file; says whether there were.
struct Parts<'p, 'c> {
    parts: Vec<&'p mut dyn Kept>,
    context: &'c Context<'c>,
}

impl<'de> DeserializeSeed<'de> for Parts<'_, '_> {
    type Value = bool;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Parts<'_, '_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the state of a system")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<bool, A::Error> {
        let context = self.context;
        for part in self.parts {
            let what = part.what();
            let seed = Dynamic(|file: &mut dyn erased_serde::Deserializer<'de>| {
                part.load_kept(file, context).map_err(|error| format!("{what}: {error}"))
            });
            if seq.next_element_seed(seed)?.is_none() {
                return Ok(false);
            }
        }
        let mut all = true;
        while seq.next_element::<IgnoredAny>()?.is_some() {
            all = false;
        }
        Ok(all)
    }
}

/// The options as what reads a world.
impl<'de, W: Saved> DeserializeSeed<'de> for LoadOptions<W> {
    type Value = W;
    fn deserialize<D: Deserializer<'de>>(mut self, deserializer: D) -> Result<W, D::Error> {
        deserialize(&mut self, deserializer)
    }
}

pub(crate) fn deserialize<'de, W: Saved, D: Deserializer<'de>>(
    options: &mut LoadOptions<W>,
    deserializer: D,
) -> Result<W, D::Error> {
    if deserializer.is_human_readable() {
        return memory::limited(options.memory, 0, || World(options).deserialize(Exact(deserializer)));
    }
    deserializer.deserialize_bytes(Bytes(options, PhantomData))
}

/// The compact form, within another one.
struct Bytes<'o, W>(&'o mut LoadOptions<W>, PhantomData<W>);

impl<W: Saved> Visitor<'_> for Bytes<'_, W> {
    type Value = W;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a saved world `{}`", W::NAME)
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<W, E> {
        super::file::load(bytes, self.0).map_err(E::custom)
    }

    fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<W, E> {
        self.visit_bytes(&bytes)
    }
}
