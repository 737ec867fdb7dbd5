//! A city of agents: they sleep at home, work, and meet on the square.
//! `cargo run --release --example city`.

use std::time::Duration;

use ecs::prelude::*;
use ecs::time::every_millis;
use ecs_examples::{Color, Dice, Key, Program, Screen};
use serde::{Deserialize, Serialize};

const SQUARE: Cell = Cell { x: 40, y: 12 };
const PRICE: u32 = 20;

#[derive(Component, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Cell {
    x: i32,
    y: i32,
}
#[derive(Component, Clone, Copy, PartialEq, Serialize, Deserialize)]
enum Building {
    House,
    Workshop,
}
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, gone = cascade)]
struct LivesIn(Entity);
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive)]
struct WorksAt(Entity);
#[derive(Resource, Clone, Serialize, Deserialize)]
struct Mayor {
    cursor: Cell,
    money: u32,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct City {
        components { Cell, Building, LivesIn, WorksAt }
        resources {
            clock: Clock = Clock::new(), dice: Dice = Dice(11),
            Mayor = Mayor { cursor: Cell { x: 30, y: 8 }, money: 60 },
        }
        events { Key(external) }
    }
    schedule tick { govern; look_for_work; walk if every_millis::<(), 60_000>; earn if every_millis::<(), 3_600_000> }
}

/// The hour of the day.
fn hour(clock: &Clock) -> u64 {
    clock.elapsed().as_secs() / 3600 % 24
}

#[system(City)]
fn govern(
    mut keys: EventReader<Key>,
    built: Query<&Cell, With<Building>>,
    mut mayor: ResMut<Mayor>,
    mut clock: ResMut<Clock>,
    mut commands: Commands<City>,
) {
    // a frame is half a minute in the city
    clock.advance(Duration::from_secs(30));
    for key in &mut keys {
        let (x, y) = key.direction().unwrap_or_default();
        let cell = Cell { x: (mayor.cursor.x + x).clamp(0, 79), y: (mayor.cursor.y + y).clamp(1, 22) };
        mayor.cursor = cell;
        match key.0 {
            'p' if clock.is_paused() => clock.resume(),
            'p' => clock.pause(),
            'f' if clock.scale() == (1, 1) => clock.set_scale(6, 1),
            'f' => clock.set_scale(1, 1),
            'h' | 'k' if mayor.money >= PRICE && built.iter().all(|there| *there != cell) => {
                mayor.money -= PRICE;
                let building = if key.0 == 'h' { Building::House } else { Building::Workshop };
                let home = commands.spawn((building, cell));
                let people = if building == Building::House { 3 } else { 0 };
                (0..people).for_each(|_| _ = commands.spawn((cell, LivesIn(home))));
            }
            _ => {}
        }
    }
}

/// The nearest workshop with a free place.
#[system(City)]
fn look_for_work(
    seeking: Query<(Entity, &Cell), (With<LivesIn>, Without<WorksAt>)>,
    workshops: Query<(Entity, &Cell, &Building)>,
    workers: Related<WorksAt>,
    mut commands: Commands<City>,
) {
    for (entity, here) in seeking.iter().take(1) {
        let free = workshops.iter().filter(|(workshop, _, building)| {
            **building == Building::Workshop && workers.sources(*workshop).len() < 4
        });
        let nearest = free.min_by_key(|(_, there, _)| (there.x - here.x).abs() + (there.y - here.y).abs());
        nearest.into_iter().for_each(|(workshop, ..)| commands.relate(entity, WorksAt(workshop)));
    }
}

/// From 8 to 16 to work, until 20 to the square, and then home.
#[system(City)]
fn walk(
    cell: &mut Cell,
    home: &LivesIn,
    work: Option<&WorksAt>,
    _: Without<Building>,
    buildings: Query<&Cell, With<Building>>,
    clock: Res<Clock>,
    mut dice: ResMut<Dice>,
) {
    let target = match (hour(&clock), work) {
        (8..16, Some(work)) => buildings.get(work.0).copied(),
        (8..20, _) => Some(Cell { x: SQUARE.x + dice.below(13) - 6, y: SQUARE.y + dice.below(5) - 2 }),
        _ => buildings.get(home.0).copied(),
    };
    if let Some(target) = target {
        *cell = Cell { x: cell.x + (target.x - cell.x).signum(), y: cell.y + (target.y - cell.y).signum() };
    }
}

/// Whoever is at work at a full hour earns one coin for the city.
#[system(City)]
fn earn(
    workers: Query<(&Cell, &WorksAt)>,
    workshops: Query<&Cell, With<Building>>,
    mut mayor: ResMut<Mayor>,
) {
    let at_work = workers.iter().filter(|(cell, work)| workshops.get(work.0) == Some(cell));
    mayor.money += at_work.count() as u32;
}

impl Program for City {
    const TITLE: &'static str = "city";
    const KEYS: &'static str =
        "wasd or arrows: move  h: house  k: workshop  p: pause  f: fast  n new  q quit";
    const FRAME: fn(&mut Self) = Self::tick;
    const RECORDED: &'static str = "h.9d25k.9s9h.9f.200a20s4.90h.9d9k.315";

    fn start() -> Self {
        let mut city = Self::new();
        for (x, y) in [(8, 5), (20, 18), (60, 4), (71, 19)] {
            city.spawn((Building::Workshop, Cell { x, y }));
        }
        for (x, y) in [(15, 10), (33, 4), (50, 20), (65, 11), (28, 19)] {
            let home = city.spawn((Building::House, Cell { x, y }));
            city.spawn_batch([(); 3].map(|()| (Cell { x, y }, LivesIn(home))));
        }
        city
    }

    fn draw(&self, screen: &mut Screen) {
        (34..47).for_each(|x| (10..15).for_each(|y| screen.put(x, y, '.', Color::DarkGrey)));
        let people = self.query::<&Cell>().filter::<With<LivesIn>>();
        people.iter().for_each(|cell| screen.put(cell.x, cell.y, 'i', Color::Yellow));
        for (cell, building) in self.query::<(&Cell, &Building)>().iter() {
            let house = *building == Building::House;
            let (character, color) = if house { ('H', Color::Green) } else { ('W', Color::Blue) };
            screen.put(cell.x, cell.y, character, color);
        }
        let Mayor { cursor, money } = self.resource::<Mayor>();
        screen.put(cursor.x, cursor.y, '+', Color::White);
        let (hour, people) = (hour(self.resource::<Clock>()), people.iter().count());
        let status = format!("{hour:2} o'clock   money {money} (a building: {PRICE})   {people} people");
        screen.text(10, 0, &status, Color::Grey);
    }
}

ecs_examples::main!(City);
