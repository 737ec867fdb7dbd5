//! Values that are not what the type of a parameter is: a single, a component, a state.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Player;
#[derive(Resource, Default)]
struct Score(u32);
#[derive(States, PartialEq, Debug)]
enum Screen {
    Menu,
    Play,
}

world! {
    struct Game {
        components { Position, Velocity, Player }
        resources { State<Screen> = State::new(Screen::Menu), Score = Score::default() }
    }
    schedule tick {
        fields, arms, despawned, removed, chained, asked, whole;
        entered_by_type, is_of_a_type, changed, compared; transition::<Screen>
    }
}

#[system(Game)]
fn fields(player: Single<(&mut Position, &Velocity), With<Player>>) {
    player.0.0 += player.1.0;
}

#[system(Game)]
fn arms(player: Option<Single<(&mut Position, &Velocity)>>) {
    match player {
        Some((position, velocity)) => position.0 += velocity.0,
        None => {}
    }
}

#[system(Game)]
fn despawned(player: Single<Entity, With<Player>>, mut commands: Commands<Game>) {
    commands.despawn(player);
}

#[system(Game)]
fn removed(entity: Entity, _: With<Position>, mut commands: Commands<Game>) {
    commands.remove(entity, Position);
}

#[system(Game)]
fn chained(entity: Entity, _: With<Player>, mut commands: Commands<Game>) {
    commands.entity(entity).remove(Player);
}

#[system(Game)]
fn asked(entity: Entity, _: With<Player>, mut commands: Commands<Game>) {
    if commands.has(entity, Position) {
        commands.despawn(entity);
    }
}

#[system(Game)]
fn whole(game: &mut Game) {
    game.resource_mut(Score).0 += 1;
}

#[system(Game)]
fn is_of_a_type(state: Res<State<Screen>>) {
    if state.is(screen::Menu) {
        println!("{:?}", state.get());
    }
}

#[system(Game)]
fn changed(mut state: ResMut<State<Screen>>) {
    state.change(Screen::Menu, Screen::Play);
}

#[system(Game)]
fn entered_by_type(mut state: ResMut<State<Screen>>) {
    state.set(screen::Play).ok();
}

#[system(Game)]
fn compared(state: Res<State<Screen>>) {
    if state != Screen::Menu {
        println!("{:?}", state.get());
    }
}

fn main() {
    Game::new().tick();
}
