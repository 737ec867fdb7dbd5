//! A crate with documentation that denies the lints of rustc that expansions could trip.
#![deny(
    warnings,
    missing_docs,
    unused_qualifications,
    rust_2018_idioms,
    unreachable_pub,
    elided_lifetimes_in_paths,
    single_use_lifetimes,
    non_camel_case_types,
    missing_debug_implementations,
    unused_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unused_results,
    variant_size_differences,
    explicit_outlives_requirements,
    let_underscore_drop,
    macro_use_extern_crate,
    meta_variable_misuse,
    non_ascii_idents,
    redundant_lifetimes,
    unit_bindings,
    clippy::pedantic,
    clippy::nursery,
    clippy::all,
    unused_import_braces,
    unused_macro_rules,
    keyword_idents,
    absolute_paths_not_starting_with_crate,
    ambiguous_negative_literals,
    unnameable_types,
    deprecated,
    private_interfaces,
    private_bounds
)]
#![forbid(unsafe_code)]
#![allow(missing_debug_implementations, unnameable_types)]
// about the code of the program, and not of the expansions
#![allow(clippy::unnecessary_wraps, clippy::missing_const_for_fn)]
#![allow(clippy::drop_non_drop, clippy::uninlined_format_args)]
use ecs::prelude::*;
use ecs::{Aspect, MetaAspect, SystemParam};
/// Position.
#[derive(Component, Debug, Clone, Default)]
pub struct Position(
    /// x
    pub f32,
);
/// Vel.
#[derive(Component, Debug, Clone)]
#[component(tracked, removed, requires(Position))]
pub struct Velocity {
    /// x
    pub x: f32,
}
/// Frozen.
#[derive(Component, Debug, Clone)]
#[component(excludes(Hot))]
pub struct Frozen;
/// Hot.
#[derive(Component, Debug, Clone)]
#[component(excludes(Frozen))]
pub struct Hot;
/// Generic.
#[derive(Component, Debug, Clone)]
pub struct Gen<T: Send + Sync + 'static, const N: usize>(
    /// x
    pub [T; N],
);
/// Enum.
#[derive(Component, Debug, Clone, PartialEq, Eq, Hash)]
#[component(index)]
pub enum State {
    /// a
    Idle,
    /// b
    Busy(u8),
}
/// Rel.
#[derive(Relation, Debug, Clone)]
#[relation(exclusive, symmetric)]
pub struct Likes(
    /// to
    pub Entity,
);
/// Rel.
#[derive(Relation, Debug, Clone)]
#[relation(many)]
pub struct Owes {
    /// t
    #[target]
    pub to: Entity,
    /// a
    pub amount: u32,
}
/// Clock.
#[derive(Resource, Debug, Clone, Default)]
pub struct Clock {
    /// s
    pub step: f32,
}
/// Ev.
#[derive(Event, Debug, Clone)]
pub struct Bumped(
    /// who
    pub Entity,
);
/// Reflected.
#[derive(Component, Reflect, Debug, Clone)]
#[reflect(rename = "Life", check = Life::is_valid)]
pub struct Health<T: Send + Sync> {
    /// n
    pub now: i32,
    /// s
    #[reflect(skip)]
    pub skipped: Option<T>,
    /// d
    #[reflect(default = most, rename = "m")]
    pub most: u64,
    hidden: Hidden,
}
/// A field of a private type.
#[derive(Reflect, Debug, Clone)]
struct Hidden(u8, #[deprecated] u16);
/// Reflected.
#[derive(Reflect, Debug, Clone)]
pub enum Life {
    /// a
    Dead,
    /// b
    #[deprecated]
    Alive {
        /// d
        days: u8,
        /// s
        #[reflect(skip, default = most)]
        seconds: u64,
    },
    /// c
    #[cfg(any())]
    Never(NoSuchType),
    /// d
    Other(
        /// e
        #[cfg(any())]
        NoSuchType,
        /// f
        Vec<Self>,
    ),
}
impl Life {
    const fn is_valid<T: Send + Sync>(_: &Health<T>) -> Result<(), &'static str> {
        Ok(())
    }
}
const fn most() -> u64 {
    3
}
/// Bundle.
#[derive(Bundle, Debug)]
pub struct Body {
    /// p
    pub position: Position,
    /// v
    pub velocity: Velocity,
}
/// Aspect.
#[derive(Aspect, Debug)]
pub struct Monster {
    /// p
    #[aspect(.0 = 1.0)]
    pub position: Position,
    /// v
    #[aspect(default = Velocity { x: 1.0 })]
    pub velocity: Velocity,
}
/// Meta.
#[derive(MetaAspect, Debug)]
pub enum Mind {
    /// a
    Monster(Monster),
    /// b
    Frozen(Frozen),
}
/// States.
#[derive(States, Debug)]
pub enum Phase {
    /// a
    #[state(to(Play))]
    Menu,
    /// b
    Play,
}
/// Query.
#[derive(Query)]
pub struct Mover<'w> {
    /// p
    pub position: &'w mut Position,
    /// v
    pub velocity: &'w Velocity,
    /// e
    pub entity: Entity,
    /// o
    pub frozen: Option<&'w Frozen>,
}
/// Parameters.
#[derive(SystemParam)]
pub struct Tools<'w, T: Component> {
    /// p
    pub all: Query<'w, (Entity, &'static mut T), With<Velocity>>,
    /// c
    pub nested: Clocks<'w>,
    /// t
    pub pair: (Local<'w, u8>, EventWriter<'w, Bumped>),
}
/// Parameters without names.
#[derive(SystemParam)]
pub struct Clocks<'w>(Res<'w, Clock>, Option<Single<'w, &'static Frozen>>);
world! {
    /// World.
    #[derive(Clone)]
    pub struct Game {
        /// Comps.
        components { Position, /// vel
          velocity: Velocity, Frozen, Hot, gen_: Gen<u8, 3>, State, Likes, owes: Many<Owes> }
        /// Res.
        resources { clock: Clock }
        events { Bumped(external) }
    }
    /// Ticks.
    schedule tick { movement, bodies; tools, sets, alone if ready; talk if awake; conv::<u8>; clean; lookup }
    /// Fails.
    schedule may_fail -> Result { failing }
}
/// Moves.
#[system(Game)]
pub fn movement(position: &mut Position, velocity: &Velocity, _: Without<Frozen>, clock: Res<'_, Clock>) {
    position.0 += velocity.x * clock.step;
}
/// Bodies.
#[system(Game)]
pub fn bodies(mut bodies: Query<'_, Mover<'_>, With<Velocity>>, mut seen: Local<'_, u32>) {
    for body in &mut bodies {
        *seen += u32::from(body.entity.slot() > 3);
        body.position.0 = 1.0;
    }
}
/// Tools.
#[system(Game)]
pub fn tools(mut tools: Tools<'_, Position>, (mut commands, _): (Commands<'_, Game>, Local<'_, u8>)) {
    *tools.pair.0 += 1;
    for (e, position) in &mut tools.all {
        position.0 += tools.nested.0.step;
        tools.pair.1.send(Bumped(e));
        commands.despawn_if_alive(e);
    }
}
/// Sets.
#[system(Game)]
pub fn sets(mut set: ParamSet<'_, (Query<'_, &mut Position>, Query<'_, (&mut Position, &Velocity)>)>) {
    set.p0().for_each(|position| position.0 += 1.0);
    set.p1().for_each(|(position, velocity)| position.0 += velocity.x);
}
/// Alone.
#[system(Game)]
pub fn alone(mut only: Single<'_, Mut<'_, Velocity>, With<Position>>, all: Populated<'_, &Position>) {
    only.get_mut().x += all.iter().map(|position| position.0).sum::<f32>();
}
/// Ready, for a system of every world.
#[system]
#[must_use]
pub fn ready(clocks: Clocks<'_>) -> bool {
    clocks.1.is_none()
}
/// Talk.
#[system(Game)]
fn talk(
    mut out: EventWriter<'_, Bumped>,
    mut commands: Commands<'_, Game>,
    q: Query<'_, (Entity, &Position)>,
) {
    for (e, _) in &q {
        out.send(Bumped(e));
        commands.despawn_if_alive(e);
    }
}
/// Awake.
#[system]
#[must_use]
pub fn awake() -> bool {
    true
}
/// Conv.
#[system]
pub fn conv<T: Send + Sync + 'static + Clone>(g: &mut Gen<T, 3>) {
    g.0[0] = g.0[1].clone();
}
/// Clean.
#[system(Game)]
pub fn clean(game: &mut Game) {
    let _ = game.spawn(());
}
/// L.
#[system(Game)]
pub fn lookup(
    l: Lookup<'_, State>,
    r: Related<'_, Likes>,
    mut rm: Removed<'_, Velocity>,
    s: Storage<'_, Position>,
) {
    drop((l.find(&State::Idle).count(), r.roots().count(), rm.iter().count(), s));
}
/// Fails.
/// # Errors
/// Never.
#[system(Game)]
pub fn failing(mut e: EventReader<'_, Bumped>) -> Result<(), std::fmt::Error> {
    for _ in &mut e {}
    Ok(())
}
parts! {
    /// Parts.
    pub physics { components { Position } schedule step { nothing } }
}
/// N.
#[system]
pub fn nothing() {}
fn main() {
    let mut game = Game::new(Clock { step: 1.0 });
    game.tick();
    game.may_fail().unwrap_or_default();
    game.run::<clean>();
    println!("{:?}", game);
}
