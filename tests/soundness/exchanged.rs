//! Random operations on worlds whose private fields are exchanged at random, with values that panic
//! at random.
//!
//! A world with exchanged fields is inconsistent, and an operation on it may panic. No value may be
//! dropped twice, and the library may not panic in a destructor during another panic, which would
//! abort this test.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::mem::{swap, take};
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::command::FailurePolicy;
use ecs::component::{Column, ComponentHook, Name, StableId};
use ecs::prelude::*;
use ecs::save::{Baseline, DanglingIds, Replica, Selection, Skip};
use ecs::{ChildOf, Lookup, Many, Prefab, Related, Schedule, Snapshot};
use ecs_tests::Token;
use ecs_tests::fuse::{arm, burn, disarm};
use serde::{Deserialize, Serialize};

use super::bomb::{self, Bomb, Key, Likes, Married, Note, Owes, Tag, Team};

thread_local! {
    static RANDOM: Cell<u64> = const { Cell::new(1) };
    static OTHER: RefCell<Option<Box<Den>>> = const { RefCell::new(None) };
}

/// The next random number below `end`.
fn random(end: usize) -> usize {
    let mut x = RANDOM.get();
    (x, _) = (x ^ x << 13, ());
    x ^= x >> 7;
    x ^= x << 17;
    RANDOM.set(x);
    (x >> 11) as usize % end.max(1)
}

#[derive(Component, Clone, Default, Serialize, Deserialize)]
struct Plain(Bomb);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked, removed = 4)]
struct Loot(Bomb);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(unique)]
struct UniqueRule(Bomb);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(requires(Plain, Tag))]
struct Needs(Bomb);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(excludes(Ice))]
struct Fire(Bomb);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(excludes(Fire))]
struct Ice(u8);
#[derive(Component, Clone, Default, Serialize, Deserialize)]
struct Orphaned;

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(storage = "packed", tracked, removed = 4)]
struct Packed(Bomb, [u64; 5]);
#[derive(Component, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(storage = "packed", index, tracked)]
struct PackedTeam(Bomb);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(storage = "packed", hook = Sum)]
struct Hooked(Bomb);

/// A hook whose functions may panic. It reads the values that it is called with.
struct Sum(BTreeMap<Entity, u32>, Token);

impl Default for Sum {
    fn default() -> Self {
        burn("a hook's default");
        Self(BTreeMap::new(), bomb::token())
    }
}
impl Clone for Sum {
    fn clone(&self) -> Self {
        burn("a hook's clone");
        Self(self.0.clone(), self.1.clone())
    }
}
impl Drop for Sum {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            burn("a hook's drop");
        }
    }
}
impl ComponentHook<Hooked> for Sum {
    fn validate(&self, _: Option<&Hooked>, new: &Hooked) -> Result<(), &'static str> {
        burn("a validation");
        if new.0.0 == 5 { Err("five") } else { Ok(()) }
    }
    fn inserted(&mut self, entity: Entity, old: Option<&Hooked>, new: &Hooked) {
        assert!(old.is_none_or(|old| old.0.1.number() > 0) && new.0.1.number() > 0 && self.1.number() > 0);
        self.0.insert(entity, new.0.0);
        burn("an insertion");
    }
    fn removed(&mut self, entity: Entity, old: &Hooked) {
        assert!(old.0.1.number() > 0);
        self.0.remove(&entity);
        if !std::thread::panicking() {
            burn("a removal");
        }
    }
}

#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(many, symmetric)]
struct Knows(#[target] Entity, Bomb);
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(many, gone = mark(Orphaned))]
struct Fears(#[target] Entity, Bomb);

#[derive(Event, Clone, Serialize, Deserialize)]
struct Press(Bomb);
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Seen(Vec<Entity>);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Den {
        components {
            plain: Plain, loot: Loot, team: Team, key: Key, sole: UniqueRule, needs: Needs, tag: Tag, fire: Fire, ice: Ice,
            orphaned: Orphaned, likes: Many<Likes>, married: Married, knows: Many<Knows>, owes: Many<Owes>,
            fears: Many<Fears>, child_of: ChildOf, name: Name, stable_id: StableId, packed: Packed,
            packed_team: PackedTeam, hooked: Hooked
        }
        resources { seen: Seen = Seen::default() }
        events { note: Note(keep = 4), press: Press(external, keep = 4) }
    }
    schedule tick { write; breed; act; read, watch; bury; act_again }
}

world! {
    #[derive(Clone)]
    struct Hut { components { tag: Tag, plain: Plain, fears: Many<Fears>, orphaned: Orphaned } }
    schedule tick { pass }
}

#[system(Hut)]
fn pass(mut commands: Commands<Hut>, tags: Query<Entity, With<Tag>>) {
    for _ in tags.iter().take(3) {
        commands.spawn(Tag);
    }
}

#[system(Den)]
fn write(mut notes: EventWriter<Note>, mut team: Query<Mut<Team>>, mut kept: Local<Skip<Vec<u32>>>) {
    notes.send(Note(Bomb::new(random(5) as u32)));
    kept.push(1);
    for mut team in team.iter_mut().take(3) {
        team.0 = Bomb::new(random(4) as u32);
    }
}

#[system(Den)]
fn breed(mut commands: Commands<Den>, all: Query<Entity>) {
    for _ in 0..random(70) {
        let child = commands.spawn((Plain(Bomb::new(1)), Loot(Bomb::new(2))));
        commands.insert(child, Tag);
    }
    for parent in all.iter().take(random(4)) {
        let child = commands.spawn((ChildOf(parent), Needs(Bomb::new(3))));
        commands.insert(parent, Team(Bomb::new(1)));
        commands.relate(child, Owes(parent, Bomb::new(4)));
        commands.remove::<Loot>(parent);
    }
}

/// Exchanges fields while the world runs.
#[system(Den)]
fn act(den: &mut Den, _kept: Local<Skip<Vec<u32>>>) {
    if random(4) == 0
        && let Some(mut other) = OTHER.take()
    {
        exchange(den, &mut other);
        OTHER.set(Some(other));
    }
    if random(20) == 0 {
        burn("an exclusive system");
        den.tick();
    }
}

#[system(Den)]
fn act_again(den: &mut Den) {
    act(den, Local::new(&mut Skip::default()));
}

#[system(Den)]
fn read(
    mut notes: EventReader<Note>,
    mut presses: EventReader<Press>,
    teams: Lookup<Team>,
    mut seen: ResMut<Seen>,
) {
    let _ = notes.iter().chain([]).map(|note| note.0.0).sum::<u32>()
        + presses.iter().map(|press| press.0.0).sum::<u32>();
    seen.0.extend(teams.find(&Team(Bomb::new(1))).take(3));
    seen.0.truncate(8);
}

#[system(Den)]
fn watch(
    born: Entered<With<Loot>>,
    gone: Exited<With<Plain>>,
    mut lost: Removed<Loot>,
    family: Related<ChildOf>,
    changed: Query<Entity, Changed<Team>>,
) {
    let _ = (born.len(), gone.len(), changed.iter().count());
    for (entity, _) in lost.iter() {
        let _ = family.sources(entity).len();
    }
}

#[system(Den)]
fn bury(mut commands: Commands<Den>, all: Query<Entity>) {
    for entity in all.iter().skip(random(9)).take(random(9)) {
        commands.despawn(entity);
    }
}

/// Exchanges one field of two worlds, or takes it from one.
fn exchange(one: &mut Den, two: &mut Den) {
    match random(31) {
        0 => swap(&mut one.plain, &mut two.plain),
        1 => swap(&mut one.loot, &mut two.loot),
        2 => swap(&mut one.team, &mut two.team),
        3 => swap(&mut one.key, &mut two.key),
        4 => swap(&mut one.sole, &mut two.sole),
        5 => swap(&mut one.needs, &mut two.needs),
        6 => swap(&mut one.tag, &mut two.tag),
        7 => swap(&mut one.likes, &mut two.likes),
        8 => swap(&mut one.married, &mut two.married),
        9 => swap(&mut one.knows, &mut two.knows),
        10 => swap(&mut one.owes, &mut two.owes),
        11 => swap(&mut one.fears, &mut two.fears),
        12 => swap(&mut one.child_of, &mut two.child_of),
        13 => swap(&mut one.name, &mut two.name),
        14 => swap(&mut one.stable_id, &mut two.stable_id),
        15 => swap(&mut one.note, &mut two.note),
        16 => swap(&mut one.press, &mut two.press),
        17 | 18 => swap(&mut one.__entities, &mut two.__entities),
        19 => swap(&mut one.__schedule_states, &mut two.__schedule_states),
        20 => one.__schedule_states = Default::default(),
        21 => one.fire = take(&mut two.fire),
        22 => one.child_of = take(&mut two.child_of),
        23 => one.note = Default::default(),
        24 => {
            one.loot =
                ecs::__private::snapshot_column::<Den, _>(&mut two.loot, |saved, live| match random(3) {
                    0 => {}
                    1 => saved.clone_from(live),
                    _ => *saved = live.clone(),
                })
        }
        25 => swap(&mut one.packed, &mut two.packed),
        26 => swap(&mut one.packed_team, &mut two.packed_team),
        27 => swap(&mut one.hooked, &mut two.hooked),
        28 => one.packed = take(&mut two.packed),
        29 => swap(one, two),
        _ => drop(ecs::__private::snapshot_column::<Den, _>(&mut two.plain, |saved, _| {
            *saved = Column::default()
        })),
    }
}

struct State {
    worlds: Vec<Den>,
    hut: Hut,
    ids: Vec<Entity>,
    snapshots: Vec<Snapshot<Den>>,
    files: Vec<Vec<u8>>,
    schedule: Schedule<Den>,
    exchanges: bool,
}

const PREFAB: &str = r#"{"a":{"Plain":1,"ChildOf":"b","Name":"x"},"b":{"Needs":2,"Many<Likes>":[{"whom":"a","bomb":1}],"Team":1}}"#;

impl State {
    fn new(exchanges: bool) -> Self {
        let mut worlds = vec![Den::default(), Den::default()];
        worlds.iter_mut().for_each(|den| den.on_failed_command(FailurePolicy::Ignore));
        let mut schedule = Schedule::new("extra");
        schedule
            .add_fn(&mut worlds[0], "more", 0, |mut commands: Commands<Den>, notes: EventReader<Note>| {
                commands.spawn(Key(Bomb::new(notes.len() as u32)));
            })
            .unwrap();
        let snapshots = vec![worlds[0].snapshot()];
        Self { worlds, hut: Hut::new(), ids: Vec::new(), snapshots, files: Vec::new(), schedule, exchanges }
    }

    fn id(&self) -> Entity {
        match self.ids.get(random(self.ids.len() + 1)) {
            Some(id) => *id,
            None => Entity::from_bits((random(5) as u64 + 1) << 32 | random(900) as u64).unwrap(),
        }
    }

    fn step(&mut self) {
        let (a, b) = (self.id(), self.id());
        let at = random(self.worlds.len());
        let den = &mut self.worlds[at];
        let bomb = || Bomb::new(random(6) as u32);
        match random(62) {
            0 | 1 => self.ids.extend([den.spawn((Plain(bomb()), Loot(bomb()))), den.spawn(Team(bomb()))]),
            44 | 45 => {
                let moved = den.regroup();
                self.ids.extend(moved.iter().map(|(_, present)| present));
            }
            46 => self.ids.push(den.spawn((Plain(bomb()), Packed(bomb(), [1; 5])))),
            47 => drop(den.insert(a, (Packed(bomb(), [2; 5]), PackedTeam(bomb())))),
            48 => drop(den.insert(a, (Hooked(bomb()), PackedTeam(bomb())))),
            49 => drop(den.remove::<(Hooked, Packed)>(a)),
            50 => drop(den.clone_entity(a).map(|copy| self.ids.push(copy))),
            51 => drop(den.swap::<(Plain, Packed, Team)>(a, b)),
            52 => drop(den.swap_all(a, b)),
            53 => drop(den.move_components::<(Packed, Hooked, Loot)>(a, b)),
            54 => drop(den.insert_batch(self.ids.iter().map(|&id| {
                burn("a batch");
                (id, (Packed(Bomb::new(1), [3; 5]), Hooked(Bomb::new(2))))
            }))),
            55 => {
                den.retain::<&Packed>(|packed| {
                    burn("a condition");
                    packed.0.0.is_multiple_of(2)
                });
            }
            56 => drop(den.remove_all::<(Hooked, Plain)>()),
            57 => den.shrink_to_fit(),
            58 => {
                let slot = random(2000) as u32;
                let _ = den.reserve_ids(slot..slot + 70);
                let id = Entity::from_bits((random(3) as u64 + 1) << 32 | (slot as u64 + random(100) as u64))
                    .unwrap();
                if den.spawn_at(id, (Packed(bomb(), [4; 5]), Tag)).is_ok() {
                    self.ids.push(id);
                }
            }
            59 => {
                let all: Vec<Entity> =
                    self.ids.iter().copied().filter(|&id| den.contains(id)).take(20).collect();
                let [one, two] = &mut self.worlds[..] else { return };
                let (from, to) = if at == 0 { (one, two) } else { (two, one) };
                if let Ok(moved) = from.move_entities(&all, to) {
                    self.ids.extend(moved);
                }
            }
            60 => {
                let [one, two] = &mut self.worlds[..] else { return };
                let (from, to) = if at == 0 { (one, two) } else { (two, one) };
                let selection = Selection::<Den>::of::<(Plain, Packed, PackedTeam, Hooked, ChildOf, Key)>();
                let baseline = selection.baseline(from, 1);
                let _ = from.despawn(a);
                let _ = from.regroup();
                let mut replica = Replica::default();
                let deltas =
                    [selection.delta(&Baseline::nothing(), from, 1), selection.delta(&baseline, from, 2)];
                for delta in deltas.into_iter().flatten() {
                    let _ = selection.apply(to, &mut replica, &delta);
                }
                if random(3) == 0 {
                    replica.clear(to);
                }
            }
            61 => {
                for (packed, hooked) in den.query_mut::<(Mut<Packed>, Option<&Hooked>)>() {
                    assert!(packed.0.1.number() > 0 && hooked.is_none_or(|hooked| hooked.0.1.number() > 0));
                }
                for mut team in den.query_mut::<Mut<PackedTeam>>() {
                    team.0 = Bomb::new(random(4) as u32);
                }
            }
            2 => self.ids.push(den.spawn((Needs(bomb()), Married(a, bomb())))),
            3 => self.ids.extend(
                den.spawn_batch((0..random(200)).map(|n| {
                    burn("an iterator");
                    (Plain(Bomb::new(n as u32)), Tag)
                }))
                .step_by(9),
            ),
            4 => self.ids.extend(
                den.spawn_batch((0..random(200)).map(|n| (Needs(Bomb::new(n as u32)), Loot(Bomb::new(1)))))
                    .step_by(9),
            ),
            5 => {
                let (left, right) = (0..random(200), 0..random(200));
                let columns = (
                    left.map(|n| {
                        burn("a column");
                        Plain(Bomb::new(n as u32))
                    })
                    .collect::<Vec<_>>(),
                    right
                        .map(|n| {
                            burn("a column");
                            Loot(Bomb::new(n as u32))
                        })
                        .collect::<Vec<_>>(),
                );
                self.ids.extend(den.spawn_columns(columns).step_by(9));
            }
            6..=8 => drop(den.despawn(a)),
            9 => drop(den.insert(a, Team(bomb()))),
            10 => drop(den.insert(a, Key(bomb()))),
            11 => drop(den.insert(a, (UniqueRule(bomb()), Loot(bomb())))),
            12 => drop(den.insert(a, (Fire(bomb()), Needs(bomb())))),
            13 => drop(den.insert(a, Ice(1))),
            14 => drop(den.try_remove::<(Plain, Loot)>(a)),
            15 => drop(den.try_remove::<Team>(a)),
            16 => drop(den.relate(a, Likes { whom: b, bomb: bomb() })),
            17 => drop(den.relate(a, Married(b, bomb()))),
            18 => drop(den.relate(a, Knows(b, bomb()))),
            19 => drop(den.relate(a, Owes(b, bomb()))),
            20 => drop(den.relate(a, Fears(b, bomb()))),
            21 => drop(den.relate(a, ChildOf(b))),
            22 => drop(den.relate_at(a, ChildOf(b), random(3))),
            23 => drop(den.unrelate::<Knows>(a, b)),
            24 => drop(den.insert(a, (Name::new(format!("n{}", random(3))), StableId(random(3) as u64)))),
            25..=28 => den.tick(),
            29 => self.snapshots.push(den.snapshot()),
            30 => {
                if let Some(snapshot) = self.snapshots.get(random(self.snapshots.len())) {
                    den.restore(snapshot)
                }
            }
            31 => {
                let copy = den.clone();
                self.worlds[(at + 1) % 2] = copy;
            }
            32 => {
                let source = den.clone();
                self.worlds[(at + 1) % 2].clone_from(&source)
            }
            33 => den.clear(),
            34 => self.files.push(den.to_bytes().unwrap_or_default()),
            35 => {
                if let Some(file) = self.files.get(random(self.files.len()))
                    && let Ok(mut loaded) = Den::load(file)
                {
                    loaded.on_failed_command(FailurePolicy::Ignore);
                    *den = loaded;
                }
            }
            36 => {
                if let Some(file) = self.files.get(random(self.files.len())) {
                    let _ = den.merge(file, DanglingIds::Keep);
                }
            }
            37 => {
                if let Ok(prefab) = Prefab::<Den>::from_json("p", PREFAB) {
                    let _ = prefab.spawn(den);
                }
            }
            38 => den.send(Press(bomb())),
            39 => drop(self.schedule.run(den)),
            40 => {
                if let Ok(text) = serde_json::to_string(den) {
                    let _ = serde_json::from_str::<Den>(&text).map(|again| again.hash());
                }
            }
            41 => den.with_commands(|mut commands| {
                let new = commands.spawn(Needs(bomb()));
                commands.insert(a, Plain(bomb()));
                commands.despawn(b);
                commands.relate(new, Fears(a, bomb()));
                burn("a closure");
            }),
            42 => {
                let _ = (den.find::<Team>(&Team(bomb())).count(), den.find_one::<Key>(&Key(bomb())));
                let _ = den.query::<(&Plain, Option<&Loot>)>().iter().count();
            }
            _ => {
                self.hut.spawn((Tag, Plain(bomb())));
                self.hut.tick();
            }
        }
        self.files.drain(..self.files.len().saturating_sub(3));
        self.snapshots.drain(..self.snapshots.len().saturating_sub(3));
        self.ids.drain(..self.ids.len().saturating_sub(60));
    }

    fn exchange(&mut self) {
        let [one, two] = &mut self.worlds[..] else { return };
        match random(8) {
            0 => swap(&mut one.__entities, &mut self.hut.__entities),
            1 => swap(&mut one.__schedule_states, &mut self.hut.__schedule_states),
            2 => swap(&mut one.plain, &mut self.hut.plain),
            3 => swap(&mut one.fears, &mut self.hut.fears),
            4 => swap(&mut one.orphaned, &mut self.hut.orphaned),
            _ => exchange(one, two),
        }
    }
}

/// Runs random operations. Returns the number of panics.
fn run(seed: u64, steps: usize, exchanges: bool) -> usize {
    RANDOM.set(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..4 {
        random(1);
    }
    OTHER.set(exchanges.then(|| Box::new(Den::default())));
    let mut state = State::new(exchanges);
    let mut panics = 0;
    for step in 0..steps {
        if random(3) == 0 {
            arm(random(60) as u32 + 1);
        }
        let done = catch_unwind(AssertUnwindSafe(|| {
            if state.exchanges && random(6) == 0 {
                state.exchange();
            }
            state.step();
        }));
        disarm();
        panics += usize::from(done.is_err());
        if !exchanges && step % 20 == 0 {
            state.worlds.iter().for_each(is_whole);
        }
    }
    OTHER.set(None);
    drop(state);
    panics
}

/// Asserts that every value has a live entity, and that the world's save can be loaded.
fn is_whole(den: &Den) {
    for column in den.stats().columns {
        let living = || den.entities().iter();
        let held = match column.component {
            "Plain" => living().filter(|&id| den.has::<Plain>(id)).count(),
            "Loot" => living().filter(|&id| den.has::<Loot>(id)).count(),
            "Needs" => living().filter(|&id| den.has::<Needs>(id)).count(),
            "Packed" => living().filter(|&id| den.has::<Packed>(id)).count(),
            "Hooked" => living().filter(|&id| den.has::<Hooked>(id)).count(),
            _ => continue,
        };
        assert_eq!(held, column.len, "values of `{}`", column.component);
    }
    let again = Den::load(&den.to_bytes().unwrap()).unwrap();
    assert!(again.entities().iter().eq(den.entities().iter()));
}

/// The seeds to run: `SEEDS=0..1000` replaces the default.
fn seeds() -> std::ops::Range<u64> {
    let asked = std::env::var("SEEDS").ok();
    let ends = asked.as_ref().and_then(|range| range.split_once(".."));
    ends.map_or(0..12, |(from, to)| from.parse().unwrap()..to.parse().unwrap())
}

#[test]
fn panics_of_values_leave_whole_worlds() {
    let mut panics = 0;
    for seed in seeds() {
        panics += run(seed, 300, false);
        bomb::assert_settled();
    }
    assert!(panics > 100, "{panics} panics");
}

#[test]
fn exchanged_fields_never_end_the_process() {
    let mut panics = 0;
    for seed in seeds() {
        panics += run(seed, 300, true);
        bomb::assert_none_twice();
    }
    assert!(panics > 100, "{panics} panics");
}
