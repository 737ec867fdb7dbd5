//! Serialization of ids: as text, `12v3@7`, in formats for people, otherwise as a number.
//!
//! In formats that are not for people an id is a newtype struct with a name that no other type has.
//! By this name a merge recognizes ids inside of any value and maps them while they are read.

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

use crate::base::nearest::meant;
use crate::entity::Entity;

/// The name of the newtype struct that an id is serialized as.
pub(crate) const TOKEN: &str = "$ecs::Entity";

/// The error of parsing an [`Entity`] from text that is not an id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseEntityError;

error!(ParseEntityError, |_, f| {
    f.write_str("not an id: an id is slot, generation and world, as in `12v3@7`, which `{:#}` prints")
});

/// Parses the form that `{:#}` prints, as in `12v3@7`.
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
        Ok(Self::from_parts(number(slot)?, generation))
    }
}

/// The length of the longest id as text, in bytes: `4294967295v65535@32767`.
const LENGTH: usize = 22;

impl Entity {
    /// Writes the form that `{:#}` prints into a buffer, without the code of `core::fmt`, which is
    /// slow for a text as short.
    fn text(self, buffer: &mut [u8; LENGTH]) -> &str {
        let mut rest = &mut buffer[..];
        let mut put = |byte: u8| {
            if let Some((last, before)) = core::mem::take(&mut rest).split_last_mut() {
                *last = byte;
                rest = before;
            }
        };
        let (generation, world) = (self.generation.get() & 0xffff, self.generation.get() >> 16);
        for (mark, mut number) in [(Some(b'@'), world), (Some(b'v'), generation), (None, self.slot())] {
            loop {
                put(b'0' + (number % 10) as u8);
                number /= 10;
                if number == 0 {
                    break;
                }
            }
            mark.into_iter().for_each(&mut put);
        }
        let from = rest.len();
        core::str::from_utf8(&buffer[from..]).unwrap_or_default()
    }
}

impl Serialize for Entity {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() && !is_token() {
            return serializer.serialize_str(self.text(&mut [0; LENGTH]));
        }
        serializer.serialize_newtype_struct(TOKEN, &self.to_bits())
    }
}

impl<'de> Deserialize<'de> for Entity {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() && !is_token() {
            return deserializer.deserialize_str(IdVisitor);
        }
        if deserializer.is_human_readable() {
            return deserializer.deserialize_newtype_struct(TOKEN, TokenVisitor);
        }
        deserializer.deserialize_newtype_struct(TOKEN, IdVisitor)
    }
}

/// The visitor that reads an id in a format for people whose ids are newtype structs: see
/// [`as_tokens`].
struct TokenVisitor;

impl<'de> Visitor<'de> for TokenVisitor {
    type Value = Entity;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        IdVisitor.expecting(f)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Entity, E> {
        IdVisitor.visit_str(text)
    }

    fn visit_u64<E: de::Error>(self, bits: u64) -> Result<Entity, E> {
        IdVisitor.visit_u64(bits)
    }

    /// Asks for any value, because a buffered value (`#[serde(flatten)]`, `untagged`) is text.
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Entity, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// The visitor that reads an id.
struct IdVisitor;

impl<'de> Visitor<'de> for IdVisitor {
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
        Entity::from_bits(bits).ok_or_else(|| E::custom(format!("{bits} is not an id")))
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Entity, D::Error> {
        deserializer.deserialize_u64(self)
    }
}

std::thread_local! {
    /// Whether ids are newtype structs in every format: see [`as_tokens`].
    static TOKENS: core::cell::Cell<bool> = const { core::cell::Cell::new(false) };
}

fn is_token() -> bool {
    TOKENS.get()
}

/// Calls `f`, in which ids are newtype structs with the name [`TOKEN`] in formats for people, too.
/// So an id can be told from text.
pub(crate) fn as_tokens<R>(f: impl FnOnce() -> R) -> R {
    /// Restores the previous mode on drop, even if `f` panics.
    struct Mode(bool);
    impl Drop for Mode {
        fn drop(&mut self) {
            TOKENS.set(self.0);
        }
    }
    let _mode = Mode(TOKENS.replace(true));
    f()
}

std::thread_local! {
    /// The names of a prefab's entities while this thread reads the prefab: text is then a name in
    /// place of an id.
    static NAMES: RefCell<Option<Names>> = const { RefCell::new(None) };
}

/// The names of the entities in a prefab. A name is read as an id with the name's number as slot.
#[derive(Default)]
pub(crate) struct Names {
    list: Vec<String>,
    numbers: BTreeMap<String, usize>,
    /// Whether any other name is an error.
    closed: bool,
    /// The number of each name that was read, with the entity and component that contain it.
    mentions: Vec<(u32, Mention)>,
    /// The entity and component that are being read.
    now: Mention,
}

/// The names of an entity and of a component in which another entity is named. Shared, because one
/// component may name thousands of entities.
pub(crate) type Mention = (Option<Rc<str>>, Option<Rc<str>>);

impl Names {
    /// An empty list, to which each name that is read is added.
    pub(crate) fn open() -> Self {
        Self::default()
    }

    /// A list to which no names are added: any other name is an error.
    #[cfg(feature = "json")]
    pub(crate) fn of(list: Vec<String>) -> Self {
        let mut names = Self::default();
        for name in &list {
            names.number(name);
        }
        Self { closed: true, ..names }
    }

    /// The number of a name, which is added if it is new.
    pub(crate) fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.list.push(name.into());
        self.numbers.insert(name.into(), self.list.len() - 1);
        self.list.len() - 1
    }

    /// Sets the entity and the component that are read from now on.
    pub(crate) fn reading(&mut self, entity: Option<String>, component: Option<String>) {
        self.now = (entity.map(Into::into), component.map(Into::into));
    }

    pub(crate) fn list(&self) -> &[String] {
        &self.list
    }

    pub(crate) fn mentions(&self) -> impl Iterator<Item = (u32, &Mention)> {
        self.mentions.iter().map(|(number, from)| (*number, from))
    }

    /// The id that stands for a name.
    fn find(&mut self, name: &str) -> Result<Entity, String> {
        if self.closed && !self.numbers.contains_key(name) {
            let known: Vec<&str> = self.list.iter().map(String::as_str).collect();
            return Err(format!("no entity of the file is named `{name}`{}", meant(name, &known)));
        }
        let number = self.number(name) as u32;
        self.mentions.push((number, self.now.clone()));
        Ok(Entity::from_parts(number, NonZeroU32::MIN))
    }
}

/// Calls `f`, in which ids are read as names of `names`.
pub(crate) fn named<R>(names: &mut Names, f: impl FnOnce() -> R) -> R {
    /// Returns the names to the caller's variable on drop, even if `f` panics.
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
        for bits in [0x7fff_ffff_ffff_ffff, 1 << 32, 0x0007_0003_0000_000c, 0x000a_0064_0000_0000] {
            let entity = Entity::from_bits(bits).unwrap();
            assert_eq!(format!("{entity:#}").parse(), Ok(entity));
            assert_eq!(entity.text(&mut [0; LENGTH]), format!("{entity:#}"));
        }
        for wrong in ["", "12", "12v3", "v@", "1v0@0", "1v70000@1", "1v1@32768", "-1v1@1", "1v1@1 "] {
            assert_eq!(wrong.parse::<Entity>(), Err(ParseEntityError), "{wrong}");
        }
    }
}
