//! A world of 14 components, which is saved as well, and one of 79.

use ecs::prelude::*;
use ecs::save::DanglingIds;
use ecs::world::{CloneEntity, SnapshotWorld};
use ecs::{Commands, World};
use ecs_tests::Ledger;
use serde::{Deserialize, Serialize};

use super::parts::{Kind, Numbered, Part, numbered};
use super::play::Rows;
use super::queries;

numbered! {
    [derive(Serialize, Deserialize)] held: H0 H1 H2 H3;
    [derive(Serialize, Deserialize)] plain: N0 N1 N2 N3;
    [derive(Serialize, Deserialize)] tag: T0 T1 T2;
    [derive(Serialize, Deserialize), component(storage = "packed")] held: P0 P1;
    [derive(Serialize, Deserialize), component(requires(N0))] plain: R0;
    [] held: H4 H5 H6 H7 H8 H9 H10 H11 H12 H13 H14 H15 H16 H17 H18 H19;
    [] plain: N4 N5 N6 N7 N8 N9 N10 N11 N12 N13 N14 N15 N16 N17 N18 N19 N20 N21 N22 N23 N24 N25 N26 N27 N28;
    [] tag: T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 T17 T18;
    [component(storage = "packed")] held: P2 P3 P4 P5 P6 P7 P8 P9 P10;
}

/// The number of a required component that is inserted by itself.
pub const REQUIRED: u32 = 77;

impl Default for N0 {
    fn default() -> Self {
        Self(REQUIRED)
    }
}

/// The entities that a system spawns in a run: of each kind so many, with ascending numbers.
#[derive(Clone, Default)]
pub struct Script(pub Vec<(usize, u32, u32)>);

/// The orders of a system, and the entities that it has spawned: their ids, kinds and numbers.
#[derive(Clone, Default)]
pub struct Orders {
    /// The ledger of the program: the system may run on another thread.
    pub ledger: Ledger,
    pub script: Script,
    pub spawned: Vec<(Entity, usize, u32)>,
}

impl Orders {
    fn follow<W: Game>(&mut self, commands: &mut Commands<'_, W>) {
        self.ledger.enter();
        for (kind, first, count) in std::mem::take(&mut self.script.0) {
            let ids: Vec<Entity> = match count % 2 {
                0 => {
                    (first..first + count).map(|number| (W::KINDS[kind].command)(commands, number)).collect()
                }
                _ => (W::KINDS[kind].batch_command)(commands, first, count),
            };
            self.spawned.extend((first..).zip(ids).map(|(number, entity)| (entity, kind, number)));
        }
    }
}

#[derive(Resource, Clone, Default)]
#[resource(skip)]
pub struct One(pub Orders);
#[derive(Resource, Clone, Default)]
#[resource(skip)]
pub struct Two(pub Orders);

/// A world of the model.
pub trait Game: World + CloneEntity + SnapshotWorld + Send + Sync {
    const PARTS: &'static [Part<Self>];
    const KINDS: &'static [Kind<Self>];
    /// A component, and another one that it requires.
    const REQUIREMENT: Option<[&'static str; 2]> = None;
    fn begin() -> Self;
    fn run_schedule(&mut self);
    fn orders(&mut self) -> [&mut Orders; 2];
    /// The world as it is loaded from a save of it; `None` if it is not saved.
    fn reloaded(&self, _readable: bool) -> Option<Self> {
        None
    }
    /// Changes values by a query.
    fn write(&mut self, _rows: &mut Rows, _number: u32) {}
    /// Compares queries with the map.
    fn check_queries(&self, _rows: &Rows) {}
    /// Adds the entities of a save of another world, and returns their former and their new ids.
    fn merge_in(&mut self, _other: &Self) -> Option<Vec<(Entity, Entity)>> {
        None
    }
}

macro_rules! game {
    ($world:ident, $one:ident, $two:ident: $($part:ident)*; $($kind:ty,)*; $($more:item)*) => {
        #[system($world)]
        fn $one(mut orders: ResMut<One>, mut commands: Commands<$world>) {
            orders.0.follow(&mut commands);
        }
        #[system($world)]
        fn $two(mut orders: ResMut<Two>, mut commands: Commands<$world>) {
            orders.0.follow(&mut commands);
        }
        impl Game for $world {
            const PARTS: &'static [Part<Self>] = &[$(Part::of::<$part>(),)*];
            const KINDS: &'static [Kind<Self>] = &[$(Kind::of::<$kind>(),)*];
            fn begin() -> Self {
                Self::default()
            }
            fn run_schedule(&mut self) {
                self.tick();
            }
            fn orders(&mut self) -> [&mut Orders; 2] {
                // two resources, one after the other
                let $world { one, two, .. } = self;
                [&mut one.0, &mut two.0]
            }
            $($more)*
        }
    };
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    pub struct Small {
        components { H0, H1, H2, H3, N0, N1, N2, N3, T0, T1, T2, P0, P1, R0 }
        resources { one: One = One::default(), two: Two = Two::default() }
    }
    schedule tick { small_one, small_two; small_three }
}

world! {
    #[derive(Clone)]
    pub struct Large {
        components {
            H0, H1, H2, H3, H4, H5, H6, H7, H8, H9, H10, H11, H12, H13, H14, H15, H16, H17, H18, H19, N0, N1, N2, N3, N4, N5, N6, N7, N8, N9, N10, N11, N12, N13, N14, N15, N16, N17, N18, N19, N20, N21, N22, N23, N24, N25, N26, N27, N28, T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18, P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10,
        }
        resources { one: One = One::default(), two: Two = Two::default() }
    }
    schedule tick { large_one, large_two; large_three }
}

/// A stage behind the first one, so that its commands find holes.
#[system(Small)]
fn small_three(mut commands: Commands<Small>) {
    commands.run(|_| ());
}
#[system(Large)]
fn large_three(mut commands: Commands<Large>) {
    commands.run(|_| ());
}

game! {
    Small, small_one, small_two: H0 H1 H2 H3 N0 N1 N2 N3 T0 T1 T2 P0 P1 R0;
    (H0,), (H1,), (N0,), (T0,), (P0,), (H0, N0), (H0, H1, N0), (N0, N1, T0), (H2, P0), (P0, P1, N2), (H0, H1, H2, H3, N0, T1), (T0, T1, T2), (N3, T2), (H3, P1, T0), (), (N0, N1, N2, N3), (R0,), (R0, T0), (H0, P0, R0), (N0, R0, T0),;
    const REQUIREMENT: Option<[&'static str; 2]> = Some(["R0", "N0"]);
    fn reloaded(&self, readable: bool) -> Option<Self> {
        if readable {
            let text = serde_json::to_string(self).unwrap();
            return Some(serde_json::from_str(&text).unwrap_or_else(|error| panic!("a save does not load: {error}")));
        }
        Some(Self::load(&self.to_bytes().unwrap()).unwrap_or_else(|error| panic!("a save does not load: {error}")))
    }
    fn write(&mut self, rows: &mut Rows, number: u32) {
        queries::write(self, rows, number);
    }
    fn check_queries(&self, rows: &Rows) {
        queries::check(self, rows);
    }
    fn merge_in(&mut self, other: &Self) -> Option<Vec<(Entity, Entity)>> {
        Some(self.merge(&other.to_bytes().unwrap(), DanglingIds::Refuse).unwrap().iter().collect())
    }
}

game! {
    Large, large_one, large_two: H0 H1 H2 H3 H4 H5 H6 H7 H8 H9 H10 H11 H12 H13 H14 H15 H16 H17 H18 H19 N0 N1 N2 N3 N4 N5 N6 N7 N8 N9 N10 N11 N12 N13 N14 N15 N16 N17 N18 N19 N20 N21 N22 N23 N24 N25 N26 N27 N28 T0 T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 T17 T18 P0 P1 P2 P3 P4 P5 P6 P7 P8 P9 P10;
    (H0,), (H7,), (N3,), (T18,), (P10,), (H0, N28), (H19, P9), (N0, N1, T0), (H2, P0), (P3, P4, N9), (H4, H5, H6, N11, T16, P8), (T15, T16, T17), (N20, T17), (H11, P7, T1), (), (N12, N13, N14, N15), (H12, H13), (H14, N16), (H15, N17, T5), (P5,), (H16, H17, H18, P6), (N21, N22, N23, N24, N25, N26), (T18, P10), (H0, T18),;
}
