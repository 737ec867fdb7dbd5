//! The world: two tanks on a field with walls that break, shots that bounce, and gifts. All numbers
//! are integers, lengths in sixteenths of a cell, so that every machine computes the same.

use ecs::prelude::*;
use ecs_rollback::Inputs;
use serde::{Deserialize, Serialize};

/// The size of the field, in cells.
pub const FIELD: (i32, i32) = (58, 18);
/// The length of a cell.
pub const CELL: i32 = 16;
pub const MOST_HEALTH: u32 = 5;
const RELOAD: u32 = 18;
const SHOT_SPEED: i32 = 11;
const GIFTS_EVERY: u32 = 150;

/// The keys that a player holds down: a direction, and whether to fire.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Keys {
    pub drive: Option<Heading>,
    pub fire: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Heading {
    North,
    East,
    South,
    West,
}

impl Heading {
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    fn step(self) -> (i32, i32) {
        match self {
            Self::North => (0, -1),
            Self::East => (1, 0),
            Self::South => (0, 1),
            Self::West => (-1, 0),
        }
    }
}

#[derive(Component, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    pub x: i32,
    pub y: i32,
}

impl Place {
    /// The middle of a cell.
    pub fn of_cell(x: i32, y: i32) -> Self {
        Self { x: x * CELL + CELL / 2, y: y * CELL + CELL / 2 }
    }

    pub fn cell(self) -> (i32, i32) {
        (self.x.div_euclid(CELL), self.y.div_euclid(CELL))
    }

    fn is_near(self, other: Self, reach: i32) -> bool {
        (self.x - other.x).abs() < reach && (self.y - other.y).abs() < reach
    }

    fn is_outside(self) -> bool {
        let (x, y) = self.cell();
        !(0..FIELD.0).contains(&x) || !(0..FIELD.1).contains(&y)
    }
}

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
pub struct Tank {
    pub player: usize,
    pub heading: Heading,
    /// The frames until it can fire again.
    reload: u32,
}

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
#[component(tracked)]
pub struct Health(pub u32);

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
pub struct Shot {
    by: usize,
    speed: (i32, i32),
    bounces: u32,
}

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
pub struct Wall;
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
pub struct Gift;
/// Shows for some frames that something was hit.
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
pub struct Spark(u32);

#[derive(Event, Clone, Serialize, Deserialize)]
pub struct Struck {
    tank: Entity,
}

/// The points of the players.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Score(pub [u32; 2]);

/// Random numbers that are part of the world, and go back with it.
#[derive(Resource, Clone, Serialize, Deserialize)]
pub struct Dice(u64);

impl Dice {
    fn below(&mut self, end: i32) -> i32 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) % end.unsigned_abs().max(1) as u64) as i32
    }
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    pub struct Duel {
        components { Place, Tank, Health, Shot, Wall, Gift, Spark }
        resources {
            inputs: Inputs<Keys> = Inputs::new(2),
            score: Score = Score::default(),
            dice: Dice = Dice(2026)
        }
        events { Struck }
    }
    schedule tick { drive, glow; fire; fly; strike; suffer; drop_gifts, take_gifts; }
}

fn start_of(player: usize) -> (Place, Heading) {
    match player {
        0 => (Place::of_cell(4, FIELD.1 / 2), Heading::East),
        _ => (Place::of_cell(FIELD.0 - 5, FIELD.1 / 2), Heading::West),
    }
}

/// The world before the first frame, the same for all programs.
pub fn duel() -> Duel {
    let mut duel = Duel::new();
    for player in 0..2 {
        let (place, heading) = start_of(player);
        duel.spawn((place, Tank { player, heading, reload: 0 }, Health(MOST_HEALTH)));
    }
    for x in (12..FIELD.0 - 12).step_by(6) {
        for y in (2..FIELD.1 - 1).filter(|y| y % 5 != 0) {
            duel.spawn((Place::of_cell(x + y % 2, y), Wall, Health(2)));
        }
    }
    duel
}

#[system(Duel)]
fn drive(
    place: &mut Place,
    tank: &mut Tank,
    inputs: Res<Inputs<Keys>>,
    walls: Query<&Place, (With<Wall>, Without<Tank>)>,
) {
    tank.reload = tank.reload.saturating_sub(1);
    let Some(heading) = inputs[tank.player].drive else { return };
    tank.heading = heading;
    let (x, y) = heading.step();
    // terminal cells are twice as high as they are wide
    let there = Place { x: place.x + x * 6, y: place.y + y * 3 };
    if !there.is_outside() && !walls.iter().any(|wall| wall.is_near(there, CELL)) {
        *place = there;
    }
}

#[system(Duel)]
fn glow(mut sparks: Query<(Entity, &mut Spark)>, mut commands: Commands<Duel>) {
    for (entity, spark) in &mut sparks {
        spark.0 -= 1;
        if spark.0 == 0 {
            commands.despawn(entity);
        }
    }
}

#[system(Duel)]
fn fire(mut tanks: Query<(&Place, &mut Tank)>, inputs: Res<Inputs<Keys>>, mut commands: Commands<Duel>) {
    for (place, tank) in &mut tanks {
        if inputs[tank.player].fire && tank.reload == 0 {
            tank.reload = RELOAD;
            let (x, y) = tank.heading.step();
            let speed = (x * SHOT_SPEED, y * SHOT_SPEED / 2);
            commands.spawn((*place, Shot { by: tank.player, speed, bounces: 2 }));
        }
    }
}

#[system(Duel)]
fn fly(mut shots: Query<(Entity, &mut Place, &mut Shot)>, mut commands: Commands<Duel>) {
    for (entity, place, shot) in &mut shots {
        let there = Place { x: place.x + shot.speed.0, y: place.y + shot.speed.1 };
        if !there.is_outside() {
            *place = there;
        } else if shot.bounces > 0 {
            shot.bounces -= 1;
            shot.speed = (-shot.speed.0, -shot.speed.1);
        } else {
            commands.despawn(entity);
        }
    }
}

/// Shots that hit a wall or the other tank.
#[system(Duel)]
fn strike(
    shots: Query<(Entity, &Place, &Shot)>,
    tanks: Query<(Entity, &Place, &Tank)>,
    mut walls: Query<(Entity, &Place, Mut<Health>), With<Wall>>,
    mut struck: EventWriter<Struck>,
    mut commands: Commands<Duel>,
) {
    for (entity, place, shot) in &shots {
        let tank =
            tanks.iter().find(|(_, there, tank)| tank.player != shot.by && place.is_near(**there, CELL));
        if let Some((tank, ..)) = tank {
            struck.send(Struck { tank });
        } else if let Some((wall, _, mut health)) =
            walls.iter_mut().find(|(_, there, health)| health.0 > 0 && place.is_near(**there, CELL))
        {
            health.0 -= 1;
            if health.0 == 0 {
                commands.despawn(wall);
            }
        } else {
            continue;
        }
        commands.despawn(entity);
        commands.spawn((*place, Spark(20)));
    }
}

/// A tank without health loses the round, and both begin anew.
#[system(Duel)]
fn suffer(
    mut struck: EventReader<Struck>,
    mut tanks: Query<(&mut Tank, &mut Place, Mut<Health>)>,
    mut score: ResMut<Score>,
) {
    let mut over = false;
    for Struck { tank } in &mut struck {
        let Some((tank, _, mut health)) = tanks.get_mut(*tank) else { continue };
        if health.0 > 0 {
            health.0 -= 1;
            if health.0 == 0 {
                score.0[1 - tank.player] += 1;
                over = true;
            }
        }
    }
    if over {
        for (tank, place, mut health) in &mut tanks {
            (*place, tank.heading) = start_of(tank.player);
            health.0 = MOST_HEALTH;
        }
    }
}

#[system(Duel)]
fn drop_gifts(mut frames: Local<u32>, mut dice: ResMut<Dice>, mut commands: Commands<Duel>) {
    *frames += 1;
    if frames.is_multiple_of(GIFTS_EVERY) {
        commands.spawn((Place::of_cell(dice.below(FIELD.0), dice.below(FIELD.1)), Gift));
    }
}

#[system(Duel)]
fn take_gifts(
    gifts: Query<(Entity, &Place), With<Gift>>,
    mut tanks: Query<(&Place, Mut<Health>), With<Tank>>,
    mut commands: Commands<Duel>,
) {
    for (gift, there) in &gifts {
        if let Some((_, mut health)) = tanks.iter_mut().find(|(place, _)| place.is_near(*there, CELL)) {
            health.0 = MOST_HEALTH.min(health.0 + 1);
            commands.despawn(gift);
        }
    }
}

/// The keys of a player who presses at random, and holds each key for some frames.
pub fn pressed_at_random(player: usize, frame: u32) -> Keys {
    let mut dice = Dice((u64::from(frame / 9) << 8) + player as u64);
    let drive = Heading::ALL.get(dice.below(6) as usize).copied();
    Keys { drive, fire: dice.below(3) > 0 }
}
