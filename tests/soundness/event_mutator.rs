//! Events that systems change in the queue, beside readers on other threads and after panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::prelude::*;
use ecs::schedule::Parallelism;

#[derive(Event, Clone)]
struct Said(String);
#[derive(Component)]
struct Ear;
#[derive(Resource, Default)]
struct Heard(Vec<String>);
#[derive(Resource, Default)]
struct Panics(bool);

world! {
    struct Game {
        components { Ear }
        resources { Heard = Heard::default(), Panics = Panics::default() }
        events { Said(external), Echo }
    }
    schedule tick { listen, shout, listen as again, say, per_entity, listen_last, echo }
}
#[derive(Event, Clone)]
struct Echo(String);

#[system(Game)]
fn listen(mut said: EventReader<Said>) {
    assert!(said.iter().all(|said| !said.0.is_empty()));
}
#[system(Game)]
fn shout(mut said: EventMutator<Said>, panics: Res<Panics>) {
    let mut last: Option<&mut Said> = None;
    for said in &mut said {
        said.0 = said.0.to_uppercase();
        if let Some(last) = last.replace(said) {
            last.0.push('!');
            assert!(!panics.0, "in the middle");
        }
    }
}
#[system(Game)]
fn say(mut said: EventWriter<Said>, mut echo: EventReader<Echo>) {
    said.extend(echo.iter().map(|echo| Said(echo.0.clone())));
}
/// Each call gets the same events, which the call before it has changed.
#[system(Game)]
fn per_entity(_: &Ear, mut said: EventMutator<Said>) {
    said.iter_mut().for_each(|said| said.0 = format!("<{}>", said.0));
    assert!(said.iter_mut().next().is_none());
}
#[system(Game)]
fn listen_last(mut said: EventReader<Said>, mut heard: ResMut<Heard>) {
    heard.0.extend(said.iter().map(|said| said.0.clone()));
}
#[system(Game)]
fn echo(mut said: EventMutator<Said>, mut echo: EventWriter<Echo>) {
    echo.extend(said.iter_mut().map(|said| Echo(std::mem::take(&mut said.0) + "?")));
}

fn run(parallelism: Parallelism) -> Vec<String> {
    let mut game = Game::new();
    game.set_parallelism(parallelism);
    game.spawn_batch([Ear, Ear]);
    for word in ["a", "b", "c"] {
        game.send(Said(word.to_owned()));
    }
    game.tick();
    game.tick();
    std::mem::take(&mut game.resource_mut::<Heard>().0)
}

#[test]
fn changed_events_do_not_depend_on_threads() {
    let one = run(Parallelism::Never);
    assert_eq!(one[..3], ["<<A!>>", "<<B!>>", "<<C>>"]);
    assert_eq!(run(Parallelism::Always), one);
}

#[test]
fn a_panic_in_the_middle_of_changes_leaves_whole_events() {
    for parallelism in [Parallelism::Never, Parallelism::Always] {
        let mut game = Game::new();
        game.set_parallelism(parallelism);
        (0..9).for_each(|at| game.send(Said(format!("word {at}"))));
        game.resource_mut::<Panics>().0 = true;
        assert!(catch_unwind(AssertUnwindSafe(|| game.tick())).is_err());
        game.resource_mut::<Panics>().0 = false;
        let words: Vec<Said> = game.drain::<Said>().collect();
        assert!(words.iter().any(|said| said.0 == "WORD 0!") && words.len() == 9);
        game.tick();
    }
}
