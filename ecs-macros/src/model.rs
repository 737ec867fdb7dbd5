//! The models: typed descriptions of the items to generate. Building a model never fails. A model
//! keeps syntax that breaks a rule, with the user's nodes, and `check` reports it.

pub(crate) mod aspect;
pub(crate) mod bundle;
pub(crate) mod component;
pub(crate) mod components_from;
mod docs;
pub(crate) mod event;
pub(crate) mod field_struct;
pub(crate) mod marker;
pub(crate) mod meta_aspect;
pub(crate) mod numbers;
pub(crate) mod parameter;
mod query;
pub(crate) mod reflect;
pub(crate) mod relation;
pub(crate) mod schedule;
pub(crate) mod states;
pub(crate) mod subject;
pub(crate) mod system;
pub(crate) mod world;
