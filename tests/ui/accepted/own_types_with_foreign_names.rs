//! A user's types, traits and aliases with names of other libraries, and entries called like types of this one.
use ecs::prelude::*;

mod own {
    use ecs::prelude::*;

    #[derive(SystemParam)]
    pub struct View<'w, T: Component + Clone> {
        pub all: Local<'w, Option<T>>,
    }
    #[derive(Component, Clone)]
    pub struct Transform(pub f32);
}
use own::{Transform, View as OwnView};

#[derive(Resource)]
struct Time(f32);
#[derive(Component)]
struct Children(Vec<Entity>);
#[derive(Event)]
struct Update;
type Result<T = ()> = std::result::Result<T, String>;
trait Plugin {
    fn build(&self) -> App;
}
struct App;
struct Physics;
impl Plugin for Physics {
    fn build(&self) -> App {
        App
    }
}

world! {
    struct Game {
        components { Transform, Children }
        resources { Time = Time(0.1) }
        events { Update(external) }
    }
    schedule tick -> Result { movement, count, keep, watch }
}

#[system(Game)]
fn movement(transform: &mut Transform, children: &Children, time: Res<Time>) {
    transform.0 += time.0 * children.0.len() as f32;
}

#[system(Game)]
fn count(mut updates: EventReader<Update>) {
    for _ in &mut updates {}
}

#[system(Game)]
fn keep(view: OwnView<Transform>) {
    println!("{}", view.all.is_some());
}

#[system(Game)]
fn watch(transforms: Query<&Transform>) -> Result {
    if transforms.is_empty() { Err("nothing".to_owned()) } else { Ok(()) }
}

pub fn main() {
    let App = Physics.build();
    let _ = Game::new().tick();
}
