//! Tests of saves, snapshots, journals and runs in the background. A module for each module of the
//! library; each test is a claim.
#![forbid(unsafe_code)]

mod background;
mod background_system;
mod diff;
mod golden;
mod journal;
mod random_format;
mod reflected;
mod reflected_edges;
mod reflected_keys;
mod reflected_random;
mod save;
mod save_file;
mod save_merge;
mod save_numbers;
mod save_readable;
mod save_requires;
mod save_rules;
mod save_some;
mod save_versions;
mod shared;
mod snapshot;
mod snapshot_read;
mod transfer;
mod try_run;
