//! The hash of entities: a serializer that hashes values, in which the ids of entities are replaced
//! by global ids.

use std::cell::Cell;
use std::fmt;

use ecs::query::AllowDisabled;
use ecs::{Component, Entity, Has, World};
use serde::ser::{self, Serialize};

use crate::GlobalId;
use crate::global_id::mix;

/// The name of the newtype struct as which `ecs` serializes an [`Entity`].
const ENTITY: &str = "$ecs::Entity";

/// Hashes what is serialized. `id` gives the global id for the bits of an [`Entity`].
struct ValueHasher<'w> {
    state: u64,
    id: &'w dyn Fn(u64) -> u64,
    /// Whether the next number is the bits of an entity.
    entity: bool,
}

impl ValueHasher<'_> {
    fn add(&mut self, number: u64) {
        self.state = mix(self.state.rotate_left(23) ^ number).wrapping_add(number);
    }

    fn add_bytes(&mut self, bytes: &[u8]) {
        self.add(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut number = [0; 8];
            number[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(number));
        }
    }
}

/// The hash of one component of all entities that have a [`GlobalId`]: the sum of the hashes of its
/// values.
pub(crate) fn hash_component<W: World + Has<GlobalId> + Has<T>, T: Component + Serialize>(
    world: &W,
) -> Result<u64, String> {
    let name = <W as Has<T>>::INDEX as u64;
    let id = |bits: u64| {
        let global = Entity::from_bits(bits).and_then(|entity| world.get::<GlobalId>(entity).copied());
        global.map_or(!0, |id| mix(id.0))
    };
    let mut sum = 0_u64;
    for (global, value) in world.query::<(&GlobalId, &T)>().filter::<AllowDisabled>() {
        let mut hasher = ValueHasher { state: mix(global.0 ^ mix(name)), id: &id, entity: false };
        value.serialize(&mut hasher).map_err(|error| error.to_string())?;
        sum = sum.wrapping_add(hasher.state);
    }
    Ok(sum)
}

/// Whether a value contains an [`Entity`], as far as it can be serialized.
pub(crate) fn has_entity(value: &impl Serialize) -> bool {
    let found = Cell::new(false);
    let id = |bits| {
        found.set(true);
        bits
    };
    let _ = value.serialize(&mut ValueHasher { state: 0, id: &id, entity: false });
    found.get()
}

#[derive(Debug)]
struct HashError(String);

impl fmt::Display for HashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for HashError {}

impl ser::Error for HashError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

type Done = Result<(), HashError>;

macro_rules! numbers {
    ($($method:ident $type:ty),*) => {
        $(fn $method(self, value: $type) -> Done {
            self.add(value as u64);
            Ok(())
        })*
    };
}

impl ser::Serializer for &mut ValueHasher<'_> {
    type Ok = ();
    type Error = HashError;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    numbers!(
        serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_char char
    );

    fn serialize_u64(self, value: u64) -> Done {
        let value = if std::mem::take(&mut self.entity) { (self.id)(value) } else { value };
        self.add(value);
        Ok(())
    }

    fn serialize_i128(self, value: i128) -> Done {
        self.serialize_u128(value as u128)
    }

    fn serialize_u128(self, value: u128) -> Done {
        self.add(value as u64);
        self.add((value >> 64) as u64);
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Done {
        self.add(value.to_bits().into());
        Ok(())
    }

    fn serialize_f64(self, value: f64) -> Done {
        self.add(value.to_bits());
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Done {
        self.add_bytes(value.as_bytes());
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Done {
        self.add_bytes(value);
        Ok(())
    }

    fn serialize_none(self) -> Done {
        self.add(0);
        Ok(())
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Done {
        self.add(1);
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Done {
        self.add(index.into());
        Ok(())
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Done {
        self.entity = name == ENTITY;
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Done {
        self.add(index.into());
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Self, HashError> {
        self.add(length.map_or(!0, |length| length as u64));
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, HashError> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, HashError> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, HashError> {
        self.add(index.into());
        Ok(self)
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Self, HashError> {
        self.serialize_seq(length)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, HashError> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, HashError> {
        self.add(index.into());
        Ok(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

macro_rules! compound {
    ($($name:ident $method:ident),*) => {
        $(impl ser::$name for &mut ValueHasher<'_> {
            type Ok = ();
            type Error = HashError;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Done {
                value.serialize(&mut **self)
            }

            fn end(self) -> Done {
                Ok(())
            }
        })*
    };
}
compound!(SerializeSeq serialize_element, SerializeTuple serialize_element);
compound!(SerializeTupleStruct serialize_field, SerializeTupleVariant serialize_field);

macro_rules! fields {
    ($($name:ident),*) => {
        $(impl ser::$name for &mut ValueHasher<'_> {
            type Ok = ();
            type Error = HashError;

            fn serialize_field<T: ?Sized + Serialize>(&mut self, _: &'static str, value: &T) -> Done {
                value.serialize(&mut **self)
            }

            fn end(self) -> Done {
                Ok(())
            }
        })*
    };
}
fields!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for &mut ValueHasher<'_> {
    type Ok = ();
    type Error = HashError;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Done {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Done {
        value.serialize(&mut **self)
    }

    fn end(self) -> Done {
        Ok(())
    }
}
