//! A village that lives on its own, with the inspector over it.
//!
//! ```text
//! cargo run --release -p checked-ecs-inspect --example village
//! cargo run --release -p checked-ecs-inspect --example village -- --entities 1000000
//! cargo run --release -p checked-ecs-inspect --example village -- --load village.json
//! ```
//!
//! `--load` opens a saved world: a file of a known type of world needs no running program. The
//! world is saved with `--save FILE` when the inspector is closed.
#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]

mod world;

use std::error::Error;
use std::time::{Duration, Instant};

use ecs_inspect::Inspector;
use ecs_inspect::ecs_history::{Limit, TimeMachine};
use ecs_inspect::ratatui::{self, crossterm::event};

use crate::world::{Village, build};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut entities, mut load, mut save) = (40, None, None);
    let mut arguments = std::env::args().skip(1);
    while let (Some(option), value) = (arguments.next(), arguments.next()) {
        let value = value.ok_or("an option needs a value")?;
        match &*option {
            "--entities" => entities = value.parse()?,
            "--load" => load = Some(value),
            "--save" => save = Some(value),
            _ => return Err(format!("unknown option `{option}`").into()),
        }
    }
    let mut village: Village = match load {
        Some(file) => serde_json::from_str(&std::fs::read_to_string(file)?)?,
        None => build(entities),
    };

    // the last minute
    let machine = TimeMachine::new(Limit::runs(3600).and_bytes(1 << 30));
    let mut inspector = Inspector::new().label("Name").history(machine.clone());
    let mut terminal = ratatui::try_init()?;
    let result = live(&mut terminal, &mut inspector, &mut village, &machine);
    ratatui::restore();
    result?;
    if let Some(file) = save {
        std::fs::write(file, serde_json::to_string(&village)?)?;
    }
    Ok(())
}

/// The loop of the program: 60 ticks a second, unless the inspector has paused it.
fn live(
    terminal: &mut ratatui::DefaultTerminal,
    inspector: &mut Inspector,
    village: &mut Village,
    machine: &TimeMachine<Village>,
) -> std::io::Result<()> {
    while !inspector.is_closed() {
        let end = Instant::now() + Duration::from_millis(16);
        if inspector.pace().runs() {
            machine.run(village, Village::tick);
        }
        terminal.draw(|frame| inspector.draw(frame, village))?;
        while event::poll(end.saturating_duration_since(Instant::now()))? {
            inspector.handle(event::read()?, village);
        }
    }
    Ok(())
}
