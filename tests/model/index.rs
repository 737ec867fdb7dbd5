//! Random operations on a world with indexes and keys, ordered ones and hash tables, by every way
//! to add, change and remove values: lookups agree with a scan, ranges with all values, sorted.
//! Copies of the world run on other numbers of threads.

use std::ops::Bound;

use ecs::Snapshot;
use ecs::command::FailurePolicy;
use ecs::prelude::*;
use ecs::save::Saved;
use ecs::schedule::Parallelism;
use ecs_tests::random::random_cases;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

/// In order by the whole value.
#[derive(Component, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[component(index(ordered))]
struct Score(u8);

/// In order by a field.
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(index(ordered = due), storage = "packed")]
struct Timer {
    due: u8,
    sound: String,
}

/// In order by a key, which no two entities have.
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(key(ordered = 0))]
struct Rank(u8, u32);

/// In order by a value that is made of it.
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(index(ordered, by = Distance))]
struct Position(i8);
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Distance(u8);
impl From<&Position> for Distance {
    fn from(position: &Position) -> Self {
        Self(position.0.unsigned_abs())
    }
}

/// In a hash table by a value that is made of it.
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(index(by = Cell))]
struct Place(f32);
#[derive(PartialEq, Eq, Hash, Debug)]
struct Cell(i32);
impl From<&Place> for Cell {
    fn from(place: &Place) -> Self {
        Self(place.0.floor() as i32)
    }
}

/// In a hash table by the whole value.
#[derive(Component, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[component(index)]
struct Team(u8);

/// In a hash table by a key, which no two entities have.
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(key = 0)]
struct Seat(u8, u32);

#[derive(Component, Clone, Serialize, Deserialize)]
struct Joins(u8);

/// The order of the scores, as systems found it.
#[derive(Resource, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Found(Vec<Vec<Entity>>);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Score, Timer, Rank, Position, Place, Team, Seat, Joins }
        resources { Found = Found::default() }
    }
    schedule tick { check; raise, switch, walk, check_timers; check_again; join, join_teams; commanded; check_last }
}

/// The entities, sorted by a key and then by slot.
fn sorted<K: Ord>(values: impl Iterator<Item = (Entity, K)>) -> Vec<Entity> {
    let mut all: Vec<(K, u32, Entity)> = values.map(|(entity, key)| (key, entity.slot(), entity)).collect();
    all.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    all.into_iter().map(|(.., entity)| entity).collect()
}

#[derive(SystemParam)]
struct Indexed<'w> {
    scores: Lookup<'w, Score>,
    scored: Query<'w, (Entity, &'static Score)>,
    teams: Lookup<'w, Team>,
    members: Query<'w, (Entity, &'static Team)>,
}

fn compare(Indexed { scores, scored, teams, members }: &Indexed, found: &mut Found) {
    let order: Vec<Entity> = scores.find_range(..).collect();
    assert_eq!(order, sorted(scored.iter().map(|(entity, score)| (entity, score.0))));
    assert_eq!(scores.find_last().map(|(entity, _)| entity), order.last().copied());
    found.0.push(order);
    for team in 0..10 {
        let scan = members.iter().filter(|(_, at)| at.0 == team).map(|(entity, _)| entity);
        assert!(teams.find(&Team(team)).eq(scan));
    }
}

#[system(Game)]
fn check(indexed: Indexed, mut found: ResMut<Found>) {
    found.0.clear();
    compare(&indexed, &mut found);
}
#[system(Game)]
fn check_again(indexed: Indexed, mut found: ResMut<Found>) {
    compare(&indexed, &mut found);
}
#[system(Game)]
fn check_last(indexed: Indexed, mut found: ResMut<Found>) {
    compare(&indexed, &mut found);
}
#[system(Game)]
fn check_timers(timers: Lookup<Timer>, all: Query<(Entity, &Timer)>) {
    let all = sorted(all.iter().map(|(entity, timer)| (entity, timer.due)));
    assert!(timers.find_range(..).eq(all));
}

#[system(Game, par)]
fn raise(mut score: Mut<Score>, _: With<Joins>) {
    score.0 = (score.0 + 1) % 9;
}
#[system(Game)]
fn switch(mut team: Mut<Team>, _: With<Joins>) {
    team.0 = (team.0 + 1) % 9;
}
#[system(Game)]
fn walk(mut position: Mut<Position>, mut place: Mut<Place>) {
    position.0 = position.0.wrapping_add(3);
    place.0 += 0.5;
}

#[system(Game)]
fn join(joining: Query<(Entity, &Joins)>, mut scores: Storage<Score>) {
    for (entity, joins) in &joining {
        match joins.0 % 4 {
            0 => _ = scores.remove(entity),
            1 => _ = scores.insert(entity, Score(joins.0 % 9)).unwrap(),
            2 => scores.iter_mut().filter(|(id, _)| *id == entity).for_each(|(_, mut score)| score.0 = 0),
            _ => _ = scores.get_mut(entity).map(|mut score| score.0 = 8),
        }
        let all = sorted(scores.iter().map(|(entity, score)| (entity, score.0)));
        assert!(scores.find_range(..).eq(all));
    }
}

#[system(Game)]
fn join_teams(joining: Query<(Entity, &Joins)>, mut teams: Storage<Team>) {
    for (entity, joins) in &joining {
        match joins.0 % 3 {
            0 => _ = teams.remove(entity),
            1 => _ = teams.insert(entity, Team(joins.0 % 9)).unwrap(),
            _ => teams.iter_mut().filter(|(id, _)| *id == entity).for_each(|(_, mut team)| team.0 = 0),
        }
    }
}

#[system(Game)]
fn commanded(joining: Query<(Entity, &Joins)>, mut commands: ParCommands<Game>) {
    for (entity, joins) in &joining {
        match joins.0 % 5 {
            0 => commands.despawn(entity),
            1 => commands.insert(entity, Timer { due: joins.0 % 7, sound: "bell".into() }),
            2 => {
                commands.spawn((Score(joins.0 % 9), Position(joins.0 as i8)));
            }
            _ => {}
        }
    }
}

#[derive(Clone, Debug)]
enum Operation {
    Spawn(u8, Option<u8>),
    SpawnMany(Vec<u8>),
    Rank(usize, u8),
    Seat(usize, u8),
    Insert(usize, u8),
    Change(usize, u8),
    ChangeAll(u8),
    ChangeSome(u8),
    View(usize, u8),
    Remove(usize),
    Despawn(usize),
    Commands(usize, u8),
    Join(usize, u8),
    Swap(usize, usize),
    Tick,
    Copy,
    Load,
    Keep,
    Restore,
    Regroup,
    Clear,
    Shrink,
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    let (at, score) = (any::<usize>, || 0..9u8);
    prop_oneof![
        4 => (score(), proptest::option::of(0..9u8)).prop_map(|(score, rank)| Spawn(score, rank)),
        2 => proptest::collection::vec(score(), 0..200).prop_map(SpawnMany),
        3 => (at(), 0..9u8).prop_map(|(at, rank)| Rank(at, rank)),
        3 => (at(), 0..9u8).prop_map(|(at, seat)| Seat(at, seat)),
        3 => (at(), score()).prop_map(|(at, score)| Insert(at, score)),
        4 => (at(), score()).prop_map(|(at, score)| Change(at, score)),
        1 => score().prop_map(ChangeAll),
        2 => score().prop_map(ChangeSome),
        2 => (at(), score()).prop_map(|(at, score)| View(at, score)),
        2 => at().prop_map(Remove),
        2 => at().prop_map(Despawn),
        2 => (at(), score()).prop_map(|(at, score)| Commands(at, score)),
        3 => (at(), any::<u8>()).prop_map(|(at, joins)| Join(at, joins)),
        1 => (at(), at()).prop_map(|(a, b)| Swap(a, b)),
        3 => Just(Tick),
        1 => Just(Copy),
        1 => Just(Load),
        1 => Just(Keep),
        1 => Just(Restore),
        1 => Just(Regroup),
        1 => Just(Clear),
        1 => Just(Shrink),
    ]
}

/// A world, a snapshot of it, and how it runs.
struct Subject {
    game: Game,
    kept: Option<Snapshot<Game>>,
    threads: rayon::ThreadPool,
    parallelism: Parallelism,
}

impl Subject {
    fn new(threads: usize, parallelism: Parallelism) -> Self {
        let mut subject = Self {
            game: Game::new(),
            kept: None,
            threads: rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap(),
            parallelism,
        };
        subject.set_up();
        subject
    }

    /// Settings, which a loaded world does not have.
    fn set_up(&mut self) {
        self.game.on_failed_command(FailurePolicy::Ignore);
        self.game.set_parallelism(self.parallelism);
    }

    fn pick(&self, at: usize) -> Option<Entity> {
        let all: Vec<Entity> = self.game.entities().iter().collect();
        (!all.is_empty()).then(|| all[at % all.len()])
    }

    fn apply(&mut self, operation: &Operation) {
        use Operation::*;
        let entity = match operation {
            Rank(at, _)
            | Seat(at, _)
            | Insert(at, _)
            | Change(at, _)
            | View(at, _)
            | Remove(at)
            | Despawn(at)
            | Commands(at, _)
            | Join(at, _)
            | Swap(at, _) => {
                let Some(entity) = self.pick(*at) else { return };
                entity
            }
            _ => Entity::from_bits(1 << 32).unwrap(),
        };
        let game = &mut self.game;
        match operation {
            Spawn(score, None) => {
                let timer = Timer { due: 9 - score, sound: String::new() };
                _ = game.spawn((
                    Score(*score),
                    Team(*score),
                    timer,
                    Position(*score as i8 - 4),
                    Place(f32::from(*score) / 2.0),
                ));
            }
            Spawn(score, Some(rank)) => {
                let seat = 8 - rank;
                let is_free =
                    game.find_one::<self::Rank>(rank).or(game.find_one::<self::Seat>(&seat)).is_none();
                let bundle = (Score(*score), self::Rank(*rank, 0), self::Seat(seat, 0));
                assert_eq!(game.try_spawn(bundle).is_ok(), is_free);
            }
            SpawnMany(scores) => {
                _ = game.spawn_batch(scores.iter().map(|&score| (Score(score), Team(score)))).count()
            }
            Rank(_, rank) => {
                let holder = game.find_one::<self::Rank>(rank);
                let inserted = game.insert(entity, self::Rank(*rank, 1)).is_ok();
                assert_eq!(inserted, holder.is_none_or(|holder| holder == entity));
            }
            Seat(_, seat) => {
                let holder = game.find_one::<self::Seat>(seat);
                let inserted = game.insert(entity, self::Seat(*seat, 1)).is_ok();
                assert_eq!(inserted, holder.is_none_or(|holder| holder == entity));
            }
            Insert(_, score) => _ = game.insert(entity, (Score(*score), Team(*score))).unwrap(),
            Change(_, score) => {
                _ = game.get_tracked::<Score>(entity).map(|mut at| at.0 = *score);
                _ = game.get_tracked::<Team>(entity).map(|mut at| at.0 = *score);
            }
            ChangeAll(by) => {
                game.query_mut::<Mut<Score>>().for_each(|mut at| at.0 = (at.0 + by) % 9);
                game.query_mut::<Mut<Team>>().for_each(|mut at| at.0 = (at.0 + by) % 9);
            }
            ChangeSome(of) => {
                for mut score in game.query_mut::<Mut<Score>>().into_iter().step_by(usize::from(*of) + 2) {
                    score.0 = *of;
                }
            }
            View(_, score) => {
                let mut columns = game.columns_mut();
                match score {
                    0 => _ = (columns.score.remove(entity), columns.team.remove(entity)),
                    1 => {
                        _ = columns.score.insert(entity, Score(4));
                        _ = columns.team.insert(entity, Team(4));
                    }
                    _ => {
                        _ = columns.score.get_mut(entity).map(|mut at| at.0 = *score);
                        _ = columns.team.get_mut(entity).map(|mut at| at.0 = *score);
                    }
                }
            }
            Remove(_) => game.remove::<(Score, self::Rank, Team, self::Seat)>(entity).map(drop).unwrap(),
            Despawn(_) => game.despawn(entity).unwrap(),
            Commands(_, score) => game.with_commands(|mut commands| {
                commands.insert(entity, (Score(*score), Team(*score)));
                let spawned = commands.spawn((Score(*score), Team(*score)));
                commands.run(move |game| {
                    game.get_tracked::<Score>(entity).unwrap().0 = 5;
                    game.get_tracked::<Team>(entity).unwrap().0 = 5;
                });
                commands.insert(spawned, (Score(1), Team(1)));
            }),
            Join(_, joins) => _ = game.insert(entity, Joins(*joins)).unwrap(),
            Swap(_, other) => {
                let other = self.pick(*other).unwrap();
                _ = self.game.swap::<(Score, Team)>(entity, other);
            }
            Tick => self.threads.install(|| game.tick()),
            Copy => *game = game.clone(),
            Load => {
                *game = Game::load(&game.to_bytes().unwrap()).unwrap();
                self.set_up();
            }
            Keep => self.kept = Some(game.snapshot()),
            Restore => {
                if let Some(kept) = &self.kept {
                    game.restore(kept);
                }
            }
            Regroup => _ = game.regroup(),
            Clear => game.clear(),
            Shrink => game.shrink_to_fit(),
        }
    }
}

fn agree(game: &Game) {
    let scores = game.query::<(Entity, &Score)>();
    let all: Vec<(Entity, u8)> = scores.iter().map(|(entity, score)| (entity, score.0)).collect();
    let order = sorted(all.iter().copied());
    assert_eq!(game.find_range::<Score>(..).collect::<Vec<_>>(), order);
    assert!(game.find_range::<Score>(..).rev().eq(order.iter().rev().copied()));
    for at in [0, 1, order.len() / 2, order.len()] {
        assert_eq!(game.find_range::<Score>(..).nth(at), order.get(at).copied());
        assert_eq!(game.find_range::<Score>(..).nth_back(at), order.iter().rev().nth(at).copied());
    }
    let ends = [game.find_first::<Score>(), game.find_last::<Score>()];
    assert_eq!(
        ends.map(|end| end.map(|(entity, _)| entity)),
        [order.first(), order.last()].map(|end| end.copied())
    );
    for low in 0..10 {
        let equal: Vec<Entity> =
            all.iter().filter(|(_, score)| *score == low).map(|(entity, _)| *entity).collect();
        assert_eq!(game.find_one::<Score>(&Score(low)), equal.first().copied());
        assert_eq!(game.find::<Score>(&Score(low)).collect::<Vec<_>>(), equal);
        for high in 0..10 {
            let above = (Bound::Excluded(Score(low)), Bound::Included(Score(high)));
            for (found, within) in [
                (game.find_range::<Score>(Score(low)..Score(high)), (low..high)),
                (game.find_range::<Score>(above), (low + 1..high + 1)),
            ] {
                let expected = sorted(all.iter().copied().filter(|(_, score)| within.contains(score)));
                assert_eq!(found.len(), expected.len());
                assert_eq!(found.collect::<Vec<_>>(), expected);
            }
        }
    }
    let timers = game.query::<(Entity, &Timer)>();
    assert!(
        game.find_range::<Timer>(..).eq(sorted(timers.iter().map(|(entity, timer)| (entity, timer.due))))
    );
    let ranks = game.query::<(Entity, &Rank)>();
    assert!(game.find_range::<Rank>(..).eq(sorted(ranks.iter().map(|(entity, rank)| (entity, rank.0)))));
    let positions = game.query::<(Entity, &Position)>();
    let expected = sorted(positions.iter().map(|(entity, position)| (entity, Distance::from(position))));
    assert!(game.find_range::<Position>(..).eq(expected));
    let (teams, seats) = (game.query::<(Entity, &Team)>(), game.query::<(Entity, &Seat)>());
    for number in 0..10 {
        let members = teams.iter().filter(|(_, team)| team.0 == number);
        let members: Vec<Entity> = members.map(|(entity, _)| entity).collect();
        assert_eq!(game.find::<Team>(&Team(number)).collect::<Vec<_>>(), members);
        assert_eq!(game.find_one::<Team>(&Team(number)), members.first().copied());
        let holders = seats.iter().filter(|(_, seat)| seat.0 == number).map(|(entity, _)| entity);
        assert!(game.find_one::<Seat>(&number).into_iter().eq(holders));
    }
    for cell in -2..6 {
        let places = game.query::<(Entity, &Place)>();
        let within = places.iter().filter(|(_, place)| place.0.floor() as i32 == cell);
        assert!(game.find::<Place>(&Cell(cell)).eq(within.map(|(entity, _)| entity)));
    }
}

proptest! {
    #![proptest_config(random_cases(250))]

    #[test]
    fn indexes_agree_with_a_scan_and_a_sort(operations in proptest::collection::vec(operation(), 1..80)) {
        let mut subjects = [
            Subject::new(1, Parallelism::Never),
            Subject::new(2, Parallelism::Always),
            Subject::new(4, Parallelism::Always),
        ];
        for operation in &operations {
            subjects.iter_mut().for_each(|subject| subject.apply(operation));
            agree(&subjects[0].game);
            let hashes = subjects.each_ref().map(|subject| subject.game.hash());
            assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{operation:?}");
        }
    }
}
