//! Steps whose components the world lacks, and steps in a wrong order.

use ecs::prelude::*;
use ecs::relation::{Bubbling, bubble};
use ecs::state::{ComputedState, DespawnOnExit, compute_state, despawn_on_exit};

#[derive(States)]
enum Screen {
    Menu,
    Play,
}

#[derive(States, PartialEq)]
#[states(computed)]
enum Music {
    Calm,
    Fast,
}

world! {
    struct Concert {
        resources { State<Screen> = State::new(Screen::Menu), ComputedState<Music> = ComputedState::new() }
    }
    schedule tick { begin; transition::<Screen>; choose; compute_state::<Music>; play if entered::<music::Fast> }
}

#[system(Concert)]
fn begin(mut screen: ResMut<State<Screen>>) {
    screen.change::<screen::Menu, screen::Play>();
}

#[system(Concert)]
fn choose(screen: Res<State<Screen>>) -> Option<Music> {
    match screen.get() {
        Screen::Menu => None,
        Screen::Play => Some(Music::Fast),
    }
}

#[system(Concert)]
fn play(screen: Res<State<Screen>>) {
    let _ = (screen.get(), Music::Calm);
}

#[derive(Clone)]
struct Click;
#[derive(Component)]
struct Button(u32);

world! {
    struct Form {
        components { Button, ChildOf }
        events { Bubbling<Click>(external) }
    }
    observers { bubble::<Click, ChildOf>, press } max 64
}

#[system(Form)]
fn press(mut clicks: EventReader<Bubbling<Click>>, mut buttons: Query<&mut Button>) {
    for click in &mut clicks {
        if let Some(button) = buttons.get_mut(click.entity()) {
            button.0 += 1;
            click.stop_propagation();
        }
    }
}

#[derive(Component)]
struct Ship;

world! {
    struct Voyage {
        components { Ship }
        resources { State<Screen> = State::new(Screen::Menu) }
    }
    schedule tick { launch; transition::<Screen>; despawn_on_exit::<Screen> }
}

#[system(Voyage)]
fn launch(mut commands: Commands<Voyage>, mut screen: ResMut<State<Screen>>) {
    commands.spawn((Ship, DespawnOnExit(Screen::Play)));
    screen.change::<screen::Menu, screen::Play>();
}

#[derive(Component, Default)]
struct Speed(f32);
#[derive(Component)]
#[component(requires(Speed))]
struct Place(f32);

world! {
    struct Plane { components { Place } }
    schedule frame { fly }
}

#[system(Plane)]
fn fly(place: &mut Place, speed: &Speed) {
    place.0 += speed.0;
}

fn main() {
    Concert::new().tick();
    Form::new().run_observers();
    Voyage::new().tick();
    Plane::new().frame();
}
