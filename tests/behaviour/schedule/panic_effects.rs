//! The effects of a panic or a failure in a system: a test for each sentence of "When a system
//! panics", in the documentation of the crate, that is not tested in `try_run` and `panic_report`.

use std::collections::BTreeSet;
use std::panic::resume_unwind;

use ecs::prelude::*;
use ecs::schedule::{Parallelism, RunFailure};
use ecs_tests::fuse::panic_message;

#[derive(Component, Clone, PartialEq, Debug)]
struct A(u32);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct B(u32);
#[derive(Event, Clone, PartialEq, Debug)]
struct Input(u32);
#[derive(Event, Clone, PartialEq, Debug)]
struct Output(usize);
/// For each system, the number of completed runs.
#[derive(Resource, Clone, Default)]
struct Ran<const N: usize>(u32);
/// The systems that panic or fail.
#[derive(Resource, Clone, Default)]
struct Bombs(BTreeSet<usize>);
#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Seen(Vec<u32>);

world! {
    #[derive(Clone)]
    struct Game {
        components { A, B }
        resources {
            Bombs, Seen,
            ran_0: Ran<0>, ran_1: Ran<1>, ran_2: Ran<2>, ran_3: Ran<3>, ran_4: Ran<4>, ran_5: Ran<5>, ran_6: Ran<6>,
            ran_7: Ran<7>, ran_8: Ran<8>, ran_9: Ran<9>, ran_10: Ran<10>,
        }
        events { Input(external), Output(external) }
    }
    schedule waves {
        writes_a::<0>, reads_a::<1>, writes_b::<2>, reads_a::<3> if asks::<4>, sends::<5>, writes_a::<6>, writes_b::<7>,
        sends::<8>, reads_a::<9>;
        reads_a::<10>
    }
    schedule plain_waves { writes_a::<0>, reads_a::<1>, writes_b::<2>, writes_a::<6>, writes_b::<7>; reads_a::<10> }
    schedule in_commands { spawns::<1>, spawns::<2>, spawns::<3>, sends::<5>, writes_a::<6>; reads_a::<10> }
    schedule split { spawns::<1>, sends::<5>, whole, writes_a::<6>, spawns::<3>, sends::<8>; reads_a::<10> }
    schedule reading { reads::<1> }
    schedule failing -> Result { spawns::<1>, writes_a::<0>, fails::<2>, spawns::<3>, writes_b::<7>; reads_a::<10> }
}

/// A panic without a call of the hook.
fn blow<const N: usize>(bombs: &Bombs) {
    if bombs.0.contains(&N) {
        resume_unwind(Box::new(format!("bomb {N}")));
    }
}

#[system(Game)]
fn writes_a<const N: usize>(mut all: Query<&mut A>, mut ran: ResMut<Ran<N>>, bombs: Res<Bombs>) {
    all.for_each(|a| a.0 += 1);
    blow::<N>(&bombs);
    ran.0 += 1;
}
#[system(Game)]
fn writes_b<const N: usize>(mut all: Query<Mut<B>>, mut ran: ResMut<Ran<N>>, bombs: Res<Bombs>) {
    all.for_each(|mut b| b.0 += 1);
    blow::<N>(&bombs);
    ran.0 += 1;
}
#[system(Game)]
fn reads_a<const N: usize>(_all: Query<&A>, mut ran: ResMut<Ran<N>>, bombs: Res<Bombs>) {
    blow::<N>(&bombs);
    ran.0 += 1;
}
#[system(Game)]
fn asks<const N: usize>(_all: Query<&B>, mut ran: ResMut<Ran<N>>, bombs: Res<Bombs>) -> bool {
    blow::<N>(&bombs);
    ran.0 += 1;
    true
}
#[system(Game)]
fn sends<const N: usize>(mut output: EventWriter<Output>, mut ran: ResMut<Ran<N>>, bombs: Res<Bombs>) {
    output.send(Output(N));
    blow::<N>(&bombs);
    ran.0 += 1;
}
/// Panics in a command, between two others.
#[system(Game)]
fn spawns<const N: usize>(mut commands: Commands<Game>, mut ran: ResMut<Ran<N>>) {
    commands.spawn(A(100 + 10 * N as u32));
    commands.run(|game| {
        let bombs = game.resource::<Bombs>().clone();
        blow::<N>(&bombs);
    });
    commands.spawn(A(101 + 10 * N as u32));
    ran.0 += 1;
}
#[system(Game)]
fn whole(game: &mut Game) {
    game.spawn(A(7));
    let bombs = game.resource::<Bombs>().clone();
    blow::<2>(&bombs);
    game.resource_mut::<Ran<2>>().0 += 1;
}
#[system(Game)]
fn reads<const N: usize>(
    mut input: EventReader<Input>,
    changed: Query<&B, Changed<B>>,
    mut runs: Local<u32>,
    mut seen: ResMut<Seen>,
    bombs: Res<Bombs>,
) {
    *runs += 1;
    seen.0.extend([input.iter().count() as u32, changed.len() as u32, *runs]);
    blow::<N>(&bombs);
}
#[system(Game)]
fn fails<const N: usize>(
    mut all: Query<Mut<B>>,
    mut output: EventWriter<Output>,
    mut commands: Commands<Game>,
    bombs: Res<Bombs>,
) -> Result<(), String> {
    all.for_each(|mut b| b.0 += 50);
    output.send(Output(N));
    commands.spawn(A(50));
    if bombs.0.contains(&N) { Err("told to".into()) } else { Ok(()) }
}

fn game(bombs: &[usize]) -> Game {
    let mut game = Game::default();
    game.spawn_batch((0..3).map(|n| (A(n), B(n))));
    game.resource_mut::<Bombs>().0 = bombs.iter().copied().collect();
    game
}

/// Calls `f` for each way in which a schedule can be run.
fn in_every_way(bombs: &[usize], f: impl Fn(&mut Game) + Sync) {
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for (spread, timed) in
            [(Parallelism::Never, false), (Parallelism::Never, true), (Parallelism::Always, true)]
        {
            let mut game = game(bombs);
            game.set_parallelism(spread);
            game.time_systems(timed);
            pool.install(|| f(&mut game));
        }
    }
}

/// The systems that have completed a run.
fn ran(game: &Game) -> Vec<usize> {
    macro_rules! ran {
        ($($n:literal)*) => { [$(($n, game.resource::<Ran<$n>>().0)),*] };
    }
    ran!(0 1 2 3 4 5 6 7 8 9 10).into_iter().filter(|&(_, times)| times > 0).map(|(n, _)| n).collect()
}

/// The values of all `A` but the first three, in ascending order.
fn spawned(game: &Game) -> Vec<u32> {
    let mut spawned: Vec<u32> = game.query::<&A>().iter().map(|a| a.0).skip(3).collect();
    spawned.sort_unstable();
    spawned
}

/// Asserts the rules of the documentation for a schedule with the systems (and conditions) of these
/// numbers.
fn expected(nodes: &[(usize, &[usize], usize, usize)], bombs: &[usize]) -> (Vec<usize>, Option<usize>) {
    let (mut panicked, mut ran) = (Vec::new(), Vec::new());
    for &(number, asked, stage, wave) in nodes {
        // after a system that panics, only systems of the same stage and the same or an earlier
        // wave run
        if panicked.iter().any(|&(_, at, late): &(usize, usize, usize)| at < stage || late < wave) {
            continue;
        }
        let all: Vec<usize> = asked.iter().copied().chain([number]).collect();
        match all.iter().position(|number| bombs.contains(number)) {
            Some(bomb) => {
                ran.extend(&all[..bomb]);
                panicked.push((number, stage, wave));
            }
            None => ran.extend(all),
        }
    }
    ran.sort_unstable();
    (ran, panicked.first().map(|&(number, ..)| number))
}

#[test]
fn those_run_that_the_plan_puts_into_the_wave_or_an_earlier_one() {
    let numbers: [&[(usize, &[usize])]; 2] = [
        &[
            (0, &[]),
            (1, &[]),
            (2, &[]),
            (3, &[4]),
            (5, &[]),
            (6, &[]),
            (7, &[]),
            (8, &[]),
            (9, &[]),
            (10, &[]),
        ],
        &[(0, &[]), (1, &[]), (2, &[]), (6, &[]), (7, &[]), (10, &[])],
    ];
    let graph = Game::default().schedule_graph();
    for (at, (call, name)) in
        [(Game::waves as fn(&mut Game), "waves"), (Game::plain_waves, "plain_waves")].into_iter().enumerate()
    {
        let schedule = graph.schedules.iter().find(|schedule| schedule.name == name).unwrap();
        let nodes: Vec<_> = numbers[at]
            .iter()
            .zip(&schedule.nodes)
            .map(|(&(number, asked), node)| (number, asked, node.stage, node.wave))
            .collect();
        assert_eq!(nodes.len(), schedule.nodes.len());
        assert!(nodes.iter().any(|&(.., wave)| wave > 1), "{nodes:?}");
        for first in 0..11 {
            for second in first..11 {
                let bombs = [first, second];
                let (systems, panicked) = expected(&nodes, &bombs);
                in_every_way(&bombs, |game| {
                    match panicked {
                        None => call(game),
                        Some(number) => {
                            let message = panic_message(|| call(game));
                            let named = schedule.nodes
                                [nodes.iter().position(|node| node.0 == number).unwrap()]
                            .system;
                            assert!(
                                message.contains(&format!("system `{named}` of schedule `{name}`")),
                                "{message}"
                            );
                        }
                    }
                    assert_eq!(ran(game), systems, "{bombs:?}");
                });
            }
        }
    }
}

#[test]
fn events_of_a_system_that_panicked_are_dropped_and_those_of_others_are_there() {
    in_every_way(&[5], |game| {
        panic_message(|| game.waves());
        assert_eq!(game.drain::<Output>().collect::<Vec<_>>(), [Output(8)]);
    });
}

#[test]
fn a_command_that_panics_ends_the_commands_of_its_stage() {
    in_every_way(&[2], |game| {
        let message = panic_message(|| game.in_commands());
        assert!(message.starts_with("system `spawns"), "{message}");
        assert!(message.ends_with("of schedule `in_commands` of world `Game` panicked: bomb 2"), "{message}");
        // the commands before it are applied; all systems of the stage have run
        assert_eq!(spawned(game), [110, 111, 120]);
        assert_eq!(ran(game), [1, 2, 3, 5, 6]);
        assert_eq!(game.query::<&A>().iter().next(), Some(&A(1)));
        assert_eq!(game.drain::<Output>().collect::<Vec<_>>(), [Output(5)]);
        // its commands spawn no entities
        game.resource_mut::<Bombs>().0.clear();
        game.in_commands();
        assert_eq!(spawned(game).len(), 3 + 6);
    });
}

#[test]
fn a_system_with_the_whole_world_splits_its_stage() {
    // in the system itself: all systems before it have run, and their commands are applied
    in_every_way(&[2], |game| {
        panic_message(|| game.split());
        assert_eq!((spawned(game), ran(game)), (vec![7, 110, 111], vec![1, 5]));
    });
    // before it
    in_every_way(&[5], |game| {
        panic_message(|| game.split());
        assert_eq!((spawned(game), ran(game)), (vec![], vec![1]));
    });
    // in a system after it
    in_every_way(&[6], |game| {
        panic_message(|| game.split());
        assert_eq!((spawned(game), ran(game)), (vec![8, 111, 112], vec![1, 2, 3, 5, 8]));
        assert_eq!(game.drain::<Output>().collect::<Vec<_>>(), [Output(5), Output(8)]);
    });
}

#[test]
fn after_a_panic_events_stay_read_and_changes_are_seen_again() {
    in_every_way(&[1], |game| {
        game.send(Input(1));
        panic_message(|| game.reading());
        game.resource_mut::<Bombs>().0.clear();
        game.reading();
        game.reading();
        assert_eq!(game.resource::<Seen>().0, [1, 3, 1, 0, 3, 2, 0, 0, 3]);
    });
}

#[test]
fn a_failure_keeps_earlier_effects_and_the_writes_of_its_system() {
    in_every_way(&[2], |game| {
        let error = game.failing().unwrap_err();
        assert!(error.system.starts_with("fails") && error.to_string().ends_with("told to"), "{error}");
        assert_eq!((spawned(game), ran(game)), (vec![110, 111], vec![0, 1]));
        let first = game.query::<(&A, &B)>().iter().next().map(|(a, b)| (a.0, b.0));
        assert_eq!(first, Some((1, 50)));
        assert_eq!(game.drain::<Output>().count(), 0);
    });
}

#[test]
fn a_panic_outside_of_systems_propagates_unchanged() {
    #[system(Game, init = bad_init, exit = bad_exit)]
    fn idle() {}
    fn bad_init(game: &mut Game) {
        let bombs = game.resource::<Bombs>().clone();
        blow::<1>(&bombs);
    }
    fn bad_exit(game: &mut Game) {
        let bombs = game.resource::<Bombs>().clone();
        blow::<2>(&bombs);
    }
    let mut game = game(&[1]);
    let mut schedule = ecs::Schedule::<Game>::new("frame");
    assert_eq!(panic_message(|| schedule.add::<idle>(&mut game, 0)), "bomb 1");
    assert!(schedule.is_empty());
    game.resource_mut::<Bombs>().0 = [2].into();
    schedule.add::<idle>(&mut game, 0).unwrap();
    assert_eq!(panic_message(|| schedule.remove::<idle>(&mut game)), "bomb 2");
    assert!(schedule.is_empty());
    game.edit_schedule("frame", |_, _| resume_unwind(Box::new(String::from("in a change"))));
    let error = game.try_run(|game| schedule.run(game)).unwrap_err();
    assert!(matches!(error.cause, RunFailure::Panicked(text) if text == "in a change"));
    assert_eq!((error.system, error.schedule), ("", ""));
    // a system in `run` is named on standard error, and the panic message is unchanged
    game.resource_mut::<Bombs>().0 = [6].into();
    assert_eq!(panic_message(|| game.run::<writes_a<6>>()), "bomb 6");
}
