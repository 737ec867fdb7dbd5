//! The parsers: from tokens to syntax, with the original nodes. They report mistakes of syntax
//! only. A part with a mistake is left out, and the rest is read.

mod advice;
pub(crate) mod aspect;
mod call;
pub(crate) mod component;
pub(crate) mod components_from;
pub(crate) mod derive;
pub(crate) mod event;
pub(crate) mod include;
pub(crate) mod options;
pub(crate) mod parts;
pub(crate) mod placed;
pub(crate) mod reflect;
pub(crate) mod relation;
pub(crate) mod saving;
pub(crate) mod schedule;
mod stages;
pub(crate) mod states;
pub(crate) mod step;
pub(crate) mod system;
pub(crate) mod world;
pub(crate) mod world_options;
