//! Tests of systems, schedules, commands, events, states and time. A module for each module of the
//! library; each test is a claim.
#![forbid(unsafe_code)]

mod command;
mod command_late;
mod delayed_command;
mod dynamic;
mod entity_commands;
mod error;
mod event;
mod event_bound;
mod event_late;
mod event_mutator;
mod exclusive;
mod executors;
mod failures;
mod graph;
mod init;
mod input;
mod main_thread;
mod observers;
mod panic_effects;
mod panic_report;
mod panics;
mod react;
mod resource;
mod run_named;
mod schedule;
mod states;
mod states_data;
mod system;
mod system_param;
mod time;
mod watch;
mod waves;
