//! Bodies, solid entities and maps, beside a walk in tiny steps.

use ecs::prelude::*;
use ecs_mechanics::movement::{
    Body, Bumped, Contacts, Fall, Landed, MoveTowards, Obstacle, Position, Shape, Solid, Vec2, Velocity, Walk,
};
use oorandom::Rand32;

use super::{Court, Map, SECONDS, at, map, moving, place, velocity};

/// The distance of two shapes; negative if they overlap.
fn gap(one: (Vec2, Shape2), other: (Vec2, Shape2)) -> f64 {
    let way = [f64::from(one.0.x) - f64::from(other.0.x), f64::from(one.0.y) - f64::from(other.0.y)];
    let outside = [0, 1].map(|axis| way[axis].abs() - one.1.half[axis] - other.1.half[axis]);
    let beyond = outside.map(|at| at.max(0.0));
    (beyond[0] * beyond[0] + beyond[1] * beyond[1]).sqrt() + outside[0].max(outside[1]).min(0.0)
        - one.1.radius
        - other.1.radius
}

/// A shape with open fields, for the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape2 {
    half: [f64; 2],
    radius: f64,
}

pub(super) fn random_shape(dice: &mut Rand32) -> (Shape, Shape2) {
    let (width, height) = (0.25 * dice.rand_range(1..9) as f32, 0.25 * dice.rand_range(1..9) as f32);
    let half = [f64::from(width) / 2.0, f64::from(height) / 2.0];
    match dice.rand_range(0..3) {
        0 => (Shape::circle(width), Shape2 { half: [0.0; 2], radius: width.into() }),
        1 => (Shape::rectangle(width, height), Shape2 { half, radius: 0.0 }),
        _ => {
            let half = half.map(|half| half - 0.125);
            (Shape::rounded(width, height, 0.125), Shape2 { half, radius: 0.125 })
        }
    }
}

#[test]
fn w56_bodies_stop_at_the_first_obstacle_that_a_walk_in_tiny_steps_finds() {
    let mut hits = 0;
    for seed in 0..1500 {
        let mut dice = Rand32::new(seed);
        let mut random =
            |size: f32| Vec2::new(size * (dice.rand_float() - 0.5), size * (dice.rand_float() - 0.5));
        let (from, way) = (random(20.0), random(40.0));
        let places: Vec<Vec2> = (0..6).map(|_| random(20.0)).collect();
        let mut court = Court::new();
        let (shape, own) = random_shape(&mut dice);
        let solids: Vec<_> = places
            .iter()
            .map(|&at| {
                let (shape, other) = random_shape(&mut dice);
                (court.spawn((Position(at), Solid(shape))), at, other)
            })
            .collect();
        let least = |at: Vec2| {
            let gaps = solids.iter().map(|(id, there, other)| (gap((at, own), (*there, *other)), *id));
            gaps.min_by(|one, other| one.0.total_cmp(&other.0)).unwrap()
        };
        if least(from).0 < 0.05 {
            continue;
        }
        let hero = court.spawn((Position(from), Velocity(way / SECONDS), Body(shape)));
        court.step();
        let end = place(&court, hero);
        assert!(least(end).0 > 0.0, "seed {seed}: inside of a solid after the step");
        // the model walks a hundredth of a unit at a time
        let steps = (way.length() * 100.0).ceil();
        let first = (0..=steps as u32)
            .map(|step| least(from + way * (step as f32 / steps)))
            .find(|(gap, _)| *gap <= 0.0);
        let contacts = court.get::<Contacts>(hero).unwrap().as_slice().to_vec();
        match (first, contacts.first()) {
            (None, None) => {
                assert!((end - (from + way)).length() < 1e-4, "seed {seed}: moved as far as it wanted")
            }
            (Some((_, solid)), Some(contact)) => {
                hits += 1;
                // within the skin of two solids, either may be first
                let Obstacle::Entity(with) = contact.with else { panic!("there is no map") };
                let is_close =
                    with == solid || contacts.iter().any(|other| other.with == Obstacle::Entity(solid));
                assert!(is_close, "seed {seed}: {solid} is first, and the body bumped into {with}");
                assert!(contact.normal.dot(way) < 0.0 && (contact.normal.length() - 1.0).abs() < 1e-6);
            }
            // the skin stops what would pass at a hair's breadth
            (None, Some(contact)) => {
                let closest = (0..=steps as u32).map(|step| least(from + way * (step as f32 / steps)).0);
                assert!(closest.fold(f64::MAX, f64::min) < 0.02, "seed {seed}: {contact:?} in the open");
            }
            (Some((_, solid)), None) => panic!("seed {seed}: moved through {solid}"),
        }
        assert_eq!(court.drain::<Bumped>().count(), contacts.len());
    }
    assert!(hits > 250, "{hits}");
}

#[test]
fn w56_no_speed_takes_a_body_through_a_wall() {
    let mut dice = Rand32::new(9);
    for power in 0..9 {
        for shape in [Shape::circle(0.01), Shape::rectangle(0.5, 0.5), Shape::rounded(1.0, 0.5, 0.1)] {
            let speed = 10.0_f32.powi(power);
            let mut court = Court::new();
            *court.resource_mut::<Map>() = map(&["     #     "; 9]);
            let wall = court.spawn((at(50.0, 5.0), Solid(Shape::rectangle(0.001, 9.0))));
            let y = 1.0 + 7.0 * dice.rand_float();
            let bullets = [20.0, 30.0].map(|x| court.spawn((at(x, y), moving(speed, 0.0), Body(shape))));
            let stopped = court.spawn((at(2.0, y), moving(speed, speed * 1e-4), Body(shape)));
            for _ in 0..20 {
                court.step_on_map();
            }
            for id in bullets {
                assert!(place(&court, id).x < 50.0, "{speed}: {:?}", place(&court, id));
            }
            assert!(place(&court, stopped).x < 5.0, "{speed}: {:?}", place(&court, stopped));
            if power > 3 {
                assert_eq!(
                    court.drain::<Bumped>().filter(|bumped| bumped.into == Obstacle::Entity(wall)).count(),
                    2
                );
            }
        }
    }
}

#[test]
fn w56_a_body_that_comes_exactly_to_a_corner_does_not_slip_through() {
    for (shape, solid) in [
        (Shape::rectangle(1.0, 1.0), Shape::rectangle(3.0, 3.0)),
        (Shape::circle(0.5), Shape::rectangle(3.0, 3.0)),
        (Shape::circle(0.5), Shape::circle(1.5)),
    ] {
        for scale in [10.0, 33.3, 1.0e4, 1.0e7] {
            for (x, y) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
                let mut court = Court::new();
                court.spawn((Position::default(), Solid(solid)));
                let way = Vec2::new(-x * scale, -y * scale) / SECONDS;
                let hero = court.spawn((at(5.0 * x, 5.0 * y), Velocity(way), Body(shape)));
                court.step();
                assert_eq!(
                    court.get::<Contacts>(hero).unwrap().as_slice().len(),
                    1,
                    "{shape:?} to {solid:?}"
                );
            }
        }
    }
}

#[test]
fn w56_bodies_slide_along_walls_of_cells_and_of_entities_without_a_bump_at_the_seams() {
    for shape in [Shape::rectangle(0.8, 0.8), Shape::circle(0.4), Shape::rounded(0.8, 0.8, 0.2)] {
        let mut court = Court::new();
        *court.resource_mut::<Map>() = map(&[&"#".repeat(60)]);
        for x in 0..60 {
            court.spawn((at(x as f32 + 0.5, 99.5), Solid(Shape::rectangle(1.0, 1.0))));
        }
        let slides = Walk { wish: Vec2::new(1.0, 0.0), ..Walk::new(3.7, 1e6) };
        let bodies =
            [1.0, 100.0].map(|y| court.spawn((at(1.0, y + 0.5), Body(shape), slides, Fall::default())));
        for step in 0..1000 {
            court.step_on_map();
            for body in bodies {
                let (at, velocity) = (place(&court, body), velocity(&court, body));
                let height = at.y % 1.0;
                assert!(step < 40 || (0.4..0.41).contains(&height), "step {step}: {at:?}");
                assert!(
                    (velocity.x - 3.7).abs() < 1e-2 && (step < 40 || velocity.y.abs() < 1e-2),
                    "step {step}: {velocity:?}"
                );
            }
        }
        assert!(bodies.iter().all(|body| place(&court, *body).x > 37.0));
        assert_eq!(court.drain::<Landed>().count(), 2, "and the ground is never lost");
    }
}

#[test]
fn w56_bumps_are_told_once_and_in_the_order_of_slots_and_obstacles() {
    let mut court = Court::new();
    let wall = court.spawn((at(5.0, 0.0), Solid(Shape::rectangle(1.0, 20.0))));
    let floor = court.spawn((at(0.0, -5.0), Solid(Shape::rectangle(20.0, 1.0))));
    let ball = (Body(Shape::circle(0.5)), moving(1000.0, -600.0));
    let one = court.spawn((at(0.0, 0.0), ball));
    let other = court.spawn((at(0.0, 1.5), ball, Solid(Shape::circle(0.5))));
    court.step();
    let bumps: Vec<_> =
        court.drain::<Bumped>().map(|bumped| (bumped.entity, bumped.into, bumped.normal)).collect();
    let (left, up) = (Vec2::new(-1.0, 0.0), Vec2::new(0.0, 1.0));
    let expected = [
        (one, Obstacle::Entity(wall), left),
        (one, Obstacle::Entity(floor), up),
        (other, Obstacle::Entity(wall), left),
        (other, Obstacle::Entity(floor), up),
    ];
    assert_eq!(bumps, expected);
    assert_eq!(velocity(&court, one), Vec2::ZERO);
    court.despawn(other).unwrap(); // it is inside of the first one, and would push it out
    // pressed against the wall, step after step
    court.step();
    for step in 0..3 {
        court.get_mut::<Velocity>(one).unwrap().0.x = 5.0;
        court.step();
        assert_eq!(court.drain::<Bumped>().count(), usize::from(step == 0), "the contact goes on");
        assert_eq!(court.get::<Contacts>(one).unwrap().against(left).unwrap().with, Obstacle::Entity(wall));
    }
    court.step();
    assert_eq!(court.get::<Contacts>(one).unwrap().as_slice(), []);
    court.get_mut::<Velocity>(one).unwrap().0.x = 7.0;
    court.step();
    let again: Vec<_> = court.drain::<Bumped>().collect();
    assert_eq!(again, [Bumped { entity: one, into: Obstacle::Entity(wall), normal: left, speed: 7.0 }]);
}

#[test]
fn w56_solid_bodies_stop_each_other_and_push_out_what_is_inside() {
    let mut court = Court::new();
    let crowd: Vec<Entity> = (0..40)
        .map(|n| {
            let place = at((n % 7) as f32 * 0.3, (n / 7) as f32 * 0.3);
            let walk = MoveTowards { target: Some(Vec2::new(3.0, 3.0)), speed: 2.0 };
            court.spawn((place, walk, Body(Shape::circle(0.25)), Solid(Shape::circle(0.25))))
        })
        .collect();
    for _ in 0..400 {
        court.step();
    }
    for (n, one) in crowd.iter().enumerate() {
        for other in &crowd[n + 1..] {
            let distance = (place(&court, *one) - place(&court, *other)).length();
            assert!(distance >= 0.49, "{one} and {other}: {distance}");
        }
    }
    assert!(crowd.iter().all(|id| (place(&court, *id) - Vec2::new(3.0, 3.0)).length() < 4.5), "a crowd");
}
