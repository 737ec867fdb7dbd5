//! [`Schema`]: the structure of a type, found by running its `Deserialize`.
//!
//! The deserializer records the requested kinds of values and returns dummy values. Each run
//! follows one variant of each enum, so that several runs find all variants. This is the technique
//! of the crate `serde-reflection`. If a type rejects a dummy value, the parts that were not
//! reached are [`Schema::Any`].

mod describe;
mod json;
mod part;
mod trace;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Deref;

use trace::schema_of;

use super::erased::ErasedWorld;
use super::error::{NameKind, ReflectError};
use super::world::Reflection;
use crate::value::boxed::ValueBox;
use crate::value::tree::DynamicValue;

/// The structure of a type of a component, resource or event.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Schema {
    /// Unknown: the type reads any value, or rejects dummy values.
    Any,
    /// `()`, a unit struct, or a variant without content.
    Unit,
    /// A `bool`.
    Bool,
    /// An integer, by the name of its type: `u32`.
    Integer(&'static str),
    /// A floating point number, by the name of its type: `f32`.
    Float(&'static str),
    /// A `char`.
    Char,
    /// Text.
    Text,
    /// Bytes.
    Bytes,
    /// The id of an entity.
    EntityId,
    /// An option.
    Optional(Box<Schema>),
    /// A sequence.
    List(Box<Schema>),
    /// A tuple, a tuple struct or an array.
    Tuple(Vec<Schema>),
    /// A map.
    Mapping(Box<Schema>, Box<Schema>),
    /// A struct.
    Struct {
        /// The name.
        name: &'static str,
        /// The names and types of the fields.
        fields: Vec<(&'static str, Schema)>,
    },
    /// An enum.
    Enum {
        /// The name.
        name: &'static str,
        /// The names of the variants and their content.
        variants: Vec<(&'static str, Schema)>,
    },
    /// A struct or enum that contains itself: its name, at the inner place.
    Recursive(&'static str),
}

impl<'w, A: Deref<Target = dyn ErasedWorld + 'w>> Reflection<A> {
    /// The structure of a component, resource or event.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// use ecs::reflect::{NameKind, ReflectWorld, Schema};
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] struct Health { now: u32, owner: Option<Entity> }
    /// # world! { #[derive(Reflect)] struct Game { components { Health } } }
    /// let schema = Game::new().reflect().schema(NameKind::Components, "Health")?;
    /// let fields = vec![("now", Schema::Integer("u32")), ("owner", Schema::Optional(Box::new(Schema::EntityId)))];
    /// assert_eq!(schema, Schema::Struct { name: "Health", fields });
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    ///
    /// # Errors
    /// If the world has nothing of this kind and name with a value.
    ///
    /// # Cost
    /// The `Deserialize` of the type runs several times.
    pub fn schema(&self, kind: NameKind, name: &str) -> Result<Schema, ReflectError> {
        if !kind.has_values() {
            return Err(self.unknown(kind, name, &[]));
        }
        let index = self.number(kind, name)?;
        if let NameKind::Components = kind {
            return Ok(self.component_schema(index));
        }
        let facts = self.world.value_facts(kind, index);
        Ok(facts.map_or(Schema::Any, |(_, read)| schema_of(&|form| read(form).map(drop))))
    }

    /// The structure of a component.
    pub(super) fn component_schema(&self, index: usize) -> Schema {
        let of = self.world.component_facts(index).map(|facts| (facts.of)());
        of.map_or(Schema::Any, |of| schema_of(&|form| ValueBox::read(of, form).map(drop)))
    }

    /// The structure of a component, resource or event as a JSON Schema (draft 2020-12): that of
    /// [`Schema::to_json_schema`], with the [documentation](Self::docs) as `description`s, and the
    /// [default value](Self::default_of) as `default`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::{NameKind, ReflectWorld};
    /// # use serde::{Deserialize, Serialize};
    /// /// A level.
    /// #[derive(Component, Serialize, Deserialize, Default)]
    /// struct Level(u8);
    /// # world! { #[derive(Reflect)] struct Game { components { Level } } }
    /// let schema = Game::new().reflect().json_schema(NameKind::Components, "Level")?;
    /// let json = r#"{"type":"integer","minimum":0,"maximum":255,"description":"A level.","default":0}"#;
    /// assert_eq!(serde_json::to_string(&schema)?, json);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`schema`](Self::schema) and [`default_of`](Self::default_of).
    ///
    /// # Panics
    /// If the `Default` of the type panics.
    pub fn json_schema(&self, kind: NameKind, name: &str) -> Result<DynamicValue, ReflectError> {
        let mut schema = self.schema(kind, name)?.to_json_schema();
        describe::add_docs(&mut schema, self.docs(kind, name)?);
        if let Some(value) = self.default_of(kind, name)? {
            describe::add_default(&mut schema, value);
        }
        Ok(schema)
    }
}
