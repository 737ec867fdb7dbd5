//! Runs the unit tests in the modules of the dungeon game: cargo builds an example, but does not run its tests.
#![allow(dead_code, reason = "the game's `main` is not here to use everything")]

#[path = "../dungeon/aspect.rs"]
mod aspect;
#[path = "../dungeon/board.rs"]
mod board;
#[path = "../dungeon/cli.rs"]
mod cli;
#[path = "../dungeon/component/mod.rs"]
mod component;
#[path = "../dungeon/content/mod.rs"]
mod content;
#[path = "../dungeon/dice.rs"]
mod dice;
#[path = "../dungeon/draw.rs"]
mod draw;
#[path = "../dungeon/error.rs"]
mod error;
#[path = "../dungeon/event.rs"]
mod event;
#[path = "../dungeon/game.rs"]
mod game;
#[path = "../dungeon/grid.rs"]
mod grid;
#[path = "../dungeon/journal.rs"]
mod journal;
#[path = "../dungeon/key.rs"]
mod key;
#[path = "../dungeon/level.rs"]
mod level;
#[path = "../dungeon/outcome.rs"]
mod outcome;
#[path = "../dungeon/path.rs"]
mod path;
#[path = "../dungeon/point.rs"]
mod point;
#[path = "../dungeon/replay.rs"]
mod replay;
#[path = "../dungeon/save.rs"]
mod save;
#[path = "../dungeon/screen.rs"]
mod screen;
#[path = "../dungeon/system/mod.rs"]
mod system;
#[path = "../dungeon/terminal.rs"]
mod terminal;
#[path = "../dungeon/world.rs"]
mod world;
