//! The same random operations on a world with packed components and on one without: both have the
//! same entities, values, order of iteration, hash and saved bytes after each operation, and drop
//! the same number of values.

use ecs_tests::random::random_cases;
use proptest::prelude::*;

/// An operation. A `usize` selects one of the entities so far.
#[derive(Clone, Debug)]
enum Operation {
    Spawn(u32),
    Batch(u32, usize),
    Columns(u32, usize),
    Insert(usize, u32),
    InsertEach(usize, u32),
    Replace(usize, u32),
    Remove(usize),
    RemoveEach(usize),
    Despawn(usize),
    DespawnEach(usize),
    Relate(usize, usize),
    Tick,
    Parallel(u32),
    Chunks(u32),
    Clear,
    Shrink,
    Clone,
    Snapshot,
    Restore,
    Load,
    Merge,
    Regroup,
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    use Operation::*;
    let (id, value) = (|| 0..100_000usize, any::<u32>);
    let step = prop_oneof![
        2 => value().prop_map(Spawn),
        4 => (value(), 1..700usize).prop_map(|(value, count)| Batch(value, count)),
        2 => (value(), 1..300usize).prop_map(|(value, count)| Columns(value, count)),
        6 => (id(), value()).prop_map(|(n, value)| Insert(n, value)),
        4 => (1..60usize, value()).prop_map(|(n, value)| InsertEach(n, value)),
        3 => (id(), value()).prop_map(|(n, value)| Replace(n, value)),
        4 => id().prop_map(Remove),
        2 => (1..20usize).prop_map(RemoveEach),
        4 => id().prop_map(Despawn),
        1 => (2..9usize).prop_map(DespawnEach),
        3 => (id(), id()).prop_map(|(from, to)| Relate(from, to)),
        3 => Just(Tick),
        1 => value().prop_map(Parallel),
        1 => value().prop_map(Chunks),
        1 => Just(Clear),
        2 => Just(Shrink),
        1 => Just(Clone),
        2 => Just(Snapshot),
        2 => Just(Restore),
        1 => Just(Load),
        1 => Just(Merge),
        2 => Just(Regroup),
    ];
    prop::collection::vec(step, 1..40)
}

/// Everything that is seen of a world.
#[derive(PartialEq, Debug)]
struct Report {
    hash: u64,
    bytes: Vec<u8>,
    rows: Vec<String>,
    folded: Vec<u64>,
    counts: [usize; 5],
    alive: usize,
}

/// The world, with the option of its components, and the operations on it.
macro_rules! game {
    ($module:ident, $(#[$option:meta])*) => {
        mod $module {
            use ecs::prelude::*;
            use ecs::save::DanglingIds;
            use ecs_tests::{Ledger, Token};
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            use super::{Operation, Report};

            thread_local! {
                static LEDGER: Ledger = Ledger::new();
            }

            /// A counted value that owns memory.
            #[derive(Clone, Debug)]
            struct Counted(String, #[allow(dead_code)] Token);

            impl Counted {
                fn new(text: String) -> Self {
                    Self(text, LEDGER.with(Ledger::token))
                }
            }
            impl Serialize for Counted {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    self.0.serialize(serializer)
                }
            }
            impl<'de> Deserialize<'de> for Counted {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    String::deserialize(deserializer).map(Self::new)
                }
            }

            #[derive(Component, Clone, Debug, Serialize, Deserialize)]
            struct Body(u32);
            #[derive(Component, Clone, Debug, Serialize, Deserialize)]
            $(#[$option])*
            struct Small(u32);
            #[derive(Component, Clone, Debug, Serialize, Deserialize)]
            #[component(removed)]
            $(#[$option])*
            struct Held(Counted);
            #[derive(Component, Clone, Debug, Serialize, Deserialize)]
            #[component(tracked, requires(Small))]
            $(#[$option])*
            #[repr(align(256))]
            struct Wide(u8);
            #[derive(Component, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
            #[component(index)]
            $(#[$option])*
            struct Team(u8);
            #[derive(Component, Clone, Debug, Serialize, Deserialize)]
            $(#[$option])*
            struct Nothing(());
            #[derive(Relation, Clone, Debug, Serialize, Deserialize)]
            #[relation(exclusive)]
            $(#[$option])*
            struct Follows(Entity);
            #[derive(Resource, Default, Clone, Serialize, Deserialize)]
            struct Told(Vec<String>);

            impl Default for Small {
                fn default() -> Self {
                    Self(77)
                }
            }

            world! {
                #[derive(Clone, Serialize, Deserialize)]
                struct Game {
                    components { Body, Small, Held, Wide, Team, Nothing, Follows }
                    resources { told: Told = Told::default() }
                }
                schedule tick { grow, tell, bury; breed; changes }
            }

            #[system(Game)]
            fn grow(body: &mut Body, small: &Small) {
                body.0 = body.0.wrapping_mul(3).wrapping_add(small.0);
            }
            #[system(Game)]
            fn tell(held: &Held, _: Without<Team>, mut told: ResMut<Told>) {
                if held.0.0.len() % 3 == 0 {
                    told.0.push(held.0.0.clone());
                    told.0.truncate(40);
                }
            }
            #[system(Game)]
            fn bury(mut removed: Removed<Held>, mut told: ResMut<Told>) {
                for (_, held) in removed.iter() {
                    told.0.insert(0, held.0.0.clone());
                }
                told.0.truncate(40);
            }
            #[system(Game)]
            fn breed(all: Query<(Entity, &Small), Without<Wide>>, mut commands: Commands<Game>) {
                for (entity, small) in &all {
                    match small.0 % 11 {
                        0 => commands.insert(entity, (Wide(small.0 as u8), Team(3))),
                        1 => drop(commands.spawn((Small(small.0 / 2), Nothing(())))),
                        2 => commands.remove::<Small>(entity),
                        _ => {}
                    }
                }
            }
            #[system(Game)]
            fn changes(wide: Ref<Wide>, _: Changed<Wide>, mut told: ResMut<Told>) {
                told.0.insert(0, format!("{}", wide.0));
                told.0.truncate(40);
            }

            pub struct Pair {
                game: Game,
                ids: Vec<Entity>,
                snapshot: Option<Snapshot<Game>>,
            }

            fn bundle(n: u32) -> (Body, Small, Held) {
                (Body(n), Small(n / 3), Held(Counted::new(n.to_string())))
            }

            impl Pair {
                /// A pair that begins as a saved world: the ids of different types of worlds differ
                /// in their generations.
                pub fn of(saved: &[u8]) -> Self {
                    Self { game: Game::load(saved).unwrap(), ids: Vec::new(), snapshot: None }
                }

                fn pick(&self, n: usize) -> Entity {
                    if self.ids.is_empty() { Entity::from_bits(1 << 32).unwrap() } else { self.ids[n % self.ids.len()] }
                }

                pub fn apply(&mut self, operation: &Operation) {
                    use Operation::*;
                    match *operation {
                        Spawn(n) => self.ids.push(self.game.spawn((Body(n), Team(n as u8 % 5)))),
                        Batch(n, count) if n % 2 == 0 => {
                            self.ids.extend(self.game.spawn_batch((0..count as u32).map(|i| Body(n ^ i))));
                        }
                        Batch(n, count) => {
                            self.ids.extend(self.game.spawn_batch((0..count as u32).map(|i| bundle(n ^ i))));
                        }
                        Columns(n, count) => {
                            let columns = (0..count as u32).map(|i| bundle(n ^ i));
                            let (bodies, held): (Vec<_>, Vec<_>) =
                                columns.map(|(body, small, held)| ((body, small), held)).unzip();
                            let (bodies, small): (Vec<_>, Vec<_>) = bodies.into_iter().unzip();
                            self.ids.extend(self.game.spawn_columns((bodies, small, held)));
                        }
                        Insert(n, value) => self.insert(self.pick(n), value),
                        InsertEach(n, value) => {
                            for (i, id) in self.ids.clone().into_iter().step_by(n).enumerate() {
                                self.insert(id, value.wrapping_add(i as u32));
                            }
                        }
                        Replace(n, value) => {
                            let id = self.pick(n);
                            if let Some(mut wide) = self.game.get_tracked::<Wide>(id) {
                                wide.0 = value as u8;
                            }
                            if let Some(small) = self.game.get_mut::<Small>(id) {
                                small.0 = value;
                            }
                            let _ = self.game.insert(id, Held(Counted::new(value.to_string())));
                        }
                        Remove(n) => drop(self.game.remove::<(Small, Held, Follows)>(self.pick(n))),
                        RemoveEach(n) => {
                            for id in self.ids.clone().into_iter().step_by(n) {
                                drop(self.game.remove::<Small>(id));
                                drop(self.game.remove::<(Wide, Team)>(id));
                            }
                        }
                        Despawn(n) => self.despawn(self.pick(n)),
                        DespawnEach(n) => {
                            self.ids.clone().into_iter().step_by(n).for_each(|id| self.despawn(id));
                        }
                        Relate(from, to) => drop(self.game.insert(self.pick(from), Follows(self.pick(to)))),
                        Tick => self.game.tick(),
                        Parallel(n) => self.game.query_mut::<(&mut Small, Option<&mut Held>)>().par_for_each(
                            |(small, held)| {
                                small.0 ^= n;
                                if let Some(held) = held {
                                    held.0.0.push('!');
                                }
                            },
                        ),
                        Chunks(n) => {
                            for (small, held) in self.game.query_mut::<(&mut Small, &Held)>().chunks_mut() {
                                small.iter_mut().zip(held).for_each(|(small, held)| small.0 = n ^ held.0.0.len() as u32);
                            }
                        }
                        Clear => {
                            self.game.clear();
                            self.ids.clear();
                        }
                        Shrink => {
                            let (hash, bytes) = (self.game.hash(), self.game.stats().bytes);
                            self.game.shrink_to_fit();
                            assert_eq!(self.game.hash(), hash);
                            assert!(self.game.stats().bytes <= bytes);
                        }
                        Clone => self.game = self.game.clone(),
                        Snapshot => self.snapshot = Some(self.game.snapshot()),
                        Restore => self.snapshot.iter().for_each(|snapshot| self.game.restore(snapshot)),
                        Regroup => {
                            let moved = self.game.regroup();
                            self.ids.iter_mut().for_each(|id| _ = moved.update(id));
                        }
                        Load => self.game = Game::load(&self.game.to_bytes().unwrap()).unwrap(),
                        Merge => {
                            let bytes = self.game.to_bytes().unwrap();
                            if self.game.entities().len() < 2000 {
                                self.ids.extend(self.game.merge(&bytes, DanglingIds::Keep).unwrap().iter().map(|(_, id)| id));
                            }
                        }
                    }
                }

                fn despawn(&mut self, id: Entity) {
                    let _ = self.game.despawn(id);
                }

                fn insert(&mut self, id: Entity, value: u32) {
                    match value % 5 {
                        0 => drop(self.game.insert(id, (Small(value), Held(Counted::new(value.to_string()))))),
                        1 => drop(self.game.insert(id, Wide(value as u8))),
                        2 => drop(self.game.insert(id, Team(value as u8 % 7))),
                        3 => drop(self.game.insert(id, Nothing(()))),
                        _ => drop(self.game.insert_if_new(id, Small(value))),
                    }
                }

                pub fn report(&mut self) -> Report {
                    let game = &mut self.game;
                    let mut folded = Vec::new();
                    game.query_mut::<(Entity, &Small)>().for_each(|(id, small)| folded.push(id.to_bits() ^ u64::from(small.0)));
                    game.query_mut::<(Entity, &mut Held)>().filter::<(With<Small>, Without<Team>)>().for_each(|(id, _)| folded.push(id.to_bits()));
                    game.query_mut::<(Entity, Mut<Wide>, Option<&Nothing>)>().for_each(|(id, wide, _)| folded.push(id.to_bits() ^ u64::from(wide.0)));
                    let rows = game.query::<(Entity, Option<&Small>, Option<&Held>, Option<Ref<Wide>>, Option<Ref<Team>>, Option<&Nothing>)>();
                    let rows = rows.iter().map(|(id, small, held, wide, team, nothing)| {
                        let (wide, team) = (wide.map(|wide| wide.0), team.map(|team| team.0));
                        format!("{id} {small:?} {:?} {wide:?} {team:?} {nothing:?}", held.map(|held| &held.0.0))
                    });
                    let rows = rows.collect();
                    let counts = [
                        game.query::<&Small>().len(),
                        game.query::<&Held>().iter().count(),
                        game.find::<Team>(&Team(3)).count(),
                        game.query::<&Nothing>().iter().count(),
                        game.query::<&Follows>().iter().count(),
                    ];
                    let alive = LEDGER.with(Ledger::alive);
                    Report { hash: game.hash(), bytes: game.to_bytes().unwrap(), rows, folded, counts, alive }
                }
            }

            pub fn saved() -> Vec<u8> {
                Game::new().to_bytes().unwrap()
            }

            pub fn alive() -> usize {
                LEDGER.with(Ledger::alive)
            }
        }
    };
}

game!(paged,);
game!(packed, #[component(storage = "packed")]);

proptest! {
    #![proptest_config(random_cases(60))]

    #[test]
    fn packed_and_paged_worlds_are_the_same(operations in operations()) {
        let saved = paged::saved();
        prop_assert_eq!(saved.len(), packed::saved().len());
        let (mut packed, mut paged) = (packed::Pair::of(&saved), paged::Pair::of(&saved));
        for operation in operations {
            packed.apply(&operation);
            paged.apply(&operation);
            let (packed, paged) = (packed.report(), paged.report());
            prop_assert_eq!((&packed.rows, &packed.folded), (&paged.rows, &paged.folded), "after {:?}", operation);
            prop_assert!(packed == paged, "after {:?}: the saved bytes or the hash differ", operation);
        }
        drop((packed, paged));
        prop_assert_eq!((packed::alive(), paged::alive()), (0, 0));
    }
}
