//! From syntax to meaning: typed descriptions of what is to be generated. Building a model never fails; what
//! breaks a rule is kept in it, with the user's nodes, for `check` to find.

pub(crate) mod aspect;
pub(crate) mod bundle;
pub(crate) mod component;
pub(crate) mod components_from;
pub(crate) mod event;
pub(crate) mod marker;
pub(crate) mod meta_aspect;
pub(crate) mod parameter;
pub(crate) mod query;
pub(crate) mod relation;
pub(crate) mod schedule;
pub(crate) mod subject;
pub(crate) mod system;
pub(crate) mod world;
