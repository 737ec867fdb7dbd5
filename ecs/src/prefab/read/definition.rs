//! Reading definitions in two passes over the file: first the names of the components, then their values.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;

use serde::de::value::UnitDeserializer;
use serde::de::{self, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::super::definitions::{Definition, Definitions};
use super::super::strict::Strict;
use super::super::{PrefabError, Prefabs};
use super::{FoundName, Reading};
use crate::base::nearest::nearest;
use crate::entity::saved::ids::{Names, named};
use crate::persist::erased::ReadForm;
use crate::persist::memory;
use crate::save::entry::{SavedType as _, ValuePlace};
use crate::world::World;

impl<W: World> Definitions<W> {
    /// Reads the definitions of a JSON file: one definition, or a list. `file` is the name of the file in errors. If two files define
    /// the same component, the file that is read later wins.
    ///
    /// # Errors
    /// If the file is not JSON, or a definition in it does not fit its component. The error names line and column, and the component
    /// and key where there are any. Then no definition of the file is added.
    pub fn read_json(&mut self, file: &str, text: &str) -> Result<(), PrefabError> {
        memory::limited(self.prefabs.memory, text.len(), || self.read(file, text))
    }

    fn read(&mut self, file: &str, text: &str) -> Result<(), PrefabError> {
        let heads = serde_json::from_str(text).map_err(|error| wrong::<W>(file, None, &error))?;
        let DefinitionHeads(heads) = heads;
        let mut reading =
            DefinitionsReading { prefabs: &self.prefabs, file, heads, read: Vec::new(), now: None };
        let mut json = serde_json::Deserializer::from_str(text);
        let done = json.deserialize_any(&mut reading).and_then(|()| json.end());
        done.map_err(|error| wrong::<W>(file, reading.now.take(), &error))?;
        let read = reading.read;
        for definition in read {
            self.put(definition);
        }
        Ok(())
    }
}

/// Makes the error of a file, with line and column.
fn wrong<W: World>(file: &str, component: Option<String>, error: &serde_json::Error) -> PrefabError {
    let reason = error.to_string();
    let (line, column) = (error.line(), error.column().max(error.line().min(1)));
    let split = reason.rsplit_once(" at line ").filter(|_| line > 0);
    let reason = split.map_or(&*reason, |(reason, _)| reason);
    let component = component.map(Into::into);
    PrefabError { file: file.into(), line, column, component, ..PrefabError::new::<W>(reason) }
}

const EXPECTED: &str = "a definition, `{\"type\": \"meta\", \"schema\": {..}}`, or a list of them";

/// The name of each definition, and whether it has fields. Read in the first pass.
struct DefinitionHeads(Vec<(String, bool)>);

impl<'de> Deserialize<'de> for DefinitionHeads {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(HeadsVisitor)
    }
}

struct HeadsVisitor;

impl<'de> Visitor<'de> for HeadsVisitor {
    type Value = DefinitionHeads;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EXPECTED)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<DefinitionHeads, A::Error> {
        Ok(DefinitionHeads(Vec::from([head(map)?])))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<DefinitionHeads, A::Error> {
        let mut heads = Vec::new();
        while let Some(DefinitionHead(head)) = seq.next_element()? {
            heads.push(head);
        }
        Ok(DefinitionHeads(heads))
    }
}

struct DefinitionHead((String, bool));

impl<'de> Deserialize<'de> for DefinitionHead {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct One;
        impl<'de> Visitor<'de> for One {
            type Value = DefinitionHead;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a definition, `{\"type\": \"meta\", \"schema\": {..}}`")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<DefinitionHead, A::Error> {
                head(map).map(DefinitionHead)
            }
        }
        deserializer.deserialize_map(One)
    }
}

fn head<'de, A: MapAccess<'de>>(mut map: A) -> Result<(String, bool), A::Error> {
    let (mut name, mut fields) = (None, None);
    while let Some(key) = map.next_key::<String>()? {
        let again = match key.as_str() {
            "type" => name.replace(map.next_value::<String>()?).is_some(),
            "schema" => fields.replace(map.next_value::<HasFields>()?).is_some(),
            _ => {
                let of = name.map(|name| format!(" in the definition of `{name}`")).unwrap_or_default();
                let reason = format!("key `{key}` means nothing{of}: the keys are `type` and `schema`");
                return Err(de::Error::custom(reason));
            }
        };
        if again {
            return Err(de::Error::custom(format!("key `{key}` of a definition occurs twice")));
        }
    }
    let Some(name) = name else {
        return Err(de::Error::custom("this definition has no key `type`, which names the component"));
    };
    let Some(HasFields(any)) = fields else {
        let reason =
            format!("the definition of `{name}` has no key `schema`, which has the fields and their values");
        return Err(de::Error::custom(reason));
    };
    Ok((name, any))
}

/// Whether the key `schema` of a definition has fields.
struct HasFields(bool);

impl<'de> Deserialize<'de> for HasFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = HasFields;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the fields of the component and their values")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<HasFields, A::Error> {
                let mut any = false;
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
                    any = true;
                }
                Ok(HasFields(any))
            }
        }
        deserializer.deserialize_map(Any)
    }
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

impl<'de, W: World> Visitor<'de> for &mut DefinitionsReading<'_, W> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EXPECTED)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        self.one(map)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(OneDefinition(self))?.is_some() {}
        Ok(())
    }
}

struct OneDefinition<'r, 'p, W: World>(&'r mut DefinitionsReading<'p, W>);

impl<'de, W: World> DeserializeSeed<'de> for OneDefinition<'_, '_, W> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, W: World> Visitor<'de> for OneDefinition<'_, '_, W> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EXPECTED)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        self.0.one(map)
    }
}

impl<W: World> DefinitionsReading<'_, W> {
    fn one<'de, A: MapAccess<'de>>(&mut self, mut map: A) -> Result<(), A::Error> {
        let (name, any) = self.heads.get(self.read.len()).cloned().unwrap_or_default();
        let mut at = None;
        while let Some(key) = map.next_key::<String>()? {
            if key == "type" {
                map.next_value::<IgnoredAny>()?;
            }
            let at = match at {
                Some(at) => at,
                None => *at.insert(self.find(&name).map_err(de::Error::custom)?),
            };
            if key != "type" {
                let sections = &self.prefabs.sections;
                self.now = Some(sections.component_names[sections.components[at].index()].into());
                let bytes = map.next_value_seed(DefinitionSchema { prefabs: self.prefabs, at, any })?;
                self.now = None;
                self.read.push(Definition { name: name.clone(), at, bytes, file: self.file.into() });
            }
        }
        Ok(())
    }

    /// Finds the component of this name, by position in `sections.components`. Returns an error if the file defines it twice.
    fn find(&self, name: &str) -> Result<usize, String> {
        let component = camel_case(name);
        let at = match Reading::new(self.prefabs, Names::open()).find(&component) {
            Ok(FoundName::Component(at)) => at,
            Ok(FoundName::Aspect(_)) => return Err(format!("`{component}` is an aspect, not a component")),
            Err(_) => {
                let names = &self.prefabs.sections.component_names;
                let meant = nearest(&component, names);
                let meant = meant.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                return Err(format!(
                    "type `{name}`: world `{}` has no component `{component}`{meant}",
                    W::NAME
                ));
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

/// The seed of a component's fields. Its output is the component's value in the compact form.
struct DefinitionSchema<'p, W: World> {
    prefabs: &'p Prefabs<W>,
    /// The position of the component in `sections.components`.
    at: usize,
    /// Whether the definition has fields.
    any: bool,
}

impl<'de, W: World> DeserializeSeed<'de> for DefinitionSchema<'_, W> {
    type Value = Vec<u8>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<u8>, D::Error> {
        let entry = &self.prefabs.sections.components[self.at];
        let mut column = entry.column();
        // serde reads a unit struct from `null`, but a definition writes it as `{}`
        let mut unit = <dyn ReadForm<'_>>::of(UnitDeserializer::<serde_json::Error>::new());
        if !self.any && entry.read_one(None, ValuePlace::Column(&mut *column, 0), &mut unit).is_ok() {
            IgnoredAny::deserialize(deserializer)?;
        } else {
            let (key, mut names) = (RefCell::default(), Names::open());
            let mut erased = <dyn ReadForm<'_>>::of(deserializer);
            let file: &mut dyn ReadForm<'_> = &mut erased;
            let mut strict = Strict::new(file, &key);
            let read =
                named(&mut names, || entry.read_one(None, ValuePlace::Column(&mut *column, 0), &mut strict));
            read.map_err(|error| {
                let (reason, key) = (error.to_string(), key.borrow());
                let of_value = reason.starts_with("invalid ") && !key.is_empty();
                de::Error::custom(if of_value { format!("key `{key}`: {reason}") } else { reason })
            })?;
            if names.mentions().next().is_some() {
                return Err(de::Error::custom(
                    "it contains the id of an entity, but a default value cannot refer to entities",
                ));
            }
        }
        entry.bytes(&*column, &[1]).map_err(|(_, reason)| de::Error::custom(reason))
    }
}
