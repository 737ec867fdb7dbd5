//! Schelling's model of segregation on a torus of 100 times 100 cells with 8,000 agents, whose model
//! is in `models/schelling.rs`.
//!
//! `cargo run --release -p checked-ecs-agents --features plot --example schelling` prints how a town
//! separates, `-- --headless` only the end and its hash, `-- --sweep` means for how many alike
//! neighbours agents need. With the feature `plot` it writes the curve of a run, `schelling.svg`,
//! into the folder for temporary files.

#![allow(missing_docs, unreachable_pub, elided_lifetimes_in_paths, reason = "a program")]

#[path = "models/schelling.rs"]
mod model;
#[path = "models/program.rs"]
mod program;

use ecs::prelude::*;
use ecs_agents::prelude::*;
use model::{Town, segregation, town};

/// The two groups.
#[cfg(feature = "picture")]
fn picture(town: &Town) -> Picture {
    let colour = |group: &model::Group| if group.0 == 0 { Rgb::ORANGE } else { Rgb::BLUE };
    let agents = town.query::<(&SingleCell, &model::Group)>();
    let agents = agents.iter().map(|(cell, group)| (cell.0, colour(group)));
    Picture::of(town.resource::<Grid>(), 6).agents(agents)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let program = program::Program {
        model: |trial: &Trial| town(trial.seed(), Grid::torus(100, 100), 8000, trial.value("needs") as usize),
        step: Town::step,
        steps: 20,
        figures: vec![("segregation", segregation)],
        hash: Town::hash,
        sweep: Sweep::new(1).vary("needs", [3.0, 0.0, 1.0, 2.0, 4.0, 5.0]).replicates(8),
        #[cfg(feature = "picture")]
        picture: Some(picture),
    };
    program.main();

    #[cfg(feature = "plot")]
    {
        let mut recorder = Recorder::new().column("segregation", segregation);
        run(&mut (program.model)(&program.sweep.trials()[0]), Town::step, 20, &mut recorder);
        let path = std::env::temp_dir().join("schelling.svg");
        std::fs::write(&path, recorder.table().plot(&["segregation"])?)?;
        println!("a run: {}", path.display());
    }
    Ok(())
}
