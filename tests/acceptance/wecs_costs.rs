//! W: WECS, access and cost of systems: access lists, pictures, measured times, reactions with a
//! cost in proportion to the changes.

use std::thread::sleep;
use std::time::Duration;

use ecs::prelude::*;
use ecs_tests::thread_time;

#[derive(Component, Clone)]
#[component(tracked, removed)]
struct Health(u32);
#[derive(Component)]
struct Position(i32);
#[derive(Component)]
struct Frozen;
#[derive(Resource, Default)]
struct Clock(u32);
#[derive(Resource, Default)]
struct Seen(usize);
#[derive(Event)]
struct Hurt(Entity);

world! {
    struct Game {
        components { Health, Position, Frozen }
        resources { Clock, Seen }
        events { Hurt(external) }
    }
    schedule tick { slow, fast; idle if never }
    schedule react { changes, losses }
}

#[system(Game)]
fn slow(mut clock: ResMut<Clock>) {
    sleep(Duration::from_millis(5));
    clock.0 += 1;
}
#[system(Game)]
fn fast(position: &mut Position, _: Without<Frozen>) {
    position.0 += 1;
}
#[system(Game)]
fn idle(mut hurt: EventWriter<Hurt>, health: Query<Entity, With<Health>>) {
    hurt.extend(health.iter().map(Hurt));
}
#[system(Game)]
fn never(clock: Res<Clock>) -> bool {
    clock.0 == u32::MAX
}
#[system(Game)]
fn changes(changed: Query<&Health, Changed<Health>>, mut seen: ResMut<Seen>) {
    seen.0 += changed.iter().filter(|health| health.0 > 0).count();
}
#[system(Game)]
fn losses(mut removed: Removed<Health>, mut seen: ResMut<Seen>) {
    seen.0 += removed.iter().count();
}

#[test]
fn w30_a_run_time_schedule_lists_readers_and_writers() {
    let mut game = Game::default();
    let mut schedule = Schedule::<Game>::new("frame");
    assert!(schedule.graph().schedules[0].nodes.is_empty());
    schedule.add::<idle>(&mut game, 30).unwrap();
    schedule.add::<fast>(&mut game, 20).unwrap();
    schedule
        .add_fn(
            &mut game,
            "count",
            10,
            |bodies: Query<(&Position, Option<&Health>)>, mut clock: ResMut<Clock>| {
                clock.0 +=
                    bodies.iter().filter(|(position, health)| position.0 > 0 && health.is_some()).count()
                        as u32;
            },
        )
        .unwrap();
    schedule
        .add_fn(&mut game, "freeze", 40, |mut hurt: EventReader<Hurt>, mut commands: Commands<Game>| {
            hurt.iter().for_each(|hurt| commands.insert(hurt.0, Frozen));
        })
        .unwrap();
    schedule.add_exclusive(&mut game, "all", 50, |_: &mut Game| {}).unwrap();

    let graph = schedule.graph();
    assert_eq!((graph.world, graph.schedules.len(), graph.schedules[0].name), ("Game", 1, "frame"));
    let nodes = &graph.schedules[0].nodes;
    let touched: Vec<_> = nodes
        .iter()
        .map(|node| (node.system, node.reads.as_slice(), node.writes.as_slice(), node.filters.as_slice()))
        .collect();
    assert_eq!(
        touched,
        [
            ("count", &["Health", "Position"][..], &[][..], &[][..]),
            ("fast", &[], &["Position"], &["Frozen"]),
            ("idle", &[], &[], &["Health"]),
            ("freeze", &[], &[], &[]),
            ("all", &[], &[], &[]),
        ]
    );
    assert_eq!(
        (nodes[0].resources_written.as_slice(), nodes[2].events_sent.as_slice()),
        (&["Clock"][..], &["Hurt"][..])
    );
    assert!(nodes[3].events_read == ["Hurt"] && nodes[3].deferred && nodes[4].exclusive);
    let waits: Vec<_> =
        graph.schedules[0].edges.iter().map(|edge| (edge.from, edge.to, edge.over.clone())).collect();
    assert_eq!(waits, [(0, 1, vec!["Position"]), (2, 3, vec!["Hurt"])]);

    // the same system has the same access in a schedule of the world
    let compiled = game.schedule_graph();
    let in_world = compiled.schedules[0].nodes.iter().find(|node| node.system == "fast").unwrap();
    assert_eq!(
        (&in_world.reads, &in_world.writes, &in_world.filters),
        (&nodes[1].reads, &nodes[1].writes, &nodes[1].filters)
    );
    // the next graph shows a change of the list
    schedule.remove::<fast>(&mut game);
    assert!(schedule.graph().schedules[0].nodes.iter().all(|node| node.system != "fast"));
    assert!(schedule.graph().to_dot().contains("label=\"count\""));
    schedule.close(&mut game);
}

#[test]
fn w31_a_picture_of_systems_and_their_components() {
    let game = Game::default();
    let dot = game.schedule_graph().only("tick").to_access_dot();
    let expected = r#"digraph "Game" {
    rankdir=LR; node [fontname="sans-serif"];
    "fast()" [label="fast", shape=box, style=rounded];
    "idle()" [label="idle", shape=box, style=rounded];
    "slow()" [label="slow", shape=box, style=rounded];
    "Frozen" [shape=ellipse];
    "Health" [shape=ellipse];
    "Position" [shape=ellipse];
    "Clock" [shape=hexagon];
    "Hurt" [shape=cds];
    "Clock" -> "idle()";
    "Frozen" -> "fast()" [style=dashed, dir=none];
    "Health" -> "idle()" [style=dashed, dir=none];
    "fast()" -> "Position";
    "idle()" -> "Hurt";
    "slow()" -> "Clock";
}
"#;
    assert_eq!(dot, expected);
}

#[test]
fn w46_times_are_measured_on_request() {
    let mut game = Game::default();
    game.spawn(Position(0));
    game.tick();
    assert!(game.timings().is_empty(), "off, if nothing is said");
    game.time_systems(true);
    for _ in 0..3 {
        game.tick();
    }
    let timings = game.timings();
    let of = |system| timings.iter().find(|timing| timing.system == system).copied().unwrap();
    let (slow, fast) = (of("slow"), of("fast"));
    assert!(slow.total >= Duration::from_millis(15) && slow.longest >= Duration::from_millis(5), "{slow:?}");
    assert!(slow.total >= slow.longest && slow.longest * slow.runs as u32 >= slow.total, "{slow:?}");
    assert!(fast.longest < slow.longest, "{fast:?}");
    assert_eq!((slow.runs, fast.runs), (3, 3));
    game.time_systems(false);
    game.tick();
    assert!(game.timings().is_empty());
}

/// The least time that the processor spends on the reactions in a world with `entities` entities,
/// of which some change, and some lose a component and get it back, between two runs.
fn reaction(entities: u32, changes: u32) -> Duration {
    let mut game = Game::default();
    let ids: Vec<Entity> = game.spawn_batch((0..entities).map(|n| Health(n + 1))).collect();
    let some: Vec<Entity> = ids.iter().step_by((entities / changes) as usize).copied().collect();
    game.react();
    let mut best = Duration::MAX;
    for _ in 0..30 {
        for &one in &some {
            game.get_tracked::<Health>(one).unwrap().0 += 1;
        }
        game.remove::<Health>(some[0]).unwrap();
        game.insert(some[0], Health(1)).unwrap();
        game.resource_mut::<Seen>().0 = 0;
        let start = thread_time();
        game.react();
        best = best.min(thread_time() - start);
        assert_eq!(game.resource::<Seen>().0, some.len() + 1);
    }
    best
}

#[test]
fn w53_the_cost_of_reactions_depends_on_changes_not_on_entities() {
    let (small, large, still) =
        (reaction(10_000, 1_000), reaction(1_000_000, 1_000), reaction(1_000_000, 10));
    // a hundred times the entities, and the same changes: reactions that visit each entity would
    // take a hundred times as long
    assert!(large < small * 20, "{small:?} for 10,000 entities, {large:?} for 1,000,000");
    // the same entities, and a hundredth of the changes
    assert!(still * 5 < large, "{still:?} for 10 changes, {large:?} for 1,000");
}
