//! Two random worlds that are restored: one from snapshots, the other from full clones. After each
//! step they agree in their state and in the changes that their systems have seen.

use std::collections::VecDeque;

use ecs::prelude::*;
use ecs_tests::random::random_cases;
use ecs_tests::{Ledger, Token};
use proptest::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
struct Plain([u32; 5]);
/// A counted value that owns memory.
#[derive(Component, Clone)]
struct Held(String, #[allow(dead_code)] Token);
#[derive(Component, Clone, PartialEq, Debug)]
#[repr(align(256))]
struct Wide(u8);
#[derive(Component, Clone)]
struct Tag;
#[derive(Component, Clone, Copy, PartialEq, Debug)]
#[component(tracked, removed)]
struct Score(u32);
/// A tracked tag.
#[derive(Component, Clone)]
#[component(tracked)]
struct Flag;

#[derive(Event, Clone)]
struct Ping(Entity, u32);

/// All changes that systems have seen.
#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Told(Vec<String>);

world! {
    #[derive(Clone)]
    struct Game {
        components { Plain, Held, Wide, Tag, Score, Flag }
        resources { Told = Told::default() }
        events { Ping(external, keep = 40) }
    }
    schedule tick { grow, breed; cull, score; tell, listen; wither }
}

#[system(Game)]
fn grow(plain: &mut Plain, wide: Option<&mut Wide>, _: Without<Tag>) {
    plain.0[0] = plain.0[0].wrapping_mul(5).wrapping_add(1);
    if let Some(wide) = wide {
        wide.0 = wide.0.wrapping_add(plain.0[0] as u8);
    }
}

#[system(Game)]
fn breed(
    all: Query<&Plain>,
    mut runs: Local<u32>,
    mut pings: EventWriter<Ping>,
    mut commands: Commands<Game>,
) {
    *runs += 1;
    for n in 0..(*runs + all.len() as u32) % 4 {
        let child = commands.spawn((Plain([*runs; 5]), Score(n)));
        if n % 2 == 0 {
            commands.insert(child, Wide(n as u8));
        }
        pings.send(Ping(child, *runs));
    }
}

#[system(Game)]
fn cull(all: Query<(Entity, &Plain)>, mut commands: Commands<Game>) {
    all.iter().filter(|(_, plain)| plain.0[0] % 7 == 3).for_each(|(entity, _)| commands.despawn(entity));
}

#[system(Game)]
fn score(mut scores: Query<(Mut<Score>, Option<&Held>)>) {
    scores.for_each(|(mut score, held)| {
        if score.0 % 3 == 0 {
            score.0 += 1 + held.map_or(0, |held| held.0.len() as u32);
        } else if score.0 % 3 == 1 {
            score.bypass_change_detection().0 += 5;
        }
    });
}

#[system(Game)]
fn tell(
    changed: Query<(Entity, &Score), Changed<Score>>,
    added: Query<Entity, (With<Flag>, Added<Flag>)>,
    born: Entered<With<Plain>>,
    gone: Exited<(With<Score>, Without<Tag>)>,
    mut lost: Removed<Score>,
    mut told: ResMut<Told>,
) {
    let changed: Vec<_> = changed.iter().map(|(entity, score)| (entity, score.0)).collect();
    let added: Vec<_> = added.iter().collect();
    let (born, gone): (Vec<_>, Vec<_>) = (born.iter().collect(), gone.iter().collect());
    let lost: Vec<_> = lost.iter().map(|(entity, score)| (entity, score.0)).collect();
    told.0.push(format!("{changed:?} {added:?} {born:?} {gone:?} {lost:?}"));
}

#[system(Game)]
fn listen(mut pings: EventReader<Ping>, mut turns: Local<Vec<u32>>, mut told: ResMut<Told>) {
    let heard: Vec<_> = pings.iter().map(|ping| (ping.0, ping.1)).collect();
    turns.push(heard.len() as u32);
    told.0.push(format!("{heard:?} after {turns:?}"));
}

#[system(Game)]
fn wither(all: Query<(Entity, &Plain)>, mut tags: Storage<Tag>, mut flags: Storage<Flag>) {
    for (entity, plain) in &all {
        if plain.0[0].is_multiple_of(3) {
            tags.insert(entity, Tag).unwrap();
            flags.remove(entity);
        } else if plain.0[0] % 5 == 1 {
            tags.remove(entity);
            flags.insert(entity, Flag).unwrap();
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Tick,
    Spawn(u32),
    Batch(u32, usize),
    Despawn(usize),
    Insert(usize, u32),
    Remove(usize, u8),
    Set(usize, u32),
    Write(u8),
    Far(usize, u32),
    Send(u32),
    Drain,
    Clear,
    Snapshot,
    Restore(usize),
    Forget(usize),
    CloneFrom(usize),
    Shrink,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    use Step::*;
    let (id, n) = (|| 0..10_000usize, any::<u32>);
    let step = prop_oneof![
        4 => Just(Tick),
        2 => n().prop_map(Spawn),
        2 => (n(), 1..300usize).prop_map(|(n, count)| Batch(n, count)),
        3 => id().prop_map(Despawn),
        3 => (id(), n()).prop_map(|(at, n)| Insert(at, n)),
        3 => (id(), any::<u8>()).prop_map(|(at, n)| Remove(at, n)),
        3 => (id(), n()).prop_map(|(at, n)| Set(at, n)),
        3 => any::<u8>().prop_map(Write),
        2 => (id(), n()).prop_map(|(at, n)| Far(at, n)),
        2 => n().prop_map(Send),
        1 => Just(Drain),
        1 => Just(Clear),
        2 => Just(Shrink),
        6 => Just(Snapshot),
        6 => id().prop_map(Restore),
        1 => id().prop_map(Forget),
        1 => id().prop_map(CloneFrom),
    ];
    prop::collection::vec(step, 1..60)
}

/// The number of kept snapshots.
const KEPT: usize = 4;

/// A world that is restored from snapshots, one that is restored from clones, and the snapshots and
/// clones.
struct Pair {
    game: Game,
    plain: Game,
    ring: VecDeque<(Snapshot<Game>, Game)>,
    ledger: Ledger,
}

impl Pair {
    fn new() -> Self {
        let game = Game::new();
        Self { plain: game.clone(), game, ring: VecDeque::new(), ledger: Ledger::new() }
    }

    fn apply(&mut self, step: &Step) {
        let kept = self.ring.len().max(1);
        match *step {
            Step::Snapshot => {
                self.ring.push_back((self.game.snapshot(), self.plain.clone()));
                if self.ring.len() > KEPT {
                    self.ring.pop_front();
                }
            }
            Step::Restore(at) => {
                if let Some((snapshot, clone)) = self.ring.get(at % kept) {
                    self.game.restore(snapshot);
                    self.plain = clone.clone();
                }
            }
            Step::Forget(at) => {
                self.ring.remove(at % kept);
            }
            // the other world keeps its memory: the two agree all the same
            Step::Shrink => self.game.shrink_to_fit(),
            Step::CloneFrom(at) => {
                if let Some((_, clone)) = self.ring.get(at % kept) {
                    self.game.clone_from(clone);
                    self.plain.clone_from(clone);
                }
            }
            _ => {
                change(&mut self.game, step, &self.ledger);
                change(&mut self.plain, step, &self.ledger);
            }
        }
    }
}

fn change(game: &mut Game, step: &Step, ledger: &Ledger) {
    let ids: Vec<Entity> = game.entities().iter().collect();
    let pick = |at: usize| ids.get(at % ids.len().max(1)).copied();
    let held = |n: u32| Held(format!("{}", n % 2000), ledger.token());
    match *step {
        Step::Tick => game.tick(),
        Step::Spawn(n) => _ = game.spawn((Plain([n; 5]), held(n), Wide(n as u8))),
        Step::Batch(n, count) => {
            let numbers = 0..count as u32;
            if n % 2 == 0 {
                game.spawn_batch(numbers.map(|i| (Plain([n ^ i; 5]), Score(i))));
            } else {
                game.spawn_batch(numbers.map(|i| (held(i), Tag, Flag)));
            }
        }
        Step::Despawn(at) => _ = pick(at).map(|id| game.despawn(id)),
        Step::Insert(at, n) => {
            _ = pick(at).map(|id| game.insert(id, (held(n), Score(n % 50), Flag)).map(drop))
        }
        Step::Remove(at, n) => {
            if let Some(id) = pick(at) {
                match n % 3 {
                    0 => _ = game.remove::<(Held, Flag)>(id),
                    1 => _ = game.remove::<Score>(id),
                    _ => _ = game.columns_mut().plain.remove(id),
                }
            }
        }
        Step::Set(at, n) => {
            if let Some(id) = pick(at) {
                match n % 4 {
                    0 => _ = game.get_mut::<Plain>(id).map(|plain| plain.0[1] = n),
                    1 => _ = game.get_tracked::<Score>(id).map(|mut score| score.0 = n % 1000),
                    2 => _ = game.columns_mut().wide.get_mut(id).map(|wide| wide.0 ^= n as u8),
                    _ => {
                        _ = game
                            .query_mut::<(&mut Held, &Tag)>()
                            .get_mut(id)
                            .map(|(held, _)| held.0.push('x'))
                    }
                }
            }
        }
        Step::Write(n) => match n % 5 {
            0 => game.query_mut::<&mut Plain>().filter::<With<Tag>>().for_each(|plain| plain.0[2] += 1),
            1 => {
                for (_, mut wide) in game.query_mut::<(&Plain, Option<&mut Wide>)>() {
                    wide.iter_mut().for_each(|wide| wide.0 ^= n);
                }
            }
            2 => {
                for plain in game.query_mut::<&mut Plain>().chunks_mut() {
                    plain.iter_mut().for_each(|plain| plain.0[3] ^= 1);
                }
            }
            3 => game.columns_mut().held.iter_mut().for_each(|(_, held)| held.0.push('y')),
            _ => game.query_mut::<&mut Wide>().par_for_each(|wide| wide.0 = wide.0.wrapping_mul(3)),
        },
        Step::Far(at, n) => {
            // distant pages, which are allocated and freed
            if let Some(id) = pick(at) {
                game.spawn_batch((0..5000).map(|_| Tag));
                _ = game.insert(id, Plain([n; 5]));
                let tags: Vec<Entity> = game.query::<(Entity, &Tag)>().iter().map(|(id, _)| id).collect();
                tags.iter().skip(10).for_each(|&id| _ = game.despawn(id));
            }
        }
        Step::Send(n) => game.send(Ping(pick(0).unwrap_or(Entity::from_bits(1 << 32).unwrap()), n)),
        Step::Drain => {
            let drained = game.drain::<Ping>().count();
            game.resource_mut::<Told>().0.push(format!("drained {drained}"));
        }
        Step::Clear => game.clear(),
        Step::Snapshot | Step::Restore(_) | Step::Forget(_) | Step::CloneFrom(_) | Step::Shrink => {}
    }
}

type Row = (Entity, Option<[u32; 5]>, Option<String>, Option<u8>, bool, Option<u32>, bool);

fn rows(game: &Game) -> Vec<Row> {
    let all = game
        .query::<(Entity, Option<&Plain>, Option<&Held>, Option<&Wide>, Is<Tag>, Option<&Score>, Is<Flag>)>();
    all.iter()
        .map(|(id, plain, held, wide, tag, score, flag)| {
            let (plain, held) = (plain.map(|plain| plain.0), held.map(|held| held.0.clone()));
            (id, plain, held, wide.map(|wide| wide.0), *tag, score.map(|score| score.0), *flag)
        })
        .collect()
}

fn agree(pair: &Pair) -> Result<(), TestCaseError> {
    let (game, plain) = (&pair.game, &pair.plain);
    prop_assert_eq!(rows(game), rows(plain));
    prop_assert_eq!(&game.resource::<Told>().0, &plain.resource::<Told>().0);
    let (one, two) = (game.stats(), plain.stats());
    prop_assert_eq!((one.entities, one.groups, one.blocks), (two.entities, two.groups, two.blocks));
    prop_assert_eq!(one.free_blocks, two.free_blocks);
    prop_assert_eq!(one.events, two.events);
    let lens =
        |columns: &[ecs::world::ColumnStats]| columns.iter().map(|column| column.len).collect::<Vec<_>>();
    prop_assert_eq!(lens(&one.columns), lens(&two.columns));
    let wide = game.query::<&Wide>();
    prop_assert!(wide.iter().all(|wide| std::ptr::from_ref(wide).addr().is_multiple_of(256)));
    Ok(())
}

fn run(steps: Vec<Step>) -> Result<(), TestCaseError> {
    let mut pair = Pair::new();
    for step in &steps {
        pair.apply(step);
        agree(&pair)?;
    }
    // restores every remaining snapshot, and runs from there
    for at in 0..pair.ring.len() {
        pair.apply(&Step::Restore(at));
        for step in [Step::Tick, Step::Spawn(5), Step::Write(2), Step::Tick] {
            pair.apply(&step);
            agree(&pair)?;
        }
    }
    let ledger = pair.ledger.clone();
    drop(pair);
    ledger.assert_settled();
    Ok(())
}

proptest! {
    #![proptest_config(random_cases(300))]

    #[test]
    fn snapshots_are_as_good_as_clones(steps in steps()) {
        run(steps)?;
    }
}
