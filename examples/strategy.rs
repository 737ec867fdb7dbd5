//! Real-time strategy: soldiers find their ways around the lakes to the enemy's castle.
//! `cargo run --release --example strategy`.

use ecs::prelude::*;
use ecs::time::every_runs;
use ecs_examples::{Color, Dice, Key, Program, Screen};
use pathfinding::prelude::bfs;
use serde::{Deserialize, Serialize};

/// The lakes: the first and the last column, the first and the last row.
const LAKES: [[i32; 4]; 4] = [[14, 24, 2, 9], [20, 36, 13, 20], [42, 52, 4, 17], [59, 63, 1, 12]];
const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const PRICE: u32 = 12;

#[derive(Component, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Cell(i32, i32);
#[derive(Component, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Side {
    Player,
    Enemy,
}
#[derive(Component, Clone, Serialize, Deserialize)]
struct Health(u32);
/// The enemy next to it.
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, gone = remove)]
struct Fights(Entity);
/// The cells to a soldier's target, the next one last. A castle has no route.
#[derive(Component, Clone, Serialize, Deserialize)]
struct Route(Vec<Cell>);
/// The cell of the cursor, and the gold.
#[derive(Resource, Clone, Serialize, Deserialize)]
struct General(Cell, u32);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Battle {
        components { Cell, Side, Health, Route, Fights }
        resources { dice: Dice = Dice(3), General = General(Cell(9, 12), 40) }
        events { Key(external) }
    }
    schedule tick { command; raid if every_runs::<90>; earn if every_runs::<8>; engage; march if every_runs::<3>; fight if every_runs::<6> }
}

impl Cell {
    fn is_dry(self) -> bool {
        let Self(x, y) = self;
        let is_wet = LAKES
            .iter()
            .any(|[left, right, top, bottom]| (left..=right).contains(&&x) && (top..=bottom).contains(&&y));
        (0..80).contains(&x) && (1..23).contains(&y) && !is_wet
    }
    fn near(self, dice: &mut Dice) -> Self {
        Self(self.0 + dice.below(9) - 4, self.1 + dice.below(5) - 2)
    }
    /// The shortest route, none at all into a lake.
    fn route_to(self, target: Self) -> Route {
        let next = |cell: &Self| {
            STEPS.map(|(x, y)| Self(cell.0 + x, cell.1 + y)).into_iter().filter(|cell| cell.is_dry())
        };
        let mut cells = bfs(&self, next, |cell| *cell == target).unwrap_or_default();
        cells.reverse();
        Route(cells)
    }
}

#[system(Battle)]
fn command(
    mut keys: EventReader<Key>,
    mut general: ResMut<General>,
    mut dice: ResMut<Dice>,
    castles: Query<(&Cell, &Side), Without<Route>>,
    mut soldiers: Query<(&Cell, &Side, &mut Route)>,
    mut commands: Commands<Battle>,
) {
    for key in &mut keys {
        let (right, down) = key.direction().unwrap_or_default();
        let Cell(x, y) = general.0;
        general.0 = Cell((x + 2 * right).clamp(0, 79), (y + down).clamp(1, 22));
        if key.0 == 't' && general.1 >= PRICE {
            general.1 -= PRICE;
            for (home, side) in castles.iter().filter(|(_, side)| **side == Side::Player) {
                commands.spawn((home.near(&mut dice), *side, Health(6), Route(vec![])));
            }
        } else if key.0 == ' ' {
            for (cell, _, route) in soldiers.iter_mut().filter(|(_, side, _)| **side == Side::Player) {
                *route = cell.route_to(general.0.near(&mut dice));
            }
        }
    }
}

/// The enemy sends a soldier to the player's castle.
#[system(Battle)]
fn raid(castles: Query<(&Cell, &Side), Without<Route>>, mut commands: Commands<Battle>) {
    if let [(home, Side::Player), (start, side)] = castles.iter().collect::<Vec<_>>()[..] {
        commands.spawn((*start, *side, Health(4), start.route_to(*home)));
    }
}

#[system(Battle)]
fn earn(mut general: ResMut<General>) {
    general.1 += 1;
}

/// Everybody fights the first enemy that is next to it.
#[system(Battle)]
fn engage(
    entity: Entity,
    cell: &Cell,
    side: &Side,
    _: Without<Fights>,
    others: Query<(Entity, &Cell, &Side)>,
    mut commands: Commands<Battle>,
) {
    let is_enemy = |(_, there, other): &(Entity, &Cell, &Side)| {
        *other != side && (there.0 - cell.0).abs() < 2 && (there.1 - cell.1).abs() < 2
    };
    others.iter().find(is_enemy).into_iter().for_each(|(enemy, ..)| commands.relate(entity, Fights(enemy)));
}

/// Whoever fights stops on its way.
#[system(Battle)]
fn march(cell: &mut Cell, route: &mut Route, _: Without<Fights>) {
    *cell = route.0.pop().unwrap_or(*cell);
}

/// Each fighter takes one point from its enemy. The dead leave at once, and those who fought them
/// are free again.
#[system(Battle)]
fn fight(fighters: Query<&Fights>, mut bodies: Query<&mut Health>, mut commands: Commands<Battle>) {
    for enemy in fighters.iter().map(|fights| fights.0) {
        if let Some(health) = bodies.get_mut(enemy) {
            health.0 = health.0.saturating_sub(1);
            (health.0 == 0).then(|| commands.despawn_if_alive(enemy));
        }
    }
}

impl Program for Battle {
    const TITLE: &'static str = "strategy";
    const KEYS: &'static str =
        "wasd or arrows: move   space: march to +   t: train a soldier   n new  q quit";
    const FRAME: fn(&mut Self) = Self::tick;
    const RECORDED: &'static str = "ttt.60d9_.300t.20t.20t.20_.60t.90t.30d9_.120w3d13_.320t.60_.50";

    fn start() -> Self {
        let mut battle = Self::new();
        battle.spawn((Cell(4, 12), Side::Player, Health(30)));
        battle.spawn((Cell(74, 8), Side::Enemy, Health(30)));
        battle
    }

    fn draw(&self, screen: &mut Screen) {
        let cells = (1..23).flat_map(|y| (0..80).map(move |x| Cell(x, y)));
        cells.filter(|cell| !cell.is_dry()).for_each(|cell| screen.put(cell.0, cell.1, '~', Color::Blue));
        let color = |side: &Side| if *side == Side::Player { Color::Green } else { Color::Red };
        let soldiers = self.query::<(&Cell, &Side, Is<Fights>)>().filter::<With<Route>>();
        for (cell, side, fights) in soldiers.iter() {
            screen.put(cell.0, cell.1, if *fights { 'x' } else { 'o' }, color(side));
        }
        let castles = self.query::<(&Cell, &Side, &Health)>().filter::<Without<Route>>();
        for (cell, side, health) in castles.iter() {
            screen.text(cell.0 - 1, cell.1, &format!("[{:2}]", health.0), color(side));
        }
        let General(cursor, gold) = self.resource::<General>();
        screen.put(cursor.0, cursor.1, '+', Color::White);
        screen.text(10, 0, &format!("gold {gold} (a soldier: {PRICE})"), Color::Grey);
        if let [(_, side, _)] = castles.iter().collect::<Vec<_>>()[..] {
            let text = if *side == Side::Player { "the enemy is beaten" } else { "your castle has fallen" };
            screen.banner(text);
        }
    }
}

ecs_examples::main!(Battle);
