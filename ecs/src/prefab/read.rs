//! Reading a prefab: each entity is a slot of columns that belong to no world, and their values become bytes.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::cell::RefCell;
use core::fmt;

use serde::de::{self, DeserializeSeed, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::strict::Strict;
use super::{Part, Prefab, PrefabError};
use crate::component::set::Words;
use crate::entity::serde::{Names, named};
use crate::save::Saved;
use crate::save::draft::Sections;
use crate::save::error::nearest;

/// What was read so far, and of whom is being read.
struct Reading<W: Saved> {
    sections: Sections<W>,
    columns: Vec<Option<Box<dyn Any>>>,
    names: Names,
    /// By number: what each entity has; nothing of one that was only named.
    sets: Vec<Option<Words>>,
    entity: Option<String>,
    component: Option<String>,
}

impl<'de, W: Saved> Deserialize<'de> for Prefab<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut reading = Reading::<W>::new(Names::open());
        deserializer.deserialize_map(Entities(&mut reading))?;
        reading.finish().map_err(de::Error::custom)
    }
}

#[cfg(feature = "json")]
impl<W: Saved> Prefab<W> {
    /// Reads a prefab in JSON; `file` is what errors call it.
    ///
    /// # Errors
    /// If something is wrong with it: with line, column, entity and component, as far as it has to do with one.
    pub fn from_json(file: &str, text: &str) -> Result<Self, PrefabError> {
        let place = |error: serde_json::Error, entity: Option<String>, component: Option<String>| {
            let (line, column) = (error.line(), error.column());
            let reason = error.to_string();
            let reason = reason.split(" at line ").next().unwrap_or_default().into();
            let (entity, component) = (entity.map(Into::into), component.map(Into::into));
            PrefabError { file: file.into(), line, column, entity, component, world: W::NAME, reason }
        };
        let Keys(names) = serde_json::from_str(text).map_err(|error| place(error, None, None))?;
        let mut reading = Reading::<W>::new(Names::of(names));
        let mut json = serde_json::Deserializer::from_str(text);
        let read = Deserializer::deserialize_map(&mut json, Entities(&mut reading)).and_then(|()| json.end());
        let (entity, component) = (reading.entity.take(), reading.component.take());
        read.map_err(|error| place(error, entity, component))?;
        reading.finish().map_err(|error| PrefabError { file: file.into(), ..error })
    }
}

impl<W: Saved> Reading<W> {
    fn new(names: Names) -> Self {
        let sections = Sections::<W>::new();
        let columns = core::iter::repeat_with(|| None).take(sections.components.len()).collect();
        Self { sections, columns, names, sets: Vec::new(), entity: None, component: None }
    }

    /// Which entry of the world has a name; an error names the one that was probably meant.
    fn find(&self, name: &str) -> Result<usize, String> {
        let mut entries = self.sections.components.iter();
        let names = &self.sections.component_names;
        let found = entries.clone().position(|entry| names[entry.index()] == name);
        match found.or_else(|| entries.position(|entry| entry.aliases().contains(&name))) {
            Some(at) if !self.sections.components[at].is_saved() => {
                Err(format!("component `{name}` is not saved, so it cannot be in a prefab"))
            }
            Some(at) => Ok(at),
            None => {
                let meant = nearest(name, names).map(|near| format!("; did you mean `{near}`?"));
                Err(format!("world `{}` has no such component{}", W::NAME, meant.unwrap_or_default()))
            }
        }
    }

    /// Reads one component of an entity.
    fn component(
        &mut self,
        number: usize,
        name: &str,
        file: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<(), String> {
        let at = self.find(name)?;
        let entry = &self.sections.components[at];
        let (word, bit) = (entry.index() / 64, entry.index() % 64);
        let set = &mut self.sets[number].get_or_insert(Words::EMPTY).0[word];
        if *set >> bit & 1 == 1 {
            return Err("it is there twice".into());
        }
        *set |= 1 << bit;
        let column = &mut **self.columns[at].get_or_insert_with(|| entry.column());
        let key = RefCell::default();
        let mut strict = <dyn erased_serde::Deserializer<'_>>::erase(Strict::new(file, &key));
        named(&mut self.names, || entry.read_one(None, column, number as u32, &mut strict))
            .map_err(|error| error.to_string())
    }

    /// The prefab, once all of the file was read.
    fn finish(self) -> Result<Prefab<W>, PrefabError> {
        let names = self.names.list();
        if let Some((number, from)) = self
            .names
            .mentions()
            .find(|(number, _)| self.sets.get(*number as usize).is_none_or(Option::is_none))
        {
            let (name, known) = (&names[number as usize], self.sets.iter().zip(names));
            let known: Vec<&str> = known.filter_map(|(set, name)| set.map(|_| name.as_str())).collect();
            let (entity, component) = from.clone();
            let (entity, component) = (entity.map(Into::into), component.map(Into::into));
            let reason = missing(name, &known);
            return Err(PrefabError { entity, component, ..PrefabError::new::<W>(reason) });
        }
        let mut parts = Vec::new();
        for (at, (entry, column)) in self.sections.components.iter().zip(&self.columns).enumerate() {
            let Some(column) = column else { continue };
            let words = entry.slots(&**column);
            let component = self.sections.component_names[entry.index()];
            let bytes = entry.bytes(&**column, &words).map_err(|(slot, reason)| PrefabError {
                entity: slot.and_then(|slot| names.get(slot)).map(|name| name.as_str().into()),
                component: Some(component.into()),
                ..PrefabError::new::<W>(reason)
            })?;
            parts.push(Part { at, words, bytes });
        }
        let sets = self.sets.iter().map(|set| set.unwrap_or(Words::EMPTY)).collect();
        Ok(Prefab { names: names.to_vec(), sets, parts, sections: Arc::new(self.sections) })
    }
}

/// That nobody has a name.
fn missing(name: &str, known: &[&str]) -> String {
    let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    format!("no entity of the prefab is named `{name}`; there are {}", known.join(", "))
}

/// The map of entities.
struct Entities<'r, W: Saved>(&'r mut Reading<W>);

impl<'de, W: Saved> Visitor<'de> for Entities<'_, W> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map from the names of entities to their components")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            let reading = &mut *self.0;
            let number = reading.names.number(&name);
            reading.entity = Some(name);
            reading.component = None;
            if reading.sets.len() <= number {
                reading.sets.resize(number + 1, None);
            }
            if reading.sets[number].replace(Words::EMPTY).is_some() {
                return Err(de::Error::custom("an entity of this name is there already"));
            }
            map.next_value_seed(Components(reading, number))?;
        }
        (self.0.entity, self.0.component) = (None, None);
        Ok(())
    }
}

/// The map of components of an entity.
struct Components<'r, W: Saved>(&'r mut Reading<W>, usize);

impl<'de, W: Saved> DeserializeSeed<'de> for Components<'_, W> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, W: Saved> Visitor<'de> for Components<'_, W> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map from the names of components to their values")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            self.0.component = Some(name.clone());
            let (entity, component) = (self.0.entity.clone(), self.0.component.clone());
            self.0.names.reading(entity, component);
            map.next_value_seed(Component(self.0, self.1, &name))?;
        }
        self.0.component = None;
        Ok(())
    }
}

/// The value of a component.
struct Component<'r, W: Saved>(&'r mut Reading<W>, usize, &'r str);

impl<'de, W: Saved> DeserializeSeed<'de> for Component<'_, W> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Self(reading, number, name) = self;
        let mut erased = <dyn erased_serde::Deserializer<'_>>::erase(deserializer);
        reading.component(number, name, &mut erased).map_err(de::Error::custom)
    }
}

/// The names of entities, before anything else is read.
#[cfg(feature = "json")]
struct Keys(Vec<String>);

#[cfg(feature = "json")]
impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Keys;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map from the names of entities to their components")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut names = Vec::new();
                while let Some((name, de::IgnoredAny)) = map.next_entry()? {
                    names.push(name);
                }
                Ok(Keys(names))
            }
        }
        deserializer.deserialize_map(Each)
    }
}
