//! Observers: their place, their order, what triggers them, their bound, and what copies of a world
//! have of them.

use ecs::error::{SystemError, UnsettledObservers};
use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_tests::fuse::panic_message;

#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Health(i32);
#[derive(Component, Clone)]
#[component(removed)]
struct Armor(i32);
#[derive(Component, Clone)]
struct Loot;
#[derive(Event, Clone)]
struct Hit(Entity, i32);
#[derive(Resource, Clone, Default)]
struct Log(Vec<String>);
#[derive(Resource, Clone, Default)]
struct Chain(i32);
#[derive(Resource, Clone, Default)]
struct Paused(bool);

world! {
    #[derive(Clone)]
    struct Game {
        components { Health, Armor, Loot }
        resources { Log = Log::default(), Chain = Chain::default(), Paused = Paused::default() }
        events { Hit }
    }

    /// Reactions to changes.
    observers { wound, greet, drop_loot, count_loot if running, link } max 8

    schedule tick { attack; note }
    schedule one { note }
    schedule careful -> Result { attack; note }
    schedule block { react { strike } max 4; note }
    schedule outer { tick, note }
    schedule whole { replace; note }
}

fn log(log: &mut Log, text: impl Into<String>) {
    log.0.push(text.into());
}

#[system(Game)]
fn wound(mut hits: EventReader<Hit>, mut healths: Query<Mut<Health>>, mut out: ResMut<Log>) {
    for Hit(target, damage) in &mut hits {
        if let Some(mut health) = healths.get_mut(*target) {
            health.0 -= damage;
        }
        log(&mut out, format!("wound {damage}"));
    }
}

#[system(Game)]
fn greet(new: Query<&Health, Added<Health>>, mut out: ResMut<Log>) {
    let all: Vec<i32> = new.iter().map(|health| health.0).collect();
    log(&mut out, format!("greet {all:?}"));
}

#[system(Game)]
fn drop_loot(mut armor: Removed<Armor>, mut out: ResMut<Log>, mut commands: Commands<Game>) {
    for (_, Armor(strength)) in armor.iter() {
        log(&mut out, format!("drop {strength}"));
        commands.spawn(Loot);
    }
}

#[system(Game)]
fn count_loot(new: Entered<With<Loot>>, all: Query<Entity, With<Loot>>, mut out: ResMut<Log>) {
    log(&mut out, format!("{} new of {} loot", new.iter().count(), all.len()));
}

/// Each new loot causes one more while the chain is not at its end.
#[system(Game)]
fn link(new: Entered<With<Loot>>, mut chain: ResMut<Chain>, mut commands: Commands<Game>) {
    for _ in new.iter() {
        if chain.0 > 0 {
            chain.0 -= 1;
            commands.spawn(Loot);
        }
    }
}

#[system(Game)]
fn running(paused: Res<Paused>) -> bool {
    !paused.0
}

#[system(Game)]
fn attack(armored: Query<Entity, With<Armor>>, mut hits: EventWriter<Hit>, mut commands: Commands<Game>) {
    for entity in &armored {
        hits.send(Hit(entity, 2));
        commands.remove::<Armor>(entity);
    }
}

#[system(Game)]
fn note(mut out: ResMut<Log>) {
    log(&mut out, "note");
}

#[system(Game)]
fn strike(mut healths: Query<Mut<Health>, Added<Health>>, mut out: ResMut<Log>) {
    healths.iter_mut().for_each(|mut health| health.0 += 100);
    log(&mut out, "strike");
}

#[system(Game)]
fn replace(game: &mut Game) {
    game.spawn(Health(7));
    game.tick();
    log(game.resource_mut::<Log>(), "replaced");
}

fn taken(game: &mut Game) -> Vec<String> {
    std::mem::take(&mut game.resource_mut::<Log>().0)
}

#[test]
fn observers_run_at_each_semicolon_in_the_order_of_the_text() {
    let mut game = Game::new();
    let hero = game.spawn((Health(10), Armor(3)));
    game.tick();
    assert_eq!(
        taken(&mut game),
        ["greet [10]", "wound 2", "drop 3", "1 new of 1 loot", "note"],
        "`greet` when the schedule begins, the others after the commands of the first stage"
    );
    assert_eq!(game.get::<Health>(hero).unwrap().0, 8);
    game.tick();
    assert_eq!(taken(&mut game), ["note"]);
}

#[test]
fn direct_changes_wait_for_the_next_schedule_or_for_run_observers() {
    let mut game = Game::new();
    game.spawn(Health(1));
    assert!(taken(&mut game).is_empty());
    game.run_observers();
    assert_eq!(taken(&mut game), ["greet [1]"]);
    game.run_observers();
    assert!(taken(&mut game).is_empty());
    game.spawn(Health(2));
    let two = game.spawn((Health(3), Armor(4)));
    game.despawn(two).unwrap();
    game.one();
    assert_eq!(taken(&mut game), ["greet [2]", "drop 4", "1 new of 1 loot", "note"]);
}

#[test]
fn observers_see_entities_in_the_order_of_their_slots_and_only_what_is_new() {
    let mut game = Game::new();
    game.spawn_batch([5, 6, 7].map(Health));
    game.run_observers();
    game.spawn(Health(8));
    game.run_observers();
    assert_eq!(taken(&mut game), ["greet [5, 6, 7]", "greet [8]"]);
}

#[test]
fn commands_of_observers_trigger_further_rounds() {
    let mut game = Game::new();
    game.resource_mut::<Chain>().0 = 3;
    game.spawn(Loot);
    game.run_observers();
    assert_eq!(
        taken(&mut game),
        ["1 new of 1 loot", "1 new of 2 loot", "1 new of 3 loot", "1 new of 4 loot"]
    );
}

#[test]
fn too_many_rounds_are_an_error_that_names_the_observers_and_lose_nothing() {
    let mut game = Game::new();
    game.resource_mut::<Chain>().0 = 10;
    game.spawn(Loot);
    let error: SystemError = game.careful().unwrap_err();
    assert_eq!((error.system, error.schedule, error.world), ("count_loot", "observers", "Game"));
    let source = error.source.downcast_ref::<UnsettledObservers>().unwrap();
    assert_eq!(*source, UnsettledObservers { observers: vec!["count_loot", "link"], most: 8 });
    assert_eq!(taken(&mut game).len(), 8);
    game.careful().unwrap(); // the rest
    assert_eq!(taken(&mut game), ["1 new of 9 loot", "1 new of 10 loot", "1 new of 11 loot", "note"]);

    game.resource_mut::<Chain>().0 = 10;
    game.spawn(Loot);
    assert_eq!(
        panic_message(|| game.one()),
        "system `count_loot` of schedule `observers` of world `Game` failed: the observers have run 8 rounds at one place, and \
         triggers still wait for `count_loot`, `link`; raise `max`, or remove the cycle in which these observers trigger each other"
    );
}

#[test]
fn a_run_that_is_undone_names_the_observer_and_restores_its_triggers() {
    let mut game = Game::new();
    game.resource_mut::<Chain>().0 = 20;
    game.spawn(Loot);
    let error = game.try_run(|game| game.careful()).unwrap_err();
    assert_eq!((error.schedule, error.system), ("observers", "count_loot"));
    assert_eq!((game.query::<Entity>().iter().count(), game.resource::<Chain>().0), (1, 20));
    game.resource_mut::<Chain>().0 = 0;
    game.run_observers();
    assert_eq!(taken(&mut game), ["1 new of 1 loot"]);
}

#[test]
fn triggers_wait_while_a_condition_refuses_the_observer() {
    let mut game = Game::new();
    game.resource_mut::<Paused>().0 = true;
    game.spawn(Loot);
    game.one();
    game.one();
    assert_eq!(taken(&mut game), ["note", "note"]);
    game.resource_mut::<Paused>().0 = false;
    game.one();
    assert_eq!(taken(&mut game), ["1 new of 1 loot", "note"]);
}

#[test]
fn a_disabled_observer_keeps_its_triggers() {
    let mut game = Game::new();
    assert_eq!(game.enable::<greet>(false), 1);
    game.spawn(Health(1));
    game.one();
    assert_eq!(taken(&mut game), ["note"]);
    game.enable::<greet>(true);
    game.one();
    assert_eq!(taken(&mut game), ["greet [1]", "note"]);
}

#[test]
fn waiting_triggers_are_part_of_clones_and_snapshots() {
    let mut game = Game::new();
    game.spawn(Health(1));
    let mut copy = game.clone();
    let snapshot = game.snapshot();
    game.run_observers();
    assert_eq!(taken(&mut game), ["greet [1]"]);
    copy.run_observers();
    assert_eq!(taken(&mut copy), ["greet [1]"]);
    game.restore(&snapshot);
    game.one();
    assert_eq!(taken(&mut game), ["greet [1]", "note"]);
    game.one();
    assert_eq!(taken(&mut game), ["note"]);
}

/// Places at which nothing triggers an observer of `Entered` or `Exited` count as places, too.
mod passing {
    use ecs::prelude::*;

    #[derive(Component)]
    struct Stun;
    #[derive(Resource, Default)]
    struct Log(Vec<&'static str>);

    world! {
        struct Game { components { Stun } resources { Log = Log::default() } }
        observers { stunned, awake }
    }

    #[system(Game)]
    fn stunned(new: Entered<With<Stun>>, mut out: ResMut<Log>) {
        out.0.extend(new.iter().map(|_| "stunned"));
    }

    #[system(Game)]
    fn awake(gone: Exited<With<Stun>>, mut out: ResMut<Log>) {
        assert!(!gone.is_empty(), "an observer runs only if it has a trigger");
        out.0.extend(gone.iter().map(|_| "awake"));
    }

    #[test]
    fn each_transition_between_two_places_is_a_trigger() {
        let mut game = Game::new();
        let orc = game.spawn(Stun);
        game.run_observers();
        for _ in 0..2 {
            game.remove::<Stun>(orc).unwrap();
            game.run_observers();
            game.insert(orc, Stun).unwrap();
            game.run_observers();
        }
        game.despawn(orc).unwrap();
        game.run_observers();
        let log = &game.resource::<Log>().0;
        assert_eq!(*log, ["stunned", "awake", "stunned", "awake", "stunned", "awake"]);
    }
}

/// Observers whose commands run schedules, replace the world or panic.
mod inside {
    use ecs::prelude::*;
    use ecs_tests::fuse::panic_message;

    #[derive(Event, Clone)]
    struct Order(u32);
    #[derive(Resource, Clone, Default)]
    struct Log(Vec<u32>);

    world! {
        #[derive(Clone)]
        struct Game { resources { Log = Log::default() } events { Order(external) } }
        observers { obey }
        schedule tick { rest }
        schedule other { rest }
    }

    #[system(Game)]
    fn obey(mut orders: EventReader<Order>, mut out: ResMut<Log>, mut commands: Commands<Game>) {
        for Order(number) in &mut orders {
            out.0.push(*number);
            match number {
                1 => commands.run(|game| {
                    game.send(Order(2));
                    game.other();
                    game.run_observers();
                    game.resource_mut::<Log>().0.push(10);
                }),
                3 => commands.run(|game| *game = Game::new()),
                4 => commands.run(|game| {
                    let copy = game.clone();
                    *game = copy;
                }),
                5 => panic!("refused"),
                _ => {}
            }
        }
    }

    #[system(Game)]
    fn rest(_log: Res<Log>) {}

    #[test]
    fn a_schedule_that_a_command_of_an_observer_runs_leaves_triggers_to_the_next_round() {
        let mut game = Game::new();
        game.send(Order(1));
        game.tick();
        assert_eq!(game.resource::<Log>().0, [1, 10, 2]);
    }

    #[test]
    fn a_world_that_an_observer_replaces_has_observers() {
        let mut game = Game::new();
        game.send(Order(3));
        game.tick();
        assert!(game.resource::<Log>().0.is_empty());
        game.send(Order(4));
        game.send(Order(6));
        game.tick();
        game.send(Order(7));
        game.tick();
        assert_eq!(game.resource::<Log>().0, [4, 6, 7]);
    }

    #[test]
    fn a_panic_of_an_observer_names_it_and_leaves_the_world_usable() {
        let mut game = Game::new();
        game.send(Order(5));
        let message = panic_message(|| game.tick());
        assert!(message.starts_with("system `obey` of schedule `observers` of world `Game`"), "{message}");
        game.send(Order(8));
        game.tick();
        assert_eq!(game.resource::<Log>().0, [5, 8]);
        game.send(Order(5));
        let error = game.try_run(|game| game.tick()).unwrap_err();
        assert_eq!((error.schedule, error.system), ("observers", "obey"));
    }
}

#[test]
fn a_react_block_is_one_place() {
    let mut game = Game::new();
    game.spawn(Health(1));
    game.block();
    let log = taken(&mut game);
    assert_eq!(log, ["greet [1]", "strike", "note"]);
}

#[test]
fn a_nested_schedule_has_its_own_places() {
    let mut game = Game::new();
    game.spawn(Armor(1));
    game.outer();
    assert_eq!(taken(&mut game), ["wound 2", "drop 1", "1 new of 1 loot", "note", "note"]);
}

#[test]
fn a_schedule_that_an_exclusive_system_runs_observes_at_its_places() {
    let mut game = Game::new();
    game.whole();
    assert_eq!(taken(&mut game), ["greet [7]", "note", "replaced", "note"]);
}

#[test]
fn observers_run_in_schedules_that_are_built_at_run_time() {
    let mut game = Game::new();
    let mut schedule = Schedule::<Game>::new("frame");
    schedule.add::<attack>(&mut game, 0).unwrap();
    schedule.add_flush(1);
    schedule.add::<note>(&mut game, 2).unwrap();
    game.spawn((Health(10), Armor(3)));
    schedule.run(&mut game).unwrap();
    assert_eq!(taken(&mut game), ["greet [10]", "wound 2", "drop 3", "1 new of 1 loot", "note"]);
}

#[test]
fn observers_are_in_the_graph_of_the_schedules() {
    let graph = Game::new().schedule_graph();
    let observers = graph.schedules.iter().find(|schedule| schedule.name == "observers").unwrap();
    let names: Vec<&str> = observers.nodes.iter().map(|node| node.system).collect();
    assert_eq!(names, ["wound", "greet", "drop_loot", "count_loot", "link"]);
    assert_eq!((observers.nodes[0].react, observers.nodes[0].stage), (Some(8), 0));
    assert!(observers.edges.iter().any(|edge| edge.from == 0 && edge.to == 1), "both use the log");
}

#[test]
fn the_result_does_not_depend_on_threads() {
    let run = |parallelism| {
        let mut game = Game::new();
        game.set_parallelism(parallelism);
        game.resource_mut::<Chain>().0 = 5;
        for i in 0..300 {
            let armored = i % 3 == 0;
            let entity = game.spawn(Health(i));
            if armored {
                game.insert(entity, Armor(i)).unwrap();
            }
            if i % 50 == 0 {
                game.tick();
            }
        }
        let healths: Vec<i32> = game.query::<&Health>().iter().map(|health| health.0).collect();
        (taken(&mut game), healths, game.query::<&Loot>().iter().count())
    };
    assert_eq!(run(Parallelism::Always), run(Parallelism::Never));
}

/// Events that go up a tree, and the same reactions in a `react` block, in a world that is saved.
mod tree {
    use ecs::HasTracked;
    use ecs::prelude::*;
    use ecs::relation::{Bubbling, bubble};
    use ecs::schedule::Parallelism;
    use serde::{Deserialize, Serialize};

    #[derive(Component, Clone, Serialize, Deserialize)]
    struct Button(u32);
    #[derive(Component, Clone, Serialize, Deserialize)]
    #[component(tracked)]
    struct Size(u32);
    #[derive(Clone, Serialize, Deserialize)]
    struct Click(u32);
    #[derive(Resource, Clone, Default, Serialize, Deserialize)]
    struct Seen(Vec<(u32, Entity)>, Vec<Entity>, Vec<u32>);

    world! {
        #[derive(Clone, Serialize, Deserialize)]
        struct Form {
            components { Button, Size, ChildOf }
            resources { Seen = Seen::default() }
            events { Bubbling<Click> }
        }
        observers { see, press, see_again, bubble::<Click, ChildOf>, shrink, label } max 40
        schedule frame { grow; rest }
        schedule careful -> Result { rest }
    }

    // the same, with a `react` block at each place of the observers
    world! {
        #[derive(Clone, Serialize, Deserialize)]
        struct Manual {
            components { Button, Size, ChildOf }
            resources { Seen = Seen::default() }
            events { Bubbling<Click> }
        }
        schedule settle { react { see, press, see_again, bubble::<Click, ChildOf>, shrink, label } max 40 }
        schedule frame { settle; grow; settle; rest; settle }
    }

    #[system]
    fn see(mut clicks: EventReader<Bubbling<Click>>, mut seen: ResMut<Seen>) {
        seen.0.extend(clicks.iter().map(|click| (click.event().0, click.entity())));
    }

    /// The first button on the way takes the click, if it is the button for this click.
    #[system]
    fn press(mut clicks: EventReader<Bubbling<Click>>, mut buttons: Query<&mut Button>) {
        for click in &mut clicks {
            if let Some(button) = buttons.get_mut(click.entity()) {
                button.0 += click.event().0;
                click.stop_propagation();
            }
        }
    }

    #[system]
    fn see_again(mut clicks: EventReader<Bubbling<Click>>, mut seen: ResMut<Seen>) {
        seen.1.extend(clicks.iter().map(Bubbling::entity));
    }

    /// Halves sizes above ten, which is one more change of each.
    #[system(W)]
    fn shrink<W: World + HasTracked<Size>>(
        changed: Query<(Entity, &Size), Changed<Size>>,
        mut commands: Commands<W>,
    ) {
        for (entity, size) in changed.iter().filter(|(_, size)| size.0 > 10) {
            commands.insert(entity, Size(size.0 / 2));
        }
    }

    #[system]
    fn label(changed: Query<&Size, Changed<Size>>, mut seen: ResMut<Seen>) {
        seen.2.extend(changed.iter().map(|size| size.0));
    }

    #[system]
    fn grow(mut size: Mut<Size>) {
        if size.0.is_multiple_of(3) {
            size.0 += 7;
        }
    }

    #[system]
    fn rest(_seen: Res<Seen>) {}

    #[test]
    fn an_event_goes_up_the_relation_until_an_observer_stops_it() {
        let mut form = Form::new();
        let window = form.spawn(Button(0));
        let button = form.spawn((Button(0), ChildOf(window)));
        let panel = form.spawn(ChildOf(button));
        let label = form.spawn(ChildOf(panel));
        form.send(Bubbling::new(label, Click(1)));
        form.send(Bubbling::new(window, Click(2)));
        form.run_observers();
        let seen = form.resource::<Seen>();
        assert_eq!(seen.0, [(1, label), (2, window), (1, panel), (1, button)], "one entity in each round");
        assert_eq!(seen.1, [label, window, panel, button], "all observers of an entity see a stopped event");
        assert_eq!((form.get::<Button>(button).unwrap().0, form.get::<Button>(window).unwrap().0), (1, 2));
    }

    #[test]
    fn an_event_ends_at_the_root_and_at_an_entity_that_is_gone() {
        let mut form = Form::new();
        let root = form.spawn(());
        let leaf = form.spawn(ChildOf(root));
        let gone = form.spawn(ChildOf(leaf));
        form.despawn(gone).unwrap();
        form.send(Bubbling::new(leaf, Click(1)));
        form.send(Bubbling::new(gone, Click(2)));
        form.run_observers();
        assert_eq!(form.resource::<Seen>().0, [(1, leaf), (2, gone), (1, root)]);
        assert_eq!(form.drain::<Bubbling<Click>>().count(), 0);
    }

    #[test]
    fn an_event_that_climbs_too_high_waits_with_an_error() {
        let mut form = Form::new();
        let root = form.spawn(());
        let leaf = (0..60).fold(root, |parent, _| form.spawn(ChildOf(parent)));
        form.send(Bubbling::new(leaf, Click(1)));
        let error = form.try_run(Form::careful).unwrap_err();
        assert_eq!((error.schedule, error.system), ("observers", "see"));
        let mut copy = form.clone();
        copy.careful().unwrap_err();
        assert_eq!(copy.resource::<Seen>().0.len(), 40);
        copy.run_observers(); // goes on where it was
        assert_eq!(copy.resource::<Seen>().0.last(), Some(&(1, root)));
        assert_eq!(copy.resource::<Seen>().0.len(), 61);
    }

    /// Numbers by the generator SplitMix64.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((mixed ^ (mixed >> 31)) % end as u64) as usize
        }
    }

    /// The result of a run: buttons, sizes and logs.
    type Outcome = (Vec<(usize, u32)>, Vec<(usize, u32)>, Vec<(u32, usize)>, Vec<usize>, Vec<u32>);

    /// Builds a random tree in `$form`, with runs of `frame` between the steps. Entities of two
    /// worlds have different ids, so that the outcome has their numbers.
    macro_rules! play {
        ($World:ty, $seed:expr, $parallelism:expr, $between:expr) => {{
            let mut random = Random($seed);
            let mut form = <$World>::new();
            let mut all: Vec<Entity> = vec![form.spawn(Button(0))];
            for step in 0..40 {
                form.set_parallelism($parallelism);
                let parent = all[random.below(all.len())];
                let child = form.spawn(Size(random.below(40) as u32));
                if form.contains(parent) {
                    form.insert(child, ChildOf(parent)).unwrap();
                }
                if random.below(3) == 0 {
                    form.insert(child, Button(0)).unwrap();
                }
                all.push(child);
                form.send(Bubbling::new(all[random.below(all.len())], Click(step)));
                if random.below(5) == 0 {
                    let _ = form.despawn(all[1 + random.below(all.len() - 1)]);
                }
                form = $between(form);
                if random.below(2) == 0 {
                    form.frame();
                }
            }
            form.frame();
            let number = |entity: Entity| all.iter().position(|other| *other == entity).unwrap();
            let Seen(clicks, entities, sizes) = form.resource::<Seen>().clone();
            let buttons =
                form.query::<(Entity, &Button)>().iter().map(|(entity, it)| (number(entity), it.0)).collect();
            let left =
                form.query::<(Entity, &Size)>().iter().map(|(entity, it)| (number(entity), it.0)).collect();
            let clicks = clicks.into_iter().map(|(click, entity)| (click, number(entity))).collect();
            let outcome: Outcome = (buttons, left, clicks, entities.into_iter().map(number).collect(), sizes);
            outcome
        }};
    }

    #[test]
    fn observers_have_the_result_of_a_react_block_at_each_semicolon() {
        for seed in 0..20 {
            let by_hand = play!(Manual, seed, Parallelism::Never, |form: Manual| form);
            let observed = play!(Form, seed, Parallelism::Never, |form: Form| form);
            assert_eq!(observed, by_hand, "seed {seed}");
            assert!(observed.2.len() > 40 && observed.4.len() > 20, "the logs of seed {seed} are short");
        }
    }

    #[test]
    fn copies_saves_and_threads_do_not_change_the_result() {
        for seed in 0..20 {
            let expected = play!(Form, seed, Parallelism::Never, |form: Form| form);
            let parallel = play!(Form, seed, Parallelism::Always, |form: Form| form);
            assert_eq!(parallel, expected, "threads, seed {seed}");
            let cloned = play!(Form, seed, Parallelism::Never, |form: Form| form.clone());
            assert_eq!(cloned, expected, "clones, seed {seed}");
            let saved =
                play!(Form, seed, Parallelism::Never, |form: Form| Form::load(&form.to_bytes().unwrap())
                    .unwrap());
            assert_eq!(saved, expected, "saves, seed {seed}");
        }
    }
}

mod reused {
    use super::*;

    #[derive(Component)]
    struct Lit;
    #[derive(Component)]
    struct Lamp;
    #[derive(Resource, Default, PartialEq, Debug)]
    struct Seen(Vec<Entity>);

    world! {
        struct House {
            components { Lit, Lamp }
            resources { Seen = Seen::default() }
        }
        schedule tick { wait }
        observers { see }
    }

    #[system(House)]
    fn wait() {}

    #[system(House)]
    fn see(lit: Entered<(With<Lit>, With<Lamp>)>, mut seen: ResMut<Seen>) {
        seen.0.extend(lit.iter());
    }

    #[test]
    fn an_entity_in_the_slot_of_one_that_was_despawned_is_seen() {
        let mut house = House::new();
        let first = house.spawn((Lit, Lamp));
        house.tick();
        house.despawn(first).unwrap();
        let second = house.spawn((Lit, Lamp));
        assert_eq!(first.slot(), second.slot());
        house.tick();
        assert_eq!(house.resource::<Seen>(), &Seen(vec![first, second]));
    }
}
