//! `#[derive(SystemParam)]`: structs of parameters, alone, nested, generic and in systems of any
//! world.

use ecs::prelude::*;
use ecs::{Has, Schedule, SystemParam};

#[derive(Component, Clone, Debug, PartialEq)]
struct Position(i32);
#[derive(Component, Clone)]
struct Wolf;
#[derive(Component, Clone)]
struct Sheep;
#[derive(Component, Clone, Debug, PartialEq)]
#[component(tracked)]
struct Fear(u32);
#[derive(Resource, Clone, Debug, PartialEq, Default)]
struct Score(u32);
#[derive(Resource, Clone, Default)]
struct Seen(Vec<usize>);
#[derive(Event, Clone)]
struct Bitten(Entity);

world! {
    #[derive(Clone)]
    struct Game {
        components { Position, Wolf, Sheep, Fear }
        resources { Score = Score::default(), Seen = Seen::default() }
        events { Bitten }
    }
    schedule tick { hunt; listen }
}

#[derive(SystemParam)]
#[expect(clippy::type_complexity, reason = "a query with a filter is a long type")]
struct Hunt<'w> {
    wolves: Query<'w, (Entity, &'static mut Position), (With<Wolf>, Without<Sheep>)>,
    sheep: Query<'w, (Entity, &'static Position), With<Sheep>>,
    bitten: EventWriter<'w, Bitten>,
    tally: Tally<'w>,
}

#[derive(SystemParam)]
struct Tally<'w> {
    score: ResMut<'w, Score>,
    runs: Local<'w, u32>,
}

impl Hunt<'_> {
    fn chase(&mut self) {
        for (_, position) in &mut self.wolves {
            let nearest = self.sheep.iter().min_by_key(|(_, sheep)| (sheep.0 - position.0).abs());
            if let Some((sheep, at)) = nearest {
                position.0 += (at.0 - position.0).signum();
                if position.0 == at.0 {
                    self.bitten.send(Bitten(sheep));
                    self.tally.score.0 += 1;
                }
            }
        }
        *self.tally.runs += 1;
    }
}

#[system(Game)]
fn hunt(mut hunt: Hunt, mut commands: Commands<Game>) {
    hunt.chase();
    if *hunt.tally.runs == 3 {
        commands.spawn((Sheep, Position(100)));
    }
}

#[derive(SystemParam)]
struct Bites<'w> {
    bites: EventReader<'w, Bitten>,
    commands: Commands<'w, Game>,
    seen: ResMut<'w, Seen>,
}

#[system(Game)]
fn listen(Bites { mut bites, mut commands, mut seen }: Bites) {
    seen.0.push(bites.len());
    for Bitten(sheep) in &mut bites {
        commands.despawn(*sheep);
    }
}

#[test]
fn a_struct_of_parameters_does_what_its_fields_do() {
    let mut game = Game::new();
    let wolf = game.spawn((Wolf, Position(0)));
    let sheep = game.spawn((Sheep, Position(2)));
    game.tick();
    assert_eq!(game.get(wolf), Some(&Position(1)));
    game.tick();
    assert_eq!(game.resource::<Score>(), &Score(1));
    assert!(!game.contains(sheep), "the commands of a field are applied");
    game.tick();
    assert_eq!(game.query::<&Sheep>().len(), 1, "a `Local` in a nested struct counts");
    assert_eq!(game.resource::<Seen>().0, [0, 1, 0]);
}

#[test]
fn the_states_of_the_fields_are_cloned_with_the_world() {
    let mut game = Game::new();
    game.tick();
    game.tick();
    let mut other = game.clone();
    for game in [&mut game, &mut other] {
        game.tick();
        assert_eq!(game.query::<&Sheep>().len(), 1);
    }
}

#[test]
fn a_struct_of_parameters_is_made_without_a_world_too() {
    let (mut score, mut runs, mut events) = (Score(4), 7, Vec::new());
    let mut game = Game::new();
    game.spawn((Wolf, Position(0)));
    game.spawn((Sheep, Position(1)));
    let mut other = game.clone();
    let mut wolves = game.query_mut::<(Entity, &mut Position)>().filter::<(With<Wolf>, Without<Sheep>)>();
    let mut param = Hunt {
        wolves: wolves.reborrow(),
        sheep: other.query_mut::<(Entity, &Position)>().filter::<With<Sheep>>().into_query(),
        bitten: EventWriter::new(&mut events),
        tally: Tally { score: ResMut::new(&mut score), runs: Local::new(&mut runs) },
    };
    param.chase();
    assert_eq!((score.0, runs, events.len()), (5, 8, 1));
}

/// Generic over a component, and over the world of the commands.
#[derive(SystemParam)]
struct Marks<'w, T: Component, W: World> {
    marked: Query<'w, Entity, With<T>>,
    commands: Commands<'w, W>,
}

#[system(W)]
fn clear<T: Component, W: World + Has<T>>(mut marks: Marks<'_, T, W>) {
    for entity in &marks.marked {
        marks.commands.despawn(entity);
    }
}

#[system(Game)]
fn clear_sheep(marks: Marks<Sheep, Game>) -> usize {
    marks.marked.len()
}

/// A system of every world that has what the struct needs.
#[system]
fn points(tally: Tally<'_>) -> u32 {
    tally.score.0 + *tally.runs
}

world! {
    struct Other {
        components { Position, Sheep }
        resources { score: Score }
    }
    schedule tick { clear::<Sheep> }
}

#[test]
fn structs_are_generic_and_fit_several_worlds() {
    let (mut game, mut other) = (Game::new(), Other::new(Score(5)));
    game.spawn_batch([Sheep, Sheep]);
    other.spawn_batch([Sheep, Sheep, Sheep]);
    assert_eq!(game.run::<clear_sheep>(), 2);
    other.tick();
    assert!(other.query::<&Sheep>().is_empty());
    assert_eq!((game.run::<points>(), other.run::<points>()), (0, 5));
}

#[derive(SystemParam)]
struct Afraid<'w>(Query<'w, (Entity, &'static Fear), Changed<Fear>>, ResMut<'w, Seen>);

#[system]
fn panicking(mut afraid: Afraid<'_>) {
    let count = afraid.0.len();
    afraid.1.0.push(count);
}

world! {
    struct Watched {
        components { Fear }
        resources { Seen = Seen::default() }
    }
    observers { panicking } max 4
    schedule tick { calm }
}

#[system(Watched)]
fn calm(_fears: Query<&Fear>) {}

#[test]
fn a_field_that_filters_by_changes_triggers_an_observer() {
    let mut game = Watched::new();
    game.tick();
    assert!(game.resource::<Seen>().0.is_empty());
    let sheep = game.spawn(Fear(0));
    game.tick();
    game.tick();
    assert_eq!(game.resource::<Seen>().0, [1]);
    game.get_tracked::<Fear>(sheep).unwrap().0 = 1;
    game.tick();
    assert_eq!(game.resource::<Seen>().0, [1, 1]);
}

#[derive(SystemParam)]
struct Readers<'w> {
    positions: Query<'w, &'static Position, With<Wolf>>,
    score: Res<'w, Score>,
    bitten: EventWriter<'w, Bitten>,
    commands: ParCommands<'w, Game>,
}

#[system(Game, par)]
fn scare(entity: Entity, mut fear: Mut<Fear>, mut readers: Readers) {
    fear.0 += readers.positions.len() as u32 + readers.score.0;
    readers.bitten.send(Bitten(entity));
    readers.commands.insert(entity, Sheep);
}

#[system(Game)]
fn scare_alone(entity: Entity, mut fear: Mut<Fear>, mut readers: Readers) {
    fear.0 += readers.positions.len() as u32 + readers.score.0;
    readers.bitten.send(Bitten(entity));
    readers.commands.insert(entity, Sheep);
}

#[test]
fn the_threads_of_a_system_share_a_struct_of_parameters() {
    let mut game = Game::new();
    game.resource_mut::<Score>().0 = 2;
    game.spawn_batch((0..3).map(|n| (Wolf, Position(n))));
    game.spawn_batch((0..5000).map(Fear));
    let mut other = game.clone();
    game.run::<scare>();
    other.run::<scare_alone>();
    for game in [&mut game, &mut other] {
        assert!(game.query::<&Fear>().iter().enumerate().all(|(n, fear)| fear.0 == n as u32 + 5));
        assert_eq!(game.query::<(&Fear, &Sheep)>().len(), 5000);
    }
    let events = |game: &mut Game| game.drain::<Bitten>().map(|Bitten(entity)| entity).collect::<Vec<_>>();
    assert_eq!(events(&mut game), events(&mut other));
}

#[test]
fn closures_take_structs_of_parameters() {
    let mut game = Game::new();
    let mut schedule = Schedule::<Game>::new("closures");
    schedule
        .add_fn(&mut game, "count", 0, |mut tally: Tally, sheep: Query<&Sheep>| {
            tally.score.0 += sheep.len() as u32
        })
        .unwrap();
    game.spawn_batch([Sheep, Sheep]);
    schedule.run(&mut game).unwrap();
    assert_eq!(game.resource::<Score>(), &Score(2));
    let clash = schedule.add_fn(&mut game, "clash", 0, |_: Tally, (_, _): (Query<&Sheep>, Res<Score>)| ());
    assert_eq!(
        clash.unwrap_err().to_string(),
        "system `clash` of world `Game`: parameters `1st.score` and `2nd.1` both access resource `Score`, at least one of them mutably; keep \
         only the `ResMut`"
    );
}
