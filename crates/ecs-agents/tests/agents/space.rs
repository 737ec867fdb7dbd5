//! The agents near points beside a search through all agents, after verbs of all kinds.

use ecs::prelude::*;
use ecs::system::HookState;
use ecs_agents::cell_list::Scalar;
use ecs_agents::prelude::*;
use serde::{Deserialize, Serialize};

macro_rules! point {
    ($name:ident, $float:ident, $dimensions:literal, $cell:literal) => {
        #[derive(Component, Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
        #[component(hook = CellList<$float, $dimensions>)]
        struct $name([$float; $dimensions]);

        impl Positioned<$float, $dimensions> for $name {
            const CELL: f64 = $cell;
            fn point(&self) -> [$float; $dimensions] {
                self.0
            }
        }
    };
}
point!(Flat, f32, 2, 4.0);
point!(Deep, f64, 3, 0.3);
point!(Line, f32, 1, 50.0);

world! {
    #[derive(Serialize, Deserialize, Clone)]
    struct Sky { components { Flat, Deep, Line } }
}

/// A neighbour as it is compared: distances to the bit.
type Found<S, const D: usize> = (S, Entity, [S; D], [S; D]);

fn sorted<S: Scalar, const D: usize>(near: impl Iterator<Item = Neighbour<S, D>>) -> Vec<Found<S, D>> {
    let mut found: Vec<_> =
        near.map(|near| (near.distance_squared, near.agent, near.point, near.offset)).collect();
    found.sort_by(|one, other| one.0.partial_cmp(&other.0).unwrap().then(one.1.cmp(&other.1)));
    found
}

/// Compares questions about a space with a search through all agents.
fn ask<S: Scalar, const D: usize>(
    space: &ContinuousSpace<S, D>,
    agents: &CellList<S, D>,
    all: &[(Entity, [S; D])],
    point: [S; D],
    radius: S,
) {
    assert_eq!(agents.len(), all.len());
    let each = |&(agent, to): &(Entity, [S; D])| {
        let offset = space.offset(point, to);
        Neighbour { agent, point: to, offset, distance_squared: space.distance_squared(point, to) }
    };
    let expected = sorted(all.iter().map(each).filter(|near| near.distance_squared <= radius * radius));
    let mut called = Vec::new();
    space.for_each_within(agents, point, radius, |near| called.push(near));
    assert!(called.iter().copied().eq(space.within(agents, point, radius)), "both forms have one order");
    let mut half = space.within(agents, point, radius);
    let first: Vec<_> = half.by_ref().take(called.len() / 2).collect();
    let rest = half.fold(Vec::new(), |mut rest, near| {
        rest.push(near);
        rest
    });
    assert_eq!([first, rest].concat(), called);
    assert_eq!(sorted(called.into_iter()), expected, "{space:?} {point:?} {radius:?}");

    let nearest = sorted(all.iter().map(each));
    for number in [0, 1, 3, all.len() / 2, all.len() + 1] {
        let found = sorted(space.nearest(agents, point, number).into_iter());
        assert_eq!(found, nearest[..number.min(all.len())], "{space:?} {point:?} {number}");
    }
}

fn is_sorted<S: Scalar, const D: usize>(near: &[Neighbour<S, D>]) -> bool {
    near.is_sorted_by(|one, other| (one.distance_squared, one.agent) < (other.distance_squared, other.agent))
}

const FLAT: fn() -> [ContinuousSpace<f32, 2>; 2] =
    || [ContinuousSpace::torus([30.0, 70.5]), ContinuousSpace::bounded([30.0, 70.5])];
const DEEP: fn() -> [ContinuousSpace<f64, 3>; 2] =
    || [ContinuousSpace::torus([1.0, 2.0, 1.5]), ContinuousSpace::bounded([1.0, 2.0, 1.5])];
const LINE: fn() -> [ContinuousSpace<f32, 1>; 2] =
    || [ContinuousSpace::torus([9000.0]), ContinuousSpace::bounded([9000.0])];

fn check(sky: &Sky, random: &mut Random) {
    macro_rules! check {
        ($component:ident, $spaces:ident, $radii:expr) => {
            let agents = HookState::<$component>::of(sky);
            let all: Vec<_> = sky.query::<(Entity, &$component)>().iter().map(|(e, at)| (e, at.0)).collect();
            for space in $spaces() {
                for radius in $radii {
                    let point = space.random(random);
                    ask(&space, &agents, &all, point, radius);
                }
                if let Some(&(_, point)) = all.choose(random) {
                    ask(&space, &agents, &all, point, 0.0);
                    assert!(is_sorted(&space.nearest(&agents, point, 9)));
                }
                assert_eq!(space.within(&agents, [0.0; _], -1.0).count(), 0);
                assert_eq!(space.within(&agents, [0.0; _], $component::NAN).count(), 0);
                assert_eq!(space.within(&agents, [$component::NAN; _], 1.0).count(), 0);
            }
        };
    }
    check!(Flat, FLAT, [0.5, 4.0, 17.0, 1000.0]);
    check!(Deep, DEEP, [0.1, 0.3, 0.5, 9.0]);
    check!(Line, LINE, [10.0, 100.0, 4600.0, f32::MAX]);
}

impl Flat {
    const NAN: f32 = f32::NAN;
}
impl Deep {
    const NAN: f64 = f64::NAN;
}
impl Line {
    const NAN: f32 = f32::NAN;
}

/// A point of a torus, often at an edge or where another one is.
fn point<S: Scalar, const D: usize>(space: ContinuousSpace<S, D>, random: &mut Random) -> [S; D] {
    match random.random_range(0..6) {
        0 => [S::default(); D],
        1 => space.normalize(space.extent().map(|extent| -extent * (extent + extent))),
        _ => space.random(random),
    }
}

#[test]
fn the_agents_near_points_follow_all_verbs_at_once() {
    let mut random = Random::new(5);
    let mut sky = Sky::new();
    let mut kept = sky.snapshot();
    for round in 0..1000 {
        let agents: Vec<Entity> = sky.query::<Entity>().iter().collect();
        let agent = agents.choose(&mut random).copied().unwrap_or_else(|| sky.spawn(()));
        let flat = Flat(point(FLAT()[0], &mut random));
        let deep = Deep(point(DEEP()[0], &mut random));
        let line = Line(point(LINE()[0], &mut random));
        match random.random_range(0..12) {
            0 | 1 => _ = sky.spawn((flat, deep)),
            2 => _ = sky.spawn((line, deep, flat)),
            3 => _ = sky.insert(agent, flat),
            4 => _ = sky.insert(agent, (deep, line)),
            5 => _ = sky.remove::<Flat>(agent),
            6 => _ = sky.remove::<(Deep, Line)>(agent),
            7 | 8 => sky.despawn(agent).unwrap(),
            9 => assert!(sky.insert(agent, Deep([f64::NAN, 0.0, 0.0])).is_err()),
            10 => {
                // a step on the spot, and one that stays in the cell
                if let Some(&Flat([x, y])) = sky.get::<Flat>(agent) {
                    sky.insert(agent, Flat([x, (y + 0.01).min(70.0)])).unwrap();
                }
            }
            _ => _ = sky.spawn_batch((0..2).map(|_| (flat, line))),
        }
        match round % 100 {
            20 => kept = sky.snapshot(),
            60 => sky.restore(&kept),
            80 => sky = Sky::load(&sky.to_bytes().unwrap()).unwrap(),
            90 => sky = sky.clone(),
            _ => {}
        }
        if round % 10 == 0 {
            check(&sky, &mut random);
        }
    }
    check(&sky, &mut random);
    sky.clear();
    check(&sky, &mut random);
}

#[test]
fn agents_at_the_same_distance_on_both_sides_are_found_once() {
    // a lattice: half of the extent is a distance that occurs, and so is each radius
    for (width, height) in [(1, 1), (3, 2), (8, 8), (9, 8), (16, 5), (40, 3)] {
        let mut sky = Sky::new();
        let cells = Grid::torus(width, height).cells();
        let all: Vec<_> = cells.map(|cell| [cell.x as f32, cell.y as f32]).collect();
        let all: Vec<_> = all.into_iter().map(|at| (sky.spawn(Flat(at)), at)).collect();
        let (agents, extent) = (HookState::<Flat>::of(&sky), [width as f32, height as f32]);
        for space in [ContinuousSpace::torus(extent), ContinuousSpace::bounded(extent)] {
            for radius in [0.0, 1.0, 1.5, 2.0, 3.996, 4.0, 5.0, 8.0, 20.0, f32::INFINITY] {
                for &(_, point) in all.iter().step_by(7) {
                    ask(&space, &agents, &all, point, radius);
                }
            }
        }
    }
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Saved { resources { ContinuousSpace<f64, 3> } }
}

#[test]
fn a_space_is_saved() {
    for space in DEEP() {
        let saved = Saved::new(space).to_bytes().unwrap();
        assert_eq!(Saved::load(&saved).unwrap().resource::<ContinuousSpace<f64, 3>>(), &space);
    }
}

#[test]
fn the_order_does_not_depend_on_the_history() {
    let mut random = Random::new(8);
    let mut sky = Sky::new();
    // first far away in all directions, so that the list grows in all of them
    let birds: Vec<Entity> =
        (0..500).map(|i| sky.spawn(Flat([(i % 7 - 3) as f32 * 900.0, (i % 5 - 2) as f32 * 700.0]))).collect();
    let points: Vec<_> = birds.iter().map(|_| FLAT()[0].random(&mut random)).collect();
    for at in random.shuffled(0..birds.len()) {
        sky.insert(birds[at], Flat(points[at])).unwrap();
    }
    let loaded = Sky::load(&sky.to_bytes().unwrap()).unwrap();
    let (moved, made) = (HookState::<Flat>::of(&sky), HookState::<Flat>::of(&loaded));
    for space in FLAT() {
        for radius in [3.0, 8.0, 40.0] {
            let point = space.random(&mut random);
            assert!(space.within(&moved, point, radius).eq(space.within(&made, point, radius)));
        }
    }
}

#[test]
fn points_that_are_nowhere_are_refused() {
    let mut sky = Sky::new();
    for wrong in [f32::NAN, f32::INFINITY, -f32::INFINITY] {
        let refused = sky.try_spawn(Flat([0.0, wrong])).unwrap_err().to_string();
        assert!(refused.contains("NaN or infinite"), "{refused}");
    }
    for far in [131_100.0, -131_100.0, 1e30] {
        let refused = sky.try_spawn(Flat([far, 0.0])).unwrap_err().to_string();
        assert!(refused.contains("32,767 cells"), "{refused}");
        let refused = sky.try_spawn(Deep([0.0, 0.0, f64::from(far)])).unwrap_err().to_string();
        assert!(refused.contains("1,023 cells"), "{refused}");
    }
    assert!(HookState::<Flat>::of(&sky).is_empty());
    // the corners of what is allowed
    let far = 131_068.0;
    let [high, _, _] = [[far, far], [-far, -far], [far, -far]].map(|at| sky.spawn(Flat(at)));
    let agents = HookState::<Flat>::of(&sky);
    let space = ContinuousSpace::bounded([far, far]);
    assert_eq!(space.within(&agents, [far, far], 9.0).map(|near| near.agent).collect::<Vec<_>>(), [high]);
    assert_eq!(space.nearest(&agents, [far, far], 1)[0].agent, high);
}

#[test]
fn agents_outside_of_a_bounded_space_are_found() {
    let mut sky = Sky::new();
    let birds = [[9000.0, 9000.0], [-9000.0, -9000.0], [100.0, -9000.0]].map(|at| sky.spawn(Flat(at)));
    let agents = HookState::<Flat>::of(&sky);
    let space = ContinuousSpace::bounded([100.0, 100.0]);
    assert_eq!(space.within(&agents, [0.0, 0.0], 13_000.0).count(), 3);
    let found = space.nearest(&agents, [100.0, 100.0], 3);
    assert_eq!([found[0].agent, found[1].agent, found[2].agent], [birds[2], birds[0], birds[1]]);
}

#[test]
fn the_nearest_agents_are_found_in_a_space_that_is_almost_empty() {
    let mut sky = Sky::new();
    let birds = [-1.0, 0.0, 1.0].map(|at| sky.spawn(Flat([at * 130_000.0; 2])));
    let agents = HookState::<Flat>::of(&sky);
    let space = ContinuousSpace::bounded([100.0, 100.0]);
    // a look at all rows of the box around them would take a minute
    let start = std::time::Instant::now();
    let found = space.nearest(&agents, [1.0, 1.0], 3);
    assert_eq!([found[0].agent, found[1].agent, found[2].agent], [birds[1], birds[2], birds[0]]);
    assert!(space.nearest(&agents, [f32::NAN, 1.0], 3).is_empty());
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn a_random_point_of_a_tiny_torus_is_in_it() {
    let (torus, mut random) = (ContinuousSpace::torus([1e-45_f32, 3e-45]), Random::new(1));
    assert!((0..100).all(|_| torus.contains(torus.random(&mut random))));
}

#[test]
fn points_are_brought_into_the_space() {
    let torus = ContinuousSpace::torus([10.0_f32, 20.0]);
    assert_eq!(torus.normalize([-1.0, 45.0]), [9.0, 5.0]);
    assert_eq!(torus.normalize([10.0, -1e-20]), [0.0, 0.0]);
    assert_eq!(torus.shift([9.5, 19.0], [1.0, 1.0]), [0.5, 0.0]);
    assert_eq!(torus.offset([9.0, 1.0], [1.0, 19.0]), [2.0, -2.0]);
    assert_eq!(torus.distance([9.0, 0.0], [2.0, 4.0]), 5.0);
    assert!(
        torus.normalize([f32::INFINITY, 0.0])[0].is_nan() && torus.normalize([f32::NAN, 0.0])[0].is_nan()
    );
    let bounded = ContinuousSpace::bounded([10.0_f32, 20.0]);
    assert_eq!(bounded.normalize([-1.0, f32::INFINITY]), [0.0, 20.0]);
    assert!(
        bounded.contains([10.0, 20.0]) && !torus.contains([10.0, 0.0]) && !bounded.contains([f32::NAN, 0.0])
    );
    assert_eq!(bounded.offset([9.0, 1.0], [1.0, 19.0]), [-8.0, 18.0]);
}

#[test]
#[should_panic(expected = "finite numbers greater than zero")]
fn a_space_without_extent_is_refused() {
    _ = ContinuousSpace::torus([10.0, 0.0]);
}
