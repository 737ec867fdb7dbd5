//! A turn-based dungeon crawl: the example that uses most of the library in one real program.
//!
//! ```text
//! cargo run --release -p dungeon
//! cargo run --release -p dungeon -- --watch                 # reads changed files of the content again
//! cargo run --release -p dungeon -- --keys examples/dungeon/data/victory.keys
//! cargo run --release -p dungeon -- --graph dot             # or: access, json
//! cargo run --release -p dungeon -- --pictures docs/guide/src/dungeon # as SVG
//! cargo run --release -p dungeon -- --save mine.dungeon     # and later: --load mine.dungeon
//! ```
//!
//! Where to look first:
//!
//! - `world.rs` declares all components, resources and events, and the schedule of a turn: the
//!   table of contents.
//! - `component/` and `system/` define the components and systems, by theme. `system/combat.rs` has
//!   systems of both forms.
//! - `system/minds.rs` has systems that run at the same time, `system/deaths.rs` reactions and
//!   commands.
//! - `aspect.rs` defines sets of components, and `content/` reads their values from files.
//! - `game.rs` fills a world and advances it; `screen.rs` reads it from outside; `save.rs` saves
//!   it.
//! - `draw.rs`, `terminal.rs` and `replay.rs` know nothing of the world.

mod aspect;
mod board;
mod cli;
mod component;
mod content;
mod dice;
mod draw;
mod error;
mod event;
mod game;
mod grid;
mod journal;
mod key;
mod level;
mod outcome;
mod path;
mod point;
mod replay;
mod save;
mod screen;
mod system;
mod terminal;
mod world;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_picture::WorldPicture;

use crate::cli::{Form, Options};
use crate::content::{Content, Source, Watch};
use crate::error::Error;
use crate::game::Game;
use crate::terminal::Files;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A message is one line, even if it quotes several lines of a file.
            eprintln!("dungeon: {}", error.to_string().replace(['\n', '\r'], " "));
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Error> {
    let options = Options::parse(lexopt::Parser::from_env())?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    if options.help {
        return out.write_all(cli::HELP.as_bytes()).map_err(Error::Output);
    }
    let data = options.data.unwrap_or_else(shipped);
    let watch = options.watch.then(|| Watch::new(&data));
    let content = Content::read(&data)?;
    if let Some(file) = &options.replay {
        let (mut game, report) = Game::replay(content, file)?;
        out.write_all(report.as_bytes()).and_then(|()| out.flush()).map_err(Error::Output)?;
        drop(out); // the terminal writes to standard output, too
        return if terminal::is_there() { terminal::inspect_alone(&mut game) } else { Ok(()) };
    }
    let seed = || if options.keys.is_some() { 1 } else { any_seed() };
    let mut game = match options.load.as_ref().or(options.inspect.as_ref()) {
        Some(file) => Game::load(content, file)?,
        None => Game::new(content, options.seed.unwrap_or_else(seed))?,
    };
    if let Some(folder) = options.pictures {
        return draw_pictures(&game, &folder);
    }
    if let Some(form) = options.graph {
        return print_graph(&game, form, &mut out).map_err(Error::Output);
    }
    if let Some(threads) = options.threads {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(threads.get().into());
        threads.build_global().map_err(Error::Threads)?;
        game.set_parallelism(Parallelism::Always);
    }
    if options.inspect.is_some() {
        drop(out); // the terminal writes to standard output, too
        terminal::inspect_alone(&mut game)?;
        return options.save.map_or(Ok(()), |file| game.save(&file));
    }
    match &options.keys {
        Some(file) => {
            let keys = key::read_recording(&Source::read(file)?)?;
            let told = options.load.as_ref().map_or(0, |_| game.journal().entries().len());
            replay::replay(&mut game, told, &keys, &mut out)?;
            options.save.map_or(Ok(()), |file| game.save(&file))
        }
        None => {
            drop(out); // the terminal writes to standard output, too
            let files = Files {
                record: options.record,
                at_end: options.save.is_some(),
                save: options.save.or(options.load),
            };
            terminal::play(&mut game, &files, watch)
        }
    }
}

/// Writes pictures of the game's world and aspects.
fn draw_pictures(game: &Game, folder: &Path) -> Result<(), Error> {
    let picture = WorldPicture::of(game.world()).aspect::<aspect::Hero>().aspect::<aspect::Monster>();
    let picture = picture.aspect::<aspect::Potion>().aspect::<aspect::Scroll>();
    let picture = picture.aspect::<aspect::Door>().aspect::<aspect::Stairs>();
    picture.write_into(folder).map_err(Error::Pictures)
}

/// Prints the schedules as a graph.
fn print_graph(game: &Game, form: Form, out: &mut impl Write) -> io::Result<()> {
    let graph = game.world().schedule_graph();
    match form {
        Form::Dot => write!(out, "{}", graph.to_dot())?,
        Form::Access => write!(out, "{}", graph.to_access_dot())?,
        Form::Json => writeln!(out, "{}", graph.to_json())?,
    }
    out.flush()
}

/// The folder of the game's content, independent of the working directory.
fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

/// A random seed that is short enough to be typed.
fn any_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_millis() as u64 % 100_000)
}
