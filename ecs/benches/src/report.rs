//! Shows results: on the terminal, as plots, and as pages.
//!
//! Everything here is made of [`Results`](crate::results::Results) alone, so that it can be made
//! again from the JSON.

mod balance;
mod files;
mod markdown;
mod notes;
mod page;
mod plot;
mod table;
mod words;

pub(crate) use balance::balance;
pub(crate) use files::{Folder, write_page};
pub(crate) use markdown::{Markdown, Side};
pub(crate) use notes::Notes;
pub(crate) use page::{Sources, check_losses, pages};
pub(crate) use plot::plot;
pub(crate) use table::{goals, sweep_table, table};
pub(crate) use words::count;
