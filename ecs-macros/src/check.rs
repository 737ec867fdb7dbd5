//! The rules: each function checks one rule on a model and reports every violation. The checks see
//! tokens only and exist for earlier and better messages; soundness rests on the traits and
//! constants of the library.

mod asked;
pub(crate) mod aspect;
mod body;
pub(crate) mod bundle;
pub(crate) mod component;
pub(crate) mod components_from;
pub(crate) mod marker;
pub(crate) mod meta_aspect;
mod no_system;
pub(crate) mod parts;
mod place;
pub(crate) mod query;
pub(crate) mod reflect;
pub(crate) mod relation;
pub(crate) mod schedule;
pub(crate) mod states;
mod steps;
pub(crate) mod system;
pub(crate) mod system_param;
pub(crate) mod underived;
pub(crate) mod unsaved;
pub(crate) mod world;
