//! Programs that follow the advice of messages to the letter, as far as no other program here does: the test
//! `advice_is_followed` looks for the advice of all messages in these files.
use std::sync::Arc;
use std::time::Duration;

use ecs::component::ComponentHook;
use ecs::prelude::*;
use ecs::{Schedule, SystemParam};
use ecs::query::And;
use ecs::state::{SubState, sub_transition};
use ecs::time::{Delayed, DespawnEntity, apply_due};

#[derive(Component, Clone)]
#[component(requires(Velocity(1.0)))]
struct Position(f32);
#[derive(Component, Clone)]
struct Velocity(f32);
#[derive(Component, Clone, Default)]
#[component(tracked)]
struct Health(u32);
#[derive(Component, Clone)]
struct Frozen;
#[derive(Component, Clone)]
struct A;
#[derive(Component, Clone)]
struct B;
#[derive(Component, Clone)]
#[component(hook = Load)]
struct Weight(u32);
#[derive(Clone, Default)]
struct Load(u32);
impl ComponentHook<Weight> for Load {
    fn inserted(&mut self, _: Entity, _: Option<&Weight>, weight: &Weight) {
        self.0 += weight.0;
    }
    fn removed(&mut self, _: Entity, weight: &Weight) {
        self.0 -= weight.0;
    }
}
#[derive(Resource, Clone, Default)]
struct Score(u32);
#[derive(Resource, Clone, Default)]
struct Keys;
#[derive(Resource, Clone, Default)]
struct Clock;
#[derive(Resource, Clone, Default)]
#[resource(shared)]
struct Shared(Arc<u32>);
#[derive(Resource, Clone, Default)]
#[resource(main_thread)]
struct Window;
#[derive(Event, Clone)]
struct Bumped;
#[derive(Query)]
struct Body<'a> {
    position: &'a Position,
    health: Ref<'a, Health>,
}
#[derive(SystemParam)]
struct Fields<'w> {
    frozen: Query<'w, Entity>,
    moving: Query<'w, Entity, With<Velocity>>,
    seen: Query<'w, Ref<'static, Health>>,
    places: Query<'w, (Entity, &'static mut Position)>,
    speeds: ParamSet<'w, (Query<'static, &'static mut Velocity>, Query<'static, &'static Velocity>)>,
}
#[derive(States, Clone, PartialEq)]
enum Phase {
    #[state(to(Menu, Play))]
    Menu,
    Play,
    #[state(to(Menu, Play))]
    Over,
}
#[derive(States, Clone, PartialEq)]
enum Screen {
    Menu,
    Level,
}
#[derive(States, Clone, PartialEq)]
#[states(within = phase::Play)]
enum Turn {
    Mine,
}

world! {
    #[world(journal = 65_536)]
    #[derive(Clone)]
    struct Game {
        components { place: Position, Velocity, Health, Frozen, A, B, Weight, ChildOf }
        resources {
            Score, Keys, Clock, Shared, Window, State<Phase> = State::new(Phase::Menu), State<Screen>(external) = State::new(Screen::Menu), SubState<Turn> = SubState::new(),
            timer: ecs::time::Clock = ecs::time::Clock::new(), kills: Delayed<DespawnEntity> = Delayed::new()
        }
        events { Bumped(external) }
    }
    schedule tick {
        transition::<Phase>; sub_transition::<Turn>; apply_due::<DespawnEntity, ()>;
        movement if entered::<phase::Play>, pause if entered::<screen::Menu> || in_state::<screen::Menu>, slow every 0.5 s, friction if exited::<phase::Menu>;
        (lend, queries) if !playing, of_params if paused && lost, sets if paused || lost;
        filters;
        written, elements, of_struct; react { of_reader } max 16;
    }
    schedule twice { movement, movement as second }
    schedule inner { friction, changes if !paused, window }
    schedule three { movement, friction }
    schedule fails -> Result { inner }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &mut Velocity) {
    position.0 += velocity.0;
}

#[system(Game)]
fn friction(velocity: &mut Velocity) {
    velocity.0 *= 0.5;
}

#[system(Game)]
fn slow(score: Res<Score>, keys: Res<Keys>, res: Res<Clock>, shared: Res<Shared>) {
    let _ = (score.0, &*keys, &*res, Arc::clone(&shared.0));
}

#[system(Game)]
fn paused(state: Res<State<Phase>>) -> bool {
    *state.get() == Phase::Over
}

#[system(Game)]
fn lost(player: Option<Single<(&Position, &Velocity), With<Velocity>>>) -> bool {
    player.is_none()
}

#[system(Game)]
fn pause(mut score: ResMut<Score>) {
    score.0 += 1;
}

#[system(Game)]
fn playing() -> bool {
    true
}

#[system(Game)]
fn window(_: Res<Window>, mut events: EventWriter<Bumped>) {
    let event = Bumped;
    events.send(event);
}

#[system(Game)]
fn changes(mut query: Query<&mut Velocity>, mut healths: Query<Mut<Health>>, all: Query<Entity>) {
    for entity in &all {
        let _ = (query.get_mut(entity).is_some(), healths.get_mut(entity).is_some());
    }
    query.pairs_mut(|a, b| std::mem::swap(a, b));
    query.par_for_each(|item| item.0 += 1.0);
    query.for_each(|item| item.0 += 1.0);
}

#[system(Game)]
fn lend(mut commands: Commands<Game>, all: Query<Entity, With<Frozen>>, mut sent: EventWriter<Bumped>) {
    for entity in &all {
        commands.after(Duration::from_secs(1), DespawnEntity(entity));
        let (component, bundle) = (Health(1), (A, B));
        commands.entity(entity).insert(component);
        commands.insert(entity, bundle);
        commands.remove::<A>(entity);
        let parent = commands.spawn_with_children((A, B), ChildOf, |children| {
            children.spawn(A);
        });
        let child = entity;
        commands.insert(child, ChildOf(parent));
        if commands.contains(entity) {
            sent.send(Bumped);
        }
    }
}

#[system(Game)]
fn queries(
    added: Query<(Entity, &Health), Added<Health>>,
    changed: Query<(Entity, &A, Option<&B>)>,
    any: Query<(Option<&A>, Option<&B>), Or<(With<A>, With<B>)>>,
    query: Query<&Position>,
    bodies: Populated<&Position>,
    body: Single<&Position>,
    one: Single<Entity, With<Velocity>>,
    mut frozen: Query<&mut Velocity, (With<Frozen>, Without<A>, Without<Health>)>,
) {
    let entity = one.into_inner();
    let _ = (
        added.len(),
        changed.len(),
        any.len(),
        bodies.len(),
        body.0,
        query.get(entity),
        query.single().is_ok(),
    );
    if let Some(value) = frozen.get_mut(entity) {
        *value = Velocity(1.0);
    }
    query.sorted_by_key(|item| item.0 as u32).for_each(drop);
}

#[system(Game)]
fn of_params(mut fields: Fields, related: Related<ChildOf>) {
    for entity in &fields.frozen {
        let _ = (related.sources(entity), related.target(entity), related.descendants(entity).count());
    }
    fields.places.for_each(|(_, position)| position.0 += 1.0);
    let _ = (fields.moving.len(), fields.seen.len(), fields.speeds.p1().len());
}

#[system(Game)]
fn sets(mut both: ParamSet<(Query<&mut Position>, Query<&Position>)>) {
    both.p0().for_each(|position| position.0 += 1.0);
}

#[system(Game)]
fn filters(
    _: Entered<And<(With<Position>, With<Velocity>)>>,
    all: Query<Entity, (Without<Position>, Not<Or<(With<Position>, With<Velocity>)>>)>,
    some: Query<Entity, Changed<Health>>,
    frozen: Query<&Position, With<Frozen>>,
    three: Query<(&Position, &Velocity, &Health)>,
    is: Query<(Is<Health>, Is<Position>, Option<Ref<Health>>)>,
) {
    let _ = (all.len(), some.len(), frozen.len(), three.len(), is.len());
}

#[system(Game)]
fn written(mut writer: EventWriter<Bumped>, mut healths: Query<(&Position, Mut<Health>)>) {
    let (event, events) = (Bumped, [Bumped]);
    writer.send(event);
    writer.extend(events);
    healths.for_each(|(_, mut health)| health.0 += 1);
}

#[system(Game)]
fn of_reader(mut reader: EventReader<Bumped>, mut positions: Query<&mut Position, Without<Frozen>>) {
    for event in &mut reader {
        let Bumped = event;
        positions.for_each(|position| position.0 += 1.0);
    }
}

#[system(Game)]
fn elements(entity: Entity, velocity: &mut Velocity, _: With<A>) {
    velocity.0 += entity.slot() as f32;
}

#[system(Game)]
fn of_struct(bodies: Query<Body>) {
    let _ = bodies.iter().map(|body| body.position.0 + body.health.0 as f32).sum::<f32>();
}

#[system]
fn generic<R: Resource, E: Event, T: Default + Clone + Send + Sync + 'static>(
    resource: Res<R>,
    mut events: EventReader<E>,
    local: Local<T>,
) {
    let _ = (&*resource, events.iter().count(), T::clone(&local));
}

fn verbs(game: &mut Game, child: Entity, a: Entity, b: Entity) -> Option<()> {
    let (parent, value, event, component) = (game.spawn((A, B)), Score(1), Bumped, Health(1));
    let entity = game.spawn((A, B));
    *game.resource_mut::<Score>() = value;
    let _ = (game.resource::<Score>(), game.get::<Health>(entity));
    game.send(event);
    game.run::<friction>();
    let _ = game.query::<(Entity, &A)>().iter().count();
    let _ = game.query::<&A>().get(entity);
    let _ = game.query::<&A>().filter::<With<B>>().len() + game.query::<&A>().filter::<Without<B>>().len();
    let _ = game.query_mut::<&mut Velocity>().get_many_mut([a, b]);
    game.insert(entity, component).ok()?;
    game.remove::<Health>(entity).ok()?;
    game.entity(entity).ok()?;
    let component = Health(1);
    game.entity_mut(entity).unwrap().insert(component);
    let _ = (game.insert(child, ChildOf(parent)).is_ok(), game.sources::<ChildOf>(parent));
    game.despawn(entity).ok()?;
    let (mut schedule, mut game, passed) = (Schedule::<Game>::new("schedule"), game.clone(), Duration::ZERO);
    let mut timer = Timer::once(passed);
    if timer.tick(passed) > 0 {
        schedule.add::<movement>(&mut game, 0).ok()?;
    }
    Some(())
}

fn insert_what_may_be_there(mut commands: Commands<Game>, entity: Entity, component: Frozen) {
    let _ = commands.insert_if_new(entity, component);
    commands.despawn_if_alive(entity);
}

mod of_three_systems {
    use ecs::prelude::*;

    world! {
        struct Order {}
        schedule tick { one, two; three }
    }
    world! {
        struct Choice {}
        schedule tick { (one, two) if playing; three }
    }

    #[system]
    fn one() {}
    #[system]
    fn two() {}
    #[system]
    fn three() {}
    #[system]
    fn playing() -> bool {
        true
    }
}

mod of_names {
    use ecs::prelude::*;
    use ecs::reflect::{DynamicValue, ReflectWorld};

    #[derive(Reflect)]
    struct Inner(u32);
    fn full() -> Inner {
        Inner(1)
    }
    #[derive(Component, Reflect)]
    #[component(tracked)]
    struct Position {
        #[reflect(default = full)]
        inner: Inner,
        #[reflect(rename = "value")]
        renamed: u32,
    }
    world! {
        #[derive(Reflect)]
        struct Game { components { Position } }
        schedule tick { seen }
    }

    #[system(Game)]
    fn seen(added: Query<(Entity, &Position), Added<Position>>) {
        let _ = added.len();
    }

    fn named(game: &mut Game, components: &[(&str, DynamicValue)], path: &str, value: u32) {
        let Ok(entity) = game.reflect_mut().spawn(components) else { return };
        let _ = game.reflect_mut().patch(entity, path, value);
    }
}

mod of_parts {
    use ecs::prelude::*;

    pub trait Supply: Component + Default {}
    #[derive(Component, Default)]
    pub struct Health(u32);
    impl Supply for Health {}

    parts! {
        pub(super) pool<T: Supply = Health, const N: usize = 2> {
            components { stock: T }
            schedule fall { grow::<T> }
        }
    }
    parts! {
        pub(super) bodies { components { Armor, Name } schedule moving { shine } }
    }

    #[derive(Component)]
    pub struct Armor;
    #[derive(Component)]
    pub struct Name;

    #[system]
    pub fn grow<T: Supply>(stock: &mut T) {
        *stock = T::default();
    }

    #[system]
    pub fn shine(_armor: &Armor, _: With<Name>) {}

    world! {
        struct Forest { include pool::<Health> as other; include bodies; }
        schedule tick { include fall::<Health>; include moving }
    }
    world! {
        struct Burning { include parts_library::physics; }
    }
}

mod of_mechanics {
    use ecs_mechanics::meters::MeterKind;
    use ecs_mechanics::minds::{Machine, StateMachine};

    struct Faith;
    impl MeterKind for Faith {
        const NAME: &'static str = "faith";
    }

    pub struct Data;
    #[derive(StateMachine)]
    enum SubStates {
        #[state(initial)]
        Loud,
    }
    #[derive(StateMachine)]
    enum Guard {
        #[state(initial, to(Chase))]
        Patrol(Data),
        #[state(to(Alert))]
        Chase(Data),
        #[state(nested)]
        Alert(Machine<SubStates>),
    }
}

pub fn main() {}
