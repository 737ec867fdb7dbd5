//! W56: turn and move towards, walking, inertia, bumping, falling, multiple jumps.

mod bump;

use std::time::Duration;

use ecs::prelude::*;
use ecs_mechanics::clocks;
use ecs_mechanics::movement::{
    self, Arrived, Body, Fall, Friction, Gravity, Heading, Jump, Jumped, Landed, MotionReason, MotionRefusal,
    MoveTowards, Obstacle, Position, Shape, Solid, SolidCells, TurnTowards, Vec2, Velocity, Walk,
    check_motion, glide_on,
};
use ecs_mechanics::sight::{Cell, CellSet};
use oorandom::Rand32;
use serde::{Deserialize, Serialize};

use self::bump::random_shape;

/// Solid inside of its bits, and nowhere outside.
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Map(CellSet);
impl SolidCells for Map {
    fn is_solid(&self, cell: Cell) -> bool {
        self.0.contains(cell)
    }
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Court {
        include clocks::fixed_step { FixedTime = FixedTime::new(Duration::from_millis(10)) };
        include movement::movement {
            Bumped(external), Arrived(external), Jumped(external), Landed(external), MotionRefusal(external),
        };
        resources { Map = Map::default() }
    }
    schedule step { include movement::step }
    schedule step_on_map { include movement::accelerate; glide_on::<Map>; include movement::settle }
    schedule strict -> Result { include movement::step; check_motion }
}

const SECONDS: f32 = 0.01;

fn at(x: f32, y: f32) -> Position {
    Position(Vec2::new(x, y))
}

fn moving(x: f32, y: f32) -> Velocity {
    Velocity(Vec2::new(x, y))
}

fn place(court: &Court, entity: Entity) -> Vec2 {
    court.get::<Position>(entity).unwrap().0
}

fn velocity(court: &Court, entity: Entity) -> Vec2 {
    court.get::<Velocity>(entity).unwrap().0
}

/// A map from its rows. The lowest row has y = 0.
fn map(rows: &[&str]) -> Map {
    let mut cells = CellSet::new(rows[0].len() as u32, rows.len() as u32);
    for (y, row) in (0..).zip(rows.iter().rev()) {
        for (x, _) in (0..).zip(row.chars()).filter(|(_, character)| *character == '#') {
            cells.insert(Cell::new(x, y));
        }
    }
    Map(cells)
}

#[test]
fn w56_walking_accelerates_to_the_top_speed_and_brakes_to_rest() {
    let mut court = Court::new();
    let walk = Walk { wish: Vec2::new(3.0, 4.0), braking: 200.0, ..Walk::new(5.0, 100.0) };
    let hero = court.spawn(walk);
    for step in 1..=5 {
        court.step();
        let speed = velocity(&court, hero).length();
        assert!((speed - step as f32).abs() < 1e-4, "{speed} after {step} steps");
    }
    for _ in 0..3 {
        court.step();
        assert_eq!(
            velocity(&court, hero),
            Vec2::new(3.0, 4.0),
            "the top speed, in the direction of the wish"
        );
    }
    court.get_mut::<Walk>(hero).unwrap().wish = Vec2::ZERO;
    court.step();
    court.step();
    assert!((velocity(&court, hero).length() - 1.0).abs() < 1e-4);
    court.step();
    assert_eq!(velocity(&court, hero), Vec2::ZERO, "exactly at rest");
    let walk = Walk { wish: Vec2::new(0.0, -0.5), ..Walk::new(8.0, f32::INFINITY) };
    *court.get_mut::<Walk>(hero).unwrap() = walk;
    court.step();
    assert_eq!(velocity(&court, hero), Vec2::new(0.0, -4.0), "half of a wish is half of the speed, at once");
}

#[test]
fn w56_turning_goes_the_shorter_way_with_a_greatest_angle() {
    let mut dice = Rand32::new(3);
    for _ in 0..200 {
        let mut random = || Vec2::new(dice.rand_float() - 0.5, dice.rand_float() - 0.5);
        let (from, to) = (Heading::new(random()).unwrap(), Heading::new(random()).unwrap());
        let angle = |one: Heading, other: Heading| {
            let (one, other) = (one.direction(), other.direction());
            f64::from(one.x * other.y - one.y * other.x).atan2(f64::from(one.dot(other)))
        };
        let mut court = Court::new();
        let towards = TurnTowards { point: Some(to.direction()), speed: 25.0 };
        let eye = court.spawn((from, towards));
        let expected = angle(from, to);
        let mut turned = 0.0;
        for _ in 0..13 {
            let before = *court.get::<Heading>(eye).unwrap();
            court.step();
            let after = *court.get::<Heading>(eye).unwrap();
            let step = angle(before, after);
            assert!(step.abs() < 0.25 + 1e-5 && step * expected >= -1e-9, "{step} of {expected}");
            assert!((after.direction().length() - 1.0).abs() < 1e-6);
            turned += step;
        }
        let there = Heading::new(to.direction()).unwrap();
        assert_eq!(*court.get::<Heading>(eye).unwrap(), there, "exactly there");
        assert!((turned - expected).abs() < 1e-4);
    }
    let (right, left) = (Heading::default(), Heading::new(Vec2::new(-1.0, 0.0)).unwrap());
    assert!(right.turned_towards(left, 1.0).direction().y > 0.8, "half a circle goes from x to y");
    assert_eq!(Heading::new(Vec2::ZERO), None);
}

#[test]
fn w56_moving_towards_a_point_arrives_exactly_and_never_overshoots() {
    let mut dice = Rand32::new(4);
    for _ in 0..300 {
        let mut random = || Vec2::new(200.0 * (dice.rand_float() - 0.5), 200.0 * (dice.rand_float() - 0.5));
        let (from, target) = (random(), random());
        let speed = 500.0 * dice.rand_float() + 100.0;
        let mut court = Court::new();
        let cart = court.spawn((Position(from), MoveTowards { target: Some(target), speed }));
        let steps = ((target - from).length() / (speed * SECONDS)).ceil() as u32;
        let mut left = (target - from).length();
        let mut taken = 0;
        while court.get::<MoveTowards>(cart).unwrap().target.is_some() {
            court.step();
            taken += 1;
            let now = (target - place(&court, cart)).length();
            assert!(now < left && left - now <= speed * SECONDS * 1.0001, "{left} to {now}");
            left = now;
        }
        assert!(taken == steps || taken == steps + 1, "{taken} steps, expected {steps}");
        assert_eq!((place(&court, cart), velocity(&court, cart)), (target, Vec2::ZERO));
        assert_eq!(court.drain::<Arrived>().collect::<Vec<_>>(), [Arrived { entity: cart, at: target }]);
        court.step();
        assert_eq!(place(&court, cart), target, "it stays");
        assert_eq!(court.drain::<Arrived>().count(), 0);
    }
}

#[test]
fn w56_inertia_keeps_the_velocity_and_friction_ends_it() {
    let mut court = Court::new();
    let stone = court.spawn(moving(2.0, -1.0));
    let puck = court.spawn((moving(3.0, 4.0), Friction(2.0)));
    for _ in 0..100 {
        court.step();
    }
    assert_eq!(velocity(&court, stone), Vec2::new(2.0, -1.0));
    assert!((place(&court, stone) - Vec2::new(2.0, -1.0)).length() < 1e-4);
    assert!((velocity(&court, puck) - Vec2::new(1.8, 2.4)).length() < 1e-4);
    for _ in 0..151 {
        court.step();
    }
    assert_eq!(velocity(&court, puck), Vec2::ZERO, "not slower and slower for ever");
    // v^2 / 2a = 6.25, and half a step less
    assert!((place(&court, puck).length() - 6.225).abs() < 1e-3, "{:?}", place(&court, puck));
}

#[test]
fn w56_falling_ends_at_the_terminal_speed_and_with_a_landing() {
    let mut court = Court::new();
    *court.resource_mut::<Gravity>() = Gravity(Vec2::new(0.0, 30.0)); // downwards on a screen
    let ground = court.spawn((at(0.0, 100.0), Solid(Shape::rectangle(9.0, 1.0))));
    let stone =
        court.spawn((at(0.0, 0.0), moving(0.5, 0.0), Body(Shape::rectangle(1.0, 1.0)), Fall::new(12.0)));
    let mut steps = 0;
    while !court.get::<Fall>(stone).unwrap().is_on_ground() {
        court.step();
        steps += 1;
        let expected = (0.3 * steps as f32).min(12.0);
        let fall = court.get::<Fall>(stone).unwrap();
        assert!(fall.is_on_ground() || (velocity(&court, stone).y - expected).abs() < 1e-4);
        assert!(steps < 2000);
    }
    // 0.4 s to the terminal speed, over 2.46 m, and then 12 m/s
    assert!((845..=852).contains(&steps), "{steps}");
    let landed: Vec<_> = court.drain::<Landed>().collect();
    assert_eq!(landed, [Landed { entity: stone, on: Obstacle::Entity(ground), speed: 12.0 }]);
    for _ in 0..50 {
        court.step();
        assert!(court.get::<Fall>(stone).unwrap().is_on_ground() && velocity(&court, stone).y == 0.0);
    }
    assert_eq!(court.drain::<Landed>().count(), 0);
}

/// A hero with these jumps on a platform from 0 to 10, after it has landed.
fn jumper(court: &mut Court, x: f32, jump: Jump) -> Entity {
    court.spawn((at(5.0, -0.5), Solid(Shape::rectangle(10.0, 1.0))));
    let hero = court.spawn((at(x, 0.51), Body(Shape::rectangle(1.0, 1.0)), Fall::default(), jump));
    for _ in 0..5 {
        court.step();
    }
    assert!(court.get::<Fall>(hero).unwrap().is_on_ground());
    court.drain::<Landed>().count();
    hero
}

#[test]
fn w56_multiple_jumps_are_counted_until_the_next_landing() {
    let mut court = Court::new();
    let hero = jumper(&mut court, 5.0, Jump::new(5.0).with_air_jumps(2));
    for round in 0..2 {
        let mut numbers = Vec::new();
        for step in 0..60 {
            if step % 10 == 0 {
                court.get_mut::<Jump>(hero).unwrap().press();
            }
            court.step();
            for jumped in court.drain::<Jumped>() {
                assert_eq!(jumped.entity, hero);
                numbers.push((step, jumped.number));
            }
        }
        assert_eq!(numbers, [(0, 0), (10, 1), (20, 2)], "round {round}");
        let height = place(&court, hero).y;
        assert!(height > 2.0, "{height}");
        while court.drain::<Landed>().count() == 0 {
            court.step();
        }
    }
}

#[test]
fn w56_an_edge_forgives_a_late_jump_and_a_landing_an_early_one() {
    let step = Duration::from_millis(10);
    for (coyote, late, number) in [(5, 5, Some(0)), (5, 6, None), (0, 1, None)] {
        let mut court = Court::new();
        let hero = jumper(&mut court, 9.0, Jump::new(5.0).with_coyote(coyote * step));
        court.get_mut::<Velocity>(hero).unwrap().0.x = 10.0;
        while court.get::<Fall>(hero).unwrap().is_on_ground() {
            court.step();
        }
        for _ in 1..late {
            court.step();
        }
        court.get_mut::<Jump>(hero).unwrap().press();
        court.step();
        let jumped = court.drain::<Jumped>().next().map(|jumped| jumped.number);
        assert_eq!(jumped, number, "{late} steps after the edge, with {coyote}");
        court.get_mut::<Jump>(hero).unwrap().press();
        court.step();
        assert_eq!(court.drain::<Jumped>().count(), 0, "the time ends with the jump");
    }
    for (buffer, early, jumps) in [(5, 4, 1), (5, 5, 1), (5, 9, 0), (0, 1, 0)] {
        let mut court = Court::new();
        let hero = jumper(&mut court, 5.0, Jump::new(5.0).with_buffer(buffer * step));
        let mut probe = court.clone();
        let press = |court: &mut Court| court.get_mut::<Jump>(hero).unwrap().press();
        press(&mut probe);
        let mut until_landing = 0;
        while probe.drain::<Landed>().count() == 0 {
            probe.step();
            until_landing += 1;
        }
        press(&mut court);
        for _ in 0..until_landing - early {
            court.step();
        }
        press(&mut court);
        court.drain::<Jumped>().count();
        for _ in 0..early + 2 {
            court.step();
        }
        assert_eq!(court.drain::<Jumped>().count(), jumps, "{early} steps before the landing, with {buffer}");
    }
}

#[test]
fn values_that_are_not_finite_are_refused_and_change_nothing() {
    type Break = fn(&mut Court, Entity);
    let cases: [(MotionReason, Break); 11] = [
        (MotionReason::Position, |court, id| court.get_mut::<Position>(id).unwrap().0.x = f32::NAN),
        (MotionReason::Velocity, |court, id| court.get_mut::<Velocity>(id).unwrap().0.y = f32::INFINITY),
        (MotionReason::Velocity, |court, id| {
            (court.get_mut::<Position>(id).unwrap().0.x, court.get_mut::<Velocity>(id).unwrap().0.x) =
                (3e38, 3e38);
            court.get_mut::<Position>(id).unwrap().0.x = f32::MAX;
        }),
        (MotionReason::Gravity, |court, _| court.resource_mut::<Gravity>().0.x = f32::NAN),
        (MotionReason::Walk, |court, id| _ = court.insert(id, Walk::new(-1.0, 2.0)).unwrap()),
        (MotionReason::Friction, |court, id| _ = court.insert(id, Friction(f32::NAN)).unwrap()),
        (MotionReason::TurnTowards, |court, id| {
            let towards = TurnTowards { point: Some(Vec2::new(0.0, f32::NAN)), speed: 1.0 };
            court.insert(id, towards).unwrap();
        }),
        (MotionReason::MoveTowards, |court, id| {
            court.insert(id, MoveTowards { target: Some(Vec2::ZERO), speed: f32::NAN }).unwrap();
        }),
        (MotionReason::MoveTowards, |court, id| {
            court.get_mut::<Position>(id).unwrap().0.x = -3e38;
            court.insert(id, MoveTowards { target: Some(Vec2::new(3e38, 0.0)), speed: 1.0 }).unwrap();
        }),
        (MotionReason::MoveTowards, |court, id| {
            let towards = MoveTowards { target: Some(Vec2::new(3e38, 0.0)), speed: f32::INFINITY };
            court.insert(id, towards).unwrap();
        }),
        (MotionReason::Jump, |court, id| {
            let mut jump = Jump::new(f32::NAN).with_air_jumps(1);
            jump.press();
            court.insert(id, jump).unwrap();
        }),
    ];
    for (reason, break_it) in cases {
        let mut court = Court::new();
        let id = court.spawn((at(1.0, 1.0), moving(1.0, 1.0), Body(Shape::circle(1.0)), Fall::new(0.0)));
        court.spawn((at(9.0, 9.0), Solid(Shape::circle(1.0))));
        break_it(&mut court, id);
        let (position, heading) = (place(&court, id), court.get::<Heading>(id).copied());
        let error = court.clone().strict().unwrap_err().to_string();
        let expected = MotionRefusal { entity: id, reason }.to_string();
        assert!(error.contains(&expected), "{error}");
        court.step();
        let refused: Vec<_> =
            court.drain::<MotionRefusal>().map(|refusal| (refusal.entity, refusal.reason)).collect();
        assert!(refused.contains(&(id, reason)), "{refused:?}");
        assert_eq!(court.get::<Heading>(id).copied(), heading);
        if matches!(reason, MotionReason::Position | MotionReason::Velocity | MotionReason::MoveTowards) {
            let bits = |at: Vec2| (at.x.to_bits(), at.y.to_bits());
            assert_eq!(bits(place(&court, id)), bits(position), "{reason:?}");
        } else {
            assert!(place(&court, id).is_finite(), "{reason:?}");
        }
    }
    let mut court = Court::new();
    let id = court.spawn(Body(Shape::circle(600.0)));
    court.step_on_map();
    assert_eq!(
        court.drain::<MotionRefusal>().next(),
        Some(MotionRefusal { entity: id, reason: MotionReason::Body })
    );
    // the map is not asked for the cells in which a body may be by errors of rounding: they are too
    // many
    let far = court.spawn((at(0.0, 3e38), Body(Shape::circle(1.0)), Velocity::default()));
    court.step_on_map();
    let refused: Vec<_> = court.drain::<MotionRefusal>().filter(|refusal| refusal.entity == far).collect();
    assert_eq!(refused, [MotionRefusal { entity: far, reason: MotionReason::TooFar }]);
    // nor for more cells than a computer can look at in a moment
    let mut court = Court::new();
    for (body, start, way) in [(1.0, 1e9, 1e9), (1.0, 2e6, 4e5), (511.0, 0.0, 4e5), (511.0, 1e6, 1e5)] {
        court.spawn((at(start, start), Body(Shape::circle(body)), Velocity(Vec2::new(way, way))));
    }
    let began = std::time::Instant::now();
    court.step_on_map();
    assert!(began.elapsed().as_secs() < 20, "a step takes {:?}", began.elapsed());
    // a solid entity would push the body beyond the greatest number
    let mut court = Court::new();
    let edge = court.spawn((at(f32::MAX, 0.0), Body(Shape::circle(1.0)), Velocity::default()));
    court.spawn((at(3.3e38, 0.0), Solid(Shape::circle(1e38))));
    court.step();
    let refused: Vec<_> = court.drain::<MotionRefusal>().collect();
    assert_eq!(refused, [MotionRefusal { entity: edge, reason: MotionReason::TooFar }]);
    assert_eq!(place(&court, edge).x, f32::MAX);
    for (panics, message) in [
        (
            std::panic::catch_unwind(|| Shape::circle(f32::NAN)),
            "the radius of a circle is finite and not negative",
        ),
        (
            std::panic::catch_unwind(|| Shape::rectangle(1.0, -1.0)),
            "the height of a rectangle is finite and not negative",
        ),
        (
            std::panic::catch_unwind(|| Shape::rounded(1.0, 1.0, 0.6)),
            "round corners are not wider than their rectangle",
        ),
    ] {
        assert_eq!(panics.unwrap_err().downcast_ref(), Some(&message));
    }
    let edited = serde_json::from_str::<Shape>(r#"{ "half": { "x": -1.0, "y": 1.0 }, "radius": 0.0 }"#);
    assert!(edited.unwrap_err().to_string().contains("a shape has the half size"));
    assert!(serde_json::from_str::<Heading>(r#"{ "x": 2.0, "y": 1.0 }"#).is_err());
}

/// A court with all abilities in use, on a random map.
fn busy(seed: u64) -> Court {
    let mut dice = Rand32::new(seed);
    let mut court = Court::new();
    let mut cells = CellSet::new(30, 20);
    for x in 0..30 {
        cells.insert(Cell::new(x, 0));
        cells.insert(Cell::new(dice.rand_range(0..30) as i32, dice.rand_range(0..20) as i32));
    }
    *court.resource_mut::<Map>() = Map(cells);
    for n in 0..40 {
        let place = at(30.0 * dice.rand_float(), 3.0 + 17.0 * dice.rand_float());
        let (shape, _) = random_shape(&mut dice);
        let body = (place, Body(shape), moving(20.0 * dice.rand_float() - 10.0, 5.0));
        match n % 5 {
            0 => {
                _ = court.spawn((
                    body,
                    Fall::new(15.0),
                    Jump::new(6.0).with_air_jumps(1),
                    Walk::new(4.0, 30.0),
                ))
            }
            1 => _ = court.spawn((body, Solid(shape), Friction(1.0))),
            2 => {
                let speed = 3.0;
                let target = Some(Vec2::new(15.0, 10.0));
                _ = court.spawn((body, MoveTowards { target, speed }, TurnTowards { point: target, speed }));
            }
            3 => _ = court.spawn((place, Solid(shape))),
            _ => _ = court.spawn((body, Solid(shape), Fall::default())),
        }
    }
    court
}

/// One step with random orders. All worlds that are given the same numbers do the same.
fn order(court: &mut Court, dice: &mut Rand32) {
    for walk in court.query_mut::<&mut Walk>() {
        if dice.rand_range(0..10) == 0 {
            walk.wish = Vec2::new(dice.rand_float() * 2.0 - 1.0, 0.0);
        }
    }
    for jump in court.query_mut::<&mut Jump>() {
        if dice.rand_range(0..20) == 0 {
            jump.press();
        }
    }
    court.step_on_map();
}

#[test]
fn worlds_that_move_continue_from_saves_clones_and_snapshots() {
    let mut dice = Rand32::new(11);
    let mut court = busy(1);
    for round in 0..60 {
        order(&mut court, &mut dice);
        if round % 12 != 5 {
            continue;
        }
        let text = serde_json::to_string(&court).unwrap();
        let snapshot = court.snapshot();
        let mut others = [
            court.clone(),
            Court::load(&court.to_bytes().unwrap()).unwrap(),
            serde_json::from_str(&text).unwrap(),
        ];
        let numbers = dice;
        for _ in 0..5 {
            order(&mut court, &mut dice);
        }
        let hash = court.hash();
        for other in &mut others {
            let mut numbers = numbers;
            for _ in 0..5 {
                order(other, &mut numbers);
            }
            assert_eq!(other.hash(), hash, "round {round}");
        }
        court.restore(&snapshot);
        let mut numbers = numbers;
        for _ in 0..5 {
            order(&mut court, &mut numbers);
        }
        assert_eq!(court.hash(), hash, "round {round}, after the rollback");
    }
}

/// The bits of all positions and velocities after 500 steps, for which all machines have this
/// number.
#[test]
fn five_hundred_steps_end_at_the_recorded_bits() {
    let mut dice = Rand32::new(12);
    let mut court = busy(2);
    for _ in 0..500 {
        order(&mut court, &mut dice);
    }
    let bits = |at: &Vec2| u64::from(at.x.to_bits()) << 32 | u64::from(at.y.to_bits());
    let mut sum = 0_u64;
    for (position, velocity, heading) in court.query::<(&Position, Option<&Velocity>, Option<&Heading>)>() {
        let velocity = velocity.map_or(0, |velocity| bits(&velocity.0));
        let heading = heading.map_or(0, |heading| bits(&heading.direction()));
        for bits in [bits(&position.0), velocity, heading] {
            sum = sum.rotate_left(7).wrapping_add(bits).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
    assert_eq!(format!("{sum:016x}"), "e3a494271c74d925");
}
