//! The derives, `world!`, `parts!`, `components_from!` and `#[system]` of the `ecs` crate, which
//! re-exports them.
//!
//! Each macro runs four stages and has one file in the folder of each stage: `parse` reads tokens,
//! `model` gives them a type, `check` reports every broken rule, `expand` writes code. `stages`
//! calls the four in order, `diagnostic` collects the messages, and `built_in` is the table of the
//! library's parameters. An expansion consists of trait impls, constants and calls into
//! `ecs::__private`, which holds the algorithms.

mod built_in;
mod cfg;
mod check;
mod diagnostic;
mod expand;
mod foreign;
mod json;
mod lifetimes;
mod manifest;
mod model;
mod names;
mod parse;
mod source_file;
mod span;
mod stages;
#[cfg(test)]
mod tests;
mod types;
mod words;

use proc_macro::TokenStream;

/// Makes a struct or enum a component: data of an entity.
///
/// ```text
/// #[derive(Component)]
/// #[component(requires(A, B), excludes(C), disables, hook = Load, deref, immutable, tracked, removed, unique, index, key, storage = "packed", alias = "Old", from = Old, skip, hidden, crate = path)]
/// struct Name ..
/// ```
///
/// - `requires(A, B)`: an entity that gets this component also gets `A` and `B` with their
///   `Default` values, unless it has them, and the components that `A` and `B` require. In the
///   forms `A(3)`, `A { x: 3 }`, `A::new(3)` and `A = f(3)` the component begins with this value;
///   the expression is evaluated for each insertion. If several components require one with
///   different values, the value in the list of the inserted component counts before those in the
///   lists of the components that it requires. If several inserted components require one, the
///   first of them decides: the first in the bundle or in the `Selection` of a delta, or the first
///   in the list of the world for components of a file, of a prefab, or given by name.
/// - `disables`: queries that do not name this component pass over the entities that have it.
///   `disables(A, B)`: so do queries that require `A` or `B`. See `ecs::component::Disabled`.
/// - `hook = Load`: the type `Load`, or each of a tuple of types, hears of every value of the
///   component, and may refuse it: `ecs::component::ComponentHook`. The component cannot be changed
///   in place; `insert` replaces it.
/// - `deref`: a struct with one field dereferences to the field.
/// - `immutable`: a value is inserted, replaced and removed, and never changed in place: `&mut T`,
///   `Mut<T>` and `get_mut` are compile errors, and `insert` replaces the value. With `tracked`,
///   `Ref<T>` and `Changed<T>` see replacements. With `index`, the component is not tracked, which
///   saves its ticks. Costs nothing.
/// - `tracked`: the world records for each value when it was added and when it was last changed.
///   Systems borrow the component as `Mut<T>`, not as `&mut T`, and react with `Ref<T>`,
///   `Changed<T>` and `Added<T>`. Costs 17 bytes for each slot.
/// - `removed`, `removed = 1024`, `removed = all`: the world keeps removed values for systems with
///   a `Removed<T>`: the newest 1,048,576, at most the given number, or all. The type must be
///   `Clone`: the caller of `remove` gets the value, readers get a copy. Costs nothing if no
///   schedule has a system with `Removed<T>`.
/// - `unique`: at most one entity of a world has the component; the world refuses a second one.
///   `world.unique::<T>()` returns it.
/// - `index`, `index = field`: finds entities by the value or by one of its fields, whose type must
///   be `Hash` and `Eq`: `world.find::<T>(&value)`, in systems `Lookup<T>`. The component is
///   tracked, and systems change it through `Mut<T>`.
/// - `index(ordered)`, `index(ordered = field)`: an index that has an order, by a value or a field
///   that is `Ord`: `world.find_range::<T>(a..b)`, in systems `Lookup<T>`. `find` finds equal values
///   as with `index`.
/// - `index(by = Type)`, `index(ordered, by = Type)`: an index over a value that
///   `impl From<&T> for Type` makes of the component.
/// - `key`, `key = field`: an index in which no two entities have equal values. The component
///   cannot be changed in place; `insert` replaces it. It has the forms of `index`: `key(ordered)`.
/// - `excludes(C)`: an entity has this component or `C`, not both; `C` must exclude this component,
///   too. A world may lack `C`, unless `C` has type parameters. A bundle with both, and a query of
///   a system that requires both, do not compile; at run time the world refuses to add the second
///   one.
/// - `storage = "packed"`: for a component with values that at most one entity in fifty has. The
///   pages of its column overlap, and the values of one lie in the gaps of others, so that 10,000
///   values among 1,000,000 entities take a tenth of the memory, and `for_each` and per-entity
///   systems find them by a list, twice as fast. The first insertion into an entity takes longer,
///   and may move other values of the column. Nothing else differs: the same queries, slices,
///   order, hash and saves, and every other option. `storage = "paged"` is the storage that a
///   component has without the option.
/// - `alias = "Old"`, `from = Old`, `skip`: options for saving, with the feature `serde`: a former
///   name, a former type that converts by `From` (several stand in parentheses), and the exclusion
///   from saved files.
/// - `hidden`: no handle of `ecs::reflect` shows the component, and it need not be `Serialize` in a
///   world that derives `Reflect`.
/// - `crate = path`: the path of the library, if it is not `::ecs`.
///
/// A struct without fields is a *tag*: it takes one bit for each entity, and cannot be borrowed
/// mutably. A component owns its data and therefore has no lifetime parameters. It may have type
/// and const parameters; a world lists each instance.
///
/// # Expansion
/// ```text
/// #[derive(Component)]
/// #[component(requires(Velocity), deref)]
/// struct Position(Point);
/// ```
/// expands to
/// ```text
/// impl IsComponent for Position { const __IDENTITY: Identity = ..; type Kind = Kind<Value, false>; }
/// impl Component for Position where for<'a> Position: ThreadSafe {}
/// impl<W: World + Has<Velocity>> ComponentOf<W> for Position {
///     type Kind = Kind<Value, false, NoRule, NotLogged, Demands<Self>>;
///     const DIRECT: ComponentSet = ..;                    // the required components
///     fn fill(at: &mut RequiredInserter<'_, W>) { .. }    // inserts the missing ones
/// }
/// unsafe impl Data for Position { .. }                    // matches no entity, so that `Query<Position>` gives one error
/// impl Deref for Position { .. }
/// impl DerefMut for Position { .. }
/// ```
#[proc_macro_derive(
    Component,
    attributes(
        component,
        relation,
        target,
        require,
        storage,
        relationship,
        relationship_target,
        event,
        resource,
        bundle
    )
)]
pub fn component(item: TokenStream) -> TokenStream {
    stages::component(item.into()).into()
}

/// Makes a struct a relation: a component that points to another entity, and that can be looked up
/// from both entities.
///
/// ```text
/// #[derive(Relation)]                                     // in place of `Component`
/// #[relation(exclusive, gone = remove, target(A), symmetric, acyclic, to_self, crate = path)]
/// #[component(requires(A), deref, tracked, removed)]      // as for any component
/// struct Name(Entity);                                    // or: struct Name { #[target] to: Entity, .. }
/// ```
///
/// - `exclusive`: an entity has at most one target. The struct itself is the component.
/// - `many`: an entity has any number of targets. The component is `Many<Name>`, which a world
///   lists: `components { name: Many<Name> }`.
/// - `gone`: the effect on the source when the target is despawned. `remove`, the default: the
///   source loses the relation. `keep`: the source keeps the id of the despawned entity. `cascade`:
///   the source is despawned, too. `mark(CleanUp)`: the source keeps the relation and gets the
///   component `CleanUp`, which must be `Default` and listed by the world.
/// - `target(Health)`: every target has this component, or these components. The world refuses a
///   relation to another entity, and a target that loses one of the components is gone for the
///   relation, so that `gone` applies. Not with `symmetric`; the components are no relations.
/// - `symmetric`: the target has the same relation to the source, with a clone of the data.
///   Inserting, replacing or removing the relation on one entity does the same on the other. With
///   `exclusive`, a former partner loses the relation.
/// - `to_self`: an entity may be related to itself, which the world refuses otherwise. Not with
///   `symmetric` or `acyclic`.
/// - `acyclic`, only with `exclusive`: the world refuses a relation that would make an entity its
///   own ancestor.
/// - `crate = path`: the path of the library, if it is not `::ecs`.
///
/// The target is the only field, or the field with `#[target]`; its type is `Entity`. The world
/// refuses to insert a relation to a despawned entity or to the source itself.
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
/// A relation with `many` is not a component itself: `Many<Name>` is the component, and
/// `type Stored = Many<Self>`.
#[proc_macro_derive(Relation, attributes(relation, component, target, relationship, event, resource, bundle))]
pub fn relation(item: TokenStream) -> TokenStream {
    stages::relation(item.into()).into()
}

/// Makes a type a resource: a value that a world has once.
///
/// ```text
/// #[derive(Resource)]
/// #[resource(tracked, shared, main_thread, alias = "Old", skip, hidden, crate = path)]
/// struct Name ..
/// ```
///
/// `tracked` records when the resource changes (`resource::TrackedResource`), `shared` allows locks
/// and atomics in it, and `main_thread` is for a type that is not `Send`: systems that use it run
/// on the thread that runs the schedule. The feature `serde` adds the options `alias = "Old"`, a
/// name in older files, and `skip`, which leaves the value out of files. `hidden` hides the type
/// from `ecs::reflect`. `crate = path` is the path of the library, if it is not `::ecs`.
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
#[proc_macro_derive(Resource, attributes(resource, component, event, bundle))]
pub fn resource(item: TokenStream) -> TokenStream {
    stages::resource(item.into()).into()
}

/// Makes a type an event, which systems send and read.
///
/// ```text
/// #[derive(Event)]
/// #[event(check = CONSTANT, alias = "Old", skip, hidden, crate = path)]
/// struct Name ..
/// ```
///
/// The feature `serde` adds the options `alias = "Old"`, a name in older files, and `skip`, which
/// leaves the values out of files. `hidden` hides the type from `ecs::reflect`. `check = CONSTANT`
/// takes an `Option<&'static str>`: each world that lists the event evaluates it, also in
/// `cargo check`, and `Some(text)` is a compile error with this text. In this way a generic event
/// of a library checks the types that worlds give it: `#[event(check = mistake(K::THRESHOLDS))]`.
/// `crate = path` is the path of the library, if it is not `::ecs`.
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
#[proc_macro_derive(Event, attributes(event, component, resource, bundle))]
pub fn event(item: TokenStream) -> TokenStream {
    stages::event(item.into()).into()
}

/// Describes a struct or an enum, so that its values are saved, loaded and compared, and read and
/// changed by name, without code for each format. It also implements `Serialize` and `Deserialize`.
/// Needs the feature `serde`.
///
/// ```text
/// #[derive(Reflect)]
/// #[reflect(rename = "Name", check = path, crate = path)]
/// struct Name { #[reflect(skip, default, default = path, rename = "name")] field: Type, .. }
/// ```
///
/// - `rename = "Name"`: the name in files, of a type, a variant or a field, if it is not the one in
///   the code.
/// - `check = path`, of a type: a function from `&Self` to `Result<(), E>`, where `E` is `Display`,
///   which refuses values that are read.
/// - `skip`, of a field: it is neither written nor read. A value that is read has the field's
///   `Default`, or with `skip, default = path` the result of a function.
/// - `default`, `default = path`, of a field: the value of the field if a file in the readable form
///   lacks it. Without names, only the last fields are left out.
/// - `crate = path`: the path of the library, if it is not `::ecs`.
///
/// The type of each field has `Reflect`, or serde's `Serialize` and `Deserialize`; each type
/// parameter has `Reflect`. Values are written in the form that the derives of serde give a type
/// without attributes, so that a type may change from one derive to the other. Files in the compact
/// form also have the layout of each type, which is another one if the type contains itself, or a
/// field is written by serde.
///
/// # Expansion
/// ```text
/// #[derive(Reflect)]
/// struct Health { now: i32, max: i32 }
/// ```
/// expands to
/// ```text
/// unsafe impl Reflect for Health {
///     fn value_type() -> &'static ValueType { .. }        // the names, offsets and types of the fields, a constant
/// }
/// impl Serialize for Health { .. }                        // writes what the description lists
/// impl<'de> Deserialize<'de> for Health { .. }            // reads it
/// ```
/// An enum has two functions in its description, which take a value apart and build one.
#[proc_macro_derive(Reflect, attributes(reflect, serde))]
pub fn reflect(item: TokenStream) -> TokenStream {
    stages::reflect(item.into()).into()
}

/// Makes a struct a bundle: components that are spawned, inserted and removed together.
///
/// ```text
/// #[derive(Bundle)]
/// #[bundle(crate = path)]                                 // only if the library is not at `::ecs`
/// struct Ship { body: Body, engine: Engine }              // or: struct Ship(Body, Engine);
/// ```
///
/// Each field is a component, a tuple of bundles, or another derived bundle. A bundle that contains
/// a component twice does not compile.
///
/// # Expansion
/// ```text
/// #[derive(Bundle)]
/// struct Ship { body: Body, engine: Engine }
/// ```
/// expands to
/// ```text
/// impl<W: World> IsBundle<W> for Ship { type Shape = StructShape; }
/// impl BundleFields for Ship {
///     type Tuple = (Body, Engine);                        // the struct is a bundle where this tuple is one
///     fn into_tuple(self) -> Self::Tuple { .. }
///     fn from_tuple(tuple: Self::Tuple) -> Self { .. }
/// }
/// ```
#[proc_macro_derive(Bundle, attributes(bundle, component, event, resource))]
pub fn bundle(item: TokenStream) -> TokenStream {
    stages::bundle(item.into()).into()
}

/// Makes a struct an aspect: a named set of components with values, built from components and other
/// aspects.
///
/// ```text
/// #[derive(Aspect)]
/// #[aspect(crate = path)]                                 // only if the library is not at `::ecs`
/// struct Monster {
///     #[aspect(.health.max = 9, .speed = Speed(2))]       // overrides within the field, at any depth
///     body: Body,                                         // another aspect
///     #[aspect(default = Gold(roll(6)))]                  // evaluated for each new value
///     gold: Gold,                                         // a component
///     name: Name,                                         // starts with its `Default` value
/// }
/// ```
///
/// An aspect is also a bundle, see `derive(Bundle)`. An aspect that contains a component twice does
/// not compile.
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

/// Makes an enum a meta-aspect: a list of alternative aspects, one of which an entity has.
///
/// ```text
/// #[derive(MetaAspect)]
/// #[aspect(crate = path)]                                 // only if the library is not at `::ecs`
/// enum Mind { Player(PlayerMind), Monster(MonsterMind) }  // each variant holds an aspect or a component
/// ```
///
/// Meta-aspects nest: a field with `#[one_of]` holds another meta-aspect, alone or next to an
/// aspect or a component. The variant `Player(PlayerMind, #[one_of] Camera)` matches an entity that
/// has all of `PlayerMind` and one variant of `Camera`.
///
/// The first variant whose components an entity has is taken. A variant with all components of an
/// earlier one could never be taken; it is a compile error.
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

/// Makes a struct with named fields query data.
///
/// ```text
/// #[derive(Query)]
/// #[query(crate = path)]                                  // only if the library is not at `::ecs`
/// struct Mover<'a> { position: &'a mut Position, velocity: &'a Velocity, entity: Entity }
/// ```
///
/// The struct has at most one lifetime, that of the borrow. Each field is a query element: `&'a T`,
/// `&'a mut T`, `Ref<'a, T>`, `Mut<'a, T>`, `Option` of those, `Entity`, `Is<T>`, a tuple of
/// elements, or another such struct. Use it as `Query<Mover>`, or as `Each<Mover>` in a per-entity
/// system.
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
/// impl<'a, W: World> WorldData<W> for Mover<'a> where Mover<'a>: Borrows<W, EmptySet> {}
/// ```
#[proc_macro_derive(Query, attributes(query))]
pub fn query(item: TokenStream) -> TokenStream {
    stages::query(item.into()).into()
}

/// Makes a struct of parameters a parameter of systems.
///
/// ```text
/// #[derive(SystemParam)]
/// #[system_param(crate = path)]                           // only if the library is not at `::ecs`
/// struct Hunt<'w> {
///     hunters: Query<'w, (&'static mut Position, &'static Speed)>,
///     clock: Res<'w, Clock>,
///     count: Local<'w, u32>,
/// }
/// ```
///
/// Each field is a parameter of systems: `Query`, `Res`, `Commands`, a tuple of parameters, another
/// such struct. The struct's lifetime is that of the parameters; the data of a query has `'static`.
/// A system takes the struct by its name, `mut hunt: Hunt`, and code without a system makes it from
/// its fields.
///
/// The struct is a parameter of every world that has what its fields need. A generic struct,
/// `struct Tally<'w, T: Component>`, is one for each type. The fields of one struct must not clash
/// with each other; messages name them by their path, `hunt.hunters`.
///
/// # Expansion
/// ```text
/// #[derive(SystemParam)]
/// struct Hunt<'w> { clock: Res<'w, Clock> }
/// ```
/// expands to
/// ```text
/// unsafe impl<'w, W: World> SystemParam<W> for Hunt<'w>
/// where
///     Res<'static, Clock>: for<'x> SystemParam<W, Item<'x> = Res<'x, Clock>>,
/// {
///     const ACCESS: Access = Access::of_fields(&[ParamInfo { name: "clock", access: .., .. }]);
///     type State = (<Res<'static, Clock> as SystemParam<W>>::State,);
///     type Item<'a> = Hunt<'a>;
///     unsafe fn get<'a>(..) -> Hunt<'a> { Hunt { clock: .. } }
///     ..
/// }
/// unsafe impl<'w, W: World> SharedParam<W> for Hunt<'w> where Res<'static, Clock>: SharedParam<W> { .. }   // for systems marked `par`
/// ```
#[proc_macro_derive(SystemParam, attributes(system_param))]
pub fn system_param(item: TokenStream) -> TokenStream {
    stages::system_param(item.into()).into()
}

/// Makes an enum the states of a game, with the transitions between them.
///
/// ```text
/// #[derive(States)]
/// #[states(within = game::Running)]                       // sub-states, which exist only in this state of another enum
/// #[states(computed)]                                     // or: states that a system computes, see `ComputedState`
/// #[states(module = phases)]                              // the name of the module; without it, that of the enum in snake case
/// #[states(crate = path)]                                 // only if the library is not at `::ecs`
/// enum Phase {
///     #[state(to(Play))]                                  // the state can change to `Play` only
///     Menu,
///     #[state(to(Play, Over))]                            // a transition to itself: the state is left and entered again
///     Play,
///     Over,                                               // without the attribute: to every other state
///     Level(u8),                                          // with data; without the attribute also to another level
///     #[state(to())]                                      // the state is final
///     Closed,
/// }
/// ```
///
/// The fields of variants are `PartialEq`, and states with different data are different states. The
/// first variant of sub-states has no fields, and no enum has parameters.
///
/// # Expansion
/// The derive makes a module with a type for each variant, with the visibility of the enum. Systems
/// and conditions of the library take these types, as `in_state::<phase::Play>`.
/// ```text
/// #[derive(States)]
/// enum Phase { #[state(to(Play))] Menu, Play }
/// ```
/// expands to
/// ```text
/// mod phase { pub(super) struct Menu {}  pub(super) struct Play {} }
/// impl States for Phase {
///     type Resource = State<Self>;                        // with `within`: `SubState<Self>`, and an impl of `SubStates`; with `computed`: `ComputedState<Self>`
///     const STATES_NAME: &'static str = "Phase";
///     const ALL: &'static [Self] = &[Self::Menu, Self::Play];
///     fn index(&self) -> usize { .. }
///     fn state_name(&self) -> &'static str { .. }
///     fn transitions(&self) -> &'static [Self] { .. }
/// }
/// impl StateVariant for phase::Menu { type States = Phase; const INDEX: usize = 0; }
/// impl StateValue for phase::Menu { const VALUE: Phase = Phase::Menu; }   // of a variant without fields
/// impl CanChangeTo<phase::Play, Phase> for phase::Menu {} // for each allowed transition
/// ..
/// ```
#[proc_macro_derive(States, attributes(states, state))]
pub fn states(item: TokenStream) -> TokenStream {
    stages::states(item.into()).into()
}

/// Makes a function a system: its parameters declare the data that it reads and writes.
///
/// ```text
/// #[system(Game)]                  // of one world
/// #[system]                        // of every world that has the components, resources and events of the parameters
/// #[system(W)]                     // the same, for a function with a type parameter `W` for the world
/// #[system(Game, init = setup)]    // calls `fn setup(world: &mut Game)` once for each place in a schedule
/// #[system(Game, exit = cleanup)]  // calls `fn cleanup(world: &mut Game)` after the system was removed
/// #[system(Game, par)]             // a per-entity system on several threads; the other parameters are read-only
/// #[system(Game, background(ticks = 3))]   // reads a copy of the world on another thread; its commands arrive three runs of the schedule later
/// #[system(Game, background(when_done))]   // or in the first run of the schedule after the function has ended
/// #[system(Game, crate = path)]    // the path of the library, if it is not `::ecs`
/// fn name(parameters) -> Output { .. }
/// ```
///
/// The macro classifies a parameter by the last name of its type's path:
///
/// | parameter | meaning |
/// |---|---|
/// | `&T`, `&mut T`, `Ref<T>`, `Mut<T>`, `Option` of those, `Entity`, `Is<T>`, `Each<Q>` | an element: the system runs once for every matching entity, and returns nothing |
/// | `With<T>`, `Without<T>`, `And<..>`, `Or<..>`, `Not<F>`, `Changed<T>`, `Added<T>`, `AllowDisabled` | a filter: restricts the entities that match |
/// | `Query<D>`, `Query<D, F>` | a query as a whole |
/// | `&mut Game`, the world, by this name or behind an alias | exclusive access; the only other parameters are `Local<T>` |
/// | anything else, such as `Res<T>`, `EventReader<E>`, `Commands<Game>`, `Local<T>`, or an alias | any type that implements `SystemParam` |
///
/// A system is a plain function: not `async`, `const`, `unsafe` or `extern`, without `self` and
/// without `impl Trait`. In a system that is generic over its world, write the lifetimes of other
/// types: `Each<Mover<'_>>`.
///
/// A system in the background takes parameters that read the copy, and writes by `EventWriter`,
/// `ParCommands`, `Accumulator` and `Local`: see the module `ecs::background`.
///
/// The world calls the function behind `init` when it is created, after all resources exist: once
/// for each place of the system in the schedules, in source order. Neither a clone of the world nor
/// `run` calls it. The `init` function of a generic system is generic over the world, too.
///
/// A `Schedule`, which is built at run time, calls `init` when the system is added, and the
/// function behind `exit` when it is removed by `remove`, `remove_named`, `clear` or `close`: once
/// for each place, after the state of the system was dropped. When several systems are removed at
/// once, the last added is removed first. `world.exit_systems()` calls the `exit` functions of the
/// systems in the schedules of the world.
///
/// In documentation, ``[`name()`]`` links to the system. `cargo doc` shows it once, as a function;
/// the macro adds a section that says what the system reads and writes.
///
/// # Expansion
/// The function stays as it is. The macro adds a type with the name of the function, for schedules
/// and for `world.run::<advance>()`:
/// ```text
/// #[system(Game, init = setup, exit = cleanup)]
/// fn advance(clock: Res<Clock>, mut bumped: EventReader<Bumped>) { .. }
/// ```
/// expands to the function and
/// ```text
/// struct advance {}
/// const __PARAMS: &[ParamInfo] = &[..];           // for each parameter, what it reads and writes
/// unsafe impl StateFunctions<Game> for advance {  // left out if no parameter has a state
///     fn init(..) -> SystemState { .. }           // makes the states of the parameters
///     unsafe fn finish(..) { .. }                 // after each run, for `Commands` and others
///     unsafe fn has_news(..) -> bool { .. }       // whether there is something to react to
/// }
/// unsafe impl System<Game> for advance {
///     const DESC: SystemDesc<Game> = SystemDesc {
///         setup: Some(..),                        // the function behind `init`
///         exit: Some(..),                         // the function behind `exit`
///         ..SystemDesc::with_states::<Self>("advance", __PARAMS, ..)
///     };
///     type Out = ();
///     unsafe fn run(..) -> Self::Out { .. }       // makes the parameters, calls the function
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
///     #[derive(Clone)]
///     pub struct Game {
///         components { position: Position, Frozen }       // without a name: the type's, in snake case
///         resources  { clock: Clock, score: Score = Score::default() }
///         events     { Bumped, Clicked(external, keep = 64, full = newest) }
///     }
///     observers { wound, die if playing } max 100         // systems that run at each `;` when their trigger has something new
///     schedule tick {
///         steer, movement;                                // `;` ends a stage
///         spawn(3) as second every 60 if playing;         // arguments, a name, a period, a condition
///         count | report;                                 // the output of `count` is the input of `report`
///         (bump, settle; draw) if !paused && (day || lit);    // a group: one condition, evaluated once
///         react { burn, spread } max 16;                  // runs again until no system has something to react to
///     }
///     schedule start -> Result { read, check }            // takes systems that return `Result<(), E>`
///     schedule simulate every FixedTime { tick }          // runs another schedule for each step of the clock
/// }
/// ```
///
/// A schedule behaves as if its systems ran in source order. Systems of one stage without
/// conflicting access may run at the same time. Commands are applied at the end of the stage. A
/// system that takes the whole world is a stage by itself.
///
/// A system occurs at most once in a schedule, and again under another name, `movement as second`;
/// a generic system is named with its types, `damage::<Fire>`. A world has at most 512 components,
/// 256 resources and 256 events. Whether a system runs on several threads is no part of the
/// schedule: see `par` of [`system`](macro@system).
///
/// # Grammar
/// Parts in `[ ]` may be left out, `..` is more of the same, and `|` stands between alternatives;
/// where `|` is a sign of the schedule itself, it stands in quotation marks. A comma may follow the
/// last item of a list.
///
/// ```text
/// WORLD      [#![crate = PATH]]                           the path of the library, if it is not `::ecs`
///            [#[derive(TRAIT, ..)]] [#[world(OPTION, ..)]] [VISIBILITY] struct NAME { SECTION | INCLUDE .. }
///            [SCHEDULE | OBSERVERS ..]                    in any order
///
/// TRAIT      Clone | Serialize | Deserialize | Reflect    the last three with the features `serde` and `reflect`
/// OPTION     alias = "Old" | alias("Old", "Older")        names of the world in older files
///            journal = NUMBER                             the size of the journal of structural changes
///
/// SECTION    components { [FIELD:] TYPE, .. }             each of the three at most once
///            resources  { [FIELD:] TYPE [= VALUE], .. }   without a value: a parameter of `new`
///            events     { [FIELD:] TYPE [(OPTION, ..)], .. }   the options are in the table below
///
/// INCLUDE    include PATH [as PREFIX] [{ CHANGE, .. }];   the parts of a library, see `parts!`
/// CHANGE     ENTRY [as FIELD] [(OPTION, ..)] [= VALUE]    at least one of the three; ENTRY is a field or a type of the parts
///
/// SCHEDULE   schedule NAME [-> Result] [every CLOCK] { STEPS }   CLOCK is a resource such as `FixedTime`
/// OBSERVERS  observers { STEP, .. } [max NUMBER]          once; one stage; without `max`: 16 rounds at one place
///
/// STEPS      STEP , or ; STEP ..                          `,` goes on in the stage, `;` ends it
/// STEP       SYSTEM [as NAME] [every PERIOD] [if CONDITION]
///            SCHEDULE_NAME [as NAME] [every PERIOD] [if CONDITION]
///            ( STEPS ) [every PERIOD] [if CONDITION]      a group; at least one of the two
///            react { STEP, .. } max NUMBER                one stage, which is repeated at most this number of times
///            include PATH [{ BESIDE .. }] [every PERIOD] [if CONDITION]   a schedule of `parts!`
/// BESIDE     before SYSTEM { STEPS } | after SYSTEM { STEPS }   steps beside a system of the included schedule
///
/// SYSTEM     PATH [(ARGUMENT, ..)] ["|" PATH ..]          arguments are constant expressions for the inputs `In<T>`
/// PERIOD     60                                           each 60th run of this place
///            0.5 s | 500 ms                               times of the resource `ecs::time::Clock`
/// CONDITION  SYSTEM                                       a system that returns `bool`
///            !CONDITION | CONDITION && CONDITION | CONDITION "||" CONDITION | (CONDITION)
/// ```
///
/// `PATH` may have type arguments, `damage::<Fire>`. The groups and includes in `observers` and
/// `react` have one stage, and `observers` names no schedule.
///
/// | before | attributes |
/// |---|---|
/// | the struct | `derive`, `world`, documentation, and others that a struct may have |
/// | an entry of a section, a schedule | `#[cfg(..)]`, documentation |
/// | a step, a group, `include` | `#[cfg(..)]` |
/// | a section, `observers`, `react` | documentation |
///
/// # A program with all of it
/// ```text
#[doc = include_str!("world_example.rs")]
/// ```
///
/// # Events
/// At least one system of the schedules sends an event, and at least one reads it. Options stand in parentheses:
///
/// | option | meaning |
/// |---|---|
/// | `external` | code outside of the schedules sends or drains the event; without a reader, events wait for `drain`, up to the bound |
/// | `keep = 1024` | at most 1024 unread events are kept; without the option, 131,072 at the end of a run |
/// | `keep = all` | all events are kept until every reader has read them |
/// | `full = oldest` | beyond the bound the oldest are dropped, and readers miss them; the default beside `keep = 1024` |
/// | `full = newest` | beyond the bound the events that do not fit are dropped |
/// | `full = panic` | beyond the bound, sending panics and names the slowest reader; no event of the batch is stored |
/// | `skip = clear` | a reader misses its unread events when its system is skipped, by a condition or because it is disabled |
/// | `skip = keep` | a reader misses no event when its system is skipped, also if `in_state` has skipped it |
///
/// # Steps of the library
/// If a system uses a `State`, a `SubState`, a `ComputedState` or a `Delayed`, a schedule names the
/// system that brings it forward: `transition`, `sub_transition`, `compute_state`, `send_due` or
/// `apply_due`; and `despawn_on_exit` or `despawn_on_enter` if the world has the component
/// `DespawnOnExit` or `DespawnOnEnter`. The option `external`, as in
/// `State<Phase>(external) = State::new(Phase::Menu)`, says that code outside of the schedules does
/// this.
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
/// unsafe impl RawWorld for Game { const WORLD_NAME: &'static str = "Game"; .. }
/// unsafe impl Has<Position> for Game { .. }               // for each component
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
/// const _: () = check_requires::<Game>();                 // and others, by `cargo check`
/// ```
#[proc_macro]
pub fn world(tokens: TokenStream) -> TokenStream {
    stages::world(tokens.into()).into()
}

/// Declares components from definitions in JSON files.
///
/// ```text
/// components_from! {
///     #![crate = path]                                    // only if the library is not at `::ecs`
///     "data/meta.json",                                   // from the folder of the crate's `Cargo.toml`
///     #[derive(Clone, Debug)] #[component(tracked)] pub "data/movement.json",
/// }
/// ```
///
/// A file has one definition, or a list of them. A definition is the name of the component and its
/// fields with their default values.
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
/// | `[1, 2]` | `Vec` of the one type of its values; integers among floats are floats |
/// | `{ "weight": 1.5 }` | a struct, named after the component and the key: `HitPointsArmour` |
///
/// `null` and empty lists have no type and are refused. The struct's name is the component's in
/// camel case. A field has the name of its key, as a raw identifier if the key is a keyword:
/// `r#type`.
///
/// Attributes and a visibility stand before the path; the visibility also applies to the fields.
/// `#[component(..)]` and documentation apply to the components, all other attributes to nested
/// structs, too. When a file changes, cargo compiles the crate again. List each file: there are no
/// patterns such as `*.json`, since the compiler would not notice a new file.
///
/// At run time, the type `Definitions` reads these files, or later versions of them, as new
/// defaults. Reading needs `#[derive(Serialize, Deserialize)]` before the path.
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
///         include shapes::shapes;                         // entries of other parts
///         needs rooms::rooms;                             // other parts that the world must include, too
///     }
/// }
/// ```
///
/// A world includes the parts as if their entries stood in its declaration:
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
/// Types and systems are named by paths of the library and must be as visible as `physics` is:
/// `pub` for other crates. The systems are generic over their world, `#[system]`. The macro checks
/// them in the library, in a world of exactly these parts; a compile error about an entry that a
/// world lacks underlines the `include` in that world. An event may have its senders or its readers
/// in the including world only.
///
/// The braces of an `include` name entries by their fields or types, and give fields other names,
/// resources first values, and events options:
/// `include physics::physics { clock as time = Clock::of(0.5), Bumped(external, keep = 256) };`.
/// With `include physics::physics as physics;` the names of the fields begin with `physics_`. If
/// several included parts include the same parts, their entries are one. `#[cfg(..)]` before an
/// `include` is a condition of the including crate.
///
/// Parts may have type parameters and constants,
/// `pub pool<T: Supply = Mana, const N: usize = 4> { components { Pool<T, N> } .. }`. A world
/// includes them and their schedules with arguments, `include pool::<Health>;`, also several times;
/// an entry whose type names no parameter is one for all. The checks in the library take the
/// defaults. A parameter without a default is bounded by traits that can be derived.
///
/// The parts and each schedule are a type and a macro in the module of `parts!`, and are imported
/// like other items: a module or struct of the same name in that module is an error. `#[cfg(..)]`
/// may stand before `parts!`, not inside.
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
/// unsafe impl RawWorld for only_physics { .. }               // a hidden world of these parts, which `cargo check` checks
/// ```
#[proc_macro]
pub fn parts(tokens: TokenStream) -> TokenStream {
    stages::parts(tokens.into()).into()
}

/// The second call of a `parts!` with `needs`, with the entries of the needed parts: emits the
/// checks.
#[doc(hidden)]
#[proc_macro]
pub fn including_parts(tokens: TokenStream) -> TokenStream {
    stages::including_parts(tokens.into()).into()
}

/// The second call of a `world!` with `include`, with the entries of the included parts: emits the
/// world.
#[doc(hidden)]
#[proc_macro]
pub fn including_world(tokens: TokenStream) -> TokenStream {
    stages::including_world(tokens.into()).into()
}

/// Derives of other libraries, and misspelt ones: each is an error that says what to write, and
/// expands like the derive of this library, so that no other error follows.
macro_rules! foreign_derives {
    ($($function:ident $derive:ident [$($attribute:ident)*];)*) => {$(
        #[doc(hidden)]
        #[proc_macro_derive($derive, attributes($($attribute),*))]
        pub fn $function(item: TokenStream) -> TokenStream {
            stages::foreign_derive(stringify!($derive), item.into()).into()
        }
    )*};
}

foreign_derives! {
    foreign_query_data QueryData [query_data query];
    foreign_world_query WorldQuery [world_query query];
    foreign_query_filter QueryFilter [query_filter];
    foreign_deref Deref [deref];
    foreign_deref_mut DerefMut [deref];
    foreign_system_set SystemSet [];
    foreign_schedule_label ScheduleLabel [];
    foreign_sub_states SubStates [source states state];
    foreign_computed_states ComputedStates [source];
    foreign_message Message [message event];
    foreign_entity_event EntityEvent [entity_event event_target event];
    foreign_state State [state states];
    foreign_unique Unique [resource];
    foreign_system_data SystemData [system_param];
    misspelt_component component [component relation require];
    misspelt_components Components [component relation require];
    misspelt_resource resource [resource];
    misspelt_resources Resources [resource];
    misspelt_event event [event];
    misspelt_events Events [event];
    misspelt_bundle bundle [bundle];
}

/// The conditions of methods of other libraries, with the messages that there are no such methods.
#[doc(hidden)]
#[proc_macro]
pub fn foreign_conditions(tokens: TokenStream) -> TokenStream {
    syn::parse_macro_input!(tokens with foreign::conditions).into()
}

/// A misspelt `#[system]`.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn systems(arguments: TokenStream, item: TokenStream) -> TokenStream {
    stages::systems(arguments.into(), item.into()).into()
}
