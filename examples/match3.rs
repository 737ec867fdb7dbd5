//! Match three: an index finds the gem of a cell, states say whose turn it is.
//! `cargo run --release --example match3`.

use ecs::prelude::*;
use ecs::time::every_runs;
use ecs_examples::{Color, Dice, Key, Program, Screen};
use serde::{Deserialize, Serialize};

const SIZE: i32 = 8;
const GOAL: u32 = 150;

#[derive(Component, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Gem(i32);

#[derive(Component, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(index)]
struct Cell {
    x: i32,
    y: i32,
}

#[derive(States, Clone, Serialize, Deserialize)]
enum Phase {
    #[state(to(Choose, Over))]
    Settle,
    #[state(to(Settle))]
    Choose,
    Over,
}

#[derive(Resource, Clone, Serialize, Deserialize)]
struct Player {
    at: Cell,
    has_grip: bool,
    moves: u32,
    score: u32,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Board {
        components { Gem, Cell }
        resources {
            Player, Dice = Dice(7),
            State<Phase> = State::new(Phase::Settle),
        }
        events { Key(external) }
    }
    schedule tick {
        choose if in_state::<phase::Choose>;
        settle if in_state::<phase::Settle> && every_runs::<3>;
        transition::<Phase>;
    }
    schedule settle { drop_gems; refill; vanish }
}

#[system(Board)]
fn choose(
    mut keys: EventReader<Key>,
    cells: Lookup<Cell>,
    mut player: ResMut<Player>,
    mut phase: ResMut<State<Phase>>,
    mut commands: Commands<Board>,
) {
    for key in &mut keys {
        let ((x, y), from) = (key.direction().unwrap_or_default(), player.at);
        let to = Cell { x: (from.x + x).clamp(0, SIZE - 1), y: (from.y + y).clamp(0, SIZE - 1) };
        player.has_grip ^= key.0 == ' ';
        player.at = to;
        if from != to && std::mem::take(&mut player.has_grip) {
            cells.find(&from).for_each(|gem| commands.insert(gem, to));
            cells.find(&to).for_each(|gem| commands.insert(gem, from));
            player.moves -= 1;
            phase.change::<phase::Choose, phase::Settle>();
        }
    }
}

/// Every gem above an empty cell falls by one row.
#[system(Board)]
fn drop_gems(gem: Entity, cell: &Cell, cells: Lookup<Cell>, mut commands: Commands<Board>) {
    let is_empty = |y| cells.find(&Cell { x: cell.x, y }).next().is_none();
    if (cell.y + 1..SIZE).any(is_empty) {
        commands.insert(gem, Cell { x: cell.x, y: cell.y + 1 });
    }
}

#[system(Board)]
fn refill(cells: Lookup<Cell>, mut dice: ResMut<Dice>, mut commands: Commands<Board>) {
    for cell in (0..SIZE).map(|x| Cell { x, y: 0 }) {
        if cells.find(&cell).next().is_none() {
            commands.spawn((Gem(dice.below(5)), cell));
        }
    }
}

/// Removes all rows of three equal gems, and ends the phase if there is none.
#[system(Board)]
fn vanish(
    gems: Query<(Entity, &Gem, &Cell)>,
    cells: Lookup<Cell>,
    mut player: ResMut<Player>,
    mut phase: ResMut<State<Phase>>,
    mut commands: Commands<Board>,
) {
    let gem_at = |x, y| cells.find(&Cell { x, y }).next().and_then(|gem| Some(*gems.get(gem)?.1));
    let (mut count, is_full) = (0, gems.len() == (SIZE * SIZE) as usize);
    for (entity, gem, cell) in gems.iter().filter(|_| is_full) {
        let is_equal = |x, y| gem_at(cell.x + x, cell.y + y) == Some(*gem);
        let is_in_row = |(x, y)| (-2..=0).any(|first| (first..first + 3).all(|n| is_equal(n * x, n * y)));
        if is_in_row((1, 0)) || is_in_row((0, 1)) {
            commands.despawn(entity);
            count += 1;
        }
    }
    player.score += count * count;
    _ = match (count, player.moves) {
        _ if !is_full => false,
        (0, 0) => phase.change::<phase::Settle, phase::Over>(),
        (0, _) => phase.change::<phase::Settle, phase::Choose>(),
        _ => false,
    };
}

impl Program for Board {
    const TITLE: &'static str = "match3";
    const KEYS: &'static str = "wasd or arrows: move   space and a direction: exchange gems   n new  q quit";
    const FRAME: fn(&mut Self) = Self::tick;
    const FRAME_MILLIS: u64 = 40;
    const RECORDED: &'static str = include_str!("data/match3.keys");

    fn start() -> Self {
        Self::new(Player { at: Cell { x: 3, y: 3 }, has_grip: false, moves: 12, score: 0 })
    }

    fn draw(&self, screen: &mut Screen) {
        let looks = [
            ('$', Color::Red),
            ('#', Color::Green),
            ('*', Color::Yellow),
            ('O', Color::Blue),
            ('%', Color::White),
        ];
        let place = |cell: &Cell| (25 + 4 * cell.x, 4 + 2 * cell.y);
        for (gem, cell) in self.query::<(&Gem, &Cell)>().iter() {
            let ((x, y), look) = (place(cell), looks[gem.0 as usize]);
            screen.put(x, y, look.0, look.1);
        }
        let Player { at, has_grip, moves, score } = self.resource::<Player>();
        let ((x, y), ends) = (place(at), if *has_grip { ['<', '>'] } else { ['[', ']'] });
        [-1, 1].into_iter().zip(ends).for_each(|(side, end)| screen.put(x + side, y, end, Color::White));
        screen.text(10, 0, &format!("score {score} of {GOAL}   moves {moves}"), Color::Grey);
        if self.resource::<State<Phase>>().is(Phase::Over) {
            screen.banner(if *score >= GOAL { "You have won." } else { "No moves are left: you have lost." });
        }
    }
}

ecs_examples::main!(Board);
