//! Reading the overrides of an aspect, by the names of fields.
//!
//! Each override is applied to a default value that is made for this check and dropped, so that a
//! mistake is found when the file is read, and with its position.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::cell::RefCell;

use serde::de::Error as _;

use super::Reading;
use crate::base::nearest::{meant, quoted};
use crate::entity::saved::ids::named;
use crate::persist::erased::read::{FormEvent, Hint, MapForm, ReceiveBy, unexpected};
use crate::persist::erased::{FormError, ReadForm};
use crate::prefab::aspects::{AspectMember, KnownAspect};
use crate::prefab::overlay::{Overlay, Overridden, read_name};
use crate::prefab::patch::Patch;
use crate::prefab::strict::Strict;
use crate::prefab::{NamedAspect, Override};
use crate::save::entry::ValuePlace;
use crate::storage::detached_columns::DetachedColumns;
use crate::value::tree::exact_tree_of;
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
    overriding.member(&known.root, file).map_err(|error| error.to_string())?;
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
        let found = sections.components.iter().enumerate().find(|(_, entry)| entry.index == index);
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
        let value = |column: &dyn Any| {
            let value =
                entry.value_in(column, 0).ok_or("the aspect did not make a value of the component")?;
            exact_tree_of(value.erased())
        };
        let (before, omitted) = value(column)?;
        let (key, mut overridden) = (RefCell::default(), Overridden::Whole);
        let mut strict = Strict::new(file, &key);
        let overridden_parts = &mut overridden;
        let mut overlay =
            Overlay { file: &mut strict, base: &before, omitted: &omitted, overridden: overridden_parts };
        let place = ValuePlace::Column(&mut *column, 0);
        named(&mut self.reading.names, || entry.read_one(None, place, &mut overlay))
            .map_err(|error| error.to_string())?;
        let patch = Patch::of(overridden, value(column)?.0)?;
        patch.apply(entry, ValuePlace::Column(column, 0), &|number| Ok(number))?;
        self.overrides.push(Override { at, path: self.path.as_str().into(), patch });
        Ok(())
    }
}

impl<W: World> Overriding<'_, '_, W> {
    /// Reads a field of an aspect, or the aspect itself.
    fn member(&mut self, node: &AspectMember, form: &mut dyn ReadForm<'_>) -> Result<(), FormError> {
        let Some(index) = node.component else {
            let expected = &"a map from fields of the aspect to their new values";
            let read = |event: FormEvent<'_, '_>| match event {
                // `null` overrides nothing
                FormEvent::Unit => Ok(()),
                FormEvent::Map(fields) => self.members(node, fields),
                event => Err(unexpected(event, expected)),
            };
            return form.read(Hint::Any, &mut ReceiveBy { expected, read });
        };
        let component = self.reading.prefabs.sections.component_names[index];
        self.reading.component = Some(component.into());
        self.reading.names.reading(self.reading.entity.clone(), self.reading.component.clone());
        self.component(index, form).map_err(FormError::custom)?;
        self.reading.component = None;
        Ok(())
    }

    /// Reads the map of an aspect's fields.
    fn members(&mut self, node: &AspectMember, fields: &mut dyn MapForm<'_>) -> Result<(), FormError> {
        let (mut overridden, mut key) = (Vec::new(), String::new());
        // a name is text or a bare identifier: RON writes it as text in a map, and bare in a struct
        while fields.key_by(|form| read_name(form, Hint::Any, &mut key))? {
            let Some(field) = node.fields.iter().find(|field| field.name == key) else {
                return Err(FormError::custom(no_field(node, &key)));
            };
            let length = self.path.len();
            self.path.push('.');
            self.path.push_str(field.name);
            self.reading.path = Some(self.path.clone());
            if overridden.contains(&field.name) {
                return Err(FormError::custom("it occurs twice"));
            }
            overridden.push(field.name);
            fields.value_by(|form| self.member(field, form))?;
            self.path.truncate(length);
            self.reading.path = Some(self.path.clone());
        }
        Ok(())
    }
}

/// The message that an aspect does not have a field, with the most similar field or all fields.
fn no_field(node: &AspectMember, key: &str) -> String {
    let names: Vec<&'static str> = node.fields.iter().map(|field| field.name).collect();
    match meant(key, &names) {
        none if none.is_empty() => format!("there is no field `{key}`; there are {}", quoted(names)),
        meant => format!("there is no field `{key}`{meant}"),
    }
}
