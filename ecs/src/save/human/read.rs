//! Reading a world, or its entities alone, in the human-readable form. The components of an entity
//! are read in `components`.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{self, DeserializeSeed, Error as _, IgnoredAny, MapAccess as _, SeqAccess as _, Visitor};
use serde::{Deserialize, Deserializer};

use super::components::{ComponentKeys, read_components};
use super::{About, SECTIONS};
use crate::base::place::Place;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::saved::image::Image;
use crate::persist::erased::read::{Hint, MapForm, read_map, read_seq};
use crate::persist::erased::{FormError, ReadForm, read_value};
use crate::persist::memory;
use crate::persist::state::{LoadContext, SavedState};
use crate::save::any_world::{AnyWorld, into_world};
use crate::save::draft::{AnyLoadOptions, ComponentImage, Draft, LoadOptions, are_distinct};
use crate::save::entry::ValueKind;
use crate::save::sections::Sections;
use crate::save::{LoadError, Saved, VERSION, file};

/// Reads the value of the next key, a map from names to values, and passes each name with the form
/// of its value to a function.
fn read_entries(
    map: &mut dyn MapForm<'_>,
    entry: &mut dyn FnMut(&str, &mut dyn ReadForm<'_>) -> Result<(), String>,
) -> Result<(), FormError> {
    map.value_by(|form| {
        read_map(form, Hint::Map, &"a map from names to values", &mut |mut map| {
            while let Some(name) = map.next_key::<String>()? {
                memory::was_read(name.len());
                map.value_by(|form| entry(&name, form).map_err(FormError::custom))?;
            }
            Ok(())
        })
    })
}

/// Ignores a value.
fn skip(form: &mut dyn ReadForm<'_>) -> Result<(), String> {
    read_value::<IgnoredAny>(form).map(drop).map_err(|error| error.to_string())
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

/// Reads a world.
fn read_world(
    sections: Arc<Sections>,
    options: &mut AnyLoadOptions,
    form: &mut dyn ReadForm<'_>,
) -> Result<Box<dyn AnyWorld>, FormError> {
    let expected = format!("a saved world `{}`", sections.world);
    let mut draft = Draft::new(sections, options);
    let (mut entities, mut world, mut places) = (EntitySection::default(), None, Vec::new());
    read_map(form, Hint::Struct("World", SECTIONS), &expected, &mut |mut map| {
        while let Some(field) = map.next_key::<Section>()? {
            if world.is_some() {
                return Err(FormError::custom("`systems` must be the last section"));
            }
            match field {
                Section::About | Section::Allocator | Section::Components | Section::Entities => {
                    entities.read(&field, &mut draft, map)?;
                }
                Section::Events | Section::Resources => {
                    let is_event = matches!(field, Section::Events);
                    let kind = if is_event { ValueKind::Event } else { ValueKind::Resource };
                    read_entries(map, &mut |name, form| read_one(&mut draft, kind, name, form))?;
                }
                Section::Removed => {
                    read_entries(map, &mut |name, form| read_removed(&mut draft, name, form))?;
                }
                Section::Systems => {
                    core::mem::take(&mut entities).finish(&mut draft)?;
                    let made = world.insert(draft.world().map_err(FormError::custom)?);
                    read_entries(map, &mut |name, form| {
                        let read = read_system(&draft, &mut **made, name, &mut places, form);
                        read.map_err(|error| error.to_string())
                    })?;
                }
            }
        }
        Ok(())
    })?;
    let mut world = match world {
        Some(world) => world,
        None => {
            entities.finish(&mut draft)?;
            draft.world().map_err(FormError::custom)?
        }
    };
    draft.finish(&mut *world, &places).map_err(FormError::custom)?;
    Ok(world)
}

/// Reads a resource, or the queue of an event.
fn read_one(
    draft: &mut Draft<'_>,
    kind: ValueKind,
    name: &str,
    form: &mut dyn ReadForm<'_>,
) -> Result<(), String> {
    let found = draft.value(kind, name).map_err(|error| error.to_string())?;
    let Some((at, _, of)) = found else { return skip(form) };
    let value = (of.value.read)(form).map_err(|error| format!("{} `{name}`: {error}", kind.noun()))?;
    draft.set_value(kind, at, value);
    Ok(())
}

/// Reads the log of removed values of a component.
fn read_removed(draft: &mut Draft<'_>, name: &str, form: &mut dyn ReadForm<'_>) -> Result<(), String> {
    let found = draft.component(name).map_err(|error| error.to_string())?;
    let Some(at) = found else { return skip(form) };
    // removed values of an older type, for which the program has no readers, are dropped
    if old_of(draft, at).is_some() {
        return skip(form);
    }
    let log = draft.sections.components[at].read_log(form);
    draft.logs[at] = Some(log.map_err(|error| format!("removed values of `{name}`: {error}"))?);
    Ok(())
}

fn about(sections: &Sections, about: About) -> Result<(), LoadError> {
    if about.world != sections.world && !sections.world_aliases.contains(&&*about.world) {
        return Err(LoadError::OtherWorld { found: about.world, world: sections.world });
    }
    if about.version != VERSION {
        return Err(LoadError::Version { found: about.version, known: VERSION });
    }
    Ok(())
}

/// Returns the older type that the values of the component at position `at` have in the file.
fn old_of(draft: &Draft<'_>, at: usize) -> Option<usize> {
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
    /// Reads one of the sections `about`, `allocator`, `components` and `entities`; ignores the
    /// others.
    fn read(
        &mut self,
        field: &Section,
        draft: &mut Draft<'_>,
        mut map: &mut dyn MapForm<'_>,
    ) -> Result<(), FormError> {
        match field {
            Section::About => about(&draft.sections, map.next_value()?).map_err(FormError::custom)?,
            Section::Allocator => {
                let image = map.next_value::<Image>()?;
                memory::was_read("[0,0,0],".len() * image.slots() / 64);
                self.image = Some(image);
            }
            Section::Components => {
                for listed in map.next_value::<Vec<ComponentImage>>()? {
                    draft.listed(listed, false).map_err(FormError::custom)?;
                }
            }
            Section::Entities => {
                map.value_by(|form| {
                    self.ids = read_all(draft, self.image.as_ref(), form)?;
                    Ok(())
                })?;
            }
            Section::Events | Section::Removed | Section::Resources | Section::Systems => {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    /// Sets the draft's allocator, after all sections about entities were read.
    fn finish(self, draft: &mut Draft<'_>) -> Result<(), FormError> {
        let Self { image, ids } = self;
        let Some(image) = image else {
            let entities = Entities::of_living(draft.new_entities(), &ids).map_err(FormError::custom)?;
            draft.slots = entities.generations().len();
            draft.entities = Some(entities);
            return Ok(());
        };
        draft.allocator(&image).map_err(FormError::custom)?;
        let known = draft.entities.as_ref();
        if known.is_some_and(|known| known.living().eq(ids.iter().copied())) {
            return Ok(());
        }
        Err(FormError::custom(
            "`entities` and `allocator` contain different entities: if you added or removed entities by hand, remove the \
             sections `allocator` and `systems` from the file",
        ))
    }
}

/// Reads the entities of a file into a draft, and ignores resources, events and systems.
pub(in crate::save) fn read_entities(
    draft: &mut Draft<'_>,
    form: &mut dyn ReadForm<'_>,
) -> Result<(), FormError> {
    let (expected, mut entities) =
        (format!("a saved world `{}`", draft.sections.world), EntitySection::default());
    read_map(form, Hint::Struct("World", SECTIONS), &expected, &mut |mut map| {
        while let Some(field) = map.next_key::<Section>()? {
            entities.read(&field, draft, map)?;
        }
        Ok(())
    })?;
    entities.finish(draft)
}

/// The largest slot of the first entity in a file without an allocator. A larger slot would take
/// memory out of proportion to the file.
const FAR: usize = 1 << 20;

/// Reads the section `entities`, and returns the sorted ids.
fn read_all(
    draft: &mut Draft<'_>,
    image: Option<&Image>,
    form: &mut dyn ReadForm<'_>,
) -> Result<Vec<Entity>, FormError> {
    let mut living: Vec<Entity> = Vec::new();
    let mut keys = ComponentKeys::of(draft);
    read_map(form, Hint::Map, &"a map from entity ids to components", &mut |mut map| {
        while let Some(entity) = map.next_key::<Entity>()? {
            let slots = image.map_or_else(|| FAR + living.len() * 64, Image::slots);
            if entity.slot() as usize >= slots {
                return Err(FormError::custom(format!(
                    "entity {entity} is out of range: its slot must be less than {slots}"
                )));
            }
            living.push(entity);
            memory::was_read("0v1@7".len());
            map.value_by(|form| read_components(draft, &mut keys, entity, form))?;
        }
        Ok(())
    })?;
    living.sort_unstable();
    are_distinct(&living)
        .map_err(|entity| FormError::custom(format!("two entities have the slot of entity {entity}")))?;
    Ok(living)
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum SystemField {
    LastRun,
    Off,
    State,
}

/// Reads the state of one system.
fn read_system(
    draft: &Draft<'_>,
    world: &mut dyn AnyWorld,
    key: &str,
    places: &mut Vec<Place>,
    form: &mut dyn ReadForm<'_>,
) -> Result<(), FormError> {
    let (mut last_run, mut off, mut done) = (0, false, false);
    let hint = Hint::Struct("Place", &["last_run", "off", "state"]);
    read_map(form, hint, &"the saved state of a system", &mut |mut map| {
        while let Some(field) = map.next_key::<SystemField>()? {
            match field {
                SystemField::LastRun => last_run = map.next_value()?,
                SystemField::Off => off = map.next_value()?,
                SystemField::State if done => return Err(FormError::duplicate_field("state")),
                SystemField::State => {
                    done = true;
                    let mut failure = None;
                    let read =
                        draft.place(world, key, (last_run, off), places, &mut |parts, context| match read_state(
                            map, parts, context,
                        ) {
                            Ok(all) if all || draft.drop_unknown() => Ok(all),
                            Ok(_) => Err("its parameters have changed since the world was saved; `LoadOptions::drop_unknown` ignores its state".into()),
                            Err(error) => {
                                failure = Some(error);
                                Err(String::new())
                            }
                        });
                    if let Some(failure) = failure {
                        return Err(failure);
                    }
                    read.map_err(FormError::custom)?;
                }
            }
        }
        Ok(())
    })
}

/// Reads the parts of a system's state. Returns `false` if the file has another number of parts.
fn read_state(
    map: &mut dyn MapForm<'_>,
    parts: Vec<&mut dyn SavedState>,
    context: &LoadContext<'_>,
) -> Result<bool, FormError> {
    let (mut parts, mut all) = (parts.into_iter(), true);
    map.value_by(|form| {
        read_seq(form, &"the state of a system", &mut |mut seq| {
            for part in parts.by_ref() {
                let what = part.what();
                let is_there = seq.next_by(|form| {
                    let read = part.load_kept(form, context);
                    read.map_err(|error| FormError::custom(format!("{what}: {error}")))
                })?;
                if !is_there {
                    all = false;
                    return Ok(());
                }
            }
            while seq.next_element::<IgnoredAny>()?.is_some() {
                all = false;
            }
            Ok(())
        })
    })?;
    Ok(all)
}

/// Loads a world from any format, with these options.
impl<'de, W: Saved> DeserializeSeed<'de> for LoadOptions<W> {
    type Value = W;
    fn deserialize<D: Deserializer<'de>>(mut self, deserializer: D) -> Result<W, D::Error> {
        let mut form = <dyn ReadForm<'_>>::exact(deserializer);
        let world = read(Sections::of::<W>(), &mut self.any, &mut form);
        world.map(into_world).map_err(|error| form.error(error))
    }
}

/// Implements `Deserialize` for a world.
pub fn deserialize<'de, W: Saved, D: Deserializer<'de>>(deserializer: D) -> Result<W, D::Error> {
    LoadOptions::new().deserialize(deserializer)
}

/// Reads a world in either form.
pub(in crate::save) fn read(
    sections: Arc<Sections>,
    options: &mut AnyLoadOptions,
    form: &mut dyn ReadForm<'_>,
) -> Result<Box<dyn AnyWorld>, FormError> {
    if form.is_human_readable() {
        return memory::limited(options.memory, 0, || read_world(sections, options, form));
    }
    read_bytes(sections.world, form, |bytes| file::load(sections, bytes, options))
}

/// Reads the compact form, which a format contains as a byte string.
pub(in crate::save) fn read_bytes<T>(
    world: &'static str,
    form: &mut dyn ReadForm<'_>,
    read: impl FnOnce(&[u8]) -> Result<T, LoadError>,
) -> Result<T, FormError> {
    form.deserialize_bytes(BytesVisitor(world, read))
}

/// The visitor of a format that contains the compact form as a byte string.
struct BytesVisitor<F>(&'static str, F);

impl<T, F: FnOnce(&[u8]) -> Result<T, LoadError>> Visitor<'_> for BytesVisitor<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a saved world `{}`", self.0)
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<T, E> {
        (self.1)(bytes).map_err(E::custom)
    }

    fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<T, E> {
        self.visit_bytes(&bytes)
    }
}
