//! Stealth: steal the treasure and leave, while guards walk their rounds.
//! `cargo run --release --example stealth`.

use ecs::prelude::*;
use ecs::time::every_runs;
use ecs_examples::{Color, Key, Program, Screen};
use serde::{Deserialize, Serialize};

const HOUSE: [&str; 10] = [
    "############################################",
    "#         #              #                 #",
    "#  1      #      ####    #     ####    2   #",
    "#    ######      #  #    #     ####        #",
    "#                ####    #                 #",
    "######  ##########  ###########  ###########",
    "#                                          #",
    "#   ####    3         ####         4       #",
    "#   ####         #          #            $ #",
    "############################################",
];
/// The cell through which the thief enters and leaves.
const DOOR: Cell = Cell { x: 1, y: 1 };

#[derive(Component, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Cell {
    x: i32,
    y: i32,
}
/// The player's figure, and whether it has the treasure.
#[derive(Component, Clone, Serialize, Deserialize)]
struct Thief(bool);
/// Walks straight on, and turns right at a wall. It sees up to nine cells ahead. The heading, to
/// the right and downwards.
#[derive(Component, Clone, Serialize, Deserialize)]
struct Guard(i32, i32);
/// The thief that a guard has seen.
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, gone = remove)]
struct Hunts(Entity);
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Alarms(u32);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct House {
        components { Cell, Thief, Guard, Hunts }
        resources { Alarms = Alarms::default() }
        events { Key(external) }
    }
    schedule tick { sneak; guards if every_runs::<5>; catch }
    schedule guards { patrol; hunt; see; raise_alarm }
}

fn is_wall(x: i32, y: i32) -> bool {
    HOUSE.get(y as usize).is_none_or(|row| row.as_bytes().get(x as usize) == Some(&b'#'))
}

#[system(House)]
fn sneak(mut keys: EventReader<Key>, mut thieves: Query<(&mut Cell, &mut Thief)>) {
    for (x, y) in keys.iter().filter_map(|key| key.direction()) {
        thieves.for_each(|(cell, thief)| {
            if !is_wall(cell.x + x, cell.y + y) {
                *cell = Cell { x: cell.x + x, y: cell.y + y };
            }
            thief.0 |= HOUSE[cell.y as usize].as_bytes()[cell.x as usize] == b'$';
        });
    }
}

#[system(House)]
fn patrol(cell: &mut Cell, guard: &mut Guard, _: Without<Hunts>) {
    let Guard(x, y) = *guard;
    if is_wall(cell.x + x, cell.y + y) {
        *guard = Guard(-y, x);
    } else {
        *cell = Cell { x: cell.x + x, y: cell.y + y };
    }
}

#[system(House)]
fn hunt(cell: &mut Cell, guard: &mut Guard, hunts: &Hunts, thieves: Query<&Cell, Without<Guard>>) {
    let Some(prey) = thieves.get(hunts.0) else { return };
    let (x, y) = (prey.x - cell.x, prey.y - cell.y);
    let mut steps = [(x.signum(), 0), (0, y.signum())];
    steps.rotate_left(usize::from(x.abs() < y.abs()));
    let is_free = |&(x, y): &(i32, i32)| (x, y) != (0, 0) && !is_wall(cell.x + x, cell.y + y);
    if let Some((x, y)) = steps.into_iter().find(is_free) {
        *cell = Cell { x: cell.x + x, y: cell.y + y };
        *guard = Guard(x, y);
    }
}

/// The cells that a guard sees, up to the next wall.
fn sight(cell: &Cell, guard: &Guard) -> impl Iterator<Item = Cell> + use<> {
    let (Cell { x, y }, Guard(right, down)) = (*cell, guard.clone());
    let ahead = (1..10).map(move |n| Cell { x: x + n * right, y: y + n * down });
    ahead.take_while(|cell| !is_wall(cell.x, cell.y))
}

/// A guard loses the thief if it is out of sight in both directions.
#[system(House)]
fn see(
    entity: Entity,
    cell: &Cell,
    guard: &Guard,
    thieves: Query<(Entity, &Cell), With<Thief>>,
    mut commands: Commands<House>,
) {
    for (thief, there) in &thieves {
        let distance = (there.x - cell.x).abs() + (there.y - cell.y).abs();
        if sight(cell, guard).any(|seen| seen == *there) {
            commands.relate(entity, Hunts(thief));
        } else if distance > 6 {
            commands.unrelate::<Hunts>(entity, thief);
        }
    }
}

/// Counts each guard that begins to hunt.
#[system(House)]
fn raise_alarm(hunters: Entered<With<Hunts>>, mut alarms: ResMut<Alarms>) {
    alarms.0 += hunters.iter().count() as u32;
}

#[system(House)]
fn catch(
    thieves: Query<(Entity, &Cell), With<Thief>>,
    guards: Query<&Cell, With<Guard>>,
    mut commands: Commands<House>,
) {
    for (thief, _) in thieves.iter().filter(|(_, cell)| guards.iter().any(|guard| guard == *cell)) {
        commands.despawn(thief);
    }
}

impl Program for House {
    const TITLE: &'static str = "stealth";
    const KEYS: &'static str = "wasd or arrows: sneak to $ and back to the door >   n new  q quit";
    const FRAME: fn(&mut Self) = Self::tick;
    const RECORDED: &'static str = "s4d6.30s3.8d8.20";

    fn start() -> Self {
        let mut house = Self::new();
        house.spawn((DOOR, Thief(false)));
        for (y, row) in (0..).zip(HOUSE) {
            for (x, _) in (0..).zip(row.chars()).filter(|(_, character)| character.is_ascii_digit()) {
                house.spawn((Cell { x, y }, Guard(1, 0)));
            }
        }
        house
    }

    fn draw(&self, screen: &mut Screen) {
        for (y, row) in (5..).zip(HOUSE) {
            let row = row.replace(|character: char| character.is_ascii_digit(), " ");
            screen.text(18, y, &row, Color::DarkGrey);
        }
        let mut put = |cell: &Cell, character, color| screen.put(cell.x + 18, cell.y + 5, character, color);
        put(&DOOR, '>', Color::Green);
        for (cell, guard, is_hunting) in self.query::<(&Cell, &Guard, Is<Hunts>)>().iter() {
            sight(cell, guard).for_each(|cell| put(&cell, '.', Color::Yellow));
            put(cell, if *is_hunting { '!' } else { 'G' }, Color::Red);
        }
        let mut news = "The guards have caught you.";
        for (cell, thief) in self.query::<(&Cell, &Thief)>().iter() {
            put(cell, '@', Color::Cyan);
            news = if thief.0 { "you have the treasure" } else { "you look for the treasure" };
            if thief.0 && *cell == DOOR {
                news = "You have escaped with the treasure.";
            }
        }
        screen.text(10, 0, &format!("alarms {}   {news}", self.resource::<Alarms>().0), Color::Grey);
    }
}

ecs_examples::main!(House);
