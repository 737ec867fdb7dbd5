//! A hand-written array of structs: what people write without a library.
//!
//! The element of an entity that may be despawned is an `Option`, and so is a component that may be
//! missing. An id is an index: a stale id is noticed while the element is empty, but not after the
//! index is reused. There are no slices, because the values of one component are not adjacent.

mod wide;

use std::hint::black_box;

use crate::harness::Suite;
use crate::math::{digest, shuffled};
use crate::workload::{
    add_remove, churn, combinations, despawn, eight_kinds, frag_iter, heavy_compute, memory, one_entity,
    random_access, rare, schedule, simple_insert, simple_iter,
};

bodies!();

/// Entities of a kind, and the places that are empty, for the next ones.
struct Places<T> {
    all: Vec<Option<T>>,
    empty: Vec<u32>,
}

impl<T> Places<T> {
    fn new() -> Self {
        Self { all: Vec::new(), empty: Vec::new() }
    }

    #[inline]
    fn spawn(&mut self, entity: T) -> u32 {
        if let Some(id) = self.empty.pop() {
            self.all[id as usize] = Some(entity);
            id
        } else {
            self.all.push(Some(entity));
            self.all.len() as u32 - 1
        }
    }

    #[inline]
    fn despawn(&mut self, id: u32) {
        self.all[id as usize].take().expect("it lives");
        self.empty.push(id);
    }

    fn iter(&self) -> impl Iterator<Item = &T> {
        self.all.iter().flatten()
    }

    #[inline(always)]
    fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.all.iter_mut().flatten()
    }

    fn sum(&self, digest: impl Fn(&T) -> u64) -> u64 {
        self.iter().fold(0, |sum, entity| sum.wrapping_add(digest(entity)))
    }
}

impl<T> FromIterator<T> for Places<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entities: I) -> Self {
        Self { all: entities.into_iter().map(Some).collect(), empty: Vec::new() }
    }
}

struct Body {
    transform: Transform,
    position: Position,
    rotation: Rotation,
    velocity: Velocity,
}

type Bodies = Places<Body>;

impl Body {
    #[inline(always)]
    fn new(i: u32) -> Self {
        let (transform, position, rotation, velocity) = body(i);
        Self { transform, position, rotation, velocity }
    }
}

fn bodies(count: u32) -> Bodies {
    (0..count).map(Body::new).collect()
}

fn checksum(bodies: &mut Bodies) -> u64 {
    bodies.sum(|body| digest(&[&body.transform.0, &body.position.0, &body.rotation.0, &body.velocity.0]))
}

fn movement(bodies: &mut Bodies) {
    bodies.iter_mut().for_each(|body| simple_iter::step(&mut body.position.0, &body.velocity.0));
}

/// Adds what the array of structs does.
pub(crate) fn cases(suite: &mut Suite) {
    body_cases(suite);
    suite.case(
        &frag_iter::FRAG_ITER,
        |count| -> Vec<Fragment> {
            (0..count).map(|i| Fragment { data: 1.0, _letter: (i / frag_iter::OF_EACH) as u8 }).collect()
        },
        |all| all.iter_mut().for_each(|fragment| frag_iter::step(&mut fragment.data)),
        |all| all.iter().fold(0, |sum, fragment| sum.wrapping_add(digest(&[&[fragment.data]]))),
    );
    combinations_cases(suite);
    kinds_cases(suite);
    schedule_case(suite);
    add_remove_case(suite);
    rare_cases(suite);
    wide::cases(suite);
}

fn body_cases(suite: &mut Suite) {
    for workload in [&simple_insert::ONE_BY_ONE, &memory::SMALL, &memory::BODIES] {
        suite.case(
            workload,
            |count| (Bodies::new(), count),
            |(bodies, count)| {
                for i in 0..*count {
                    bodies.spawn(Body::new(i));
                }
            },
            |state| checksum(&mut state.0),
        );
    }
    suite.case(
        &simple_insert::BATCHED,
        |count| (Bodies::new(), count),
        |(bodies, count)| bodies.all.extend((0..*count).map(|i| Some(Body::new(i)))),
        |state| checksum(&mut state.0),
    );
    suite.case(
        &simple_iter::FOR,
        bodies,
        |bodies| {
            for body in bodies.iter_mut() {
                simple_iter::step(&mut body.position.0, &body.velocity.0);
            }
        },
        checksum,
    );
    for workload in [&simple_iter::FOR_EACH, &simple_iter::SYSTEM] {
        suite.case(workload, bodies, movement, checksum);
    }
    // the pointer is not known to the compiler, so that the function is not inlined
    suite.case(
        &one_entity::ONE_ENTITY,
        bodies,
        |bodies| black_box(movement as fn(&mut Bodies))(bodies),
        checksum,
    );
    suite.case(
        &heavy_compute::HEAVY_COMPUTE,
        bodies,
        |bodies| {
            let bodies = bodies.iter_mut();
            bodies.for_each(|body| heavy_compute::step(&mut body.transform.0, &mut body.position.0));
        },
        checksum,
    );
    suite.case(
        &random_access::RANDOM_ACCESS,
        |count| (bodies(count), shuffled(count), 0_u64),
        |(bodies, ids, sum)| {
            for &id in &*ids {
                let body = bodies.all[id as usize].as_ref().expect("it lives");
                *sum = sum.wrapping_add(random_access::term(&body.position.0));
            }
        },
        |state| state.2,
    );
    suite.case(
        &despawn::IN_ORDER,
        |count| (bodies(count), (0..count).collect::<Vec<_>>()),
        |(bodies, ids)| ids.iter().for_each(|&id| bodies.despawn(id)),
        |state| checksum(&mut state.0),
    );
    suite.case(
        &despawn::SHUFFLED,
        |count| {
            let mut ids = shuffled(2 * count);
            ids.truncate(count as usize);
            (bodies(2 * count), ids)
        },
        |(bodies, ids)| ids.iter().for_each(|&id| bodies.despawn(id)),
        |state| checksum(&mut state.0),
    );
}

struct Fragment {
    data: f32,
    /// Its kind.
    _letter: u8,
}

/// The components `A` to `J`.
type Letters = [Option<f32>; 10];

fn combinations_cases(suite: &mut Suite) {
    let run = |all: &mut Places<Letters>| {
        for entity in all.iter_mut() {
            if let [Some(a), Some(b), ..] = entity {
                combinations::step(a, b);
            }
        }
    };
    let checksum = |all: &mut Places<Letters>| {
        all.sum(|entity| match entity {
            [Some(a), Some(b), ..] => digest(&[&[*a], &[*b]]),
            _ => 0,
        })
    };
    fn letter(i: u32, letter: usize) -> Option<f32> {
        ((i % combinations::COMBINATIONS) >> letter & 1 == 1).then_some(combinations::value(i))
    }
    suite.case(
        &combinations::SPAWNED,
        |count| (0..count).map(|i| std::array::from_fn(|which| letter(i, which))).collect(),
        run,
        checksum,
    );
    suite.case(
        &combinations::INSERTED,
        |count| {
            let mut all: Places<Letters> = (0..count).map(|_| Letters::default()).collect();
            for (i, entity) in (0..count).zip(all.iter_mut()) {
                (0..10).for_each(|which| entity[which] = letter(i, which));
            }
            all
        },
        run,
        checksum,
    );
}

/// An entity of one of the kinds, of which four come and go.
struct Mover {
    position: Position,
    velocity: Velocity,
    _a: Option<f32>,
    _b: Option<f32>,
    _c: Option<f32>,
}

/// Number `n`, with the letters that the bits of its kind say.
fn mover(n: u32, kind: u32) -> Mover {
    let (_, position, _, velocity) = body(n);
    let letter = |bit: u32| (kind >> bit & 1 == 1).then_some(0.0);
    Mover { position, velocity, _a: letter(0), _b: letter(1), _c: letter(2) }
}

fn kinds_cases(suite: &mut Suite) {
    let run = |all: &mut Places<Mover>| {
        all.iter_mut().for_each(|mover| simple_iter::step(&mut mover.position.0, &mover.velocity.0));
    };
    fn sum(all: &Places<Mover>) -> u64 {
        all.sum(|mover| digest(&[&mover.position.0, &mover.velocity.0]))
    }
    fn make(count: u32) -> (Places<Mover>, Vec<u32>) {
        let mut all = Places::new();
        let ids = (0..count).map(|n| all.spawn(mover(n, n % 4))).collect();
        (all, ids)
    }
    fn churned((all, ids): &mut (Places<Mover>, Vec<u32>)) {
        churn::churn(all, ids, Places::despawn, |all, n| all.spawn(mover(n, n % 4)));
    }
    suite.case(
        &eight_kinds::EIGHT_KINDS,
        |count| (0..count).map(|i| mover(i, i % 8)).collect(),
        run,
        |all| sum(all),
    );
    suite.case(&churn::STEP, make, churned, |state| sum(&state.0));
    suite.case(&churn::BEFORE, |count| make(count).0, run, |all| sum(all));
    suite.case(
        &churn::AFTER,
        |count| {
            let mut state = make(count);
            churned(&mut state);
            state.0
        },
        run,
        |all| sum(all),
    );
}

struct Swapped {
    a: f32,
    b: f32,
    c: Option<f32>,
    d: Option<f32>,
    e: Option<f32>,
}

fn schedule_case(suite: &mut Suite) {
    suite.case(
        &schedule::SCHEDULE,
        |count| -> Places<Swapped> {
            let entity = |(has_c, has_d, has_e): (bool, bool, bool), i| {
                let [a, b, c, d, e] = schedule::values(i);
                Swapped { a, b, c: has_c.then_some(c), d: has_d.then_some(d), e: has_e.then_some(e) }
            };
            [(false, false, false), (true, false, false), (true, true, false), (true, false, true)]
                .into_iter()
                .flat_map(|kind| (0..count).map(move |i| entity(kind, i)))
                .collect()
        },
        |all| {
            all.iter_mut().for_each(|entity| std::mem::swap(&mut entity.a, &mut entity.b));
            for entity in all.iter_mut() {
                if let (Some(c), Some(d)) = (&mut entity.c, &mut entity.d) {
                    std::mem::swap(c, d);
                }
            }
            for entity in all.iter_mut() {
                if let (Some(c), Some(e)) = (&mut entity.c, &mut entity.e) {
                    std::mem::swap(c, e);
                }
            }
        },
        |all| {
            all.sum(|entity| {
                let c = entity.c.map_or(0, |c| digest(&[&[c]]));
                digest(&[&[entity.a], &[entity.b]]).wrapping_add(c)
            })
        },
    );
}

/// `A`, which all have, and `B`.
type Pair = (f32, Option<f32>);

fn add_remove_case(suite: &mut Suite) {
    fn add((all, ids): &mut (Vec<Pair>, Vec<u32>)) {
        for &id in &*ids {
            all[id as usize].1 = Some(2.0);
        }
    }
    fn sum(all: &[Pair]) -> u64 {
        all.iter().filter_map(|entity| entity.1).fold(0, |sum, b| sum.wrapping_add(digest(&[&[b]])))
    }
    suite.case(
        &add_remove::ADD_REMOVE,
        |count| ((0..count).map(|_| (1.0, None)).collect(), (0..count).collect()),
        |state| {
            add(state);
            // what was added must be there, not only be known to go again
            let (all, ids) = black_box(&mut *state);
            for &id in &*ids {
                all[id as usize].1 = None;
            }
        },
        |state| {
            let none = sum(&state.0);
            add(state);
            add_remove::digest(none, sum(&state.0))
        },
    );
}

/// The position, and what is rare.
type Rarity = (Position, Option<f32>);

fn rare_cases(suite: &mut Suite) {
    fn make(count: u32) -> Vec<Rarity> {
        (0..count).map(|i| (body(i).1, None)).collect()
    }
    fn step(all: &mut [Rarity]) {
        for (position, rare) in all {
            if let Some(rare) = rare {
                rare::step(&mut position.0, rare);
            }
        }
    }
    fn sum(all: &[Rarity]) -> u64 {
        let both = all.iter().filter_map(|(position, rare)| Some((position, (*rare)?)));
        both.fold(0, |sum, (position, rare)| sum.wrapping_add(digest(&[&position.0, &[rare]])))
    }
    suite.case(
        &rare::RANDOM,
        |count| {
            let mut all = make(count);
            rare::chosen(count).into_iter().for_each(|id| all[id as usize].1 = Some(0.5));
            all
        },
        |all| step(all),
        |all| sum(all),
    );
    suite.case(
        &rare::SET,
        |count| (make(count), rare::chosen(count)),
        |(all, chosen)| {
            chosen.iter().for_each(|&id| all[id as usize].1 = Some(0.5));
            step(all);
            chosen.iter().for_each(|&id| all[id as usize].1 = None);
        },
        |(all, _)| all.iter().fold(0, |sum, (position, _)| sum.wrapping_add(digest(&[&position.0]))),
    );
    suite.case(
        &rare::KIND,
        |count| (0..count).map(|i| (body(i).1, (i % 100 == 0).then_some(0.5))).collect(),
        |all: &mut Vec<Rarity>| step(all),
        |all| sum(all),
    );
}
