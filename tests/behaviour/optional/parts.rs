//! Parts of libraries in worlds.

use ecs::prelude::*;
use parts_library::fire::{self, Fuel, Paper, Water, Wood};
use parts_library::{Bounces, Bumped, Clock, Moved, Position, Resting, Velocity};

/// The world's own components.
#[derive(Component, Clone)]
struct Steered(f32);
#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Heard(u32);

world! {
    /// A world that includes a library and adds components.
    #[derive(Clone)]
    struct Game {
        resources { heard: Heard = Heard::default() }
        include parts_library::physics;
        components { Steered }
    }
    schedule tick {
        steer;
        include parts_library::step;
        hear
    }
    schedule twice_as_far { include parts_library::step, hear }
}

#[system(Game)]
fn steer(velocity: &mut Velocity, steered: &Steered) {
    velocity.0 = steered.0;
}

#[system(Game)]
fn hear(mut bumped: EventReader<Bumped>, mut heard: ResMut<Heard>) {
    heard.0 += bumped.len() as u32;
    bumped.clear();
}

/// Other items with the names of the library's items.
mod elsewhere {
    use super::*;

    #[derive(Component, Clone, PartialEq, Debug)]
    pub struct Place(pub &'static str);
    #[derive(Component)]
    pub struct Clock;
    #[derive(Resource, Default)]
    pub struct Log(pub Vec<&'static str>);

    // An alias of the path leads to both.
    use parts_library::physics as moving;

    world! {
        pub struct Story {
            include moving;
            include fire::fire;
            components { Place, time: Clock }
            resources { log: Log = Log(vec!["made"]) }
        }
        schedule day -> Result {
            log_first, include parts_library::step, include ::parts_library::fire::burn, log_last;
            listen
        }
    }

    #[system(Story)]
    fn log_first(mut log: ResMut<Log>) {
        log.0.push("first");
    }

    #[system(Story)]
    fn log_last(mut log: ResMut<Log>, resting: Query<Entity, With<Resting>>) {
        log.0.push(if resting.is_empty() { "last" } else { "resting" });
    }

    #[system(Story)]
    fn listen(bumped: EventReader<Bumped>) {
        let _ = bumped;
    }
}

#[test]
fn included_parts_equal_parts_written_in_the_world() {
    let mut game = Game::new(Bounces(0));
    let ball = game.spawn((Position(9.0), Velocity(2.0)));
    game.tick();
    assert_eq!(game.get::<Position>(ball), Some(&Position(11.0)));
    assert_eq!(game.get::<Velocity>(ball), Some(&Velocity(-2.0)));
    assert_eq!((game.resource::<Bounces>(), game.resource::<Heard>()), (&Bounces(1), &Heard(1)));
    let columns = game.columns();
    assert_eq!((columns.position.len(), columns.velocity.len(), columns.steered.len()), (1, 1, 0));
    assert_eq!(<Game as World>::COMPONENTS, ["Position", "Velocity", "Resting", "Steered"]);
    assert_eq!(<Game as World>::RESOURCES, ["Heard", "Clock", "Bounces"]);
}

#[test]
fn the_worlds_systems_stand_around_those_that_are_included() {
    let mut game = Game::new(Bounces(0));
    let ball = game.spawn((Position(0.0), Velocity(0.0), Steered(3.0)));
    game.tick();
    assert_eq!(game.get::<Position>(ball), Some(&Position(3.0)));
    game.time_systems(true);
    game.tick();
    game.twice_as_far();
    let names: Vec<_> = game.timings().iter().map(|timing| (timing.schedule, timing.system)).collect();
    let included = ["movement", "bounce", "rest", "settle"];
    let expected = ["steer"].into_iter().chain(included).chain(["hear"]).map(|system| ("tick", system));
    let again = included.into_iter().chain(["hear"]).map(|system| ("twice_as_far", system));
    assert_eq!(names, expected.chain(again).filter(|(_, system)| *system != "rest").collect::<Vec<_>>());
}

#[test]
fn a_first_value_comes_from_the_library_and_can_be_set() {
    let mut game = Game::new(Bounces(0));
    *game.resource_mut::<Clock>() = Clock::of(0.5);
    let ball = game.spawn((Position(0.0), Velocity(1.0)));
    game.tick();
    assert_eq!(game.get::<Position>(ball), Some(&Position(0.5)));
}

#[test]
fn a_second_world_has_the_same_parts_and_others_beside_them() {
    let mut story = elsewhere::Story::new(Bounces(2));
    let page = story.spawn((Fuel::<Paper>::new(4), Fuel::<Wood>::new(4), elsewhere::Place("hearth")));
    story.spawn((Position(10.0), Velocity(1.0)));
    assert_eq!(story.day().map_err(|error| error.to_string()), Ok(()));
    assert_eq!(story.get::<Fuel<Paper>>(page).map(|fuel| fuel.0), Some(1));
    assert_eq!(story.get::<Fuel<Wood>>(page).map(|fuel| fuel.0), Some(3));
    assert_eq!(story.resource::<elsewhere::Log>().0, ["made", "first", "resting"]);
}

#[test]
fn an_included_system_that_fails_ends_the_schedule() {
    let mut story = elsewhere::Story::new(Bounces(0));
    story.resource_mut::<Water>().0 = true;
    let error = story.day().unwrap_err();
    assert_eq!(
        error.to_string(),
        "system `drown` of schedule `day` of world `Story` failed: an error occurred when formatting an argument"
    );
    assert_eq!(story.resource::<elsewhere::Log>().0, ["made", "first"]);
}

#[test]
fn an_event_that_parts_declare_external_is_external() {
    let mut game = Game::new(Bounces(0));
    let ball = game.spawn(());
    game.send(Moved(ball, 1.0));
    assert_eq!(game.drain::<Moved>().map(|moved| moved.1).collect::<Vec<_>>(), [1.0]);
}

/// A world without readers of the library's event, and one without its senders, too.
mod indifferent {
    use super::*;

    world! {
        struct Quiet { include parts_library::physics; }
        schedule tick { include parts_library::step }
    }

    world! {
        struct Idle { include parts_library::physics; }
        schedule tick { listen }
    }

    #[system(Idle)]
    fn listen(mut bumped: EventReader<Bumped>) {
        assert_eq!(bumped.iter().count(), 0, "nobody sends it");
    }

    #[test]
    fn an_event_of_parts_need_not_be_read() {
        let mut quiet = Quiet::new(Bounces(0));
        quiet.spawn((Position(9.0), Velocity(2.0)));
        quiet.tick();
        assert_eq!(quiet.resource::<Bounces>(), &Bounces(1), "it was sent");
        let stats = &quiet.stats().events[0];
        assert_eq!((stats.event, stats.sent, stats.readers.len()), ("Bumped", 1, 0));
        assert_eq!(quiet.drain::<Bumped>().count(), 1, "code outside of the schedules can take it");
    }

    #[test]
    fn an_event_of_parts_need_not_be_sent() {
        Idle::new(Bounces(0)).tick();
    }
}

#[test]
fn a_clone_has_the_included_entries() {
    let mut game = Game::new(Bounces(0));
    let ball = game.spawn((Position(0.0), Velocity(1.0)));
    let mut copy = game.clone();
    copy.tick();
    assert_eq!(
        (game.get::<Position>(ball), copy.get::<Position>(ball)),
        (Some(&Position(0.0)), Some(&Position(1.0)))
    );
}

/// Parts that need two other parts with equal field names.
mod needing {
    use super::*;
    use parts_library::fire::{Blown, Burning};

    world! {
        struct Forest {
            include parts_library::physics { clock as physics_clock, bounces as bumps };
            include fire::wildfire;
            include fire::fire;
        }
        schedule tick { include fire::spread }
    }

    #[test]
    fn parts_need_others_and_fields_get_other_names() {
        let mut forest = Forest::new(Bounces(7));
        forest.spawn((Fuel::<Wood>::new(1), Velocity(0.0), Blown));
        forest.spawn((Fuel::<Wood>::new(1), Velocity(0.0)));
        forest.tick();
        assert_eq!((forest.resource::<Burning>(), forest.resource::<Bounces>()), (&Burning(1), &Bounces(7)));
        assert_eq!((&forest.clock, &forest.bumps), (&Burning(1), &Bounces(7)));
        let _: &Clock = &forest.physics_clock;
    }
}

/// Private parts of private types.
mod here {
    use super::*;

    #[derive(Component)]
    struct Secret(u32);
    #[derive(Resource)]
    struct Told(u32);

    parts! {
        secrets {
            components { Secret }
            resources { told: Told = Told(0) }
            schedule tell { telling }
        }
    }

    #[system]
    fn telling(secret: &Secret, mut told: ResMut<Told>) {
        told.0 += secret.0;
    }

    world! {
        struct Gossip { include secrets; }
        schedule day { include tell }
    }

    #[test]
    fn parts_can_be_private() {
        let mut gossip = Gossip::new();
        gossip.spawn(Secret(7));
        gossip.day();
        assert_eq!(gossip.resource::<Told>().0, 7);
    }
}

#[test]
fn parts_can_stand_in_a_function() {
    #[derive(Component, Default)]
    struct Count(u32);

    parts! {
        counting {
            components { Count }
            schedule count { up; }
        }
    }

    #[system]
    fn up(count: &mut Count) {
        count.0 += 1;
    }

    world! {
        struct Counter { include counting; }
        schedule tick { include count; }
        schedule include { up }
        schedule until_done { tick; react { include count } max 1 }
    }

    let mut counter = Counter::new();
    let one = counter.spawn(Count(0));
    counter.tick();
    counter.include();
    assert_eq!(counter.get::<Count>(one).map(|count| count.0), Some(2));
    counter.until_done();
    assert_eq!(counter.get::<Count>(one).map(|count| count.0), Some(4));
}

/// A system may be called `include`.
#[test]
fn include_is_no_keyword() {
    #[derive(Component)]
    struct Include;
    #[derive(Resource, Default)]
    struct Seen(bool);

    world! {
        struct Lists {
            components { include: Include }
            resources { seen: Seen = Seen(false) }
        }
        schedule tick { include, after }
        schedule only { after; include if asked }
    }

    #[system(Lists)]
    fn include(mut seen: ResMut<Seen>) {
        seen.0 = true;
    }

    #[system(Lists)]
    fn after(seen: Res<Seen>) {
        let _ = seen;
    }

    #[system(Lists)]
    fn asked(seen: Res<Seen>) -> bool {
        !seen.0
    }

    let mut lists = Lists::new();
    lists.only();
    lists.tick();
    assert!(lists.resource::<Seen>().0);
}
