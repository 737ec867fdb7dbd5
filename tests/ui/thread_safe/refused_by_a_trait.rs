//! Several mistakes of one kind (thread safe) in one program: traits refuse them.
use ecs::prelude::*;
use std::rc::Rc;

#[derive(Component, Clone)]
#[component(tracked, removed)]
struct Sprite(Rc<[u8]>);
#[derive(Component, Clone)]
#[component(requires(Name))]
struct Shape(Rc<[u8]>);
#[derive(Component, Clone, Default)]
struct Name;
#[derive(Event, Clone)]
struct Said(Rc<str>);

world! {
    #[derive(Clone)]
    struct Game {
        components { Sprite, Shape, Name }
        events { Said }
    }
    schedule tick { change, count; many; spawn }
    schedule event_tick { say; hear }
}

// A component that cannot move to another thread, in a world whose systems use it in every way.
#[system(Game)]
fn change(mut sprite: Mut<Sprite>, shape: &mut Shape) {
    std::mem::swap(&mut sprite.0, &mut shape.0);
}

#[system(Game)]
fn count(sprites: Query<(&Shape, Option<&Sprite>), Changed<Sprite>>, mut gone: Removed<Sprite>) {
    let _ = sprites.len() + gone.iter().count();
}

#[system(Game, par)]
fn many(shape: &mut Shape, shapes: Query<&Sprite>) {
    let _ = (shape, shapes.len());
}

#[system(Game)]
fn spawn(mut commands: Commands<Game>) {
    commands.spawn((Sprite(Rc::new([])), Shape(Rc::new([]))));
}

fn component() {
    let mut game = Game::new();
    let one = game.spawn((Sprite(Rc::new([])), Shape(Rc::new([]))));
    game.tick();
    game.get_mut::<Shape>(one).unwrap().0 = Rc::new([1]);
    game.query_mut::<&mut Shape>().par_for_each(|shape| shape.0 = Rc::new([]));
    let before = game.snapshot();
    game.restore(&before);
}

// An event that cannot move to another thread, in a world whose systems send and read it.
#[system(Game)]
fn say(mut said: EventWriter<Said>) {
    said.send(Said("yes".into()));
}

#[system(Game)]
fn hear(mut said: EventReader<Said>) {
    for said in &mut said {
        println!("{}", said.0);
    }
}

fn event() {
    let mut game = Game::new();
    game.send(Said("no".into()));
    game.event_tick();
    game.run::<say>();
}

fn main() {}
