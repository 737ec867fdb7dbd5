//! Schelling's model of segregation on a torus of 100 times 100 cells with 8,000 agents.
//!
//! `cargo run --release -p checked-ecs-agents --features plot --example schelling` prints how the
//! need for alike neighbours changes the town. It writes `schelling.csv`, and with the feature
//! `plot` the curve of one run, `schelling.svg`, into the folder for temporary files.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as in a program of a user")]

use ecs::prelude::*;
use ecs::system::HookState;
use ecs_agents::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, Copy, PartialEq)]
enum Group {
    Red,
    Blue,
}

/// The number of neighbours of its own group that an agent needs to be happy.
#[derive(Resource, Serialize, Deserialize)]
struct Needs(usize);

world! {
    #[derive(Serialize, Deserialize)]
    struct Town {
        include ecs_agents::random::random;
        components { SingleCell, Group }
        resources { Grid, Needs }
    }
    schedule step { include ecs_agents::random::next_step; settle }
}

/// Each agent in turn, in random order: who is not happy moves to an empty cell.
#[system(Town)]
fn settle(
    mut cells: Storage<SingleCell>,
    groups: Query<(Entity, &Group)>,
    (grid, needs): (Res<Grid>, Res<Needs>),
    mut random: ResMut<Random>,
) {
    for (agent, group) in random.shuffled(groups.iter()) {
        let Some(&SingleCell(here)) = cells.get(agent) else { continue };
        let agents = cells.hook_state();
        let neighbours = grid.moore(here, 1).filter_map(|cell| agents.one(cell));
        let alike = neighbours.filter_map(|other| groups.get(other)).filter(|(_, other)| *other == group);
        if alike.count() < needs.0
            && let Some(empty) = grid.random_empty(&agents, &mut *random)
        {
            cells.insert(agent, SingleCell(empty)).expect("the cell is empty");
        }
    }
}

/// The part of all neighbours that are of the same group.
fn segregation(town: &Town) -> f64 {
    let (cells, grid) = (HookState::<SingleCell>::of(town), town.resource::<Grid>());
    let (mut alike, mut all) = (0, 0);
    for (cell, group) in &town.query::<(&SingleCell, &Group)>() {
        let neighbours = grid.moore(cell.0, 1).filter_map(|cell| cells.one(cell));
        for other in neighbours.filter_map(|other| town.get::<Group>(other)) {
            alike += u32::from(other == group);
            all += 1;
        }
    }
    f64::from(alike) / f64::from(all)
}

/// A town of 8,000 agents, and what is measured in 20 steps.
fn record(trial: &Trial) -> (Town, Table) {
    let (grid, mut random) = (Grid::torus(100, 100), Random::new(trial.seed()));
    let homes = random.shuffled(grid.cells());
    let mut town = Town::new(random, grid, Needs(trial.value("needs") as usize));
    town.spawn_batch(homes[..8000].iter().enumerate().map(|(i, &home)| {
        let group = if i % 2 == 0 { Group::Red } else { Group::Blue };
        (SingleCell(home), group)
    }));
    let mut recorder = Recorder::new().column("segregation", segregation);
    run(&mut town, Town::step, 20, &mut recorder);
    (town, recorder.into_table())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::temp_dir().join("schelling.csv");
    let threads = std::thread::available_parallelism()?.get();
    let sweep = Sweep::new(1).vary("needs", [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]).replicates(8);
    let results = sweep.run_into(&path, threads, |trial| {
        let (town, table) = record(trial);
        Outcome::new(town.hash()).with("segregation", table.column("segregation").unwrap()[20])
    })?;
    println!("alike neighbours that are needed, and the part that are alike after 20 steps:");
    for mean in results.means("segregation") {
        println!("{:>3}  {:.3} ± {:.3}", mean.values[0].1, mean.mean, mean.error);
    }
    println!("all runs: {}", path.display());

    #[cfg(feature = "plot")]
    {
        let (_, table) = record(&sweep.trials()[24]);
        let path = path.with_extension("svg");
        std::fs::write(&path, table.plot(&["segregation"])?)?;
        println!("a run: {}", path.display());
    }
    Ok(())
}
