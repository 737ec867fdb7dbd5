//! Tests of relations, aspects, prefabs and parts. A module for each module of the library; each
//! test is a claim.
#![forbid(unsafe_code)]

mod aspect;
mod children;
mod parts;
mod parts_arguments;
mod parts_generic;
mod parts_growth;
mod parts_order;
mod parts_override;
mod prefab;
mod prefab_aspect;
mod prefab_command;
mod prefab_patch;
mod propagate;
mod relation;
mod relation_targets;
mod relation_to_self;
mod relation_tree;
