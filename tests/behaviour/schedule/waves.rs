//! The waves of random schedules, compared with the rule: a system is one wave after the latest
//! earlier system with which it clashes, and not before an earlier system that sends the same
//! event; nothing overtakes a system that can fail.

use ecs::prelude::*;
use ecs::schedule::ScheduleGraph;

#[derive(Component, Default)]
struct A(u32);
#[derive(Component, Default)]
struct B;
#[derive(Component, Default)]
struct C;
#[derive(Resource, Default)]
struct R(u32);
#[derive(Event, Clone)]
struct Sent;
#[derive(Event, Clone)]
struct Other;

world! {
    struct Game { components { A, B, C, Tracked, Mirror } resources { R, Seen } events { Sent(external), Other(external) } }
    schedule tick { reads_events }
    schedule conditional { writes_a_without_b, writes_a_with_b if r_is_zero, writes_r, reads_a if !r_is_zero }
    schedule asks_what_is_written { writes_a_without_b_and_r, writes_a_with_b if r_is_zero }
    schedule writes_what_was_asked { writes_a_without_b if r_is_zero, writes_a_with_b_and_r }
    schedule asks_loudly { reads_r if sends_and_agrees }
    schedule never { writes_r if always_false }
    schedule in_order { sees_changes if !always_false, changes, sees_changes_after }
    schedule settles { react { mirrors, follows_mirror } max 16; }
    schedule repeats { react { counts_down } max 16; }
}

#[derive(Component, Default)]
#[component(tracked)]
struct Tracked(u32);

#[derive(Component, Default)]
#[component(tracked)]
struct Mirror(u32);

/// Writes the next number to the mirror, up to 5.
#[system(Game)]
fn mirrors(changed: Query<(&Tracked, Mut<Mirror>), Changed<Tracked>>) {
    changed
        .into_iter()
        .filter(|(value, _)| value.0 < 5)
        .for_each(|(value, mut mirror)| mirror.0 = value.0 + 1);
}
#[system(Game)]
fn follows_mirror(changed: Query<(Mut<Tracked>, &Mirror), Changed<Mirror>>) {
    changed
        .into_iter()
        .filter(|(value, mirror)| value.0 != mirror.0)
        .for_each(|(mut value, mirror)| value.0 = mirror.0);
}

#[system(Game)]
fn r_is_zero(r: Res<R>) -> bool {
    r.0 == 0
}
#[system(Game)]
fn sends_and_agrees(mut sent: EventWriter<Sent>, mut commands: Commands<Game>) -> bool {
    sent.send(Sent);
    commands.spawn(C);
    true
}
#[system(Game)]
fn always_false() -> bool {
    false
}
#[system(Game)]
fn sees_changes(changed: Query<&Tracked, Changed<Tracked>>, mut seen: ResMut<Seen>) {
    seen.before.push(changed.len());
}
#[system(Game)]
fn changes(mut all: Query<Mut<Tracked>>, r: Res<R>) {
    if r.0 == 1 {
        all.iter_mut().for_each(|mut value| value.0 += 1);
    }
}
#[system(Game)]
fn sees_changes_after(changed: Query<&Tracked, Changed<Tracked>>, mut seen: ResMut<Seen>) {
    seen.after.push(changed.len());
}
#[system(Game)]
fn counts_down(mut sent: EventReader<Sent>, mut again: EventWriter<Sent>, mut r: ResMut<R>) {
    if !sent.is_empty() && r.0 < 5 {
        r.0 += 1;
        again.send(Sent);
    }
    sent.clear();
}

/// The numbers of changes that a system saw before and after the system that makes them.
#[derive(Resource, Default)]
struct Seen {
    before: Vec<usize>,
    after: Vec<usize>,
}

#[system(Game)]
fn writes_a(mut all: Query<&mut A>) {
    all.iter_mut().for_each(|a| a.0 += 1);
}
#[system(Game)]
fn reads_a(_: Query<&A>) {}
#[system(Game)]
fn writes_a_with_b(mut all: Query<&mut A, With<B>>) {
    all.iter_mut().for_each(|a| a.0 += 1);
}
#[system(Game)]
fn writes_a_without_b(mut all: Query<&mut A, Without<B>>) {
    all.iter_mut().for_each(|a| a.0 += 1);
}
#[system(Game)]
fn reads_a_without_b_and_r(_: Query<&A, Without<B>>, _: Res<R>) {}
#[system(Game)]
fn writes_a_without_b_reads_it_with_b(mut without: Query<&mut A, Without<B>>, with: Query<&A, With<B>>) {
    without.iter_mut().for_each(|a| a.0 += with.len() as u32);
}
#[system(Game)]
fn writes_r(mut r: ResMut<R>) {
    r.0 += 1;
}
#[system(Game)]
fn reads_r(_: Res<R>) {}
#[system(Game)]
fn writes_a_without_b_and_r(_: Query<&mut A, Without<B>>, _: ResMut<R>) {}
#[system(Game)]
fn writes_a_with_b_and_r(_: Query<&mut A, With<B>>, _: ResMut<R>) {}
#[system(Game)]
fn sends(mut sent: EventWriter<Sent>) {
    sent.send(Sent);
}
#[system(Game)]
fn sends_and_writes_r(mut sent: EventWriter<Sent>, mut r: ResMut<R>) {
    sent.send(Sent);
    r.0 += 1;
}
#[system(Game)]
fn sends_other_and_reads_a(mut sent: EventWriter<Other>, _: Query<&A>) {
    sent.send(Other);
}
#[system(Game)]
fn reads_events(mut sent: EventReader<Sent>) {
    sent.clear();
}
#[system(Game)]
fn can_fail(_: Query<&C>) -> Result<(), String> {
    Ok(())
}
#[system(Game)]
fn can_fail_and_writes_r(mut r: ResMut<R>) -> Result<(), String> {
    r.0 += 1;
    Ok(())
}

/// One access of a system: a letter for the data, the half of the entities that it is for, and
/// whether it is written.
type Accesses = &'static [(char, Half, bool)];

#[derive(Clone, Copy, PartialEq)]
enum Half {
    All,
    With,
    Without,
}
use Half::{All, With as Yes, Without as No};

struct Kind {
    add: fn(&mut Schedule<Game>, &mut Game, i64),
    name: &'static str,
    accesses: Accesses,
    sends: char,
    fails: bool,
}

macro_rules! kinds {
    ($($name:ident $accesses:expr, $sends:expr, $fails:expr;)*) => {
        [$(Kind {
            add: |schedule, game, key| schedule.add_again::<$name>(game, key).unwrap(),
            name: stringify!($name),
            accesses: &$accesses,
            sends: $sends,
            fails: $fails,
        }),*]
    };
}

fn kinds() -> [Kind; 14] {
    kinds! {
        writes_a [('a', All, true)], ' ', false;
        reads_a [('a', All, false)], ' ', false;
        writes_a_with_b [('a', Yes, true)], ' ', false;
        writes_a_without_b [('a', No, true)], ' ', false;
        reads_a_without_b_and_r [('a', No, false), ('r', All, false)], ' ', false;
        writes_a_without_b_reads_it_with_b [('a', No, true), ('a', Yes, false)], ' ', false;
        writes_r [('r', All, true)], ' ', false;
        reads_r [('r', All, false)], ' ', false;
        sends [('s', All, true)], 's', false;
        sends_and_writes_r [('s', All, true), ('r', All, true)], 's', false;
        sends_other_and_reads_a [('o', All, true), ('a', All, false)], 'o', false;
        reads_events [('s', All, false)], ' ', false;
        can_fail [('c', All, false)], ' ', true;
        can_fail_and_writes_r [('r', All, true)], ' ', true;
    }
}

/// Whether two systems clash. Two that only send the same event do not.
fn clash(a: &Kind, b: &Kind) -> bool {
    a.accesses.iter().any(|&(data_a, half_a, writes_a)| {
        b.accesses.iter().any(|&(data_b, half_b, writes_b)| {
            let apart = half_a != half_b && half_a != All && half_b != All;
            let both_send = data_a == a.sends && data_b == b.sends;
            data_a == data_b && (writes_a || writes_b) && !apart && !both_send
        })
    })
}

fn waves(kinds: &[Kind], order: &[usize]) -> Vec<usize> {
    let mut waves: Vec<usize> = Vec::new();
    for (at, &kind) in order.iter().enumerate() {
        let this = &kinds[kind];
        let after = |before: usize| {
            let earlier = &kinds[order[before]];
            if earlier.fails || clash(earlier, this) {
                waves[before] + 1
            } else if this.fails || earlier.sends == this.sends && this.sends != ' ' {
                waves[before]
            } else {
                0
            }
        };
        let wave = (0..at).map(after).max().unwrap_or(0);
        waves.push(wave);
    }
    waves
}

#[test]
fn random_schedules_have_the_waves_of_the_rule() {
    let (kinds, mut state) = (kinds(), 1u64);
    for _ in 0..600 {
        let mut below = |end: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % end
        };
        let order: Vec<usize> = (0..2 + below(7)).map(|_| below(kinds.len())).collect();
        let (mut game, mut schedule) = (Game::default(), Schedule::new("random"));
        for (at, &kind) in order.iter().enumerate() {
            (kinds[kind].add)(&mut schedule, &mut game, at as i64);
        }
        schedule.run(&mut game).unwrap();
        let ScheduleGraph { schedules, .. } = schedule.graph();
        let nodes = &schedules[0].nodes;
        let names: Vec<&str> = order.iter().map(|&kind| kinds[kind].name).collect();
        assert!(nodes.iter().map(|node| node.system).eq(names.iter().copied()));
        let found: Vec<usize> = nodes.iter().map(|node| node.wave).collect();
        assert_eq!(found, waves(&kinds, &order), "{names:?}");
    }
}

#[test]
fn conditions_count_in_the_waves_of_a_schedule() {
    let graph = Game::default().schedule_graph();
    let schedule = graph.schedules.iter().find(|schedule| schedule.name == "conditional").unwrap();
    let waves: Vec<_> = schedule.nodes.iter().map(|node| (node.system, node.wave)).collect();
    let expected = [("writes_a_without_b", 0), ("writes_a_with_b", 0), ("writes_r", 1), ("reads_a", 2)];
    assert_eq!(waves, expected);
}

/// A condition that reads what another system of the same stage writes, though the entities of the
/// two systems are disjoint.
#[test]
fn a_condition_is_asked_in_the_order_of_the_text() {
    let graph = Game::default().schedule_graph();
    for name in ["asks_what_is_written", "writes_what_was_asked"] {
        let schedule = graph.schedules.iter().find(|schedule| schedule.name == name).unwrap();
        assert_eq!(schedule.nodes.iter().map(|node| node.wave).collect::<Vec<_>>(), [0, 1], "{name}");
    }
}

/// The waves of two systems that write `A`, each for the entities of its filter.
macro_rules! waves_of {
    ($one:ty, $two:ty) => {{
        let (mut game, mut schedule) = (Game::default(), Schedule::new("pair"));
        schedule.add_fn(&mut game, "one", 0, |_: Query<&mut A, $one>| {}).unwrap();
        schedule.add_fn(&mut game, "two", 1, |_: Query<&mut A, $two>| {}).unwrap();
        schedule.run(&mut game).unwrap();
        schedule.graph().schedules[0].nodes.iter().map(|node| node.wave).collect::<Vec<_>>()
    }};
}

#[test]
fn queries_that_both_exclude_entities_are_compared_by_their_filters() {
    assert_eq!(waves_of!((With<B>, Without<C>), (With<C>, Without<B>)), [0, 0]);
    assert_eq!(waves_of!((With<B>, Without<C>), (With<B>, Without<Tracked>)), [0, 1]);
    type One = Or<((With<B>, Without<C>), (With<C>, Without<B>))>;
    type None = Or<((With<B>, With<C>), (Without<B>, Without<C>))>;
    assert_eq!(waves_of!(One, None), [0, 0]);
    assert_eq!(waves_of!(One, One), [0, 1]);
    // a filter for changes demands the component
    assert_eq!(waves_of!(Changed<Tracked>, Without<Tracked>), [0, 0]);
    assert_eq!(waves_of!(Added<Tracked>, Without<Tracked>), [0, 0]);
    assert_eq!(waves_of!(Added<Tracked>, Without<B>), [0, 1]);
}

#[test]
fn systems_wait_for_those_of_their_own_section_only() {
    let (mut game, mut schedule) = (Game::default(), Schedule::new("sections"));
    for at in 0..6 {
        schedule.add_again::<writes_r>(&mut game, at).unwrap();
    }
    schedule.add_flush(1);
    schedule.add_flush(4);
    schedule.run(&mut game).unwrap();
    let graph = schedule.graph();
    let edges: Vec<_> = graph.schedules[0].edges.iter().map(|edge| (edge.from, edge.to)).collect();
    assert_eq!(edges, [(0, 1), (2, 3), (3, 4)]);
    assert_eq!(graph.schedules[0].nodes.iter().map(|node| node.wave).collect::<Vec<_>>(), [0, 1, 0, 1, 2, 0]);
}

/// Several sections, each with waves whose systems are not beside each other in the text.
#[test]
fn every_system_of_every_section_runs_once_on_any_number_of_threads() {
    use ecs::schedule::Parallelism;
    for parallelism in [Parallelism::Never, Parallelism::Always] {
        let (mut game, mut schedule) = (Game::default(), Schedule::new("sections"));
        schedule.set_parallelism(parallelism);
        game.spawn((A(0), B));
        game.spawn(A(0));
        for section in 0..4 {
            let key = section * 10;
            schedule.add_again::<writes_a_with_b>(&mut game, key).unwrap();
            schedule.add_again::<writes_a_with_b>(&mut game, key + 1).unwrap();
            schedule.add_again::<writes_r>(&mut game, key + 2).unwrap();
            schedule.add_again::<writes_a_without_b>(&mut game, key + 3).unwrap();
            schedule.add_again::<writes_r>(&mut game, key + 4).unwrap();
            schedule.add_again::<writes_a>(&mut game, key + 5).unwrap();
            schedule.add_flush(key + 5);
        }
        for runs in 1..4 {
            schedule.run(&mut game).unwrap();
            assert_eq!(game.resource::<R>().0, 8 * runs, "{parallelism:?}");
            let values: Vec<u32> = game.query::<&A>().iter().map(|a| a.0).collect();
            assert_eq!(values.iter().sum::<u32>(), (4 * 2 + 4 + 2 * 4) * runs);
        }
    }
}

#[test]
fn a_schedule_of_conditional_systems_asks_the_conditions() {
    let mut game = Game::default();
    game.never();
    assert_eq!(game.resource::<R>().0, 0);
}

#[test]
fn events_and_commands_of_a_condition_are_applied() {
    let mut game = Game::default();
    for runs in 1..4 {
        game.asks_loudly();
        assert_eq!((game.drain::<Sent>().count(), game.query::<&C>().len()), (1, runs));
    }
}

#[test]
fn a_schedule_of_a_react_block_alone_repeats() {
    let mut game = Game::default();
    game.send(Sent);
    game.repeats();
    assert_eq!(game.resource::<R>().0, 5);
}

/// Systems without events or commands, which a schedule without the block would call once each.
#[test]
fn a_react_block_repeats_until_no_value_changes() {
    let mut game = Game::default();
    let entity = game.spawn((Tracked(1), Mirror(1)));
    game.settles();
    assert_eq!((game.get::<Tracked>(entity).unwrap().0, game.get::<Mirror>(entity).unwrap().0), (5, 5));
}

#[test]
fn a_change_is_seen_once_by_systems_before_and_after_it() {
    let mut game = Game::default();
    game.spawn(Tracked(0));
    for r in [0, 0, 1, 0, 0, 1, 1, 0] {
        game.resource_mut::<R>().0 = r;
        game.in_order();
    }
    let Seen { before, after } = game.resource::<Seen>();
    assert_eq!(*after, [1, 0, 1, 0, 0, 1, 1, 0]);
    assert_eq!(*before, [1, 0, 0, 1, 0, 0, 1, 1]);
}
