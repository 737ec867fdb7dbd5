//! Schelling's model of segregation in a window: the model is in `models/schelling.rs`, its window
//! is `window`.
//!
//! `cargo run --release -p checked-ecs-agents --features window --example schelling_window` opens it,
//! and with `-- --screenshot FILE` draws it after ten steps, without a display.

#![allow(missing_docs, unreachable_pub, elided_lifetimes_in_paths, reason = "a program")]

#[path = "models/schelling.rs"]
mod model;

use ecs::prelude::*;
use ecs_agents::prelude::*;
use model::{Group, Town, segregation, town};

fn picture(town: &Town) -> Picture {
    let colour = |group: &Group| if group.0 == 0 { Rgb::ORANGE } else { Rgb::BLUE };
    let agents = town.query::<(&SingleCell, &Group)>();
    let agents = agents.iter().map(|(cell, group)| (cell.0, colour(group)));
    Picture::of(town.resource::<Grid>(), 10).agents(agents)
}

fn window() -> ModelWindow<Town> {
    let model = |trial: &Trial| town(trial.seed(), Grid::torus(50, 50), trial.value("agents") as usize, 3);
    ModelWindow::new("Schelling", model, Town::step)
        .slider("Needs", 0..=8)
        .parameter("agents", 2000, 100..=2400)
        .recorder(Recorder::new().column("segregation", segregation))
        .picture("groups", picture)
        .cells::<SingleCell>()
        .hash(Town::hash)
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (Some("--screenshot"), Some(file)) => screenshot(&file),
        (None, _) => window().open(),
        _ => Err(std::io::Error::other("the arguments are none, or `--screenshot FILE`")),
    }
}

/// Runs ten steps, chooses an agent, and draws the window.
fn screenshot(file: &str) -> std::io::Result<()> {
    let mut window = window();
    window.advance(10).map_err(std::io::Error::other)?;
    let agent = window.world().and_then(|town| town.query::<Entity>().iter().nth(900));
    agent.into_iter().for_each(|agent| window.choose(agent));
    window.screenshot(std::io::BufWriter::new(std::fs::File::create(file)?))
}
