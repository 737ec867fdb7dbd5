//! The picture of a world's schedules.

use ecs::prelude::*;

#[derive(Component)]
struct Position(i32);
#[derive(Component)]
struct Velocity(i32);
#[derive(Component)]
struct Frozen;
#[derive(Resource, Default)]
struct Clock(i32);
#[derive(Event)]
struct Bumped;

world! {
    struct Game {
        components { Position, Velocity, Frozen }
        resources { Clock }
        events { Bumped }
    }
    schedule tick {
        steer, moves if !paused, melts, bump, also_bump;
        read, freeze, whole, late
    }
    schedule empty {}
    schedule others {
        read if paused && !(paused || !paused);
        react { steer, freeze } max 3;
        frost, also_freeze
    }
}

#[system(Game)]
fn also_freeze(mut commands: Commands<Game>) {
    commands.spawn(Frozen);
}
#[system(Game)]
fn frost(mut frozen: Storage<Frozen>) {
    frozen.iter_mut().for_each(drop);
}

#[system(Game)]
fn steer(velocity: &mut Velocity, clock: Res<Clock>) {
    velocity.0 += clock.0;
}
#[system(Game)]
fn moves(position: &mut Position, velocity: &Velocity, _: Without<Frozen>) {
    position.0 += velocity.0;
}
#[system(Game)]
fn melts(position: &mut Position, _: With<Frozen>) {
    position.0 -= 1;
}
#[system(Game)]
fn bump(mut bumped: EventWriter<Bumped>) {
    bumped.send(Bumped);
}
#[system(Game)]
fn also_bump(all: Query<&Position>, mut bumped: EventWriter<Bumped>) {
    bumped.extend(all.iter().map(|_| Bumped));
}
#[system(Game)]
fn read(mut bumped: EventReader<Bumped>, mut clock: ResMut<Clock>) {
    clock.0 += bumped.iter().count() as i32;
}
#[system(Game)]
fn freeze(mut commands: Commands<Game>) {
    commands.spawn(Frozen);
}
#[system(Game)]
fn whole(game: &mut Game) {
    game.resource_mut::<Clock>().0 += 1;
}
#[system(Game)]
fn late(_: Query<&Position>) {}
#[system(Game)]
fn paused(clock: Res<Clock>) -> bool {
    clock.0 < 0
}

#[test]
fn nodes_waves_and_edges() {
    let graph = Game::default().schedule_graph();
    assert_eq!((graph.world, graph.schedules.len()), ("Game", 3));
    let tick = &graph.schedules[0];
    let of = |name| tick.nodes.iter().position(|node| node.system == name).unwrap();
    let waves: Vec<_> = tick.nodes.iter().map(|node| (node.system, node.stage, node.wave)).collect();
    assert_eq!(
        waves,
        [
            ("steer", 0, 0),
            ("moves", 0, 1),
            ("melts", 0, 0),
            ("bump", 0, 0),
            ("also_bump", 0, 2),
            ("read", 1, 0),
            ("freeze", 1, 0),
            ("whole", 1, 0),
            ("late", 1, 0),
        ]
    );
    let moves = &tick.nodes[of("moves")];
    assert_eq!((moves.condition.as_str(), moves.filters.as_slice()), ("!paused", &["Frozen"][..]));
    assert_eq!((moves.reads.as_slice(), moves.writes.as_slice()), (&["Velocity"][..], &["Position"][..]));
    assert_eq!(moves.resources_read, ["Clock"]);
    let edges: Vec<_> = tick.edges.iter().map(|edge| (edge.from, edge.to, edge.over.clone())).collect();
    assert_eq!(
        edges,
        [
            (of("steer"), of("moves"), vec!["Velocity"]),
            (of("moves"), of("also_bump"), vec!["Position"]),
            (of("melts"), of("also_bump"), vec!["Position"]),
        ]
    );
    assert!(tick.nodes[of("freeze")].deferred && tick.nodes[of("whole")].exclusive);
    assert!(graph.schedules[1].nodes.is_empty());
}

#[test]
fn conditions_blocks_and_commands_are_shown() {
    let graph = Game::default().schedule_graph().only("others");
    let others = &graph.schedules[0];
    let nodes: Vec<_> =
        others.nodes.iter().map(|node| (node.system, node.condition.as_str(), node.react)).collect();
    assert_eq!(
        nodes,
        [
            ("read", "paused && !(paused || !paused)", None),
            ("steer", "", Some(3)),
            ("freeze", "", Some(3)),
            ("frost", "", None),
            ("also_freeze", "", None),
        ]
    );
    assert_eq!(others.edges.len(), 1);
    assert_eq!(others.edges[0].over, ["Commands"]);
    let dot = graph.to_dot();
    assert!(dot.contains("label=\"react, max 3\"") && dot.contains("gives commands"), "{dot}");
    assert!(graph.to_json().contains("\"react\":3"));
}

#[test]
fn as_text() {
    let graph = Game::default().schedule_graph().only("tick");
    let dot = graph.to_dot();
    assert!(dot.starts_with("digraph \"Game\" {"), "{dot}");
    assert!(dot.contains("n0_1 [label=\"moves\\nif !paused\""), "{dot}");
    assert!(dot.contains("n0_0 -> n0_1 [label=\"Velocity\"];"), "{dot}");
    assert_eq!(dot.matches('{').count(), dot.matches('}').count());
    let json = graph.to_json();
    assert!(json.starts_with(
        "{\"world\":\"Game\",\"schedules\":[{\"name\":\"tick\",\"nodes\":[{\"system\":\"steer\""
    ));
    assert!(json.contains("\"edges\":[{\"from\":0,\"to\":1,\"over\":[\"Velocity\"]}"), "{json}");
    assert_eq!(json.matches(['{', '[']).count(), json.matches(['}', ']']).count());
}

#[derive(Component)]
struct Scent;
#[derive(Resource, Default)]
struct Weather(#[allow(dead_code)] i32);
#[derive(Event)]
struct Unheard;
#[derive(Event)]
struct Unsaid;
#[derive(Event)]
#[allow(dead_code, reason = "no system uses it")]
struct Forgotten;

world! {
    struct Idle {
        components { Position, Velocity, Frozen, Scent }
        resources { Clock, Weather }
        events { Unheard(external), Unsaid(external), Forgotten(external) }
    }
    schedule tick { stand if late_enough; call, listen; anything, anywhere }
    schedule again { call }
}

#[system(Idle)]
fn stand(_: Query<&Position, Without<Frozen>>) {}
#[system(Idle)]
fn late_enough(clock: Res<Clock>, _: Query<Entity, Or<(With<Velocity>, With<Frozen>)>>) -> bool {
    clock.0 > 0
}
#[system(Idle)]
fn call(mut unheard: EventWriter<Unheard>) {
    unheard.send(Unheard);
}
#[system(Idle)]
fn listen(mut unsaid: EventReader<Unsaid>) {
    unsaid.clear();
}
#[system(Idle)]
fn anything(idle: &mut Idle) {
    idle.clear();
}
#[system(Idle)]
fn anywhere(mut commands: Commands<Idle>) {
    commands.spawn(Scent);
}

#[test]
fn w61_data_that_no_system_uses_is_listed() {
    let mut idle = Idle::default();
    let unused = idle.schedule_graph().unused;
    assert_eq!((unused.components, unused.resources), (vec!["Scent"], vec!["Weather"]));
    assert_eq!((unused.events_unread, unused.events_unsent), (vec!["Forgotten"], vec!["Forgotten"]));
    assert!(unused.systems_disabled.is_empty());
    assert_eq!(idle.enable::<call>(false), 2);
    let graph = idle.schedule_graph().only("tick");
    assert_eq!(graph.unused.systems_disabled, ["tick/call", "again/call"]);
    let json = graph.to_json();
    let list = "\"unused\":{\"components\":[\"Scent\"],\"resources\":[\"Weather\"],\"events_unread\":[\"Forgotten\"],\
                \"events_unsent\":[\"Forgotten\"],\"systems_disabled\":[\"tick/call\",\"again/call\"]}}";
    assert!(json.ends_with(list), "{json}");
    let dot = graph.to_dot();
    for node in [
        "label=\"components:\\nScent\"",
        "label=\"events unread:\\nForgotten\"",
        "\\ntick/call\\nagain/call\"",
    ] {
        assert!(dot.contains(node), "{node}: {dot}");
    }
    assert_eq!(dot.matches('{').count(), dot.matches('}').count());
}

#[test]
fn nothing_is_listed_if_all_data_is_used() {
    let graph = Game::default().schedule_graph();
    assert_eq!(graph.unused, ecs::schedule::Unused::default());
    assert!(!graph.to_dot().contains("unused"));
}
