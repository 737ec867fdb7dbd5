//! A twin-stick shooter: one hand moves, the other one shoots.
//! `cargo run --release --example shooter`.

use ecs::prelude::*;
use ecs::time::every_runs;
use ecs_examples::{Color, Dice, Key, Program, Screen};
use serde::{Deserialize, Serialize};

/// The monsters that come, and the score that wins.
const MONSTERS: u32 = 30;

#[derive(Component, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Cell {
    x: i32,
    y: i32,
}
/// A shot, and its step in each frame.
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
struct Shot(i32, i32);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Monster;
/// The player, and the lives that are left.
#[derive(Component, Clone, Serialize, Deserialize)]
struct Player(u32);
/// A monster's prey. If the prey is despawned, the monster loses the relation and stands still.
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, gone = remove)]
struct Hunts(Entity);

#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Score(u32);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Arena {
        components { Cell, Shot, Monster, Player, Hunts }
        resources { Score = Score::default(), dice: Dice = Dice(3) }
        events { Key(external) }
    }
    schedule tick {
        steer; fly; strike; arrive if every_runs::<12>;
        hunt if every_runs::<5>; bite;
    }
}

#[system(Arena)]
fn steer(
    mut keys: EventReader<Key>,
    mut players: Query<&mut Cell, With<Player>>,
    mut commands: Commands<Arena>,
) {
    let Ok(cell) = players.single_mut() else { return };
    for key in &mut keys {
        let (x, y) = key.direction().unwrap_or_default();
        *cell = Cell { x: (cell.x + 2 * x).clamp(1, 78), y: (cell.y + y).clamp(2, 21) };
        match key.0 {
            'i' => _ = commands.spawn((*cell, Shot(0, -1))),
            'j' => _ = commands.spawn((*cell, Shot(-2, 0))),
            'k' => _ = commands.spawn((*cell, Shot(0, 1))),
            'l' => _ = commands.spawn((*cell, Shot(2, 0))),
            _ => {}
        }
    }
}

#[system(Arena)]
fn fly(entity: Entity, cell: &mut Cell, shot: &Shot, mut commands: Commands<Arena>) {
    *cell = Cell { x: cell.x + shot.0, y: cell.y + shot.1 };
    if !(0..80).contains(&cell.x) || !(1..23).contains(&cell.y) {
        commands.despawn(entity);
    }
}

#[system(Arena)]
fn strike(
    shots: Query<(Entity, &Cell), With<Shot>>,
    monsters: Query<(Entity, &Cell), With<Monster>>,
    mut score: ResMut<Score>,
    mut commands: Commands<Arena>,
) {
    for (monster, cell) in &monsters {
        let is_hit = |at: &Cell| (at.x - cell.x).abs() <= 1 && at.y == cell.y;
        if let Some((shot, _)) = shots.iter().find(|(_, at)| is_hit(at)) {
            commands.despawn_if_alive(shot);
            commands.despawn(monster);
            score.0 += 1;
        }
    }
}

/// A monster comes from one of the four sides, until enough are killed.
#[system(Arena)]
fn arrive(
    player: Entity,
    _: With<Player>,
    monsters: Query<&Monster>,
    score: Res<Score>,
    mut dice: ResMut<Dice>,
    mut commands: Commands<Arena>,
) {
    let (x, y) = (dice.below(80), 1 + dice.below(22));
    let cells = [Cell { x, y: 1 }, Cell { x, y: 22 }, Cell { x: 0, y }, Cell { x: 79, y }];
    if score.0 + (monsters.len() as u32) < MONSTERS {
        commands.spawn((cells[dice.below(4) as usize], Monster, Hunts(player)));
    }
}

#[system(Arena)]
fn hunt(cell: &mut Cell, hunts: &Hunts, _: With<Monster>, prey: Query<&Cell, Without<Monster>>) {
    if let Some(prey) = prey.get(hunts.0) {
        cell.x += 2 * (prey.x - cell.x).signum();
        cell.y += (prey.y - cell.y).signum();
    }
}

#[system(Arena)]
fn bite(
    entity: Entity,
    cell: &Cell,
    player: &mut Player,
    monsters: Query<(Entity, &Cell), With<Monster>>,
    mut commands: Commands<Arena>,
) {
    for (monster, _) in monsters.iter().filter(|(_, at)| (at.x - cell.x).abs() <= 1 && at.y == cell.y) {
        commands.despawn(monster);
        player.0 = player.0.saturating_sub(1);
    }
    if player.0 == 0 {
        commands.despawn(entity);
    }
}

impl Program for Arena {
    const TITLE: &'static str = "shooter";
    const KEYS: &'static str =
        "wasd or arrows: move   i j k l: shoot up, left, down or right   n new  q quit";
    const FRAME: fn(&mut Self) = Self::tick;
    const RECORDED: &'static str = ".20jlikjlik.5jlikjlikjlik.9aaajlikjlik.9wwjlikjlik.5jlikjlik.4";

    fn start() -> Self {
        let mut arena = Self::new();
        arena.spawn((Cell { x: 40, y: 12 }, Player(3)));
        arena
    }

    fn draw(&self, screen: &mut Screen) {
        let mut lives = 0;
        for (cell, shot, monster, player) in
            self.query::<(&Cell, Is<Shot>, Is<Monster>, Option<&Player>)>().iter()
        {
            lives = player.map_or(lives, |player| player.0);
            let (character, color) = match (*shot, *monster, player) {
                (true, ..) => ('*', Color::Yellow),
                (_, true, _) => ('M', Color::Red),
                (.., Some(_)) => ('@', Color::Cyan),
                _ => continue,
            };
            screen.put(cell.x, cell.y, character, color);
        }
        let Score(score) = self.resource::<Score>();
        screen.text(10, 0, &format!("killed {score} of {MONSTERS}   lives {lives}"), Color::Grey);
        if lives == 0 || *score >= MONSTERS {
            screen.banner(if lives == 0 {
                "The monsters have won."
            } else {
                "All are killed: you have won."
            });
        }
    }
}

ecs_examples::main!(Arena);
