//! W54: meters with bounds, regeneration and thresholds.

use std::time::Duration;

use ecs::prelude::*;
use ecs_mechanics::clocks::{self, Clock, Frame, Game, Wall};
use ecs_mechanics::meters::Direction::{Falling, Rising};
use ecs_mechanics::meters::{
    self, Alarm, Crossed, Direction, Health, Mana, Meter, NotEnough, Regeneration, regenerate_if,
};

const SECOND: Duration = Duration::from_secs(1);

#[derive(Component)]
struct Cursed;

/// The crossed thresholds of health.
#[derive(Resource, Default)]
struct Heard(Vec<(Entity, u8, Direction)>);

world! {
    struct Arena {
        include clocks::clocks;
        include meters::health;
        components { Cursed, mana: Meter<Mana>, mana_regeneration: Regeneration<Mana> }
        resources { Heard = Heard::default() }
    }
    schedule frame {
        include clocks::advance;
        include meters::run_health;
        regenerate_if::<Mana, Game, Without<Cursed>>;
        listen;
    }
}

#[system(Arena)]
fn listen(mut crossed: EventReader<Crossed<Health>>, mut heard: ResMut<Heard>) {
    heard.0.extend(crossed.iter().map(|crossed| (crossed.entity, crossed.percent, crossed.direction)));
}

fn arena() -> Arena {
    let mut arena = Arena::new();
    arena.resource_mut::<Clock<Frame>>().set_max_step(None);
    arena
}

fn frame(arena: &mut Arena, passed: Duration) {
    arena.resource_mut::<Clock<Wall>>().advance(passed);
    arena.frame();
}

#[test]
fn w54_a_meter_stays_between_zero_and_its_maximum() {
    let mut health = Meter::<Health>::new(99, 10);
    assert_eq!((health.now(), health.is_full()), (10, true));
    assert_eq!((health.take(7), health.take(7), health.now(), health.is_empty()), (7, 3, 0, true));
    assert_eq!(health.try_take(1), Err(NotEnough { kind: "health", needed: 1, now: 0 }));
    assert_eq!((health.add(u32::MAX), health.try_take(10)), (10, Ok(())));
    health.set(4);
    health.set_max(12);
    assert_eq!((health.now(), health.max()), (6, 12), "a greater maximum raises the amount");
    health.set_max(5);
    assert_eq!(
        (health.now(), health.missing()),
        (0, 5),
        "a smaller one keeps what is missing, as far as it goes"
    );
}

#[test]
fn w54_meters_regenerate_once_in_each_period_of_game_time() {
    let mut arena = arena();
    let hero = arena.spawn((Meter::<Health>::new(1, 100), Regeneration::<Health>::new(2, SECOND)));
    for _ in 0..25 {
        frame(&mut arena, SECOND / 10);
    }
    assert_eq!(arena.get::<Meter<Health>>(hero).unwrap().now(), 5);
    frame(&mut arena, 7 * SECOND);
    assert_eq!(arena.get::<Meter<Health>>(hero).unwrap().now(), 19, "a long step completes several periods");
    arena.resource_mut::<Clock<Game>>().pause();
    frame(&mut arena, 7 * SECOND);
    assert_eq!(arena.get::<Meter<Health>>(hero).unwrap().now(), 19);
}

#[test]
fn w54_regeneration_stops_at_the_bounds_and_at_death_and_by_a_filter() {
    let mut arena = arena();
    let dead = arena.spawn((Meter::<Health>::new(0, 9), Regeneration::<Health>::new(5, SECOND)));
    let starving = arena.spawn((Meter::<Health>::new(7, 9), Regeneration::<Health>::new(-5, SECOND)));
    let mage = (Meter::<Mana>::new(0, 9), Regeneration::<Mana>::new(5, SECOND));
    let [witch, cursed] = [arena.spawn(mage), arena.spawn((mage, Cursed))];
    frame(&mut arena, 2 * SECOND);
    let health = |entity| arena.get::<Meter<Health>>(entity).unwrap().now();
    assert_eq!((health(dead), health(starving)), (0, 0));
    let mana = |entity| arena.get::<Meter<Mana>>(entity).unwrap().now();
    assert_eq!((mana(witch), mana(cursed)), (9, 0));
}

#[test]
fn w54_a_crossed_threshold_is_an_event_in_the_order_of_the_fall_or_the_rise() {
    let mut arena = arena();
    let hero = arena.spawn((Meter::<Health>::full(8), Alarm::<Health>::default()));
    let quiet = arena.spawn(Meter::<Health>::full(8));
    let mut after = |now: u32| {
        for entity in [hero, quiet] {
            arena.get_mut::<Meter<Health>>(entity).unwrap().set(now);
        }
        frame(&mut arena, SECOND);
        std::mem::take(&mut arena.resource_mut::<Heard>().0)
    };
    assert_eq!(after(8), [], "the first look");
    assert_eq!(after(5), [], "between two thresholds");
    assert_eq!(after(0), [(hero, 50, Falling), (hero, 25, Falling), (hero, 0, Falling)]);
    assert_eq!(after(0), []);
    assert_eq!(after(8), [(hero, 25, Rising), (hero, 50, Rising), (hero, 100, Rising)]);
    assert_eq!(after(4), [(hero, 50, Falling)]);
}

#[test]
fn a_greater_maximum_of_a_full_meter_crosses_nothing() {
    let mut arena = arena();
    let hero = arena.spawn((Meter::<Health>::full(8), Alarm::<Health>::default()));
    frame(&mut arena, SECOND);
    arena.get_mut::<Meter<Health>>(hero).unwrap().set_max(20);
    frame(&mut arena, SECOND);
    assert!(arena.resource::<Heard>().0.is_empty());
}

#[test]
fn a_saved_meter_may_leave_out_what_is_missing_but_not_miss_more_than_there_is() {
    let meter: Meter<Mana> = serde_json::from_str(r#"{"max": 7}"#).unwrap();
    assert_eq!(meter, Meter::full(7));
    let error = serde_json::from_str::<Meter<Mana>>(r#"{"max": 7, "missing": 8}"#).unwrap_err();
    assert_eq!(error.to_string(), "a meter of mana with a maximum of 7 misses 8");
}

/// A meter of a game's own, and the instances of one kind that several parts include.
mod own {
    use super::*;

    enum Rage {}
    impl meters::MeterKind for Rage {
        const NAME: &'static str = "rage";
    }

    world! {
        struct Pit {
            include clocks::clocks;
            include meters::health;
            include meters::meter::<Rage> as rage { Crossed(external) };
            include meters::meter::<Health> as also;
        }
        schedule frame { include clocks::advance; include meters::run_meter::<Rage>, include meters::run_health }
    }

    #[test]
    fn w54_one_include_has_all_of_a_meter_and_two_of_one_kind_are_one() {
        assert_eq!(
            <Pit as World>::COMPONENTS,
            [
                "Meter<Health>",
                "Regeneration<Health>",
                "Alarm<Health>",
                "Meter<Rage>",
                "Regeneration<Rage>",
                "Alarm<Rage>"
            ]
        );
        let mut pit = Pit::new();
        let rage =
            (Meter::<Rage>::new(0, 4), Regeneration::<Rage>::new(4, SECOND / 8), Alarm::<Rage>::default());
        let orc = pit.spawn((Meter::<Health>::full(3), rage));
        for _ in 0..2 {
            pit.resource_mut::<Clock<Wall>>().advance(SECOND / 8);
            pit.frame();
        }
        assert!(pit.get::<Meter<Rage>>(orc).unwrap().is_full());
        assert_eq!(pit.columns().rage_meter.len(), 1);
        assert_eq!(pit.columns().health.len(), 1);
    }
}
