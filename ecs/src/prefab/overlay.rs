//! [`Overlay`]: a deserializer that lays the values of a file over an existing value. Structs are overridden field by field, all other
//! values as a whole.
//!
//! The fields of the file come first, while the file's deserializer is at their position, so that an error has the right position.
//! Then come the fields of the existing value that the file does not contain.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::{fmt, iter};

use serde::de::value::MapDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};

use super::methods::each_method;
use super::strict::no_field;
use crate::persist::compact::outline::{OutlineField, Outlines};
use crate::persist::compact::read::Reader;

/// The parts of a value that a file overrides.
#[derive(Default)]
pub(super) enum Overridden {
    /// The whole value.
    #[default]
    Whole,
    /// Some fields of the value, by name.
    Fields(Vec<(&'static str, Overridden)>),
}

/// The existing value that is overridden.
#[derive(Clone, Copy)]
pub(super) struct Base<'b> {
    /// The value in the compact form.
    pub(super) bytes: &'b [u8],
    /// The fields of the value, if it is a struct.
    pub(super) fields: Option<&'b Outlines>,
}

/// A deserializer of a file, laid over an existing value.
pub(super) struct Overlay<'b, 's, D> {
    pub(super) file: D,
    pub(super) base: Base<'b>,
    /// Output: the parts that the file overrides.
    pub(super) overridden: &'s mut Overridden,
}

macro_rules! forwarded {
    ($($name:ident($($argument:ident: $ty:ty),*);)*) => {$(
        fn $name<V: Visitor<'de>>(self, $($argument: $ty,)* visitor: V) -> Result<V::Value, D::Error> {
            self.file.$name($($argument,)* visitor)
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Overlay<'de, '_, D> {
    type Error = D::Error;

    each_method!(forwarded);
    forwarded! {
        deserialize_ignored_any();
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let Self { file, base: Base { bytes, fields }, overridden } = self;
        match fields {
            Some(fields) => file.deserialize_struct(
                name,
                known,
                OverlayVisitor { visitor, bytes, fields, overridden, known },
            ),
            None => file.deserialize_struct(name, known, visitor),
        }
    }

    fn is_human_readable(&self) -> bool {
        self.file.is_human_readable()
    }
}

/// The visitor of a struct that is overridden.
struct OverlayVisitor<'b, 's, V> {
    visitor: V,
    bytes: &'b [u8],
    fields: &'b Outlines,
    overridden: &'s mut Overridden,
    known: &'static [&'static str],
}

impl<'de, V: Visitor<'de>> Visitor<'de> for OverlayVisitor<'de, '_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    /// A sequence has no field names, so it overrides all fields.
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_seq(seq)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        let Self { visitor, bytes, fields, overridden, known } = self;
        *overridden = Overridden::Fields(Vec::new());
        visitor.visit_map(OverlayMap {
            file: Some(map),
            bytes,
            fields,
            overridden,
            known,
            now: None,
            rest: 0,
        })
    }
}

/// The fields of a struct: first those of the file, then the others of the existing value.
struct OverlayMap<'b, 's, A> {
    /// The map of the file; `None` after its last entry.
    file: Option<A>,
    bytes: &'b [u8],
    fields: &'b Outlines,
    overridden: &'s mut Overridden,
    known: &'static [&'static str],
    /// The field whose value is read next.
    now: Option<&'b OutlineField>,
    /// The number of the next field of the existing value, after the file's map has ended.
    rest: usize,
}

impl<A> OverlayMap<'_, '_, A> {
    fn overridden(&mut self) -> &mut Vec<(&'static str, Overridden)> {
        if !matches!(self.overridden, Overridden::Fields(_)) {
            *self.overridden = Overridden::Fields(Vec::new());
        }
        match self.overridden {
            Overridden::Fields(overridden) => overridden,
            Overridden::Whole => unreachable!("it was set"),
        }
    }

    /// Notes that the file overrides a field. Returns an error if it is unknown or occurs twice.
    fn note(&mut self, key: &str) -> Result<(), String> {
        let found = self.fields.find(key);
        let Some(name) = found.map(|field| field.name).or_else(|| left_out(self.fields, key)) else {
            if !self.known.contains(&key) {
                return Err(no_field(key, self.known));
            }
            let names: Vec<String> =
                self.fields.list.iter().map(|field| format!("`{}`", field.name)).collect();
            return Err(format!(
                "`Serialize` does not write a field `{key}`, so the file cannot override it; it writes {}",
                names.join(", ")
            ));
        };
        if self.overridden().iter().any(|(other, _)| *other == name) {
            return Err(format!("field `{key}` occurs twice"));
        }
        self.now = found;
        self.overridden().push((name, Overridden::Whole));
        Ok(())
    }
}

/// Finds a field that `skip_serializing_if` omitted from the existing value.
fn left_out(fields: &Outlines, key: &str) -> Option<&'static str> {
    fields.left_out.iter().copied().find(|name| *name == key)
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for OverlayMap<'de, '_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.now = None;
        if let Some(file) = &mut self.file {
            if let Some(key) = file.next_key_seed(FieldNameSeed)? {
                self.note(&key).map_err(Error::custom)?;
                return seed.deserialize(key.into_deserializer()).map(Some);
            }
            self.file = None;
        }
        let fields = self.fields;
        while let Some(field) = fields.list.get(self.rest) {
            self.rest += 1;
            if !self.overridden().iter().any(|(name, _)| *name == field.name) {
                self.now = Some(field);
                return seed.deserialize(field.name.into_deserializer()).map(Some);
            }
        }
        Ok(None)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let (now, bytes) = (self.now.take(), self.bytes);
        let Some(file) = &mut self.file else {
            let fields = now.and_then(|field| field.fields.as_ref());
            if fields.is_some_and(Outlines::omits) {
                // read by name, from a map of the file without fields
                let file = MapDeserializer::<_, A::Error>::new(iter::empty::<(&str, ())>());
                let base = Base { bytes, fields };
                return seed.deserialize(Overlay { file, base, overridden: &mut Overridden::default() });
            }
            let mut reader = Reader::new(now.map_or(&[][..], |field| &bytes[field.bytes.clone()]));
            let value = seed.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
            return value.map_err(|fault| {
                let name = now.map_or("", |field| field.name);
                Error::custom(format!("field `{name}` of the value that is overridden: {fault}"))
            });
        };
        let base = Base { bytes, fields: now.and_then(|field| field.fields.as_ref()) };
        let overridden = match &mut *self.overridden {
            Overridden::Fields(overridden) => overridden.last_mut(),
            Overridden::Whole => None,
        };
        match overridden {
            Some((_, overridden)) => file.next_value_seed(OverlaySeed { seed, base, overridden }),
            None => Err(Error::custom("a value without a key")),
        }
    }
}

/// The seed of a field's value that wraps the file's deserializer in an [`Overlay`].
struct OverlaySeed<'b, 's, S> {
    seed: S,
    base: Base<'b>,
    overridden: &'s mut Overridden,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for OverlaySeed<'de, '_, S> {
    type Value = S::Value;
    fn deserialize<D: Deserializer<'de>>(self, file: D) -> Result<S::Value, D::Error> {
        let Self { seed, base, overridden } = self;
        seed.deserialize(Overlay { file, base, overridden })
    }
}

/// The seed of a field name.
pub(super) struct FieldNameSeed;

impl<'de> DeserializeSeed<'de> for FieldNameSeed {
    type Value = String;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for FieldNameSeed {
    type Value = String;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }
    fn visit_str<E: Error>(self, name: &str) -> Result<String, E> {
        Ok(name.to_string())
    }
}
