//! Reading definitions in two passes over the file: first the names of the components, then their
//! values.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::RefCell;

use serde::de::Error as _;
use serde::de::value::UnitDeserializer;

use super::super::definitions::{Definition, Definitions};
use super::super::strict::Strict;
use super::super::{PrefabError, Prefabs};
use super::{FoundName, Reading, from_json, json_error};
use crate::base::nearest::meant;
use crate::entity::saved::ids::{Names, named};
use crate::persist::erased::read::{FormEvent, Hint, MapForm, ReceiveBy, read_map, skip, unexpected};
use crate::persist::erased::{FormError, ReadForm, read_value};
use crate::persist::memory;
use crate::save::entry::{SavedComponent, ValuePlace};
use crate::world::World;

impl<W: World> Definitions<W> {
    /// Reads the definitions of a JSON file: one definition, or a list. `file` is the name of the
    /// file in errors. If two files define the same component, the file that is read later wins.
    ///
    /// # Errors
    /// If the file is not JSON, or a definition in it does not fit its component. The error names
    /// line and column, and the component and key where there are any. Then no definition of the
    /// file is added.
    pub fn read_json(&mut self, file: &str, text: &str) -> Result<(), PrefabError> {
        memory::limited(self.prefabs.memory, text.len(), || self.read(file, text))
    }

    fn read(&mut self, file: &str, text: &str) -> Result<(), PrefabError> {
        let mut heads = Vec::new();
        let mut add = |map: &mut dyn MapForm<'_>| {
            heads.push(head(map)?);
            Ok(())
        };
        from_json(text, &mut |form| each_definition(form, &mut add))
            .map_err(|error| json_error::<W>(file, &error))?;
        let mut reading =
            DefinitionsReading { prefabs: &self.prefabs, file, heads, read: Vec::new(), now: None };
        let done = from_json(text, &mut |form| each_definition(form, &mut |map| reading.one(map)));
        let component = reading.now.take().map(Into::into);
        done.map_err(|error| PrefabError { component, ..json_error::<W>(file, &error) })?;
        let read = reading.read;
        for definition in read {
            self.put(definition);
        }
        Ok(())
    }
}

/// Reads one definition, or a list of them, by a function.
fn each_definition<'de>(
    form: &mut dyn ReadForm<'de>,
    each: &mut dyn FnMut(&mut dyn MapForm<'de>) -> Result<(), FormError>,
) -> Result<(), FormError> {
    let one = "a definition, `{\"type\": \"meta\", \"schema\": {..}}`";
    let expected = &format_args!("{one}, or a list of them");
    let read = &mut |event: FormEvent<'_, 'de>| match event {
        FormEvent::Map(map) => each(map),
        FormEvent::Seq(seq) => {
            while seq.next_by(|form| read_map(form, Hint::Map, &one, each))? {}
            Ok(())
        }
        event => Err(unexpected(event, expected)),
    };
    form.read(Hint::Any, &mut ReceiveBy { expected, read })
}

/// Reads the name of a definition, and whether it has fields, in the first pass.
fn head(map: &mut dyn MapForm<'_>) -> Result<(String, bool), FormError> {
    let (mut name, mut fields) = (None::<String>, None);
    while let Some(key) = map.next_name()? {
        let mut again = false;
        match key.as_str() {
            "type" => map.value_by(|form| {
                again = name.replace(read_value(form)?).is_some();
                Ok(())
            })?,
            "schema" => map.value_by(|form| {
                again = fields.replace(has_fields(form)?).is_some();
                Ok(())
            })?,
            _ => {
                let of = name.map(|name| format!(" in the definition of `{name}`")).unwrap_or_default();
                let reason = format!("key `{key}` means nothing{of}: the keys are `type` and `schema`");
                return Err(FormError::custom(reason));
            }
        }
        if again {
            return Err(FormError::custom(format!("key `{key}` of a definition occurs twice")));
        }
    }
    let Some(name) = name else {
        return Err(FormError::custom("this definition has no key `type`, which names the component"));
    };
    let Some(has_fields) = fields else {
        let reason =
            format!("the definition of `{name}` has no key `schema`, which has the fields and their values");
        return Err(FormError::custom(reason));
    };
    Ok((name, has_fields))
}

/// Whether the key `schema` of a definition has fields.
fn has_fields(form: &mut dyn ReadForm<'_>) -> Result<bool, FormError> {
    let mut any = false;
    read_map(form, Hint::Map, &"the fields of the component and their values", &mut |map| {
        while map.key_by(skip)? {
            any = true;
            map.value_by(skip)?;
        }
        Ok(())
    })?;
    Ok(any)
}

/// The state of the second pass, which reads the values.
struct DefinitionsReading<'p, W: World> {
    prefabs: &'p Prefabs<W>,
    file: &'p str,
    heads: Vec<(String, bool)>,
    read: Vec<Definition>,
    /// The component that is being read.
    now: Option<String>,
}

impl<W: World> DefinitionsReading<'_, W> {
    fn one(&mut self, map: &mut dyn MapForm<'_>) -> Result<(), FormError> {
        let (name, any) = self.heads.get(self.read.len()).cloned().unwrap_or_default();
        let mut at = None;
        while let Some(key) = map.next_name()? {
            if key == "type" {
                map.value_by(skip)?;
            }
            let at = match at {
                Some(at) => at,
                None => *at.insert(self.find(&name).map_err(FormError::custom)?),
            };
            if key != "type" {
                let sections = &self.prefabs.sections;
                let entry = &sections.components[at];
                self.now = Some(entry.name.into());
                map.value_by(|form| {
                    let (name, file) = (name.clone(), self.file.into());
                    self.read.push(Definition { name, at, bytes: schema(entry, any, form)?, file });
                    Ok(())
                })?;
                self.now = None;
            }
        }
        Ok(())
    }

    /// Finds the component of this name, by position in `sections.components`. Returns an error if
    /// the file defines it twice.
    fn find(&self, name: &str) -> Result<usize, String> {
        let component = camel_case(name);
        let at = match Reading::new(self.prefabs, Names::open()).find(&component) {
            Ok(FoundName::Component(at)) => at,
            Ok(FoundName::Aspect(_)) => return Err(format!("`{component}` is an aspect, not a component")),
            Err(_) => {
                let names = &self.prefabs.sections.component_names;
                let meant = meant(&component, names);
                let world = W::NAME;
                return Err(format!("type `{name}`: world `{world}` has no component `{component}`{meant}"));
            }
        };
        match self.read.iter().find(|definition| definition.at == at) {
            Some(first) if first.name == name => Err(format!("type `{name}` is defined twice")),
            Some(first) => {
                Err(format!("component `{component}` is defined twice: as `{}` and as `{name}`", first.name))
            }
            None => Ok(at),
        }
    }
}

/// `hit_points`, `hit-points` → `HitPoints`: the name that `components_from!` gives the type.
fn camel_case(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    for word in name.split(['_', '-']) {
        let mut letters = word.chars();
        camel.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        camel.push_str(letters.as_str());
    }
    camel
}

/// Reads a component's fields. Returns the component's value in the compact form. `any` says
/// whether the definition has fields.
fn schema(entry: &SavedComponent, any: bool, form: &mut dyn ReadForm<'_>) -> Result<Vec<u8>, FormError> {
    let mut column = entry.column();
    // serde reads a unit struct from `null`, but a definition writes it as `{}`
    let mut unit = <dyn ReadForm<'_>>::of(UnitDeserializer::<FormError>::new());
    if !any && entry.read_one(None, ValuePlace::Column(&mut *column, 0), &mut unit).is_ok() {
        skip(form)?;
    } else {
        let (key, mut names) = (RefCell::default(), Names::open());
        let mut strict = Strict::new(form, &key);
        let place = ValuePlace::Column(&mut *column, 0);
        let read = named(&mut names, || entry.read_one(None, place, &mut strict));
        read.map_err(|error| {
            let (reason, key) = (error.to_string(), key.borrow());
            let of_value = reason.starts_with("invalid ") && !key.is_empty();
            FormError::custom(if of_value { format!("key `{key}`: {reason}") } else { reason })
        })?;
        if names.mentions().next().is_some() {
            return Err(FormError::custom(
                "it contains the id of an entity, but a default value cannot refer to entities",
            ));
        }
    }
    entry.bytes(&*column, &[1]).map_err(|(_, reason)| FormError::custom(reason))
}
