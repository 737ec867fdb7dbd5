//! The progress bar, and pictures of a state.

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::time::Instant;

use ecs::prelude::*;

use crate::model::{City, Health, Position};
use crate::rules::CELL;

/// A line on the standard error that shows how far the run is. Nothing if that is no terminal.
pub struct Progress {
    begin: Instant,
    shown: bool,
    last: Instant,
}

impl Progress {
    pub fn new(wanted: bool) -> Self {
        let now = Instant::now();
        Self { begin: now, shown: wanted && io::stderr().is_terminal(), last: now }
    }

    pub fn show(&mut self, tick: u64, ticks: u64, infectious: u64) {
        if !self.shown || (self.last.elapsed().as_millis() < 100 && tick < ticks) {
            return;
        }
        self.last = Instant::now();
        let bar = "=".repeat((tick * 30 / ticks.max(1)) as usize);
        let left = self.begin.elapsed().as_secs_f64() / tick.max(1) as f64 * (ticks - tick) as f64;
        eprint!("\r[{bar:30}] tick {tick} of {ticks}, {infectious} infectious, {left:.0} s left   ");
        if tick == ticks {
            eprintln!();
        }
        let _ = io::stderr().flush();
    }
}

/// Checks that a picture can be written to this file. An existing file stays as it is.
pub fn check(path: &Path) -> Result<(), String> {
    let opened = OpenOptions::new().append(true).create(true).open(path);
    opened.map(drop).map_err(|error| format!("{}: {error}", path.display()))
}

/// The numbers of agents by health, in square fields of the city.
pub struct Picture {
    pub fields: u32,
    counts: Vec<[u32; 3]>,
}

impl Picture {
    pub fn new(fields: u32) -> Self {
        Self { fields, counts: vec![[0; 3]; (fields * fields) as usize] }
    }

    /// Counts the agents of one worker.
    pub fn count(&mut self, city: &City, side: u32) {
        let field = |at: u32| (u64::from(at) * u64::from(self.fields) / u64::from(side * CELL)) as u32;
        for (position, health) in city.query::<(&Position, &Health)>() {
            let at = field(position.0.y) * self.fields + field(position.0.x);
            self.counts[at as usize][health.0.index()] += 1;
        }
    }

    /// The counts as one list, to be added to those of other workers.
    pub fn numbers(&self) -> Vec<u64> {
        self.counts.iter().flatten().copied().map(u64::from).collect()
    }

    pub fn set(&mut self, numbers: &[u64]) {
        for (counts, numbers) in self.counts.iter_mut().zip(numbers.chunks(3)) {
            for (count, number) in counts.iter_mut().zip(numbers) {
                *count = *number as u32;
            }
        }
    }

    /// Prints a line for each two rows: `#` where most are infectious, `+` where some are, `.`
    /// where most have recovered.
    pub fn print(&self) {
        for row in (0..self.fields).step_by(2) {
            let field = |column: u32| {
                let at = (row * self.fields + column) as usize;
                let below = at + if row + 1 < self.fields { self.fields as usize } else { 0 };
                let [well, ill, recovered] =
                    std::array::from_fn(|of| self.counts[at][of] + self.counts[below][of]);
                match () {
                    () if ill > well.max(recovered) => '#',
                    () if ill * 10 > well + recovered => '+',
                    () if recovered > well => '.',
                    () => ' ',
                }
            };
            println!("{}", (0..self.fields).map(field).collect::<String>());
        }
    }

    /// Writes a picture with one dot for each field: green for susceptible agents, red for
    /// infectious and blue for recovered ones.
    pub fn write(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        let file = File::create(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut encoder = png::Encoder::new(BufWriter::new(file), self.fields, self.fields);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let most = self.counts.iter().map(|counts| counts.iter().sum::<u32>()).max().unwrap_or(0).max(1);
        let shade = |count: u32| (count * 255 / most) as u8;
        let dots = self
            .counts
            .iter()
            .flat_map(|&[well, ill, recovered]| [shade(ill), shade(well), shade(recovered)]);
        encoder.write_header()?.write_image_data(&dots.collect::<Vec<u8>>())?;
        Ok(())
    }
}
