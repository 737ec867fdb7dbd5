//! An override as a prefab keeps it: the fields that a file spoke of, by name, with their values in the compact form.
//!
//! It reads like a file, so that a fresh value is overridden as the one was that was looked at when the file was read.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::slice;

use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor};

use super::methods::each_method;
use super::overlay::Said;
use crate::save::compact::Fault;
use crate::save::compact::outline::{Outline, Outlines};
use crate::save::compact::read::{MapId, Reader};

/// What is said instead of a value. Ids are numbers of entities.
#[derive(Debug)]
pub(super) enum Patch {
    /// All of it.
    Whole(Vec<u8>),
    /// Some fields of it.
    Fields(Vec<(&'static str, Patch)>),
}

impl Patch {
    /// What was said of a value, which is in it by now.
    pub(super) fn of(said: &Said, value: &Outline) -> Result<Self, String> {
        Self::part(said, &value.bytes, &value.bytes, value.fields.as_ref())
    }

    fn part(said: &Said, all: &[u8], bytes: &[u8], fields: Option<&Outlines>) -> Result<Self, String> {
        let Said::Fields(said) = said else { return Ok(Self::Whole(bytes.to_vec())) };
        let patches = said.iter().map(|(name, said)| match fields.and_then(|fields| fields.find(name)) {
            Some(field) => {
                Ok((*name, Self::part(said, all, &all[field.bytes.clone()], field.fields.as_ref())?))
            }
            None => Err(format!(
                "`Serialize` does not write field `{name}` for this value, so the file cannot override it"
            )),
        });
        patches.collect::<Result<_, _>>().map(Self::Fields)
    }

    /// Whether nothing remains of the value that is overridden.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self, Self::Whole(_))
    }
}

/// A patch as a file.
#[derive(Clone, Copy)]
pub(super) struct PatchFile<'p, 'm> {
    pub(super) patch: &'p Patch,
    /// What becomes of ids.
    pub(super) map: MapId<'m>,
}

impl<'p, 'm> PatchFile<'p, 'm> {
    /// The value, if it is one.
    fn whole(self) -> Result<Reader<'p, 'm>, Fault> {
        match self.patch {
            Patch::Whole(bytes) => Ok(Reader::mapping(bytes, self.map)),
            Patch::Fields(_) => {
                Err(Fault::text("the value was a struct when the prefab was read, and is none now"))
            }
        }
    }
}

macro_rules! forwarded {
    ($($name:ident($($argument:ident: $ty:ty),*);)*) => {$(
        fn $name<V: Visitor<'de>>(self, $($argument: $ty,)* visitor: V) -> Result<V::Value, Fault> {
            let mut reader = self.whole()?;
            let value = Deserializer::$name(&mut reader, $($argument,)* visitor)?;
            reader.end().map(|()| value)
        }
    )*};
}

impl<'de> Deserializer<'de> for PatchFile<'de, '_> {
    type Error = Fault;

    each_method!(forwarded);
    forwarded! {
        deserialize_ignored_any();
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.patch {
            Patch::Fields(fields) => {
                visitor.visit_map(PatchMap { fields: fields.iter(), value: None, map: self.map })
            }
            Patch::Whole(_) => {
                let mut reader = self.whole()?;
                let value = Deserializer::deserialize_struct(&mut reader, name, known, visitor)?;
                reader.end().map(|()| value)
            }
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The fields of a patch.
struct PatchMap<'p, 'm> {
    fields: slice::Iter<'p, (&'static str, Patch)>,
    value: Option<&'p Patch>,
    map: MapId<'m>,
}

impl<'de> MapAccess<'de> for PatchMap<'de, '_> {
    type Error = Fault;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Fault> {
        let Some((name, patch)) = self.fields.next() else { return Ok(None) };
        self.value = Some(patch);
        seed.deserialize(name.into_deserializer()).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        let patch = self.value.take().ok_or_else(|| Fault::custom("a value without a key"))?;
        seed.deserialize(PatchFile { patch, map: self.map })
    }
}
