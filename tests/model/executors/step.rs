//! The steps that are applied to every copy of the world.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

use ecs::prelude::*;
use ecs::{FixedTime, Schedule};
use ecs_tests::random::Random;

use super::bombs::*;
use super::copy::Copy;
use super::picky::*;
use super::systems::*;
use super::whole::*;
use super::world::*;

/// A schedule of the world.
type Call = fn(&mut Game) -> Option<String>;

pub(super) const CALLS: [(&str, Call); 27] = [
    ("plain", |game| panics(|| game.plain())),
    ("plain_stages", |game| panics(|| game.plain_stages())),
    ("plain_blind", |game| panics(|| game.plain_blind())),
    ("plain_told", |game| panics(|| game.plain_told())),
    ("plain_bombs", |game| panics(|| game.plain_bombs())),
    ("spreading", |game| panics(|| game.spreading())),
    ("asked", |game| panics(|| game.asked())),
    ("deferring", |game| panics(|| game.deferring())),
    ("failing", |game| panics(|| game.failing())),
    ("reacting", |game| panics(|| game.reacting())),
    ("fixed", |game| panics(|| game.fixed())),
    ("nesting", |game| panics(|| game.nesting())),
    ("outer", |game| panics(|| game.outer())),
    ("whole_world", |game| panics(|| game.whole_world())),
    ("bombs", |game| panics(|| game.bombs())),
    ("all", |game| panics(|| game.all())),
    ("skipping", |game| panics(|| game.skipping())),
    ("questions", |game| panics(|| game.questions())),
    ("going_back", |game| panics(|| game.going_back())),
    ("reacting_bombs", |game| panics(|| game.reacting_bombs())),
    ("running", |game| panics(|| game.running())),
    ("shattering", |game| panics(|| game.shattering())),
    ("inner", |game| panics(|| game.inner())),
    ("picky", |game| panics(|| game.picky())),
    ("picky_or_failing", |game| panics(|| game.picky_or_failing())),
    ("grouped", |game| panics(|| game.grouped())),
    ("given", |game| panics(|| game.given())),
];

/// The error or the panic of a call.
fn panics<R: Outcome>(call: impl FnOnce() -> R) -> Option<String> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result.error(),
        Err(payload) => match payload.downcast::<String>() {
            Ok(text) => Some(*text),
            Err(_) => Some("a panic without a text".into()),
        },
    }
}

trait Outcome {
    fn error(self) -> Option<String>;
}

impl Outcome for () {
    fn error(self) -> Option<String> {
        None
    }
}

impl Outcome for Result<(), ecs::error::SystemError> {
    fn error(self) -> Option<String> {
        self.err().map(|error| error.to_string())
    }
}

type Enable = fn(&mut Game, bool) -> usize;

/// The systems that are disabled and enabled.
const SWITCHED: [Enable; 6] = [
    Game::enable::<pour>,
    Game::enable::<regroup>,
    Game::enable::<spawn_few>,
    Game::enable::<hear>,
    Game::enable::<fail>,
    Game::enable::<warm>,
];

type Add = fn(&mut Schedule<Game>, &mut Game, i64) -> Result<(), ecs::error::ScheduleError>;

pub(super) const SYSTEMS: [Add; 53] = [
    Schedule::add_again::<crown>,
    Schedule::add_again::<reign>,
    Schedule::add_again::<heir>,
    Schedule::add_again::<court>,
    Schedule::add_again::<quarrel>,
    Schedule::add_again::<tax>,
    Schedule::add_again::<judge>,
    Schedule::add_again::<pour>,
    Schedule::add_again::<sum>,
    Schedule::add_again::<age_tagged>,
    Schedule::add_again::<age_untagged>,
    Schedule::add_again::<tag>,
    Schedule::add_again::<name>,
    Schedule::add_again::<rename>,
    Schedule::add_again::<spawn_few>,
    Schedule::add_again::<spawn_many>,
    Schedule::add_again::<cull>,
    Schedule::add_again::<give>,
    Schedule::add_again::<strip>,
    Schedule::add_again::<shout>,
    Schedule::add_again::<shout_too>,
    Schedule::add_again::<hear>,
    Schedule::add_again::<relay>,
    Schedule::add_again::<heed>,
    Schedule::add_again::<later>,
    Schedule::add_again::<regroup>,
    Schedule::add_again::<find_team>,
    Schedule::add_again::<warm>,
    Schedule::add_again::<seen>,
    Schedule::add_again::<came>,
    Schedule::add_again::<went>,
    Schedule::add_again::<lost>,
    Schedule::add_again::<follow>,
    Schedule::add_again::<whole>,
    Schedule::add_again::<fail>,
    Schedule::add_again::<bomb_on_mass>,
    Schedule::add_again::<bomb>,
    Schedule::add_again::<lonely_bomb>,
    Schedule::add_again::<sending_bomb>,
    Schedule::add_again::<commanding_bomb>,
    Schedule::add_again::<click>,
    Schedule::add_again::<on_click>,
    Schedule::add_again::<on_click>,
    Schedule::add_again::<post>,
    Schedule::add_again::<collect>,
    Schedule::add_again::<shatter>,
    Schedule::add_again::<sweep>,
    Schedule::add_again::<prepared>,
    Schedule::add_again::<replans>,
    Schedule::add_again::<replans_later>,
    Schedule::add_again::<replans_later>,
    Schedule::add_again::<there_and_back>,
    Schedule::add_again::<runs_others>,
];

/// A change of the run-time schedule, chosen by a number.
pub(super) fn change(
    number: u64,
) -> impl FnOnce(&mut Schedule<Game>, &mut Game) + Clone + Send + Sync + 'static {
    move |schedule, game| {
        let names: Vec<&str> = schedule.iter().map(|(name, _)| name).collect();
        let name = *names.get(number as usize / 7 % names.len().max(1)).unwrap_or(&"");
        let key = (number / 5 % 6) as i64;
        let add = SYSTEMS[number as usize / 3 % SYSTEMS.len()];
        game.resource_mut::<Log>().0.push(number % 10);
        match number % 10 {
            0 | 1 if names.len() < 16 => add(schedule, game, key).unwrap(),
            2 | 3 if names.len() > 2 => _ = schedule.remove_named(game, name),
            // a reader that is removed and added again
            4 | 5 => {
                if schedule.remove::<on_click>(game) > 0 {
                    schedule.add::<on_click>(game, key).unwrap();
                }
                game.send(Click(number % 64));
            }
            6 => {
                schedule.set_key_named(name, key);
                schedule.sort();
            }
            7 => {
                _ = schedule.enable_named(name, number.is_multiple_of(2) || !schedule.is_enabled_named(name))
            }
            8 => match schedule.remove_flush(key) {
                0 => schedule.add_flush(key),
                _ => schedule.flush_between(number.is_multiple_of(3)),
            },
            _ => game.edit_schedule("built", change(number / 10)),
        }
    }
}

/// A step.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Call(usize),
    /// A run of the run-time schedule.
    Built,
    Spawn(u8, u32),
    Despawn(usize),
    Regroup(usize, u8),
    Send(u64),
    Pass(u64),
    Fuse(u32),
    Switch(usize, bool),
    Drain,
    Click(u64),
    /// A deferred change of the run-time schedule.
    Change(u64),
    /// A snapshot of the world, with the schedule.
    Keep,
    /// Restores the snapshot.
    Back,
    /// A call that is undone if it fails.
    Try(usize),
    TryBuilt,
    /// Replaces the world by a clone.
    Clone,
}

impl Step {
    pub(super) fn random(random: &mut Random) -> Self {
        match random.below(30) {
            20 | 21 => Self::Click(random.below(8)),
            22 | 23 => Self::Change(random.below(1 << 20)),
            24 => Self::Keep,
            25 => Self::Back,
            26 => Self::Try(random.below(CALLS.len() as u64) as usize),
            27 => Self::TryBuilt,
            28 => Self::Clone,
            29 => Self::Built,
            0..10 => Self::Call(random.below(CALLS.len() as u64) as usize),
            10 => Self::Built,
            11 => Self::Spawn(random.below(40) as u8, random.below(100) as u32),
            12 => Self::Despawn(random.below(100) as usize),
            13 => Self::Regroup(random.below(100) as usize, random.below(6) as u8),
            14 => Self::Send(random.below(100)),
            15 => Self::Pass(random.below(35)),
            16 | 17 => Self::fuse(random),
            18 => Self::Switch(random.below(SWITCHED.len() as u64) as usize, random.below(3) > 0),
            _ => Self::Drain,
        }
    }

    /// A step around the run-time schedule, mostly a run of it.
    pub(super) fn of_built_schedule(random: &mut Random) -> Self {
        match random.below(8) {
            0 => Self::Change(random.below(1 << 20)),
            1 => Self::Send(random.below(100)),
            2 => Self::fuse(random),
            _ => Self::Built,
        }
    }

    /// Makes up to four systems panic or fail.
    pub(super) fn fuse(random: &mut Random) -> Self {
        Self::Fuse((0..random.below(5)).fold(0, |fuse, _| fuse | 2 << random.below(17)))
    }

    pub(super) fn apply(&self, copy: &mut Copy) -> Option<String> {
        let game = &mut copy.game;
        let nth = |game: &Game, n: usize| game.entities().iter().nth(n % game.entities().len().max(1));
        match *self {
            Self::Call(call) => return CALLS[call].1(game),
            Self::Built => {
                let said = panics(|| copy.built.run(game));
                let names: Vec<_> = copy.built.iter().collect();
                return Some(format!("{said:?} {names:?}"));
            }
            Self::Click(number) => game.send(Click(number)),
            Self::Change(number) => game.edit_schedule("built", change(number)),
            Self::Keep => copy.kept = Some((game.snapshot(), copy.built.clone())),
            Self::Back => {
                if let Some((snapshot, built)) = &copy.kept {
                    game.restore(snapshot);
                    copy.built = built.clone();
                }
            }
            Self::Try(call) => {
                let error =
                    game.try_run(|game| CALLS[call].1(game).map_or((), |said| resume_unwind(Box::new(said))));
                return error.err().map(|error| error.to_string());
            }
            Self::TryBuilt => return copy.built.try_run(game).err().map(|error| error.to_string()),
            Self::Clone => *game = game.clone(),
            Self::Spawn(count, number) => {
                let bundles = (0..u32::from(count))
                    .map(|n| (Mass(n + number), Heat(u64::from(n)), Team((n % 6) as u8)));
                game.spawn_batch(bundles);
            }
            Self::Despawn(n) => _ = nth(game, n).map(|entity| game.despawn(entity)),
            Self::Regroup(n, team) => {
                if let Some(mut at) = nth(game, n).and_then(|entity| game.get_tracked::<Team>(entity)) {
                    at.0 = team;
                }
            }
            Self::Send(number) => {
                let entity = nth(game, number as usize).unwrap_or(Entity::from_bits(1 << 32).unwrap());
                game.send(Ping(entity, number));
            }
            Self::Pass(millis) => game.resource_mut::<FixedTime>().advance(Duration::from_millis(millis)),
            Self::Fuse(number) => game.resource_mut::<Fuse>().0 = number,
            Self::Switch(system, on) => _ = SWITCHED[system](game, on),
            Self::Drain => {
                game.drain::<Burst>().for_each(drop);
                let pongs: u64 = game.drain::<Pong>().map(|pong| pong.0).fold(0, u64::wrapping_add);
                let pings: u64 = game.drain::<Ping>().map(|ping| ping.1).fold(0, u64::wrapping_add);
                return Some(format!("{pongs} {pings}"));
            }
        }
        None
    }
}
