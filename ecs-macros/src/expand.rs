//! From a checked model to code: trait impls, constants and calls into the library's `__private`.
//! This stage reports no errors.

pub(crate) mod aspect;
pub(crate) mod bundle;
pub(crate) mod component;
pub(crate) mod components_from;
pub(crate) mod deref;
mod described;
pub(crate) mod docs;
pub(crate) mod include;
pub(crate) mod marker;
pub(crate) mod meta_aspect;
pub(crate) mod parts;
pub(crate) mod query;
pub(crate) mod reflect;
pub(crate) mod relation;
pub(crate) mod saving;
pub(crate) mod states;
pub(crate) mod system;
pub(crate) mod system_param;
pub(crate) mod tuple;
pub(crate) mod world;
