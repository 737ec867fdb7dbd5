//! One program through every executor: random calls of schedules and of verbs between them, on several copies of a world
//! that differ in nothing but where their systems run, whether they are measured, and on how many threads. After every
//! call the saves of all copies are equal, byte by byte, and so is what each call returned.
//!
//! The schedules are written so that each executor gets its share: plain ones take the short way where nothing is
//! measured, and the long way otherwise; the others have conditions, failures, reactions, fixed steps, exclusive systems
//! and other schedules in them. Schedules that are built at run time are random.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

use ecs::prelude::*;
use ecs::{FixedTime, OnStray, Schedule, Spread};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
struct Mass(u32);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked, removed)]
struct Heat(u64);
#[derive(Component, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(index)]
struct Team(u8);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(key = 0)]
struct Seat(u32);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(removed)]
struct Label(String);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Tag;
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, gone = cascade)]
struct Follows(Entity);

#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Sum(u64);
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Log(Vec<u64>);
/// The number of the system that panics, and of the one that fails.
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Fuse(u32);

#[derive(Event, Clone, Serialize, Deserialize)]
struct Ping(Entity, u64);
#[derive(Event, Clone, Serialize, Deserialize)]
struct Pong(u64);
/// More than a few of them are a panic when they are taken in.
#[derive(Event, Clone, Serialize, Deserialize)]
struct Burst;

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Mass, Heat, Team, Seat, Label, Tag, Follows }
        resources {
            Sum, Log, Fuse,
            time: FixedTime = FixedTime::new(Duration::from_millis(10)).catching_up(3),
        }
        events { Ping(external), Pong(external, keep = 40, full = newest), Burst(external, keep = 20, full = panic) }
    }
    // the short way
    schedule plain { pour, regroup, sum, find_team }
    schedule plain_stages { pour; regroup, age_tagged; sum, age_untagged; find_team; warm }
    schedule plain_blind { pour, age_tagged, age_untagged; sum }
    schedule plain_told { warm, sum, seen; came, regroup; find_team, went }
    schedule plain_bombs { pour, age_tagged, bomb_on_mass, sum, age_untagged, warm, bomb; regroup, lonely_bomb, find_team }
    // the long way
    schedule asked { pour if many; regroup if !many || odd, find_team if odd && many, sum; seen if odd, warm }
    schedule deferring { spawn_few, spawn_many, shout, cull; give, hear, strip; follow, relay, shout_too; heed, went }
    schedule failing -> Result { pour, spawn_few, shout, fail, warm, relay; regroup, fail_again if many, give, sum; came }
    schedule reacting { react { spread_heat, settle } max 6; lost, seen }
    schedule fixed every FixedTime { pour, regroup, spawn_few; hear, find_team }
    schedule inner { regroup, warm, find_team }
    schedule nesting { pour; inner, spawn_few; Game::fixed, sum, plain_blind }
    schedule outer -> Result { nesting if many, shout; failing, give; hear }
    schedule whole_world { pour, whole, sum; later, find_team }
    schedule bombs {
        shout, pour, bomb_on_mass, spawn_few, sum, relay, lonely_bomb, shout_too, warm if many, bomb, tag;
        hear, sending_bomb, spawn_many, regroup, commanding_bomb, age_tagged, age_untagged;
        find_team, later_bomb, cull
    }
    schedule all {
        pour, sum, age_tagged, age_untagged, tag, name, rename, spawn_few, spawn_many, cull, give, strip, shout, shout_too,
        hear, relay, heed, later, regroup, find_team, warm, seen, came, went, lost, follow
    }
}

#[system(Game)]
fn pour(mass: &mut Mass, heat: Option<&Heat>) {
    mass.0 = mass.0.wrapping_mul(31).wrapping_add(heat.map_or(1, |heat| heat.0 as u32));
}
#[system(Game)]
fn sum(all: Query<&Mass, Without<Tag>>, mut sum: ResMut<Sum>) {
    sum.0 = all.iter().fold(sum.0, |sum, mass| sum.rotate_left(3) ^ u64::from(mass.0));
}
#[system(Game)]
fn age_tagged(seat: Query<&mut Label, With<Tag>>) {
    seat.into_iter().for_each(|label| label.0.push('t'));
}
#[system(Game)]
fn age_untagged(seat: Query<&mut Label, Without<Tag>>) {
    seat.into_iter().for_each(|label| label.0.truncate(4));
}
#[system(Game)]
fn regroup(mut team: Mut<Team>, mass: &Mass) {
    if mass.0.is_multiple_of(3) {
        team.0 = (team.0 + 1) % 6;
    }
}
#[system(Game)]
fn find_team(teams: Lookup<Team>, mut log: ResMut<Log>) {
    let found = (0..6).flat_map(|team| teams.find(&Team(team)));
    log.0.push(found.fold(0, |sum: u64, entity| sum.rotate_left(5) ^ entity.to_bits()));
}
#[system(Game)]
fn warm(mut heat: Mut<Heat>, tag: Is<Tag>) {
    if *tag || heat.0 < 3 {
        heat.0 += 1;
    }
}
#[system(Game)]
fn seen(changed: Query<Entity, Changed<Heat>>, added: Query<Entity, Added<Team>>, mut log: ResMut<Log>) {
    let all = changed.iter().chain(added.iter());
    log.0.push(all.fold(1, |sum: u64, entity| sum.rotate_left(7) ^ entity.to_bits()));
}
#[system(Game)]
fn came(new: Entered<(With<Heat>, Without<Tag>)>, mut log: ResMut<Log>) {
    log.0.push(new.iter().fold(2, |sum: u64, entity| sum.rotate_left(7) ^ entity.to_bits()));
}
#[system(Game)]
fn went(gone: Exited<With<Mass>>, mut log: ResMut<Log>) {
    log.0.push(gone.iter().fold(3, |sum: u64, entity| sum.rotate_left(7) ^ entity.to_bits()));
}
#[system(Game)]
fn lost(mut heat: Removed<Heat>, mut labels: Removed<Label>, mut log: ResMut<Log>) {
    log.0
        .push(heat.iter().fold(4, |sum: u64, (entity, heat)| sum.rotate_left(7) ^ entity.to_bits() ^ heat.0));
    log.0.push(labels.iter().map(|(_, label)| label.0.len() as u64).sum());
}
#[system(Game)]
fn many(all: Query<&Mass>) -> bool {
    all.len() > 12
}
#[system(Game)]
fn odd(mut runs: Local<u32>) -> bool {
    *runs += 1;
    *runs % 2 == 1
}
#[system(Game)]
fn tag(rows: Query<(Entity, &Mass)>, mut tags: Storage<Tag>) {
    for (entity, mass) in &rows {
        if mass.0.is_multiple_of(3) {
            tags.insert(entity, Tag).unwrap();
        } else if mass.0 % 3 == 1 {
            tags.remove(entity);
        }
    }
}
#[system(Game)]
fn name(rows: Query<(Entity, &Mass)>, mut names: Storage<Label>, mut runs: Local<u32>) {
    *runs += 1;
    for (entity, mass) in rows.iter().filter(|(_, mass)| mass.0.is_multiple_of(4)) {
        names.insert(entity, Label(format!("{} {}", *runs, mass.0 % 10))).unwrap();
    }
}
#[system(Game)]
fn rename(names: &mut Label, heat: Option<&Heat>) {
    names.0.push(heat.map_or('-', |heat| char::from(b'a' + (heat.0 % 26) as u8)));
    if names.0.len() > 12 {
        names.0.clear();
    }
}
#[system(Game)]
fn spawn_few(mut runs: Local<u32>, mut commands: Commands<Game>) {
    *runs += 1;
    let entity = commands.spawn((Mass(*runs), Heat(7)));
    commands.insert(entity, Team(*runs as u8 % 6));
    for n in 0..*runs % 4 {
        commands.spawn((Label(format!("{n}")), Tag, Seat(*runs * 4 + n)));
    }
}
#[system(Game)]
fn spawn_many(sum: Res<Sum>, mut commands: Commands<Game>) {
    for n in 0..sum.0 % 70 {
        commands.spawn((Mass(n as u32), Team(n as u8 % 6)));
    }
}
#[system(Game)]
fn cull(rows: Query<(Entity, &Mass)>, mut commands: Commands<Game>) {
    rows.iter().filter(|(_, mass)| mass.0 % 5 < 2).for_each(|(entity, _)| commands.despawn(entity));
}
#[system(Game)]
fn give(rows: Query<Entity, (With<Team>, Without<Heat>)>, sum: Res<Sum>, mut commands: Commands<Game>) {
    rows.iter().for_each(|entity| commands.insert(entity, (Heat(sum.0 % 9), Seat(entity.slot()))));
}
#[system(Game)]
fn strip(rows: Query<(Entity, &Heat), With<Team>>, mut commands: Commands<Game>) {
    let odd = rows.iter().filter(|(_, heat)| heat.0 % 2 == 1);
    odd.for_each(|(entity, _)| commands.remove::<(Heat, Tag)>(entity));
}
#[system(Game)]
fn follow(rows: Query<Entity, With<Mass>>, mut commands: Commands<Game>, mut runs: Local<usize>) {
    *runs += 1;
    let all: Vec<Entity> = rows.iter().collect();
    for (at, &entity) in all.iter().enumerate().step_by(3) {
        let other = all[(at * 7 + *runs) % all.len()];
        if other != entity {
            commands.insert(entity, Follows(other));
        }
    }
}
#[system(Game)]
fn shout(rows: Query<(Entity, &Mass)>, mut pings: EventWriter<Ping>) {
    pings.extend(rows.iter().step_by(7).map(|(entity, mass)| Ping(entity, u64::from(mass.0))));
}
#[system(Game)]
fn shout_too(rows: Query<(Entity, &Heat)>, mut runs: Local<u64>, mut pings: EventWriter<Ping>) {
    *runs += 1;
    pings.extend(rows.iter().take(3).map(|(entity, heat)| Ping(entity, heat.0 ^ *runs)));
}
#[system(Game)]
fn hear(mut pings: EventReader<Ping>, mut log: ResMut<Log>) {
    let hash = |ping: &Ping| ping.0.to_bits() ^ ping.1;
    log.0.push(pings.iter().fold(0, |sum: u64, ping| sum.rotate_left(1) ^ hash(ping)));
}
#[system(Game)]
fn relay(mut pings: EventReader<Ping>, mut pongs: EventWriter<Pong>) {
    pongs.extend(pings.iter().filter(|ping| ping.1 % 2 == 0).map(|ping| Pong(ping.1)));
}
#[system(Game)]
fn heed(mut pongs: EventReader<Pong>, mut rows: Query<Mut<Heat>>, mut last: Local<u64>) {
    *last = pongs.iter().fold(*last, |last, pong| last.wrapping_mul(3) ^ pong.0);
    rows.par_for_each(|mut heat| heat.0 = heat.0.wrapping_add(*last));
}
#[system(Game)]
fn whole(game: &mut Game) {
    let entities = game.entities().len() as u64;
    game.resource_mut::<Sum>().0 ^= entities;
    let entity = game.spawn((Mass(entities as u32), Team(3)));
    game.get_tracked::<Team>(entity).unwrap().0 = 4;
}
#[system(Game)]
fn later(mut commands: Commands<Game>, sum: Res<Sum>) {
    let sum = sum.0;
    commands.run(move |game| {
        game.resource_mut::<Log>().0.push(sum);
        game.query_mut::<Mut<Team>>().for_each(|mut team| team.0 ^= 1);
    });
}
/// Has news as often as somebody is hotter than before, up to a limit that `max` sometimes falls short of.
#[system(Game)]
fn spread_heat(
    hot: Query<(Entity, &Heat), Changed<Heat>>,
    new: Entered<With<Heat>>,
    mut commands: Commands<Game>,
) {
    let hottest = hot.iter().map(|(_, heat)| heat.0 % 11).max().unwrap_or(0);
    if hottest > 3 || new.len() > 4 {
        commands.run(move |game| {
            let first = game.query::<Entity>().filter::<With<Heat>>().iter().next();
            if let Some(first) = first {
                game.get_tracked::<Heat>(first).unwrap().0 += 1;
            }
            game.spawn(Heat(0));
        });
    }
}
#[system(Game)]
fn settle(gone: Exited<With<Heat>>, mut log: ResMut<Log>) {
    log.0.push(gone.len() as u64);
}
#[system(Game)]
fn fail(fuse: Res<Fuse>, mut commands: Commands<Game>, mut pings: EventWriter<Ping>) -> Result<(), String> {
    let entity = commands.spawn(Heat(1));
    pings.send(Ping(entity, 1));
    if fuse.0 == 1 { Err("told to".into()) } else { Ok(()) }
}
#[system(Game)]
fn fail_again(fuse: Res<Fuse>, mut log: ResMut<Log>) -> Result<(), String> {
    log.0.push(8);
    if fuse.0 == 2 { Err("told to".into()) } else { Ok(()) }
}

/// A panic that no hook hears of.
fn blow(fuse: &Fuse, number: u32) {
    if fuse.0 == number {
        resume_unwind(Box::new(format!("bomb {number}")));
    }
}

#[system(Game)]
fn bomb_on_mass(mut rows: Query<&mut Mass>, fuse: Res<Fuse>) {
    for (at, mass) in (&mut rows).into_iter().enumerate() {
        mass.0 += 1;
        if at == 5 {
            blow(&fuse, 3);
        }
    }
    blow(&fuse, 8);
}
#[system(Game)]
fn bomb(mut sum: ResMut<Sum>, fuse: Res<Fuse>) {
    sum.0 += 1;
    blow(&fuse, 4);
    blow(&fuse, 8);
}
/// Clashes with nobody.
#[system(Game)]
fn lonely_bomb(fuse: Res<Fuse>, mut runs: Local<u32>) {
    *runs += 1;
    blow(&fuse, 5);
    blow(&fuse, 8);
}
#[system(Game)]
fn sending_bomb(
    fuse: Res<Fuse>,
    mut pings: EventWriter<Ping>,
    mut bursts: EventWriter<Burst>,
    sum: Res<Sum>,
) {
    pings.send(Ping(Entity::from_bits(1 << 32).unwrap(), 2));
    if matches!(fuse.0, 6 | 8) {
        bursts.extend((0..sum.0 % 30).map(|_| Burst));
    }
    blow(&fuse, 6);
}
#[system(Game)]
fn commanding_bomb(fuse: Res<Fuse>, mut commands: Commands<Game>) {
    commands.spawn((Mass(0), Label("never".into())));
    blow(&fuse, 7);
    blow(&fuse, 8);
}
/// Its command panics.
#[system(Game)]
fn later_bomb(mut commands: Commands<Game>) {
    commands.spawn(Mass(1));
    commands.run(|game| {
        game.spawn(Tag);
        let fuse = game.resource::<Fuse>().clone();
        blow(&fuse, 9);
    });
    commands.spawn(Mass(2));
}

type Call = fn(&mut Game) -> Option<String>;

const CALLS: [(&str, Call); 16] = [
    ("plain", |game| panics(|| game.plain())),
    ("plain_stages", |game| panics(|| game.plain_stages())),
    ("plain_blind", |game| panics(|| game.plain_blind())),
    ("plain_told", |game| panics(|| game.plain_told())),
    ("plain_bombs", |game| panics(|| game.plain_bombs())),
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
    ("inner", |game| panics(|| game.inner())),
];

/// What a call fails with, or panics with.
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

impl Outcome for Result<(), ecs::SystemError> {
    fn error(self) -> Option<String> {
        self.err().map(|error| error.to_string())
    }
}

type Enable = fn(&mut Game, bool) -> usize;

/// Systems that are switched off and on.
const SWITCHED: [Enable; 6] = [
    Game::enable::<pour>,
    Game::enable::<regroup>,
    Game::enable::<spawn_few>,
    Game::enable::<hear>,
    Game::enable::<fail>,
    Game::enable::<warm>,
];

type Add = fn(&mut Schedule<Game>, &mut Game, i64) -> Result<(), ecs::ScheduleError>;

const SYSTEMS: [Add; 33] = [
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
];

/// Random numbers. Source: Marsaglia's xorshift64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// What is done to every copy.
#[derive(Clone, Debug)]
enum Step {
    Call(usize),
    /// A run of the schedule that was built at run time.
    Built,
    Spawn(u8, u32),
    Despawn(usize),
    Regroup(usize, u8),
    Send(u64),
    Pass(u64),
    Fuse(u32),
    Switch(usize, bool),
    Drain,
}

impl Step {
    fn random(random: &mut Random) -> Self {
        match random.below(20) {
            0..10 => Self::Call(random.below(CALLS.len() as u64) as usize),
            10 => Self::Built,
            11 => Self::Spawn(random.below(40) as u8, random.below(100) as u32),
            12 => Self::Despawn(random.below(100) as usize),
            13 => Self::Regroup(random.below(100) as usize, random.below(6) as u8),
            14 => Self::Send(random.below(100)),
            15 => Self::Pass(random.below(35)),
            16 | 17 => Self::Fuse(random.below(14).saturating_sub(4) as u32),
            18 => Self::Switch(random.below(SWITCHED.len() as u64) as usize, random.below(3) > 0),
            _ => Self::Drain,
        }
    }

    fn apply(&self, copy: &mut Copy) -> Option<String> {
        let game = &mut copy.game;
        let nth = |game: &Game, n: usize| game.entities().iter().nth(n % game.entities().len().max(1));
        match *self {
            Self::Call(call) => return CALLS[call].1(game),
            Self::Built => return panics(|| copy.built.run(game)),
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

/// A world, and how it runs.
struct Copy {
    game: Game,
    built: Schedule<Game>,
    how: How,
}

/// Where systems run, and whether they are measured.
#[derive(Clone, Debug)]
struct How {
    spread: Spread,
    timed: bool,
    /// The threads' pool, by number.
    pool: usize,
    /// Whether the settings change on the way.
    fickle: bool,
    /// Whether a system was switched off and on again, so that the schedules look who is on.
    marked: bool,
}

fn hows() -> Vec<How> {
    let how = |spread, timed, pool, fickle, marked| How { spread, timed, pool, fickle, marked };
    vec![
        how(Spread::Never, false, 0, false, false), // the short way, always
        how(Spread::Never, true, 0, false, false),  // the long way, always
        how(Spread::Never, false, 0, false, true),
        how(Spread::Auto, false, 1, false, false), // measures now and then
        how(Spread::Auto, true, 2, true, true),
        how(Spread::Always, false, 0, false, false), // the threads' way with one thread
        how(Spread::Always, false, 1, false, false),
        how(Spread::Always, true, 2, false, true),
        how(Spread::Always, false, 2, true, false),
    ]
}

impl Copy {
    fn new(how: How, random: u64) -> Self {
        let mut random = Random(random);
        let mut game = Game::new(Sum(0), Log(Vec::new()), Fuse(0));
        game.on_stray(OnStray::Ignore);
        game.spread(how.spread);
        game.time_systems(how.timed);
        if how.marked {
            game.enable::<pour>(false);
            game.enable::<pour>(true);
        }
        let mut ids = Vec::new();
        let count = if random.below(20) == 0 { 5000 } else { random.below(60) as u32 };
        for n in 0..count {
            ids.push(match random.below(6) {
                0 => game.spawn(Mass(n)),
                1 => game.spawn((Mass(n), Heat(n.into()))),
                2 => game.spawn((Heat(n.into()), Team(n as u8 % 6))),
                3 => game.spawn((Mass(n), Team(1), Tag)),
                4 => game.spawn((Seat(n), Label("d".into()))),
                _ => game.spawn(()),
            });
        }
        let mut built = Schedule::new("built");
        let systems = SYSTEMS.len() as u64;
        for _ in 0..3 + random.below(9) {
            SYSTEMS[random.below(systems) as usize](&mut built, &mut game, random.below(6) as i64).unwrap();
        }
        (0..random.below(3)).for_each(|_| built.add_flush(random.below(6) as i64));
        built.flush_between(random.below(12) == 0);
        built.spread(how.spread);
        built.time_systems(how.timed);
        Self { game, built, how }
    }

    fn apply(&mut self, step: &Step, random: &mut Random) -> Option<String> {
        if self.how.fickle {
            let spread = [Spread::Auto, Spread::Never, Spread::Always][random.below(3) as usize];
            let timed = random.below(3) == 0;
            self.game.spread(spread);
            self.game.time_systems(timed);
            self.built.spread(spread);
            self.built.time_systems(timed);
        }
        step.apply(self)
    }
}

fn pools() -> Vec<ThreadPool> {
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    [1, 2, 4].map(pool).into()
}

fn executors_agree(rounds: u64, panics: bool) {
    let pools = pools();
    let mut random = Random(0x2545_f491_4f6c_dd1d ^ rounds);
    let mut own = Random(99);
    for round in 0..rounds {
        let seed = random.below(u64::MAX - 1) + 1;
        let mut copies: Vec<Copy> = hows().into_iter().map(|how| Copy::new(how, seed)).collect();
        let mut done = Vec::new();
        for _ in 0..12 {
            let step = match Step::random(&mut random) {
                Step::Fuse(number) if !panics => Step::Fuse(number.min(2)),
                step => step,
            };
            let name = match step {
                Step::Call(call) => CALLS[call].0.into(),
                ref step => format!("{step:?}"),
            };
            done.push(name);
            let mut expected = None;
            for copy in &mut copies {
                let said = pools[copy.how.pool].install(|| copy.apply(&step, &mut own));
                let (bytes, hash) = (copy.game.to_bytes().unwrap(), copy.game.hash());
                let (first, first_bytes, first_hash, game) =
                    expected.get_or_insert_with(|| (said.clone(), bytes.clone(), hash, copy.game.clone()));
                let how = &copy.how;
                assert_eq!(said, *first, "round {round}, {done:?}, {how:?}");
                if bytes != *first_bytes {
                    let differences = ecs::save::diff(game, &copy.game);
                    panic!("round {round}, {done:?}, {how:?}: {differences:#?}");
                }
                assert_eq!(hash, *first_hash, "round {round}, {done:?}, {how:?}");
            }
        }
    }
}

#[test]
fn every_executor_does_the_same() {
    executors_agree(60, false);
}

#[test]
fn every_executor_leaves_the_same_after_a_panic() {
    executors_agree(90, true);
}
