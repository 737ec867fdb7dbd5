//! A platformer: run and jump to the flag. `cargo run --release --example platformer`.

use ecs::prelude::*;
use ecs::time::every_runs;
use ecs_examples::{Color, Key, Program, Screen};
use serde::{Deserialize, Serialize};

const LEVEL: [&str; 10] = [
    "                                                                         o      ",
    "                                                              o   o   ======   P",
    "                                                           =======           ===",
    "                      o                    o      o                             ",
    "                   =======       o      =======  ===  ===                       ",
    "               o                                                                ",
    "            ====           ==========                                           ",
    "      o                                        o                                ",
    "     ====         x                 o     x          o               x          ",
    "==========================   =================   ===============================",
];

/// In cells, from the upper left corner of the level.
#[derive(Component, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Cell {
    x: i32,
    y: i32,
}
/// The direction of the runner, the frames for which it still rises, and its coins.
#[derive(Component, Clone, Serialize, Deserialize)]
struct Runner {
    step: i32,
    rises: u32,
    coins: u32,
}
/// Walks to and fro, and turns at edges and walls.
#[derive(Component, Clone, Serialize, Deserialize)]
struct Walker(i32);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Coin;

#[derive(States, Clone, Serialize, Deserialize)]
enum Phase {
    #[state(to(Won, Lost))]
    Run,
    Won,
    Lost,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Level {
        components { Cell, Runner, Walker, Coin }
        resources { State<Phase> = State::new(Phase::Run) }
        events { Key(external) }
    }
    schedule tick { play if in_state::<phase::Run>; transition::<Phase> }
    schedule play { steer; run; walk if every_runs::<4>; judge }
}

fn is_solid(x: i32, y: i32) -> bool {
    let row = usize::try_from(y).ok().and_then(|y| LEVEL.get(y));
    !(0..80).contains(&x) || row.is_some_and(|row| row.as_bytes()[x as usize] == b'=')
}

#[system(Level)]
fn steer(mut keys: EventReader<Key>, mut runners: Query<(&Cell, &mut Runner)>) {
    for key in &mut keys {
        runners.for_each(|(cell, runner)| match key.0 {
            'a' => runner.step = -1,
            'd' => runner.step = 1,
            's' => runner.step = 0,
            'w' | ' ' if is_solid(cell.x, cell.y + 1) => runner.rises = 4,
            _ => {}
        });
    }
}

#[system(Level)]
fn run(cell: &mut Cell, runner: &mut Runner, mut frames: Local<u32>) {
    *frames += 1;
    if frames.is_multiple_of(2) && !is_solid(cell.x + runner.step, cell.y) {
        cell.x += runner.step;
    }
    if runner.rises > 0 && !is_solid(cell.x, cell.y - 1) {
        runner.rises -= 1;
        cell.y -= 1;
    } else if frames.is_multiple_of(3) && !is_solid(cell.x, cell.y + 1) {
        cell.y += 1;
    }
}

#[system(Level)]
fn walk(cell: &mut Cell, walker: &mut Walker) {
    let next = cell.x + walker.0;
    if is_solid(next, cell.y) || !is_solid(next, cell.y + 1) {
        walker.0 = -walker.0;
    } else {
        cell.x = next;
    }
}

#[system(Level)]
fn judge(
    cell: &Cell,
    runner: &mut Runner,
    coins: Query<(Entity, &Cell), With<Coin>>,
    walkers: Query<&Cell, With<Walker>>,
    mut phase: ResMut<State<Phase>>,
    mut commands: Commands<Level>,
) {
    for (coin, _) in coins.iter().filter(|(_, there)| *there == cell) {
        commands.despawn(coin);
        runner.coins += 1;
    }
    if cell.y > LEVEL.len() as i32 || walkers.iter().any(|walker| walker == cell) {
        phase.change::<phase::Run, phase::Lost>();
    } else if (cell.x, cell.y) == (79, 1) {
        phase.change::<phase::Run, phase::Won>();
    }
}

impl Program for Level {
    const TITLE: &'static str = "platformer";
    const KEYS: &'static str = "a d or arrows: run   s: stop   w or space: jump   n new  q quit";
    const FRAME: fn(&mut Self) = Self::tick;
    const RECORDED: &'static str = ".10d.10_.3s.15d.8_.20";

    fn start() -> Self {
        let mut level = Self::new();
        level.spawn((Cell { x: 1, y: 8 }, Runner { step: 0, rises: 0, coins: 0 }));
        for (y, row) in (0..).zip(LEVEL) {
            for (x, character) in (0..).zip(row.chars()) {
                match character {
                    'o' => _ = level.spawn((Cell { x, y }, Coin)),
                    'x' => _ = level.spawn((Cell { x, y }, Walker(-1))),
                    _ => {}
                }
            }
        }
        level
    }

    fn draw(&self, screen: &mut Screen) {
        for (y, row) in (7..).zip(LEVEL) {
            screen.text(0, y, &row.replace(['o', 'x'], " "), Color::Green);
        }
        let mut coins = 0;
        for (cell, runner, walker) in self.query::<(&Cell, Option<&Runner>, Is<Walker>)>().iter() {
            coins += runner.map_or(0, |runner| runner.coins);
            let (character, color) = match runner {
                Some(_) => ('@', Color::Cyan),
                None if *walker => ('x', Color::Red),
                None => ('o', Color::Yellow),
            };
            screen.put(cell.x, cell.y + 7, character, color);
        }
        screen.text(12, 0, &format!("coins {coins}"), Color::Grey);
        match self.resource::<State<Phase>>().get() {
            Phase::Run => {}
            Phase::Won => screen.banner("You have reached the flag."),
            Phase::Lost => screen.banner("You have lost."),
        }
    }
}

ecs_examples::main!(Level);
