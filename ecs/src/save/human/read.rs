//! Reading a world, or its entities alone, in the human-readable form. The components of an entity are read in `components`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{self, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::components::{ComponentKeys, ComponentsSeed};
use super::{About, ExactReader, SECTIONS};
use crate::base::place::Place;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::saved::image::Image;
use crate::persist::erased::{ReadForm, read_value};
use crate::persist::memory;
use crate::persist::state::{LoadContext, SavedState};
use crate::save::draft::{ComponentImage, Draft, LoadOptions, are_distinct};
use crate::save::{LoadError, Saved, VERSION, file};

/// A seed that passes the deserializer to a function.
struct Dynamic<F>(F);

impl<'de, T, F> DeserializeSeed<'de> for Dynamic<F>
where
    F: FnOnce(&mut dyn ReadForm<'de>) -> Result<T, String>,
{
    type Value = T;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        let mut erased = <dyn ReadForm<'_>>::of(deserializer);
        (self.0)(&mut erased).map_err(de::Error::custom)
    }
}

/// A seed of a map that passes each key and the deserializer of its value to a function.
struct EachEntry<'f, F>(&'f mut F);

impl<'de, F> DeserializeSeed<'de> for EachEntry<'_, F>
where
    F: FnMut(&str, &mut dyn ReadForm<'de>) -> Result<(), String>,
{
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, F> Visitor<'de> for EachEntry<'_, F>
where
    F: FnMut(&str, &mut dyn ReadForm<'de>) -> Result<(), String>,
{
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map from names to values")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            memory::was_read(name.len());
            map.next_value_seed(Dynamic(|file: &mut dyn ReadForm<'de>| (self.0)(&name, file)))?;
        }
        Ok(())
    }
}

/// Ignores a value.
fn skip(file: &mut dyn ReadForm<'_>) -> Result<(), String> {
    read_value::<IgnoredAny>(file).map(drop).map_err(|error| error.to_string())
}

/// The seed of a world.
struct WorldSeed<'o, W>(&'o mut LoadOptions<W>);

impl<'de, W: Saved> DeserializeSeed<'de> for WorldSeed<'_, W> {
    type Value = W;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<W, D::Error> {
        deserializer.deserialize_struct("World", SECTIONS, self)
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Section {
    About,
    Allocator,
    Components,
    Entities,
    Events,
    Removed,
    Resources,
    Systems,
}

impl<'de, W: Saved> Visitor<'de> for WorldSeed<'_, W> {
    type Value = W;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a saved world `{}`", W::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<W, A::Error> {
        let mut draft = Draft::<W>::new(self.0);
        let (mut entities, mut world) = (EntitySection::default(), None);
        let mut places = Vec::new();
        while let Some(field) = map.next_key::<Section>()? {
            if world.is_some() {
                return Err(de::Error::custom("`systems` must be the last section"));
            }
            match field {
                Section::About | Section::Allocator | Section::Components | Section::Entities => {
                    entities.read(&field, &mut draft, &mut map)?;
                }
                Section::Events => {
                    map.next_value_seed(EachEntry(&mut |name: &str, file: &mut dyn ReadForm<'de>| {
                        let found = draft.event_of(name).map_err(|error| error.to_string())?;
                        let Some(at) = found else { return skip(file) };
                        let queue = draft.sections.events[at].read_one(file);
                        draft.queues[at] = Some(queue.map_err(|error| format!("event `{name}`: {error}"))?);
                        Ok(())
                    }))?
                }
                Section::Removed => {
                    map.next_value_seed(EachEntry(&mut |name: &str, file: &mut dyn ReadForm<'de>| {
                        let found = draft.component(name).map_err(|error| error.to_string())?;
                        let Some(at) = found else { return skip(file) };
                        // removed values of an older type, for which the program has no readers, are dropped
                        if old_of(&draft, at).is_some() {
                            return skip(file);
                        }
                        let log = draft.sections.components[at].read_log(file);
                        draft.logs[at] =
                            Some(log.map_err(|error| format!("removed values of `{name}`: {error}"))?);
                        Ok(())
                    }))?
                }
                Section::Resources => {
                    map.next_value_seed(EachEntry(&mut |name: &str, file: &mut dyn ReadForm<'de>| {
                        let found = draft.resource_of(name).map_err(|error| error.to_string())?;
                        let Some(at) = found else { return skip(file) };
                        if !draft.sections.resources[at].is_saved() {
                            return skip(file);
                        }
                        let value = draft.sections.resources[at].read_one(file);
                        draft.resources[at] =
                            Some(value.map_err(|error| format!("resource `{name}`: {error}"))?);
                        Ok(())
                    }))?
                }
                Section::Systems => {
                    core::mem::take(&mut entities).finish::<W, A::Error>(&mut draft)?;
                    let mut made = draft.world().map_err(de::Error::custom)?;
                    let drop_unknown = draft.drop_unknown();
                    map.next_value_seed(EachEntry(&mut |name: &str, file: &mut dyn ReadForm<'de>| {
                        let seed = SystemSeed {
                            draft: &draft,
                            world: &mut made,
                            key: name,
                            places: &mut places,
                            drop_unknown,
                        };
                        seed.deserialize(file).map_err(|error| error.to_string())
                    }))?;
                    world = Some(made);
                }
            }
        }
        let world = match world {
            Some(world) => world,
            None => {
                entities.finish::<W, A::Error>(&mut draft)?;
                draft.world().map_err(de::Error::custom)?
            }
        };
        Draft::finish(world, &places).map_err(de::Error::custom)
    }
}

fn about<W: Saved, E: de::Error>(about: About) -> Result<(), E> {
    if about.world != W::NAME && !W::WORLD_ALIASES.contains(&&*about.world) {
        let error = LoadError::OtherWorld { found: about.world, world: W::NAME };
        return Err(E::custom(error));
    }
    if about.version != VERSION {
        let error = LoadError::Version { found: about.version, known: VERSION };
        return Err(E::custom(error));
    }
    Ok(())
}

/// Returns the older type that the values of the component at position `at` have in the file.
fn old_of<W: Saved>(draft: &Draft<'_, W>, at: usize) -> Option<usize> {
    draft.table.iter().flatten().find(|(found, _)| *found == at).and_then(|(_, old)| *old)
}

/// The live entities of a file: the sections `allocator` and `entities`.
#[derive(Default)]
struct EntitySection {
    image: Option<Image>,
    /// The ids of the live entities, sorted.
    ids: Vec<Entity>,
}

impl EntitySection {
    /// Reads one of the sections `about`, `allocator`, `components` and `entities`; ignores the others.
    fn read<'de, W: Saved, A: MapAccess<'de>>(
        &mut self,
        field: &Section,
        draft: &mut Draft<'_, W>,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match field {
            Section::About => about::<W, A::Error>(map.next_value()?)?,
            Section::Allocator => {
                let image = map.next_value::<Image>()?;
                memory::was_read("[0,0,0],".len() * image.slots() / 64);
                self.image = Some(image);
            }
            Section::Components => {
                for listed in map.next_value::<Vec<ComponentImage>>()? {
                    draft.listed(listed, false).map_err(de::Error::custom)?;
                }
            }
            Section::Entities => {
                self.ids = map.next_value_seed(EntitiesSeed { draft, image: self.image.as_ref() })?;
            }
            Section::Events | Section::Removed | Section::Resources | Section::Systems => {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    /// Sets the draft's allocator, after all sections about entities were read.
    fn finish<W: Saved, E: de::Error>(self, draft: &mut Draft<'_, W>) -> Result<(), E> {
        let Self { image, ids } = self;
        let Some(image) = image else {
            let entities = Entities::of_living(Entities::new::<W>(), &ids).map_err(E::custom)?;
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

/// Reads the entities of a file into a draft, and ignores resources, events and systems.
pub(in crate::save) fn read_entities<'de, W: Saved, D: Deserializer<'de>>(
    draft: &mut Draft<'_, W>,
    deserializer: D,
) -> Result<(), D::Error> {
    ExactReader::new(deserializer).deserialize_struct("World", SECTIONS, EntitiesVisitor(draft))
}

struct EntitiesVisitor<'d, 'o, W: Saved>(&'d mut Draft<'o, W>);

impl<'de, W: Saved> Visitor<'de> for EntitiesVisitor<'_, '_, W> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a saved world `{}`", W::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut entities = EntitySection::default();
        while let Some(field) = map.next_key::<Section>()? {
            entities.read(&field, self.0, &mut map)?;
        }
        entities.finish(self.0)
    }
}

/// The seed of the section `entities`, which returns the sorted ids.
struct EntitiesSeed<'d, 'o, W: Saved> {
    draft: &'d mut Draft<'o, W>,
    image: Option<&'d Image>,
}

impl<'de, W: Saved> DeserializeSeed<'de> for EntitiesSeed<'_, '_, W> {
    type Value = Vec<Entity>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Entity>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

/// The largest slot of the first entity in a file without an allocator. A larger slot would take memory out of proportion to the file.
const FAR: usize = 1 << 20;

impl<'de, W: Saved> Visitor<'de> for EntitiesSeed<'_, '_, W> {
    type Value = Vec<Entity>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map from entity ids to components")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<Entity>, A::Error> {
        let Self { draft, image } = self;
        let mut living: Vec<Entity> = Vec::new();
        let mut keys = ComponentKeys::of(draft);
        while let Some(entity) = map.next_key::<Entity>()? {
            let slots = image.map_or_else(|| FAR + living.len() * 64, Image::slots);
            if entity.slot() as usize >= slots {
                return Err(de::Error::custom(format!(
                    "entity {entity} is out of range: its slot must be less than {slots}"
                )));
            }
            living.push(entity);
            memory::was_read("0v1@7".len());
            map.next_value_seed(ComponentsSeed { draft: &mut *draft, keys: &mut keys, entity })?;
        }
        living.sort_unstable();
        are_distinct(&living)
            .map_err(|entity| de::Error::custom(format!("two entities have the slot of entity {entity}")))?;
        Ok(living)
    }
}

/// The seed of one system's state.
struct SystemSeed<'d, 'o, W: Saved> {
    draft: &'d Draft<'o, W>,
    world: &'d mut W,
    key: &'d str,
    places: &'d mut Vec<Place>,
    drop_unknown: bool,
}

impl<'de, W: Saved> DeserializeSeed<'de> for SystemSeed<'_, '_, W> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_struct("Place", &["last_run", "off", "state"], self)
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum SystemField {
    LastRun,
    Off,
    State,
}

impl<'de, W: Saved> Visitor<'de> for SystemSeed<'_, '_, W> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the saved state of a system")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let (mut last_run, mut off, mut done) = (0, false, false);
        let Self { draft, world, key, places, drop_unknown } = self;
        let mut failure = None;
        while let Some(field) = map.next_key::<SystemField>()? {
            match field {
                SystemField::LastRun => last_run = map.next_value()?,
                SystemField::Off => off = map.next_value()?,
                SystemField::State if done => return Err(de::Error::duplicate_field("state")),
                SystemField::State => {
                    done = true;
                    let read =
                        draft.place(world, key, (last_run, off), places, &mut |parts, context| match map
                            .next_value_seed(StateSeed { parts, context })
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

/// The seed of the parts of a system's state. Returns `false` if the file has another number of parts.
struct StateSeed<'p, 'c> {
    parts: Vec<&'p mut dyn SavedState>,
    context: &'c LoadContext<'c>,
}

impl<'de> DeserializeSeed<'de> for StateSeed<'_, '_> {
    type Value = bool;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for StateSeed<'_, '_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the state of a system")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<bool, A::Error> {
        let context = self.context;
        for part in self.parts {
            let what = part.what();
            let seed = Dynamic(|file: &mut dyn ReadForm<'de>| {
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

/// Loads a world from any format, with these options.
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
        return memory::limited(options.memory, 0, || {
            WorldSeed(options).deserialize(ExactReader::new(deserializer))
        });
    }
    deserializer.deserialize_bytes(CompactWorld(options, PhantomData))
}

/// The visitor of a format that contains the compact form as a byte string.
struct CompactWorld<'o, W>(&'o mut LoadOptions<W>, PhantomData<W>);

impl<W: Saved> Visitor<'_> for CompactWorld<'_, W> {
    type Value = W;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a saved world `{}`", W::NAME)
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<W, E> {
        file::load(bytes, self.0).map_err(E::custom)
    }

    fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<W, E> {
        self.visit_bytes(&bytes)
    }
}
