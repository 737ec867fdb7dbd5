//! What the messages about mistakes that a file shows say to write: states and their steps, clocks,
//! parts, and methods of engines.
use std::time::Duration;

use ecs::component::ComponentHook;
use ecs::prelude::*;
use ecs::relation::{Bubbling, bubble};
use ecs::state::{ComputedState, compute_state, despawn_on_exit};
use ecs::state::{DespawnOnExit, SubState, sub_transition};
use ecs::{Accumulate, Accumulator};

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
#[derive(States)]
#[states(within = screen::Play)]
enum Turn {
    Player,
    Monsters,
}
#[derive(States)]
enum Weather {
    Sun,
    Rain,
}

#[derive(Clone)]
struct Click;
#[derive(Event)]
struct Hit {
    damage: u32,
}
#[derive(Component, Default)]
struct Speed(f32);
#[derive(Component)]
#[component(requires(Speed))]
struct Place(f32);
#[derive(Component)]
struct Player;
#[derive(Component)]
#[component(hook = Load)]
struct Weight(u32);
#[derive(Clone, Default)]
struct Load(u32);
#[derive(Resource, Default)]
struct Heat(f32);

impl ComponentHook<Weight> for Load {
    fn inserted(&mut self, _: Entity, _: Option<&Weight>, new: &Weight) {
        self.0 += new.0;
    }
}

impl Accumulate for Heat {
    type Value = f32;
    fn accumulate(&mut self, value: f32) {
        self.0 += value;
    }
}

world! {
    struct Game {
        components { Place, Speed, Player, Weight, ChildOf, Disabled, DespawnOnExit<Screen> }
        resources {
            State<Screen> = State::new(Screen::Menu),
            State<Weather> = State::new(Weather::Sun),
            SubState<Turn> = SubState::new(),
            ComputedState<Music> = ComputedState::new(),
            Heat = Heat::default(),
            FixedTime = FixedTime::new(Duration::from_millis(20)),
        }
        events { Bubbling<Click>, Hit(external) }
    }
    observers { press, bubble::<Click, ChildOf> } max 64
    schedule tick {
        begin, pour;
        transition::<Screen>;
        sub_transition::<Turn>;
        transition::<Weather>;
        choose | compute_state::<Music>;
        despawn_on_exit::<Screen>;
        play if exited::<screen::Menu>;
        react { react_to_it } max 16;
        simulate
    }
    schedule simulate every FixedTime { fly, burn }
}

#[system(Game)]
fn begin(mut screen: ResMut<State<Screen>>, mut turn: ResMut<SubState<Turn>>) {
    screen.change::<screen::Menu, screen::Play>();
    turn.change::<turn::Player, turn::Monsters>();
}

#[system(Game)]
fn pour(mut weather: ResMut<State<Weather>>) {
    weather.set(Weather::Rain).unwrap();
}

#[system(Game)]
fn choose(screen: Res<State<Screen>>) -> Option<Music> {
    match screen.get() {
        Screen::Menu => Some(Music::Calm),
        Screen::Play => Some(Music::Fast),
    }
}

#[system(Game)]
fn play(mut commands: Commands<Game>) {
    commands.spawn((Place(1.0), DespawnOnExit(Screen::Play)));
}

#[system(Game)]
fn press(mut clicks: EventReader<Bubbling<Click>>) {
    clicks.iter().for_each(|click| click.stop_propagation());
}

#[system(Game)]
fn react_to_it(mut hits: EventReader<Hit>, mut heat: ResMut<Heat>) {
    heat.0 += hits.iter().map(|hit| hit.damage as f32).sum::<f32>();
}

#[system(Game)]
fn fly(mut query: Query<(&mut Place, &Speed)>) {
    for (a, b) in &mut query {
        a.0 += b.0;
    }
}

#[system(Game, par)]
fn burn(speed: &Speed, mut heat: Accumulator<Heat>) {
    heat.add(speed.0);
}

mod physics {
    use ecs::prelude::*;

    #[derive(Component, Clone)]
    pub struct Body(pub f32);

    parts! {
        pub physics {
            components { Body }
            schedule step { fall }
        }
    }

    #[system]
    pub fn fall(body: &mut Body) {
        body.0 -= 1.0;
    }
}

world! {
    #[derive(Clone)]
    struct Fall { include physics::physics; }
    schedule tick { include physics::step }
}

fn fill<T: Component>(game: &mut Game, value: T) -> Entity
where
    (T, Place): Bundle<Game>,
{
    game.spawn((value, Place(0.0)))
}

pub fn main() {
    let mut game = Game::new();
    let entity = game.spawn((Player, Weight(2)));
    fill(&mut game, Player);
    game.send(Hit { damage: 1 });
    game.tick();
    game.run_observers();
    assert!(game.query::<Entity>().filter::<With<Player>>().single().is_err());
    game.insert(entity, Disabled).unwrap();
    game.remove::<Disabled>(entity).unwrap();
    game.despawn(entity).unwrap();

    let mut game = Fall::new();
    let body = game.spawn(physics::Body(1.0));
    let snapshot = game.snapshot();
    game.tick();
    game.restore(&snapshot);
    assert_eq!(game.get::<physics::Body>(body).unwrap().0, 1.0);
}
