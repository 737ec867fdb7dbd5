//! Values and formats that are chosen at run time: a type is compiled once to be written in any format, and once to be read from any.
//!
//! [`ErasedSerialize`] is a value without its type, [`WriteForm`](write::WriteForm) a serializer and [`ReadForm`] a deserializer without theirs. A reference
//! to a `WriteForm` is the serializer that each type is compiled for, a reference to a `ReadForm` the deserializer.
//!
//! The crate `erased-serde` does the same with a table of 28 functions for the visitor of each type, which were half of the functions of a
//! game. Here a visitor has one function, which takes a [`FormEvent`](read::FormEvent).

mod error;
pub(crate) mod read;
pub(crate) mod write;

pub(crate) use error::FormError;
pub(crate) use read::{ReadForm, read_value};
pub(crate) use write::ErasedSerialize;
