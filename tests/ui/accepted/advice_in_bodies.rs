//! What messages about the body of a system say to write.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Fuel(f32);
#[derive(Component)]
struct Player;
#[derive(Resource, Default)]
struct Score(u32);
#[derive(States, PartialEq, Debug)]
enum Screen {
    Menu,
    Play,
}
#[cfg(any())]
#[derive(Component)]
struct Extra(f32);

world! {
    struct Game {
        components { Position, Velocity, Fuel, Player, #[cfg(any())] Extra }
        resources { State<Screen> = State::new(Screen::Menu), Score = Score::default(), own: own::State<Screen> = own::State(Screen::Menu) }
    }
    schedule tick {
        movement, twice, optional, or_else, whole, burn, own_names;
        arms, ended, removed, screens, everything, own_types; transition::<Screen>;
        #[cfg(any())] extra
    }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

#[system(Game)]
fn twice(mut bodies: Query<(&mut Position, &Velocity)>) {
    bodies.for_each(|(position, velocity)| movement(position, velocity));
    for (position, velocity) in &mut bodies {
        movement(position, velocity);
    }
}

#[system(Game)]
fn optional(player: Option<Single<(&mut Position, &Velocity)>>) {
    if let Some(player) = player {
        let (position, velocity) = player.into_inner();
        position.0 += velocity.0;
    }
}

#[system(Game)]
fn or_else(player: Option<Single<(&mut Position, &Velocity)>>) {
    let Some(player) = player else { return };
    let (position, velocity) = player.into_inner();
    position.0 += velocity.0;
}

#[system(Game)]
fn whole(player: Single<(&mut Position, &Velocity)>) {
    let (position, velocity) = player.into_inner();
    position.0 += velocity.0;
}

#[system(Game, par)]
fn burn(fuel: &mut Fuel, mut commands: ParCommands<Game>) {
    commands.spawn_then(Fuel(fuel.0), |world, spark| {
        world.insert(spark, Position(0.0)).ok();
    });
    commands.spawn(Fuel(1.0));
}

#[cfg(any())]
#[system(Game)]
fn extra(extra: &mut Extra) {
    extra.0 += 1.0;
}

#[system(Game)]
fn arms(player: Option<Single<(&mut Position, &Velocity)>>) {
    match player {
        Some(player) => {
            let (position, velocity) = player.into_inner();
            position.0 += velocity.0;
        }
        None => {}
    }
}

#[system(Game)]
fn ended(player: Single<Entity, With<Player>>, mut commands: Commands<Game>) {
    commands.despawn(*player);
}

#[system(Game)]
fn removed(entity: Entity, _: With<Position>, mut commands: Commands<Game>) {
    if commands.has::<Position>(entity) {
        commands.remove::<Position>(entity);
    }
    commands.entity(entity).remove::<Player>();
}

#[system(Game)]
fn screens(mut state: ResMut<State<Screen>>) {
    if !state.is(Screen::Menu) && state.is(Screen::Play) {
        state.set(Screen::Play).ok();
    }
    state.change::<screen::Menu, screen::Play>();
}

#[system(Game)]
fn everything(game: &mut Game) {
    game.resource_mut::<Score>().0 += 1;
    let player = game.spawn(Player);
    game.get(player, Fuel);
    game.remove(player, Player);
}

/// A world may have methods of the user, with names of the library's.
impl Game {
    fn get(&mut self, entity: Entity, fuel: fn(f32) -> Fuel) {
        self.insert(entity, fuel(1.0)).ok();
    }
    fn remove(&mut self, entity: Entity, _: Player) {
        World::remove::<Player>(self, entity).ok();
    }
}

mod own {
    use ecs::prelude::*;
    #[derive(Resource)]
    pub struct State<S>(pub S);
    impl<S> State<S> {
        pub fn change(&self, _: S, _: S) {}
        pub fn is<T>(&self, _: T) -> bool {
            true
        }
    }
}

/// Types of the user are called like the library's.
#[system(Game)]
fn own_types(state: Res<own::State<Screen>>) {
    state.change(Screen::Menu, Screen::Play);
    assert!(state.is(screen::Menu {}));
}

/// Local names hide parameters and systems.
#[system(Game)]
fn own_names(bodies: Query<&Position>, player: Option<Single<&Position>>, mut commands: Commands<Game>) {
    let movement = |bodies: &Query<&Position>| bodies.len();
    let count = movement(&bodies);
    let spark = commands.spawn(Fuel(count as f32));
    let player = player.map(|player| (player.0, spark));
    if let Some((position, entity)) = player {
        println!("{position} {entity:?}");
    }
}

pub fn main() {
    Game::new().tick();
}
