//! Ids in files: as text, `12v3@7`, where people read, else as a number.
//!
//! An id is a newtype struct of a name that nothing else has, by which it is found in whatever holds it: a merge maps ids
//! where they are read.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;
use core::num::NonZeroU32;
use core::str::FromStr;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Entity;
use crate::save::error::nearest;

/// The name of the newtype struct.
pub(crate) const TOKEN: &str = "$ecs::Entity";

/// The text is not an id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseEntityError;

impl fmt::Display for ParseEntityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an id: one reads `12v3@7`, slot, generation and world, as `{:#}` prints it")
    }
}

impl core::error::Error for ParseEntityError {}

/// Reads what `{:#}` prints.
impl FromStr for Entity {
    type Err = ParseEntityError;

    fn from_str(text: &str) -> Result<Self, ParseEntityError> {
        let number = |text: &str| text.parse::<u32>().map_err(|_| ParseEntityError);
        let (slot, rest) = text.split_once('v').ok_or(ParseEntityError)?;
        let (generation, world) = rest.split_once('@').ok_or(ParseEntityError)?;
        let (generation, world) = (number(generation)?, number(world)?);
        if generation > 0xffff || world > 0x7fff {
            return Err(ParseEntityError);
        }
        let generation = NonZeroU32::new(world << 16 | generation).ok_or(ParseEntityError)?;
        Ok(Self::new(number(slot)?, generation))
    }
}

impl Serialize for Entity {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return serializer.collect_str(&format_args!("{self:#}"));
        }
        serializer.serialize_newtype_struct(TOKEN, &self.to_bits())
    }
}

impl<'de> Deserialize<'de> for Entity {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_str(Id);
        }
        deserializer.deserialize_newtype_struct(TOKEN, Id)
    }
}

struct Id;

impl<'de> Visitor<'de> for Id {
    type Value = Entity;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an id such as `12v3@7`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Entity, E> {
        if let Some(found) = NAMES.with_borrow_mut(|names| names.as_mut().map(|names| names.find(text))) {
            return found.map_err(E::custom);
        }
        text.parse().map_err(|error| E::custom(format!("`{text}` is {error}")))
    }

    #[inline]
    fn visit_u64<E: de::Error>(self, bits: u64) -> Result<Entity, E> {
        Entity::from_bits(bits).ok_or_else(|| E::custom(format!("{bits} is no id")))
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Entity, D::Error> {
        deserializer.deserialize_u64(self)
    }
}

std::thread_local! {
    /// What text means while a prefab is read: the name of an entity in it.
    static NAMES: RefCell<Option<Names>> = const { RefCell::new(None) };
}

/// The names of entities in a prefab. A name stands for the id with its number as slot.
#[derive(Default)]
pub(crate) struct Names {
    list: Vec<String>,
    numbers: BTreeMap<String, usize>,
    /// Whether there are no others.
    closed: bool,
    /// What was named, and by which entity and component.
    mentions: Vec<(u32, Mention)>,
    now: Mention,
}

/// An entity and a component by their names, which all that they mention share: a long name may mention thousands.
pub(crate) type Mention = (Option<Rc<str>>, Option<Rc<str>>);

impl Names {
    /// Those that will be met.
    pub(crate) fn open() -> Self {
        Self::default()
    }

    /// These and no others.
    #[cfg(feature = "json")]
    pub(crate) fn of(list: Vec<String>) -> Self {
        let mut names = Self::default();
        for name in &list {
            names.number(name);
        }
        Self { closed: true, ..names }
    }

    /// The number of a name.
    pub(crate) fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.list.push(name.into());
        self.numbers.insert(name.into(), self.list.len() - 1);
        self.list.len() - 1
    }

    /// Whose component is being read.
    pub(crate) fn reading(&mut self, entity: Option<String>, component: Option<String>) {
        self.now = (entity.map(Into::into), component.map(Into::into));
    }

    pub(crate) fn list(&self) -> &[String] {
        &self.list
    }

    pub(crate) fn mentions(&self) -> impl Iterator<Item = (u32, &Mention)> {
        self.mentions.iter().map(|(number, from)| (*number, from))
    }

    fn find(&mut self, name: &str) -> Result<Entity, String> {
        if self.closed && !self.numbers.contains_key(name) {
            let known: Vec<&str> = self.list.iter().map(String::as_str).collect();
            let meant = nearest(name, &known).map(|near| format!("; did you mean `{near}`?"));
            return Err(format!("no entity of the file is named `{name}`{}", meant.unwrap_or_default()));
        }
        let number = self.number(name) as u32;
        self.mentions.push((number, self.now.clone()));
        Ok(Entity::new(number, NonZeroU32::MIN))
    }
}

/// Lets text be names while `f` reads.
pub(crate) fn named<R>(names: &mut Names, f: impl FnOnce() -> R) -> R {
    /// Whatever happens, they are given back.
    struct Lent<'n>(&'n mut Names, Option<Names>);
    impl Drop for Lent<'_> {
        fn drop(&mut self) {
            let lent = NAMES.replace(self.1.take());
            *self.0 = lent.unwrap_or_default();
        }
    }
    let before = NAMES.replace(Some(core::mem::take(names)));
    let _lent = Lent(names, before);
    f()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_printed() {
        for bits in [0x7fff_ffff_ffff_ffff, 1 << 32, 0x0007_0003_0000_000c] {
            let entity = Entity::from_bits(bits).unwrap();
            assert_eq!(format!("{entity:#}").parse(), Ok(entity));
        }
        for wrong in ["", "12", "12v3", "v@", "1v0@0", "1v70000@1", "1v1@32768", "-1v1@1", "1v1@1 "] {
            assert_eq!(wrong.parse::<Entity>(), Err(ParseEntityError), "{wrong}");
        }
    }
}
