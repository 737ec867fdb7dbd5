//! Falling sand: each grain is an entity. `cargo run --release --example sand`.

use ecs::prelude::*;
use ecs::time::every_runs;
use ecs_examples::{Color, Dice, Key, Program, Screen};
use serde::{Deserialize, Serialize};
const WIDTH: i32 = 80;
const HEIGHT: i32 = 22;

#[derive(Component, Clone, Copy, PartialEq, Serialize, Deserialize)]
enum Grain {
    Stone,
    Sand,
    Water,
}

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
struct Cell {
    x: i32,
    y: i32,
}

/// The player's brush. It pours while `is_open`, and without a grain it removes others.
#[derive(Resource, Clone, Serialize, Deserialize)]
struct Brush {
    at: Cell,
    grain: Option<Grain>,
    is_open: bool,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Sandbox {
        components { Grain, Cell }
        resources {
            brush: Brush = Brush { at: Cell { x: 40, y: 2 }, grain: Some(Grain::Sand), is_open: false },
            dice: Dice = Dice(1),
        }
        events { Key(external) }
    }
    schedule tick { steer; pour if every_runs::<2>; fall }
}

#[system(Sandbox)]
fn steer(mut keys: EventReader<Key>, mut brush: ResMut<Brush>) {
    for key in &mut keys {
        match key.0 {
            ' ' => brush.is_open = !brush.is_open,
            'z' => brush.grain = Some(Grain::Sand),
            'x' => brush.grain = Some(Grain::Water),
            'c' => brush.grain = Some(Grain::Stone),
            'e' => brush.grain = None,
            _ => {}
        }
        let (x, y) = key.direction().unwrap_or_default();
        brush.at.x = (brush.at.x + 2 * x).clamp(1, WIDTH - 2);
        brush.at.y = (brush.at.y + y).clamp(0, HEIGHT - 1);
    }
}

#[system(Sandbox)]
fn pour(brush: Res<Brush>, grains: Query<(Entity, &Cell)>, mut commands: Commands<Sandbox>) {
    for x in (brush.at.x - 1..=brush.at.x + 1).filter(|_| brush.is_open) {
        let there = grains.iter().find(|(_, cell)| (cell.x, cell.y) == (x, brush.at.y));
        match (there, brush.grain) {
            (None, Some(grain)) => _ = commands.spawn((grain, Cell { x, y: brush.at.y })),
            (Some((entity, _)), None) => commands.despawn(entity),
            _ => {}
        }
    }
}

/// Moves the grains, the lowest first. Sand sinks in water, and water also flows to the side.
#[system(Sandbox)]
fn fall(mut grains: Query<(Entity, &Grain, &mut Cell)>, mut dice: ResMut<Dice>) {
    let mut grid = [[None; WIDTH as usize]; HEIGHT as usize];
    for (entity, grain, cell) in &grains {
        grid[cell.y as usize][cell.x as usize] = Some((entity, *grain));
    }
    for y in (0..HEIGHT).rev() {
        for x in 0..WIDTH {
            let Some((_, grain)) = grid[y as usize][x as usize] else { continue };
            let side = dice.below(2) * 2 - 1;
            let steps = match grain {
                Grain::Stone => &[][..],
                Grain::Sand => &[(0, 1), (side, 1), (-side, 1)],
                Grain::Water => &[(0, 1), (side, 1), (-side, 1), (side, 0), (-side, 0)],
            };
            let is_free = |&(x, y): &(i32, i32)| match grid.get(y as usize).map(|row| row.get(x as usize)) {
                Some(Some(Some((_, there)))) => (grain, *there) == (Grain::Sand, Grain::Water),
                Some(Some(None)) => true,
                _ => false,
            };
            let free = steps.iter().map(|step| (x + step.0, y + step.1)).find(is_free);
            if let Some(there) = free {
                let moved = grid[y as usize][x as usize];
                let other = std::mem::replace(&mut grid[there.1 as usize][there.0 as usize], moved);
                grid[y as usize][x as usize] = other;
            }
        }
    }
    for (y, row) in (0..).zip(&grid) {
        for (x, entity) in (0..).zip(row).filter_map(|(x, grain)| Some((x, (*grain)?.0))) {
            if let Some((_, _, cell)) = grains.get_mut(entity) {
                *cell = Cell { x, y };
            }
        }
    }
}

impl Program for Sandbox {
    const TITLE: &'static str = "sand";
    const KEYS: &'static str = "wasd: move  space: pour  z sand  x water  c stone  e erase  n new  q quit";
    const FRAME: fn(&mut Self) = Self::tick;
    const RECORDED: &'static str = include_str!("data/sand.keys");

    fn start() -> Self {
        let mut sand = Self::new();
        for (left, right, y) in [(20, 36, 12), (44, 60, 12), (30, 50, 17)] {
            sand.spawn_batch((left..right).map(|x| (Grain::Stone, Cell { x, y })));
            sand.spawn_batch([left - 1, right].map(|x| (Grain::Stone, Cell { x, y: y - 1 })));
        }
        sand
    }

    fn draw(&self, screen: &mut Screen) {
        for (grain, cell) in self.query::<(&Grain, &Cell)>().iter() {
            let (character, color) = match grain {
                Grain::Stone => ('#', Color::DarkGrey),
                Grain::Sand => ('o', Color::Yellow),
                Grain::Water => ('~', Color::Blue),
            };
            screen.put(cell.x, cell.y + 1, character, color);
        }
        let brush = self.resource::<Brush>();
        screen.put(brush.at.x, brush.at.y + 1, if brush.is_open { 'V' } else { '+' }, Color::White);
        screen.text(10, 0, &format!("{} grains", self.query::<&Grain>().iter().count()), Color::Grey);
    }
}

ecs_examples::main!(Sandbox);
