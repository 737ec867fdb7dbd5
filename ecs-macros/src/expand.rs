//! From a checked model to code: trait impls, constants and calls into the library's `__private`. Nothing
//! fails here.

pub(crate) mod bundle;
pub(crate) mod component;
pub(crate) mod include;
pub(crate) mod marker;
pub(crate) mod parts;
pub(crate) mod query;
pub(crate) mod saving;
pub(crate) mod system;
pub(crate) mod tuple;
pub(crate) mod world;
