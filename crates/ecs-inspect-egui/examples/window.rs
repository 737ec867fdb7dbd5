//! A village with the inspector in a window. The program draws the pixels itself, so that it needs
//! no graphics card; with `eframe` or another home of egui, `main` is a few lines.
//!
//! ```text
//! cargo run --release -p checked-ecs-inspect-egui --example window
//! cargo run --release -p checked-ecs-inspect-egui --example window -- --entities 100000
//! cargo run --release -p checked-ecs-inspect-egui --example window -- --screenshot village.png
//! ```
//!
//! `--screenshot` draws a picture of the inspector, without a window.
#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]

#[path = "../../ecs-inspect/examples/village/world.rs"]
mod village;

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

use ecs::reflect::ReflectWorld;
use ecs_inspect_egui::ecs_inspect::Inspector;
use ecs_inspect_egui::ecs_inspect::ecs_history::{Limit, TimeMachine};
use ecs_inspect_egui::{WindowInspector, egui, native};

use crate::village::{Village, build};

/// The size of the window and of the picture, in points.
const SIZE: [u32; 2] = [1120, 700];

/// The program: a village, its history, and the inspector.
struct Program {
    village: Village,
    machine: TimeMachine<Village>,
    inspector: WindowInspector,
}

impl Program {
    fn new(entities: usize) -> Self {
        // the last minute
        let machine = TimeMachine::new(Limit::runs(3600).and_bytes(1 << 30));
        let inspector = WindowInspector::new(Inspector::new().label("Name").history(machine.clone()));
        Self { village: build(entities), machine, inspector }
    }

    /// A frame: a tick, unless the inspector has paused the village, and the inspector. Returns
    /// whether the inspector is still open.
    fn frame(&mut self, ui: &mut egui::Ui) -> bool {
        if self.inspector.pace().runs() {
            self.machine.run(&mut self.village, Village::tick);
            ui.request_repaint();
        }
        self.inspector.show(ui, &mut self.village);
        !self.inspector.inspector().is_closed()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut entities, mut screenshot) = (40, None);
    let mut arguments = std::env::args().skip(1);
    while let (Some(option), value) = (arguments.next(), arguments.next()) {
        let value = value.ok_or("an option needs a value")?;
        match &*option {
            "--entities" => entities = value.parse()?,
            "--screenshot" => screenshot = Some(value),
            _ => return Err(format!("unknown option `{option}`").into()),
        }
    }
    let mut program = Program::new(entities);
    match screenshot {
        Some(file) => draw_screenshot(&mut program, &file),
        None => Ok(native::run("village", SIZE, |ui| program.frame(ui))?),
    }
}

/// Lets the village live for a while, goes back in its history, and writes a picture.
fn draw_screenshot(program: &mut Program, file: &str) -> Result<(), Box<dyn Error>> {
    for _ in 0..200 {
        program.machine.run(&mut program.village, Village::tick);
    }
    let inspector = program.inspector.inspector_mut();
    for line in ["filter Name, Hunger, Trade, Hunger.now > 2", "goto 11v1", "watch Clock.frame", "back 40"] {
        inspector.enter(line, &mut program.village.reflect_mut());
        inspector.message()?;
    }
    let image = native::screenshot(SIZE.map(|side| side as usize), 4, |ui| {
        program.frame(ui);
    });
    Ok(native::write_png(&image, BufWriter::new(File::create(file)?))?)
}
