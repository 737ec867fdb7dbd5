//! [`Reflect`]: types that are described by constants, and the one reader and the one writer of all
//! of them.
//!
//! A [`ValueType`] lists the fields of a type with their offsets and types, or the variants of an
//! enum with the functions that take a value apart and build one. [`ValueRef`] writes any described
//! value to any format, [`NewValue`] reads one; both are compiled once for each format. What is
//! compiled for each type is its table.

pub(crate) mod boxed;
mod compact;
pub(crate) mod description;
pub(crate) mod deserialize;
mod implementations;
pub(crate) mod layout;
mod names;
mod new_collection;
mod new_fields;
pub(crate) mod plan;
pub(crate) mod room;
pub(crate) mod scalar;
pub(crate) mod serialize;
pub(crate) mod tree;

pub use description::Reflect;
pub use description::{
    BySerde, CheckResult, Field, FieldDefault, FieldList, FieldPointers, FieldType, Style, ValueType,
    Variant, WithSerde, check_value, default_of, field_pointer, is_field, undescribed,
};
pub use deserialize::deserialize;
pub use serialize::serialize;
