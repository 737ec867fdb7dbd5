//! Mechanics of games for worlds of [`ecs`]: each module has components, resources, events and
//! systems, and lists them with [`parts!`](ecs::parts).
//!
//! A world includes the parts that it needs, and its schedules include those of the parts. No
//! module registers anything or reads the time of the machine, and random numbers are those of the
//! seeded [`Dice`](sheet::Dice): the same calls give the same world. The data of the modules is
//! saved, cloned, hashed and rolled back with the world.
//!
//! - [`clocks`]: wall time, frame time and game time.
//! - [`turns`]: a clock for games in which time passes only by what the player does.
//! - [`meters`]: health, mana and stamina, or meters of your own.
//! - [`movement`]: walking, turning, bumping, falling and jumping in two dimensions.
//! - [`places`]: the components that say where an entity is.
//! - [`space`]: which entities are near a point.
//! - [`rooms`], [`sight`]: the rooms and the cells that entities are in, and what they perceive.
//! - [`inventory`], [`equipment`]: items in slots of an inventory, and of a body.
//! - [`sheet`]: attributes and skills, with modifiers and tests on dice.
//! - [`casting`]: spells with a cost, a cast time, a cooldown, a range, a target and interruptions.
//! - [`minds`]: state machines, behaviour trees and planners of goals.
//! - [`facts`]: statements that hold for an entity or do not, for planners and conversations.
//! - [`dialogue`]: conversations with choices.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as in a program of a user")]

pub mod casting;
pub mod clocks;
mod content;
pub mod dialogue;
pub mod equipment;
pub mod facts;
pub mod inventory;
pub mod meters;
pub mod minds;
pub mod movement;
mod names;
pub mod places;
pub mod rooms;
pub mod sheet;
pub mod sight;
pub mod space;
mod tagged;
pub mod turns;
mod vector;

/// The program of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
