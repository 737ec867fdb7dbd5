//! [`Patch`]: an override as a prefab stores it, the overridden fields by name, with their values in the compact form.
//!
//! [`PatchFile`] is a deserializer of a patch. When a prefab is spawned, an [`Overlay`](super::overlay::Overlay) reads the patch as it read
//! the file, so that both override a value in the same way.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::slice;

use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor};

use super::methods::each_method;
use super::overlay::Overridden;
use crate::persist::compact::Fault;
use crate::persist::compact::outline::{Outline, Outlines};
use crate::persist::compact::read::{MapId, Reader};

/// An override of a value. Ids in it are numbers of entities of the prefab.
#[derive(Debug)]
pub(super) enum Patch {
    /// The whole value.
    Whole(Vec<u8>),
    /// Some fields of the value, by name.
    Fields(Vec<(&'static str, Patch)>),
}

impl Patch {
    /// Makes the patch of the parts in `overridden`, from the outline of the value after they were overridden.
    pub(super) fn of(overridden: &Overridden, value: &Outline) -> Result<Self, String> {
        Self::part(overridden, &value.bytes, &value.bytes, value.fields.as_ref())
    }

    fn part(
        overridden: &Overridden,
        all: &[u8],
        bytes: &[u8],
        fields: Option<&Outlines>,
    ) -> Result<Self, String> {
        let Overridden::Fields(overridden) = overridden else { return Ok(Self::Whole(bytes.to_vec())) };
        let patches =
            overridden.iter().map(|(name, overridden)| match fields.and_then(|fields| fields.find(name)) {
                Some(field) => Ok((
                    *name,
                    Self::part(overridden, all, &all[field.bytes.clone()], field.fields.as_ref())?,
                )),
                None => Err(format!(
                    "`Serialize` does not write field `{name}` for this value, so the file cannot override it"
                )),
            });
        patches.collect::<Result<_, _>>().map(Self::Fields)
    }

    /// Returns `true` if the patch replaces the whole value.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self, Self::Whole(_))
    }
}

/// A deserializer of a patch.
#[derive(Clone, Copy)]
pub(super) struct PatchFile<'p, 'm> {
    pub(super) patch: &'p Patch,
    /// Maps numbers of entities to ids.
    pub(super) map: MapId<'m>,
}

impl<'p, 'm> PatchFile<'p, 'm> {
    /// Returns a reader of the value, if the patch replaces it as a whole.
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

/// The map access to the fields of a patch.
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
