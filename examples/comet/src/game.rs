//! The world and its rules. All numbers are computed with `+`, `-`, `*`, `/` and `sqrt`, so that
//! the hash is the same on every machine.

use ecs::prelude::*;
use ecs::state::{DespawnOnExit, despawn_on_exit};
use serde::{Deserialize, Serialize};

/// The size of the sky, in pixels.
pub(crate) const SIZE: (usize, usize) = (960, 600);
/// The length of a frame, in seconds.
const STEP: f32 = 1.0 / 60.0;
/// The length of a game, in frames.
const GAME: u32 = 60 * 60;
/// The distance at which the comet takes a grain, in pixels.
const REACH: f32 = 14.0;

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Position {
    pub(crate) x: f32,
    pub(crate) y: f32,
}

/// Pixels per second.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Velocity {
    pub(crate) x: f32,
    pub(crate) y: f32,
}

/// A grain of dust.
#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct Grain;

/// A planet attracts the dust, and destroys the comet. The radius in pixels.
#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct Planet(pub(crate) f32);

/// The player's comet.
#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct Comet;

#[derive(States, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Screen {
    #[state(to(Play))]
    Menu,
    #[state(to(Over))]
    Play,
    #[state(to(Play))]
    Over,
}

#[derive(Resource, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Score {
    pub(crate) grains: u32,
    pub(crate) best: u32,
    pub(crate) lives: u32,
    /// The frames that are left.
    pub(crate) left: u32,
}

#[derive(Resource, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Paused(pub(crate) bool);

/// The number of grains of a sky.
#[derive(Resource, Clone, Serialize, Deserialize)]
pub(crate) struct Grains(pub(crate) u32);

/// Random numbers that are part of the world, so that each run is the same.
#[derive(Resource, Clone, Serialize, Deserialize)]
pub(crate) struct Dice(u64);

/// The input of a frame.
#[derive(Event, Clone, Copy, Default, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Input {
    /// The direction of the arrows, to the right and downwards: -1, 0 or 1.
    pub(crate) thrust: (i8, i8),
    pub(crate) start: bool,
    pub(crate) pause: bool,
}

world! {
    #[derive(Clone, Serialize, Deserialize, Reflect)]
    pub(crate) struct Sky {
        components { Position, Velocity, Grain, Planet, Comet, DespawnOnExit<Screen> }
        resources {
            Grains, Dice = Dice(7), Score = Score::default(), Paused = Paused(false),
            State<Screen> = State::new(Screen::Menu),
        }
        events { Input(external) }
    }
    schedule frame {
        choose;
        transition::<Screen>;
        despawn_on_exit::<Screen>;
        begin if entered::<screen::Play> && is_empty;
        play if in_state::<screen::Play> && !paused
    }
    schedule play { steer, attract; drift; collect, crash; count_down }
}

impl Dice {
    /// A number from 0 to `end`.
    fn below(&mut self, end: f32) -> f32 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) >> 40) as f32 / (1 << 24) as f32 * end
    }

    fn place(&mut self) -> Position {
        Position { x: self.below(SIZE.0 as f32), y: self.below(SIZE.1 as f32) }
    }
}

#[system(Sky)]
fn paused(paused: Res<Paused>) -> bool {
    paused.0
}

#[system(Sky)]
fn is_empty(grains: Query<&Grain>) -> bool {
    grains.is_empty()
}

/// Starts, and pauses.
#[system(Sky)]
fn choose(mut inputs: EventReader<Input>, mut screen: ResMut<State<Screen>>, mut paused: ResMut<Paused>) {
    for input in inputs.iter() {
        paused.0 ^= input.pause;
        if input.start {
            screen.change::<screen::Menu, screen::Play>();
            screen.change::<screen::Over, screen::Play>();
            paused.0 = false;
        }
    }
}

/// Fills the sky: it is empty before the game, and after the one before.
#[system(Sky)]
fn begin(grains: Res<Grains>, mut dice: ResMut<Dice>, mut score: ResMut<Score>, mut commands: Commands<Sky>) {
    *score = Score { grains: 0, best: score.best.max(score.grains), lives: 3, left: GAME };
    let end = || DespawnOnExit(Screen::Play);
    for (x, y, radius) in
        [(230.0, 170.0, 26.0), (700.0, 140.0, 20.0), (520.0, 430.0, 34.0), (170.0, 470.0, 16.0)]
    {
        commands.spawn((Position { x, y }, Planet(radius), end()));
    }
    commands.spawn((Position { x: 830.0, y: 480.0 }, Velocity { x: 0.0, y: 0.0 }, Comet, end()));
    for _ in 0..grains.0 {
        let velocity = Velocity { x: dice.below(60.0) - 30.0, y: dice.below(60.0) - 30.0 };
        commands.spawn((dice.place(), velocity, Grain, end()));
    }
}

#[system(Sky)]
fn steer(mut inputs: EventReader<Input>, mut comets: Query<&mut Velocity, With<Comet>>) {
    let (x, y) = inputs.iter().last().map_or((0, 0), |input| input.thrust);
    for velocity in &mut comets {
        velocity.x = velocity.x * 0.98 + f32::from(x) * 12.0;
        velocity.y = velocity.y * 0.98 + f32::from(y) * 12.0;
    }
}

/// Dust falls towards the planets, and past them.
#[system(Sky, par)]
fn attract(
    position: &Position,
    velocity: &mut Velocity,
    _: With<Grain>,
    planets: Query<(&Position, &Planet)>,
) {
    let (mut x, mut y) = (0.0, 0.0);
    for (planet, Planet(radius)) in &planets {
        let (right, down) = (planet.x - position.x, planet.y - position.y);
        let square = right * right + down * down + 400.0;
        let pull = radius * 6_000.0 / (square * square.sqrt());
        // towards the planet, and around it
        x += pull * (right - 0.6 * down);
        y += pull * (down + 0.6 * right);
    }
    velocity.x = velocity.x * 0.995 + x * STEP * 8.0;
    velocity.y = velocity.y * 0.995 + y * STEP * 8.0;
}

/// The sky has no edges: what leaves it on one side comes back on the other.
#[system(Sky)]
fn drift(position: &mut Position, velocity: &Velocity) {
    let around = |at: f32, size: usize| {
        let size = size as f32;
        if at < 0.0 {
            at + size
        } else if at >= size {
            at - size
        } else {
            at
        }
    };
    position.x = around(position.x + velocity.x.clamp(-900.0, 900.0) * STEP, SIZE.0);
    position.y = around(position.y + velocity.y.clamp(-900.0, 900.0) * STEP, SIZE.1);
}

/// The comet takes the dust on its way. New dust appears elsewhere.
#[system(Sky)]
fn collect(
    comets: Query<&Position, (With<Comet>, Without<Grain>)>,
    mut grains: Query<(&mut Position, &mut Velocity), With<Grain>>,
    mut dice: ResMut<Dice>,
    mut score: ResMut<Score>,
) {
    for comet in &comets {
        grains.for_each(|(position, velocity)| {
            let (x, y) = (position.x - comet.x, position.y - comet.y);
            if x * x + y * y < REACH * REACH {
                *position = dice.place();
                *velocity = Velocity { x: 0.0, y: 0.0 };
                score.grains += 1;
            }
        });
    }
}

/// A comet that hits a planet begins again in the corner.
#[system(Sky)]
fn crash(
    planets: Query<(&Position, &Planet), Without<Comet>>,
    mut comets: Query<(&mut Position, &mut Velocity), With<Comet>>,
    mut score: ResMut<Score>,
) {
    for (position, velocity) in &mut comets {
        let hits = |(planet, Planet(radius)): (&Position, &Planet)| {
            let (x, y) = (planet.x - position.x, planet.y - position.y);
            x * x + y * y < radius * radius
        };
        if planets.iter().any(hits) {
            (*position, *velocity) = (Position { x: 830.0, y: 480.0 }, Velocity { x: 0.0, y: 0.0 });
            score.lives = score.lives.saturating_sub(1);
        }
    }
}

#[system(Sky)]
fn count_down(mut score: ResMut<Score>, mut screen: ResMut<State<Screen>>) {
    score.left = score.left.saturating_sub(1);
    if score.lives == 0 || score.left == 0 {
        screen.change::<screen::Play, screen::Over>();
    }
}
