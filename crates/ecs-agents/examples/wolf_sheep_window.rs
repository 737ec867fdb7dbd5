//! Wolves, sheep and grass in a window, with two pictures: the model is in `models/wolf_sheep.rs`.
//!
//! `cargo run --release -p checked-ecs-agents --features window --example wolf_sheep_window` opens it,
//! and with `-- --screenshot FILE` draws it after 200 steps, without a display.

#![allow(missing_docs, unreachable_pub, elided_lifetimes_in_paths, reason = "a program")]

#[path = "models/wolf_sheep.rs"]
mod model;

use ecs::prelude::*;
use ecs_agents::prelude::*;
use model::{Kind, Meadow, Rules, Sheep, Wolf, meadow};

/// Grass, from bare ground to green.
fn grass(meadow: &Meadow) -> Picture {
    let (grass, rules) = (meadow.resource::<Layer<u32>>(), meadow.resource::<Rules>());
    let grown = |wait: &u32| 1.0 - f64::from(*wait) / f64::from(rules.regrowth.max(1));
    let colour = |wait: &u32| Rgb::between(Rgb(139, 105, 60), Rgb(90, 160, 70), grown(wait).powi(3));
    Picture::of(&grass.grid(), 11).layer(grass, colour)
}

fn animals(meadow: &Meadow) -> Picture {
    let (sheep, wolves) = (meadow.query::<(&Cell, &Sheep)>(), meadow.query::<&Wolf>());
    let sheep = sheep.iter().map(|(cell, _)| (*cell, Rgb::WHITE));
    grass(meadow).agents(sheep.chain(wolves.iter().map(|wolf| (wolf.0, Rgb::BLACK))))
}

/// The wolves of a cell: no index has them.
fn wolves_at(meadow: &Meadow, [x, y]: [f64; 2]) -> Vec<Entity> {
    let here = Cell { x: x as u32, y: y as u32 };
    let wolves = meadow.query::<(Entity, &Wolf)>();
    wolves.iter().filter(|(_, wolf)| wolf.0 == here).map(|(id, _)| id).collect()
}

fn window() -> ModelWindow<Meadow> {
    let rules =
        Rules { sheep: Kind { meal: 5, birth: 0.2 }, wolf: Kind { meal: 13, birth: 0.1 }, regrowth: 20 };
    let model = move |trial: &Trial| {
        let animals = ["sheep", "wolves"].map(|kind| trial.value(kind) as usize);
        meadow(trial.seed(), Grid::torus(50, 50), animals, rules)
    };
    let recorder = Recorder::new()
        .column("sheep", |meadow: &Meadow| meadow.query::<&Sheep>().len() as f64)
        .column("wolves", |meadow| meadow.query::<&Wolf>().len() as f64)
        .column("grass", |meadow| {
            let grass = meadow.resource::<Layer<u32>>().values();
            grass.iter().filter(|wait| **wait == 0).count() as f64
        });
    ModelWindow::new("Wolves and sheep", model, Meadow::step)
        .slider("Rules.regrowth", 1..=60)
        .slider("Rules.sheep.birth", 0.0..=0.5)
        .slider("Rules.wolf.birth", 0.0..=0.5)
        .slider("Rules.wolf.meal", 1..=40)
        .parameter("sheep", 240, 0..=1000)
        .parameter("wolves", 160, 0..=1000)
        .recorder(recorder)
        .chart(["sheep", "wolves"])
        .chart(["grass"])
        .picture("animals", animals)
        .picture("grass", grass)
        .cells::<Cell>()
        .agents(wolves_at, |meadow, agent| {
            let Wolf(cell) = meadow.get::<Wolf>(agent)?;
            Some([cell.x, cell.y].map(|at| f64::from(at) + 0.5))
        })
        .hash(Meadow::hash)
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (Some("--screenshot"), Some(file)) => screenshot(&file),
        (None, _) => window().open(),
        _ => Err(std::io::Error::other("the arguments are none, or `--screenshot FILE`")),
    }
}

/// Runs 200 steps, chooses a wolf, and draws the window.
fn screenshot(file: &str) -> std::io::Result<()> {
    let mut window = window();
    window.advance(200).map_err(std::io::Error::other)?;
    let wolf =
        window.world().and_then(|meadow| meadow.query::<Entity>().filter::<With<Wolf>>().iter().nth(40));
    wolf.into_iter().for_each(|id| window.choose(id));
    window.screenshot(std::io::BufWriter::new(std::fs::File::create(file)?))
}
