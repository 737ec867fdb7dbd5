//! A game to copy and to change. The rules are in [`game`], and know nothing of the window.

pub mod game;
pub mod save;
pub mod window;
