//! Tests of entities, components, bundles, storage and the verbs of a world. A module for each
//! module of the library; each test is a claim.
#![forbid(unsafe_code)]

mod alive;
mod arity;
mod batch;
mod bulk;
mod bundle;
mod chosen_ids;
mod clone_entity;
mod clone_tree;
mod component;
mod components_from;
mod disabled;
mod entity;
mod entity_ref;
mod entity_with;
mod exchange;
mod excludes;
mod generic;
mod group;
mod group_elsewhere;
mod hook;
mod hygiene;
mod immutable;
mod index;
mod marked_ids;
mod packed;
mod packed_verbs;
mod regroup;
mod requires;
mod shrink;
mod spawn_columns;
mod spawn_site;
mod stats;
mod storage;
mod unique;
mod values;
mod view;
mod wide;
mod world;
mod world_alias;
mod worlds;
