//! Reading the overrides of an aspect, by the names of fields.
//!
//! Each override is applied to a default value that is made for this check and dropped, so that a mistake is found when the file is
//! read, and with its position.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::cell::RefCell;
use core::fmt;

use serde::Deserializer;
use serde::de::{self, DeserializeSeed, MapAccess, Visitor};

use super::Reading;
use crate::base::nearest::nearest;
use crate::entity::saved::ids::named;
use crate::persist::compact::outline::Outline;
use crate::persist::erased::ReadForm;
use crate::prefab::aspects::{AspectMember, KnownAspect};
use crate::prefab::overlay::{Base, FieldNameSeed, Overlay, Overridden};
use crate::prefab::patch::Patch;
use crate::prefab::spawn::apply;
use crate::prefab::splice;
use crate::prefab::strict::Strict;
use crate::prefab::{NamedAspect, Override};
use crate::save::entry::SavedComponent;
use crate::save::entry::SavedType as _;
use crate::storage::detached_columns::DetachedColumns;
use crate::world::World;

/// Reads the overrides of an aspect of an entity.
pub(super) fn read<W: World>(
    reading: &mut Reading<'_, W>,
    number: usize,
    known: Arc<KnownAspect<W>>,
    file: &mut dyn ReadForm<'_>,
) -> Result<(), String> {
    reading.component = None;
    reading.path = Some(known.root.name.into());
    for (index, path) in &known.leaves {
        if let Err(reason) = reading.note(number, *index, path.clone()) {
            reading.component = Some(reading.prefabs.sections.component_names[*index].into());
            reading.path = Some(path.clone());
            return Err(reason);
        }
    }
    let mut overriding = Overriding {
        reading,
        known: &known,
        path: known.root.name.into(),
        trial: None,
        overrides: Vec::new(),
    };
    MemberSeed { overriding: &mut overriding, node: &known.root }
        .deserialize(file)
        .map_err(|error| error.to_string())?;
    let overrides = overriding.overrides;
    reading.path = None;
    reading.aspects.push(NamedAspect { number: number as u32, known, overrides });
    Ok(())
}

/// The overrides of an aspect that were read so far.
struct Overriding<'r, 'p, W: World> {
    reading: &'r mut Reading<'p, W>,
    known: &'r KnownAspect<W>,
    /// The path in the aspect of the field that is being read.
    path: String,
    /// Default values to check overrides, made for the first override.
    trial: Option<DetachedColumns>,
    overrides: Vec<Override>,
}

impl<W: World> Overriding<'_, '_, W> {
    /// Reads an override of a component.
    fn component(&mut self, index: usize, file: &mut dyn ReadForm<'_>) -> Result<(), String> {
        let sections = &self.reading.prefabs.sections;
        let found = sections.components.iter().enumerate().find(|(_, entry)| entry.index() == index);
        let Some((at, entry)) = found.filter(|(_, entry)| entry.is_saved()) else {
            return Err("it is not saved, so a file cannot override it".into());
        };
        let make = self.known.make;
        let trial = self.trial.get_or_insert_with(|| {
            let mut values = DetachedColumns::default();
            make(&mut values, 0);
            values
        });
        let column = trial.any(index, || entry.column());
        let before = outline(entry, column)?;
        let (key, mut overridden) = (RefCell::default(), Overridden::Whole);
        let base = Base { bytes: &before.bytes, fields: before.fields.as_ref() };
        let mut strict = Strict::new(file, &key);
        let file: &mut dyn ReadForm<'_> = &mut strict;
        let overlay = Overlay { file, base, overridden: &mut overridden };
        let mut overlay = <dyn ReadForm<'_>>::of(overlay);
        named(&mut self.reading.names, || entry.read_one(None, column, 0, &mut overlay))
            .map_err(|error| error.to_string())?;
        let patch = Patch::of(&overridden, &outline(entry, column)?)?;
        let path = self.path.as_str().into();
        let mut done = Override { at, path, patch, spliced: false };
        apply(entry, column, 0, &done, &|number| Ok(number))?;
        done.spliced = splice::is_exact(entry, column, 0, &done.patch);
        self.overrides.push(done);
        Ok(())
    }
}

/// Returns the default value to check an override.
fn outline(entry: &SavedComponent, column: &dyn Any) -> Result<Outline, String> {
    let value = entry.value_in(column, 0).ok_or("the aspect did not make a value of the component")?;
    Outline::of(value.erased()).map_err(|fault| fault.to_string())
}

/// The seed of a field of an aspect, or of the aspect itself.
struct MemberSeed<'o, 'r, 'p, W: World> {
    overriding: &'o mut Overriding<'r, 'p, W>,
    node: &'o AspectMember,
}

impl<'de, W: World> DeserializeSeed<'de> for MemberSeed<'_, '_, '_, W> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Self { overriding, node } = self;
        let Some(index) = node.component else {
            return deserializer.deserialize_any(MembersVisitor { overriding, node });
        };
        let component = overriding.reading.prefabs.sections.component_names[index];
        overriding.reading.component = Some(component.into());
        let (entity, component) = (overriding.reading.entity.clone(), overriding.reading.component.clone());
        overriding.reading.names.reading(entity, component);
        let mut erased = <dyn ReadForm<'_>>::of(deserializer);
        overriding.component(index, &mut erased).map_err(de::Error::custom)?;
        overriding.reading.component = None;
        Ok(())
    }
}

/// The visitor of the map of an aspect's fields.
struct MembersVisitor<'o, 'r, 'p, W: World> {
    overriding: &'o mut Overriding<'r, 'p, W>,
    node: &'o AspectMember,
}

impl<'de, W: World> Visitor<'de> for MembersVisitor<'_, '_, '_, W> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map from fields of the aspect to their new values")
    }

    /// `null` overrides nothing.
    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { overriding, node } = self;
        let mut overridden = Vec::new();
        while let Some(key) = map.next_key_seed(AnyName)? {
            let Some(field) = node.fields.iter().find(|field| field.name == key) else {
                return Err(de::Error::custom(no_field(node, &key)));
            };
            let length = overriding.path.len();
            overriding.path.push('.');
            overriding.path.push_str(field.name);
            overriding.reading.path = Some(overriding.path.clone());
            if overridden.contains(&field.name) {
                return Err(de::Error::custom("it occurs twice"));
            }
            overridden.push(field.name);
            map.next_value_seed(MemberSeed { overriding: &mut *overriding, node: field })?;
            overriding.path.truncate(length);
            overriding.reading.path = Some(overriding.path.clone());
        }
        Ok(())
    }
}

/// The message that an aspect does not have a field, with the most similar field or all fields.
fn no_field(node: &AspectMember, key: &str) -> String {
    let names: Vec<&'static str> = node.fields.iter().map(|field| field.name).collect();
    match nearest(key, &names) {
        Some(near) => format!("there is no field `{key}`; did you mean `{near}`?"),
        None => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("there is no field `{key}`; there are {}", names.join(", "))
        }
    }
}

/// A field name as text or as a bare identifier, because formats such as RON write it as text in a map and bare in a struct.
struct AnyName;

impl<'de> DeserializeSeed<'de> for AnyName {
    type Value = String;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(FieldNameSeed)
    }
}
