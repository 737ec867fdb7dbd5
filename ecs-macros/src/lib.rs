//! The derives, `world!` and `#[system]` of the `ecs` crate, which re-exports them.
//!
//! Each macro goes through the same stages, and has a file of its own in the folder of each: `parse` reads
//! tokens, `model` says what they mean, `check` finds every breach of a rule, `expand` writes code. `stages`
//! strings them together; `diagnostic` gathers the messages. Expansions are trait impls, constants and calls
//! into the library's `__private`; algorithms are there.

mod built_in;
mod cfg;
mod check;
mod diagnostic;
mod expand;
mod json;
mod lifetimes;
mod manifest;
mod model;
mod names;
mod parse;
mod span;
mod stages;
#[cfg(test)]
mod tests;
mod types;

use proc_macro::TokenStream;

/// Makes a struct or enum a component: data of an entity.
///
/// ```text
/// #[derive(Component)]
/// #[component(requires(A, B), excludes(C), deref, tracked, removed, unique, index, key, alias = "Old", from = Old, skip, crate = path)]
/// struct Name ..
/// ```
///
/// - `requires(A, B)`: whoever gets this component gets `A` and `B` as well, with their `Default`, unless
///   they are there; and what these require.
/// - `deref`: a struct with one field dereferences to it.
/// - `tracked`: it is kept for each value when it was added and when it was changed last. Systems borrow it as
///   `Mut<T>`, not as `&mut T`, and react with `Ref<T>`, `Changed<T>` and `Added<T>`. Costs 17 bytes for each slot.
/// - `removed`, `removed = 1024`, `removed = all`: removed values are kept for systems with a `Removed<T>`: the newest 1,048,576, at
///   most the given number, or all;
///   the type is `Clone`. Costs nothing where no schedule has such a system.
/// - `unique`: one entity of a world has it at most; a second one is refused. `world.unique::<T>()` gives it;
/// - `index`, `index = field`: entities are found by the value, or by one of its fields, which is `Hash` and `Eq`:
///   `world.find::<T>(&value)`, in systems `Lookup<T>`. The component is tracked, and is changed through `Mut<T>` alone.
/// - `key`, `key = field`: likewise, and no two entities have an equal one. It is not changed in place: `insert` replaces it.
/// - `excludes(C)`: an entity has this component or `C`, not both; `C` says the same of this one. A world may lack `C`, unless it has
///   type parameters. A bundle with both, and a query of a system that requires both, do not compile; whoever comes second at run
///   time is refused.
/// - `alias = "Old"`, `from = Old`, `skip`: how it is saved, with the feature `serde`: what it was called, of which type it was
///   (there is a `From`; several stand in parentheses), that it is not saved.
/// - `crate = path`: where the library is, if not at `::ecs`.
///
/// A struct without fields is a *tag*: it takes one bit for each entity, and cannot be borrowed mutably. A
/// component owns its data, hence has no lifetime parameters; type and const parameters are fine, and a world
/// lists each instance.
///
/// # Expansion
/// ```text
/// #[derive(Component)]
/// #[component(requires(Velocity), deref)]
/// struct Position(Point);
/// ```
/// expands to
/// ```text
/// impl Component for Position { const __IDENTITY: Identity = ..; type Kind = Value; }
/// impl<W: Has<Position>> Bundle<W> for Position {}        // a bundle of one component
/// impl<W, S> Distinct<W, S> for Position { type Out = ..; }   // refuses the component twice in one bundle
/// impl<W: World + Has<Velocity>> Requirements<W> for Position {
///     type Kind = Requiring<Self, Value>;
///     const DIRECT: ComponentSet = ..;                    // the required components
///     fn fill(at: &mut RequiredInserter<'_, W>) { .. }    // inserts the missing ones
/// }
/// unsafe impl Data for Position { .. }                    // matches no entity, so that `Query<Position>` gives one error
/// impl Deref for Position { .. }
/// impl DerefMut for Position { .. }
/// ```
#[proc_macro_derive(Component, attributes(component, relation))]
pub fn component(item: TokenStream) -> TokenStream {
    stages::component(item.into()).into()
}

/// Makes a struct a relation: a component that points to another entity, and that is known from both ends.
///
/// ```text
/// #[derive(Relation)]                                     // in place of `Component`
/// #[relation(exclusive, gone = remove, symmetric, acyclic, crate = path)]
/// #[component(requires(A), deref, tracked, removed)]      // as for any component
/// struct Name(Entity);                                    // or: struct Name { #[target] to: Entity, .. }
/// ```
///
/// - `exclusive`: an entity has one target at most. The relation is itself the component.
/// - `many`: an entity has any number of targets. The component is `Many<Name>`, which a world lists:
///   `components { name: Many<Name> }`.
/// - `gone`: what becomes of the source when the target dies. `keep`: nothing, the id dangles. `remove`: it loses the
///   relation; so it is if nothing is said. `cascade`: it dies, too. `mark(CleanUp)`: it keeps the relation, as with `keep`,
///   and gets the component `CleanUp`, which must be `Default` and listed by the world.
/// - `symmetric`: the target has the same relation to the source, with a clone of the data. One end is inserted, replaced
///   or removed, and so is the other. Of an exclusive one, former partners lose theirs.
/// - `acyclic`: only of an exclusive one: what would make an entity its own ancestor is refused.
/// - `crate = path`: where the library is, if not at `::ecs`.
///
/// The target is the only field, or the one with `#[target]`; its type is `Entity`. A relation whose target does not
/// live, or is the entity itself, is refused where it is inserted.
///
/// # Expansion
/// ```text
/// #[derive(Relation)]
/// #[relation(exclusive, gone = cascade)]
/// struct ChildOf(Entity);
/// ```
/// expands to all that `derive(Component)` expands to, and
/// ```text
/// impl Relation for ChildOf {
///     const RELATION_NAME: &'static str = "ChildOf";
///     const RELATION_GONE: Gone = Gone::Cascade;
///     type Stored = Self;
///     type Kind = ..;
///     fn target(&self) -> Entity { self.0 }
/// }
/// ```
/// A relation with `many` is not a component: there, `Many<Name>` is, and `type Stored = Many<Self>`.
#[proc_macro_derive(Relation, attributes(relation, component, target))]
pub fn relation(item: TokenStream) -> TokenStream {
    stages::relation(item.into()).into()
}

/// Makes a type a resource: something of which a world has one.
///
/// ```text
/// #[derive(Resource)]
/// #[resource(crate = path)]                               // only if the library is not at `::ecs`
/// struct Name ..
/// ```
///
/// With the feature `serde` there are also `alias = "Old"`, what it was called when it was saved, and `skip`: it is not saved.
///
/// # Expansion
/// ```text
/// #[derive(Resource)]
/// struct Clock(u64);
/// ```
/// expands to
/// ```text
/// impl Resource for Clock { const RESOURCE_NAME: &'static str = "Clock"; }
/// impl IsResource for Clock {}
/// ```
#[proc_macro_derive(Resource, attributes(resource))]
pub fn resource(item: TokenStream) -> TokenStream {
    stages::resource(item.into()).into()
}

/// Makes a type an event: something that happened, which systems send and read.
///
/// ```text
/// #[derive(Event)]
/// #[event(crate = path)]                                  // only if the library is not at `::ecs`
/// struct Name ..
/// ```
///
/// With the feature `serde` there are also `alias = "Old"`, what it was called when it was saved, and `skip`: it is not saved.
///
/// # Expansion
/// ```text
/// #[derive(Event)]
/// struct Bumped(Entity);
/// ```
/// expands to
/// ```text
/// impl Event for Bumped { const EVENT_NAME: &'static str = "Bumped"; }
/// impl IsEvent for Bumped {}
/// ```
#[proc_macro_derive(Event, attributes(event))]
pub fn event(item: TokenStream) -> TokenStream {
    stages::event(item.into()).into()
}

/// Makes a struct a bundle: components that are spawned, inserted and removed together.
///
/// ```text
/// #[derive(Bundle)]
/// #[bundle(crate = path)]                                 // only if the library is not at `::ecs`
/// struct Ship { body: Body, engine: Engine }              // or: struct Ship(Body, Engine);
/// ```
///
/// Each field is a component, a tuple of bundles, or another derived bundle. No component is in it twice.
///
/// # Expansion
/// ```text
/// #[derive(Bundle)]
/// struct Ship { body: Body, engine: Engine }
/// ```
/// expands to
/// ```text
/// impl<W: World> IntoComponents<W> for Ship where Body: IntoComponents<W>, Engine: IntoComponents<W> {
///     type BundleComponents = ..;                         // the tuple of the components of all fields
///     fn into_components(self) -> Self::BundleComponents { .. }
///     fn from_components(parts: Self::BundleComponents) -> Self { .. }
/// }
/// impl<W: World> Bundle<W> for Ship where Ship: Distinct<W, Nothing> {}
/// impl<W: World, S> Distinct<W, S> for Ship               // adds the fields to the set `S`, one after the other
///     where Body: Distinct<W, S>, Engine: Distinct<W, <Body as Distinct<W, S>>::Out> { type Out = ..; }
/// ```
#[proc_macro_derive(Bundle, attributes(bundle))]
pub fn bundle(item: TokenStream) -> TokenStream {
    stages::bundle(item.into()).into()
}

/// Makes a struct an aspect: a named set of components with values, built from components and other aspects.
///
/// ```text
/// #[derive(Aspect)]
/// #[aspect(crate = path)]                                 // only if the library is not at `::ecs`
/// struct Monster {
///     #[aspect(.health.max = 9, .speed = Speed(2))]       // overrides within the field, at any depth
///     body: Body,                                         // another aspect
///     #[aspect(default = Gold(roll(6)))]                  // evaluated for each new value
///     gold: Gold,                                         // a component
///     name: Name,                                         // begins with its `Default`
/// }
/// ```
///
/// It is a bundle, too: see `derive(Bundle)`. No component is in it twice.
///
/// # Expansion
/// ```text
/// #[derive(Aspect)]
/// struct Monster { #[aspect(.now = 9)] health: Health, name: Name }
/// ```
/// expands to all that `derive(Bundle)` expands to, and
/// ```text
/// impl AspectPart for Monster { const PART: Part = ..; }  // the tree of all components and aspects in it
/// impl Fresh for Monster { fn make() -> Self { .. } }     // makes the fields, then assigns the overrides
/// impl Aspect for Monster { const ASPECT_NAME: &'static str = "Monster"; }
/// const _: () = check_field::<Monster>(0);                // for each field: no component of it is in an earlier field
/// ```
#[proc_macro_derive(Aspect, attributes(aspect))]
pub fn aspect(item: TokenStream) -> TokenStream {
    stages::aspect(item.into()).into()
}

/// Makes an enum a list of alternatives, of which an entity has one.
///
/// ```text
/// #[derive(MetaAspect)]
/// #[aspect(crate = path)]                                 // only if the library is not at `::ecs`
/// enum Mind { Player(PlayerMind), Monster(MonsterMind) }  // each variant holds an aspect or a component
/// ```
///
/// Alternatives nest: a field with `#[one_of]` holds another enum of alternatives, beside an aspect or a component, or alone.
/// `Player(PlayerMind, #[one_of] Camera)` is taken from an entity that has all of `PlayerMind` and one of the cameras.
///
/// The first that an entity has all of is taken; one that comes after another all of whose components it has would never
/// be, and is an error.
///
/// # Expansion
/// ```text
/// #[derive(MetaAspect)]
/// enum Mind { Player(PlayerMind), Monster(MonsterMind) }
/// ```
/// expands to
/// ```text
/// impl<W: World> MetaAspect<W> for Mind where PlayerMind: Bundle<W>, MonsterMind: Bundle<W> {
///     const META_ASPECT_NAME: &'static str = "Mind";
///     const ALTERNATIVES: &'static [&'static str] = &["PlayerMind", "MonsterMind"];
///     fn is_in(world: &W, entity: Entity) -> bool { .. }
///     fn take_from(world: &mut W, entity: Entity) -> Option<Self> { .. }
///     fn add_to(self, world: &mut W, entity: Entity) -> Result<(), PresentError> { .. }
/// }
/// const _: () = check_alternative(..);                    // for each variant but the first
/// ```
#[proc_macro_derive(MetaAspect, attributes(aspect, one_of))]
pub fn meta_aspect(item: TokenStream) -> TokenStream {
    stages::meta_aspect(item.into()).into()
}

/// Makes a struct with named fields something that a query can ask for.
///
/// ```text
/// #[derive(Query)]
/// #[query(crate = path)]                                  // only if the library is not at `::ecs`
/// struct Mover<'a> { position: &'a mut Position, velocity: &'a Velocity, entity: Entity }
/// ```
///
/// The struct has one lifetime at most, that of the borrow. Each field is a query element: `&'a T`, `&'a mut
/// T`, `Ref<'a, T>`, `Mut<'a, T>`, `Option` of those, `Entity`, `Is<T>`, a tuple of elements, or another such struct. Use it as
/// `Query<Mover>`, or as `Each<Mover>` in a per-entity system.
///
/// # Expansion
/// ```text
/// #[derive(Query)]
/// struct Mover<'a> { position: &'a Position, entity: Entity }
/// ```
/// expands to these impls, where `Inner` stands for the tuple of the types of the fields:
/// ```text
/// unsafe impl<'a> Data for Mover<'a> {
///     type Columns = ..;  type Base = ..;  type ReadOnly = ..;
///     type Item<'q> = Mover<'q>;
///     unsafe fn at<'q>(..) -> Self::Item<'q> { .. }
///     ..
/// }
/// unsafe impl<'a, W: World> QueryData<W> for Mover<'a> where Inner: QueryData<W> { const ACCESS: Access = ..; .. }
/// unsafe impl<'a> ReadData for Mover<'a> where Inner: ReadData {}            // unless a field is `&mut T` or `Mut<T>`
/// impl<'a, W: World, S> Borrows<W, S> for Mover<'a> where Inner: Borrows<W, S> { type Out = ..; }
/// impl<'a, W: World> WorldData<W> for Mover<'a> where Mover<'a>: Borrows<W, Nothing> {}
/// ```
#[proc_macro_derive(Query, attributes(query))]
pub fn query(item: TokenStream) -> TokenStream {
    stages::query(item.into()).into()
}

/// Makes a function a system: what it takes as parameters is what it does to a world.
///
/// ```text
/// #[system(Game)]                  // of one world
/// #[system]                        // of every world that has what it needs
/// #[system(W)]                     // the same, where the function has a type parameter `W` for the world
/// #[system(Game, init = setup)]    // `fn setup(world: &mut Game)` is called once, when the system gets its place
/// #[system(Game, exit = cleanup)]  // `fn cleanup(world: &mut Game)` is called when the system was removed
/// #[system(Game, par)]             // per entity, and on several threads: beside the entity only what all can read
/// #[system(Game, crate = path)]    // where the library is, if not at `::ecs`
/// fn name(parameters) -> Output { .. }
/// ```
///
/// Parameters are told apart by the last name of their type's path:
///
/// | parameter | is |
/// |---|---|
/// | `&T`, `&mut T`, `Ref<T>`, `Mut<T>`, `Option` of those, `Entity`, `Is<T>`, `Each<Q>` | an element: the system runs once for every matching entity, and returns nothing |
/// | `With<T>`, `Without<T>`, `And<..>`, `Or<..>`, `Not<F>`, `Changed<T>`, `Added<T>` | a filter: which entities match |
/// | `Query<D>`, `Query<D, F>` | a query as a whole |
/// | `&mut Game`, the world, by this name or behind an alias | everything; no other parameter goes with it but `Local<T>` |
/// | anything else, such as `Res<T>`, `EventReader<E>`, `Commands<Game>`, `Local<T>`, or an alias | whatever implements `SystemParam` |
///
/// A system is a plain function: not `async`, `const`, `unsafe` or `extern`, without `self` and without `impl
/// Trait`. In a system that is generic over its world, write the lifetimes of other types: `Each<Mover<'_>>`.
///
/// The function behind `init` is called when the world is made, after every resource is there: for each place of the
/// system in the schedules, in the order of the text. It is not called for a clone of the world, nor by `run`. That of a
/// generic system is generic over the world, too.
///
/// A `Schedule`, which is built at run time, calls `init` when the system is added, and the function behind `exit` when it is
/// removed by `remove`, `remove_named`, `clear` or `close`: once for each place, after the state of the system was dropped.
/// Where several systems are removed at once, the one that was added last comes first. `world.exit_systems()` calls the `exit`
/// functions of the systems in the schedules of the world.
///
/// In documentation, ``[`name()`]`` links to the function and ``[`name`](struct@name)`` to the type.
///
/// # Expansion
/// The function stays as it is. The macro adds a type with the name of the function, for schedules and for
/// `world.run::<advance>()`:
/// ```text
/// #[system(Game, init = setup, exit = cleanup)]
/// fn advance(clock: Res<Clock>, mut bumped: EventReader<Bumped>) { .. }
/// ```
/// expands to the function and
/// ```text
/// struct advance {}
/// const __PARAMS: &'static [ParamInfo] = &[..];           // for each parameter, what it reads and writes
/// unsafe impl System<Game> for advance {
///     const NAME: &'static str = "advance";
///     const PARAMS: &'static [ParamInfo] = __PARAMS;
///     type Out = ();
///     const SETUP: Option<fn(&mut Game)> = ..;            // the function behind `init`; left out without `init`
///     const EXIT: Option<fn(&mut Game)> = ..;             // the function behind `exit`; left out without `exit`
///     const INIT: fn(&mut Game) -> SystemState = ..;      // makes the states of the parameters
///     unsafe fn run(world: WorldCell<'_, Game>, state: &mut SystemState) -> Self::Out { .. }  // makes the parameters, calls the function
///     const FINISH: Finish<Game> = ..;                    // after each run, for parameters such as `Commands`
///     const HAS_NEWS: HasNews<Game> = ..;                 // in a `react` block, whether the system has something to react to
/// }
/// const _: () = check_param::<Game>(..);                  // for each parameter: `cargo check` evaluates it
/// ```
#[proc_macro_attribute]
pub fn system(arguments: TokenStream, item: TokenStream) -> TokenStream {
    stages::system(arguments.into(), item.into()).into()
}

/// Declares a world: its components, resources and events, and the order in which systems run.
///
/// ```text
/// world! {
///     #![crate = path]                                    // only if the library is not at `::ecs`
///     #[derive(Clone, Serialize, Deserialize)]            // the derives that are supported; the latter with `serde`
///     pub struct Game {
///         components { position: Position, Frozen }       // without a name: the type's, in snake case
///         resources  { clock: Clock, score: Score = Score::default() }
///         events     { Bumped, Clicked(external, keep = 64, full = newest) }
///     }
///     schedule tick {
///         steer, movement;                                // `;` ends a stage
///         bump, settle if !paused && (day || lit);        // conditions are systems that return `bool`
///         react { burn, spread } max 16;                  // again, until nothing is new to them
///     }
///     schedule load -> Result { read, check }             // takes systems that return `Result<(), E>`
///     schedule simulate every FixedTime { tick }          // another schedule; as often as the clock says
/// }
/// ```
///
/// The order of the text is the meaning of a schedule. Systems of one stage that do not clash may run at the same time.
/// What they ask for through `Commands` is done where the stage ends. A system that takes the whole world is a stage of
/// its own.
///
/// Sections may be left out. Entries and steps take `#[cfg(..)]`, entries and schedules documentation. A
/// system stands in a schedule once; a generic one is named with its types, `damage::<Fire>`. At most 512
/// components, 256 resources and 256 events fit.
///
/// # Events
/// An event is sent by some system of the schedules and read by another. Options stand in parentheses:
///
/// | option | meaning |
/// |---|---|
/// | `external` | it is sent, or drained, outside the schedules; without a reader it waits for `drain`, up to its bound |
/// | `keep = 1024` | at most 1024 events are kept for readers that have not read them; without the option 131,072 when a run ends |
/// | `keep = all` | all events are kept until every reader has read them |
/// | `full = oldest` | beyond the bound the oldest are dropped, and readers miss them; the default beside `keep = 1024` |
/// | `full = newest` | beyond the bound the events that do not fit are dropped |
/// | `full = panic` | beyond the bound sending panics and names the slowest reader, and none of the events sent at once arrives |
/// | `skip = clear` | a reader whose system is skipped, by a condition or since it is switched off, misses the events that wait for it |
///
/// # Expansion
/// ```text
/// world! {
///     #[derive(Clone)]
///     pub struct Game {
///         components { position: Position }
///         resources { clock: Clock }
///         events { bumped: Bumped }
///     }
///     schedule tick { advance }
/// }
/// ```
/// expands to
/// ```text
/// pub struct Game {
///     position: Column<Position>, clock: Clock, bumped: Events<Bumped>,
///     __entities: Entities, __schedule_states: ScheduleStates,
/// }
/// pub struct GameColumns<'w, M: Mode> { pub position: M::View<'w, Position> }
/// unsafe impl World for Game { const NAME: &'static str = "Game"; .. }
/// unsafe impl ContainsComponent<Position, Game> for WorldComponents { .. }    // for each component: `Game: Has<Position>`
/// unsafe impl HasResource<Clock> for Game { .. }          // for each resource
/// unsafe impl HasEvent<Bumped> for Game { .. }            // for each event
/// impl Game {
///     pub fn new(clock: Clock) -> Self { .. }             // takes the resources without a first value, in order
///     pub fn columns(&self) -> GameColumns<'_, Shared> { .. }
///     pub fn columns_mut(&mut self) -> GameColumns<'_, Exclusive> { .. }
///     pub fn tick(&mut self) { .. }                       // for each schedule
/// }
/// impl Default for Game where Clock: Default { .. }
/// impl Debug for Game { .. }
/// impl Clone for Game { .. }                              // with `#[derive(Clone)]`
/// const _: () = check_requires::<Game>();                 // and further checks, which `cargo check` evaluates
/// ```
#[proc_macro]
pub fn world(tokens: TokenStream) -> TokenStream {
    stages::world(tokens.into()).into()
}

/// Declares the components that JSON files define.
///
/// ```text
/// components_from! {
///     #![crate = path]                                    // only if the library is not at `::ecs`
///     "data/meta.json",                                   // from the folder of the crate's `Cargo.toml`
///     #[derive(Clone, Debug)] #[component(tracked)] pub "data/movement.json",
/// }
/// ```
///
/// A file has one definition, or a list of them: the component's name, and its fields with the values with which they
/// begin.
/// ```text
/// { "type": "hit_points", "schema": { "now": 5, "max": 5, "resists": ["fire"], "armour": { "weight": 1.5 } } }
/// ```
///
/// | value | type of the field |
/// |---|---|
/// | `true` | `bool` |
/// | `5`, within the range | `i64` |
/// | `1.5`, `5e3` | `f64` |
/// | `"fire"` | `String` |
/// | `[1, 2]` | `Vec` of the type of its values, which is one; integers beside floats are floats |
/// | `{ "weight": 1.5 }` | a struct, named after the component and the key: `HitPointsArmour` |
///
/// What has no type is refused: `null`, and a list without a value. The name is in camel case, keys stay as they are, raw
/// if they are keywords: `r#type`.
///
/// Attributes stand before the path, and so does the visibility, which is that of the fields, too. `#[component(..)]` and
/// documentation are for the components, all others for the structs in them as well. When a file changes, the crate is
/// compiled again. A file that is new is listed: there are no patterns such as `*.json`, since the compiler would not
/// notice what joins them.
///
/// At run time, `Definitions` of the library reads the same files, or later versions of them, as new defaults. That needs
/// `#[derive(Serialize, Deserialize)]` before the path.
///
/// # Expansion
/// ```text
/// components_from! { "src/tests/hit_points.json" }
/// ```
/// with the file
/// ```text
/// { "type": "hit_points", "schema": { "now": 5, "armour": { "weight": 1.5 } } }
/// ```
/// expands to
/// ```text
/// const _: &[u8] = include_bytes!(..);                    // makes the compiler watch the file
/// #[derive(Component)] struct HitPoints { now: i64, armour: HitPointsArmour }
/// struct HitPointsArmour { weight: f64 }
/// impl Default for HitPoints { fn default() -> Self { .. } }     // the values in the file
/// impl Default for HitPointsArmour { fn default() -> Self { .. } }   // not for structs in lists
/// ```
#[proc_macro]
pub fn components_from(tokens: TokenStream) -> TokenStream {
    stages::components_from(tokens.into()).into()
}

/// Lists components, resources, events and schedules of a library, for the worlds of other crates.
///
/// ```text
/// parts! {
///     #![crate = path]                                    // only if the library is not at `::ecs`
///     /// Things that move.
///     pub physics {
///         components { Position, velocity: Velocity }
///         resources  { clock: Clock = Clock::default() }
///         events     { Bumped }
///         schedule step { movement, bounce; settle }
///         needs shapes::shapes;                           // other parts, which the world includes as well
///     }
/// }
/// ```
///
/// A world says where they belong, and they are there as if they were written there:
/// ```text
/// world! {
///     struct Game {
///         include physics::physics;                       // the fields
///         components { Steering }
///     }
///     schedule tick { steer; include physics::step; draw }    // the systems, and each `;`
/// }
/// ```
///
/// What is listed, and the systems, are named as they are named in the library, and as visible as `physics` is: `pub`
/// for other crates. The systems are generic over their world, `#[system]`. They are checked in the library, in a world
/// of exactly these parts; what is missing in a world that includes them is said under its `include`. Events may be
/// sent, or read, by the world alone.
///
/// Where two libraries give their fields one name, the world gives one of them another: `include physics::physics {
/// clock as physics_clock };`.
///
/// Parts and schedules are items, among types and among macros, named where `parts!` stands and imported like others: a
/// module or a struct of the same name in the same place is an error. `#[cfg(..)]` stands before `parts!` only.
///
/// # Expansion
/// ```text
/// parts! {
///     pub physics {
///         components { position: Position }
///         resources { clock: Clock = Clock::default() }
///         schedule step { movement }
///     }
/// }
/// ```
/// expands to
/// ```text
/// pub struct physics {}
/// impl<W> Listed<W, 0> for physics { type Item = Position; }      // for each component, resource and event
/// impl<W> Valued<W, 1> for physics { fn value() -> .. { Clock::default() } }  // for each first value
/// #[macro_export]                                         // if the parts are `pub`
/// macro_rules! __physics_0123456789abcdef { .. }          // passes the list to `world!`
/// pub use __physics_0123456789abcdef as physics;
/// pub struct step {}                                      // a type and a macro for each schedule, too
/// impl<W> Listed<W, 0> for step { type Item = movement; }
/// unsafe impl World for only_physics { .. }               // a hidden world of these parts, which `cargo check` checks
/// ```
#[proc_macro]
pub fn parts(tokens: TokenStream) -> TokenStream {
    stages::parts(tokens.into()).into()
}

/// What checks `parts!` that need others, once they are known.
#[doc(hidden)]
#[proc_macro]
pub fn including_parts(tokens: TokenStream) -> TokenStream {
    stages::including_parts(tokens.into()).into()
}

/// What a `world!` that includes parts becomes once they are known.
#[doc(hidden)]
#[proc_macro]
pub fn including_world(tokens: TokenStream) -> TokenStream {
    stages::including_world(tokens.into()).into()
}
