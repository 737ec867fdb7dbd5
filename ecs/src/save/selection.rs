//! [`Selection`]: some components of some entities, to be saved, sent, compared or moved.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::SaveError;
use super::delta::Baseline;
use super::delta::apply::Replica;
use super::delta::component::SelectedComponent;
use super::delta::error::DeltaError;
use super::layout::{Layout, fingerprint};
use super::merge::{DanglingIds, Merged};
use super::wire::{Wire, WireForm};
use crate::base::tuples::for_tuples;
use crate::component::{Component, Has};
use crate::entity::Entity;
use crate::persist::image::names;
use crate::raw_world::{WorldFields, discard};
use crate::world::World;

/// Components that a [`Selection`] of world `W` may contain: a component that is `Serialize` and
/// `Deserialize`, the [`Wire`] of a component, or a tuple of these and of tuples.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be selected of world `{W}`",
    label = "not a component of `{W}` that is `Serialize` and `Deserialize`, nor a tuple of such components",
    note = "a selection lists components of the world as types: `Selection::<{W}>::of::<(Position, Health)>()`",
    note = "each component needs `#[derive(Serialize, Deserialize)]`, is listed in the `world!` of `{W}`, and is named without `&`"
)]
pub trait ComponentList<W: World> {
    #[doc(hidden)]
    fn list(list: &mut Vec<SelectedComponent>);
}

#[diagnostic::do_not_recommend]
impl<W: World + Has<T>, T: Component + Serialize + DeserializeOwned + 'static> ComponentList<W> for T {
    fn list(list: &mut Vec<SelectedComponent>) {
        list.push(SelectedComponent::new::<W, T, T>());
    }
}

#[diagnostic::do_not_recommend]
impl<W: World + Has<T>, T: Component + WireForm> ComponentList<W> for Wire<T> {
    fn list(list: &mut Vec<SelectedComponent>) {
        list.push(SelectedComponent::new::<W, T, Self>());
    }
}

macro_rules! tuples {
    ($($name:ident $index:tt)*) => {
        impl<W: World, $($name: ComponentList<W>),*> ComponentList<W> for ($($name,)*) {
            #[allow(unused_variables)]
            fn list(list: &mut Vec<SelectedComponent>) {
                $($name::list(list);)*
            }
        }
    };
}
tuples!();
for_tuples!(tuples);

/// A component of world `W`, by whose presence a [`Selection`] chooses entities.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component of world `{W}`",
    label = "not a component of `{W}`",
    note = "a selection names a component alone: `with::<Visible>()` for `with::<With<Visible>>()`, `without::<Visible>()` for `with::<Without<Visible>>()`, and one call for each component of a tuple",
    note = "the `world!` of `{W}` lists its components: `components {{ Visible }}`"
)]
pub trait PresenceIn<W: World> {
    #[doc(hidden)]
    fn word(world: &W, word: usize) -> u64;
}

#[diagnostic::do_not_recommend]
impl<W: World + Has<T>, T: 'static> PresenceIn<W> for T {
    fn word(world: &W, word: usize) -> u64 {
        world.column::<T>().word(word)
    }
}

/// The presence of a component that an entity must have, or must not have.
struct PresenceFilter<W> {
    word: fn(&W, usize) -> u64,
    wanted: bool,
}

/// Some components of some entities of a world `W`. A selection saves a part of a world, moves it
/// to another world, or keeps another world up to date with deltas.
///
/// [`of`](Self::of) chooses the components, as a tuple of types. All entities are selected, unless
/// [`with`](Self::with), [`without`](Self::without) or [`only`](Self::only) choose some of them.
/// [`restrict`](Self::restrict) selects a component of some of these entities only. The two worlds
/// may be of different types, if both have the components.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::save::{Baseline, Replica, Selection};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
/// struct Position(f32, f32);
/// #[derive(Component, Clone, Serialize, Deserialize)]
/// #[component(tracked)]
/// struct Health(u32);
/// #[derive(Component, Clone)]
/// struct Visible;
/// #[derive(Component)]
/// struct Sprite(&'static str);
///
/// world! { #[derive(Clone)] struct Server { components { Position, Health, Visible } } }
/// world! { struct Client { components { Position, Health, Sprite } } }
///
/// let mut server = Server::new();
/// let hero = server.spawn((Position(1.0, 2.0), Health(9), Visible));
/// server.spawn((Position(7.0, 7.0), Health(1)));
///
/// // the server sends what a client does not know yet
/// let shown = Selection::of::<(Position, Health)>().with::<Visible>();
/// let first = shown.delta(&Baseline::nothing(), &server, 1)?;
/// let known = shown.baseline(&mut server, 1);
/// server.get_mut::<Position>(hero).unwrap().0 = 1.5;
/// let second = shown.delta(&known, &server, 2)?;
///
/// // the client has entities and ids of its own
/// let mut client = Client::new();
/// client.spawn(Sprite("tree"));
/// let received = Selection::<Client>::of::<(Position, Health)>();
/// let mut replica = Replica::new();
/// received.apply(&mut client, &mut replica, &first)?;
/// received.apply(&mut client, &mut replica, &second)?;
/// let local = replica.get(hero).expect("it was sent");
/// assert_eq!(client.get(local), Some(&Position(1.5, 2.0)));
/// assert_eq!(client.query::<&Position>().len(), 1);
/// assert!(received.apply(&mut client, &mut replica, &second).is_err()); // a delta is applied once
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Selection<W: World> {
    pub(super) components: Vec<SelectedComponent>,
    /// The names of the components in files.
    pub(super) names: Vec<&'static str>,
    /// A hash of the names and layouts of the components.
    pub(super) fingerprint: u64,
    /// The hash in older deltas, whose layouts lack parts of some types.
    pub(super) former: u64,
    /// For each component, whether its values may contain ids of entities.
    pub(super) has_ids: Vec<bool>,
    /// The reason why the selection cannot be written.
    pub(super) unsupported: Option<String>,
    filters: Vec<PresenceFilter<W>>,
    /// Sorted.
    only: Option<Vec<Entity>>,
    /// The entities of which a component is selected, for components with such a list, in the order
    /// of the components.
    restricted: Vec<(usize, Vec<Entity>)>,
}

/// The selected part of a world at one time: a bit for each slot.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct ChosenSlots {
    pub(super) entities: Vec<u64>,
    /// The slots of which a component is selected, for components that are restricted.
    components: Vec<(usize, Vec<u64>)>,
}

impl ChosenSlots {
    /// Removes from `set` the slots of which the component is not selected.
    pub(super) fn retain(&self, component: usize, set: &mut [u64]) {
        if let Some((_, slots)) = self.components.iter().find(|(at, _)| *at == component) {
            for (word, set) in set.iter_mut().enumerate() {
                *set &= slots.get(word).copied().unwrap_or(0);
            }
        }
    }
}

impl<W: World> Selection<W> {
    /// Selects the components `C`, a component or a tuple of components, of all entities. A
    /// component that occurs twice is selected once.
    pub fn of<C: ComponentList<W>>() -> Self {
        let mut listed = Vec::new();
        C::list(&mut listed);
        let mut components: Vec<SelectedComponent> = Vec::new();
        for component in listed {
            if components.iter().all(|other| other.index() != component.index()) {
                components.push(component);
            }
        }
        let all = names(W::COMPONENTS);
        let names: Vec<&'static str> = components.iter().map(|component| all[component.index()]).collect();
        let layouts: Vec<_> = components.iter().map(|component| component.layout()).collect();
        let of = |text: fn(&Layout) -> &str| {
            fingerprint(names.iter().zip(&layouts).flat_map(|(name, layout)| [*name, text(layout)]))
        };
        let (fingerprint, former) = (of(|layout| &layout.text), of(Layout::former));
        let unsupported = layouts.iter().position(|layout| layout.asks).map(|at| {
            format!(
                "the `Deserialize` of component `{}` calls `deserialize_any` (`flatten`, `untagged`, or an internal tag), which only \
                 the human-readable form supports",
                names[at]
            )
        });
        let has_ids = layouts.iter().map(|layout| layout.has_ids).collect();
        Self {
            components,
            names,
            fingerprint,
            former,
            has_ids,
            unsupported,
            filters: Vec::new(),
            only: None,
            restricted: Vec::new(),
        }
    }

    /// Selects only entities that have the component `T`, which need not be one of the selected
    /// components.
    #[must_use]
    pub fn with<T: PresenceIn<W>>(self) -> Self {
        self.filtered::<T>(true)
    }

    /// Selects only entities that do not have the component `T`.
    #[must_use]
    pub fn without<T: PresenceIn<W>>(self) -> Self {
        self.filtered::<T>(false)
    }

    fn filtered<T: PresenceIn<W>>(mut self, wanted: bool) -> Self {
        self.filters.push(PresenceFilter { word: T::word, wanted });
        self
    }

    /// Selects only these entities, for instance those in the view of one player. Ids of despawned
    /// entities are ignored. A later call replaces the entities of an earlier one.
    #[must_use]
    pub fn only(mut self, entities: impl IntoIterator<Item = Entity>) -> Self {
        let mut only: Vec<Entity> = entities.into_iter().collect();
        only.sort_unstable();
        self.only = Some(only);
        self
    }

    /// Selects the component `T`, which is one of the selected components, of these entities only,
    /// for instance the hand of cards of one player. A later call for the same component replaces
    /// the entities of an earlier one.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::save::{DanglingIds, Replica, Selection};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Serialize, Deserialize)]
    /// struct Place(i32);
    /// #[derive(Component, Serialize, Deserialize)]
    /// struct Hand(Vec<u8>);
    ///
    /// world! { struct Table { components { Place, Hand } } }
    ///
    /// let mut table = Table::new();
    /// let ann = table.spawn((Place(1), Hand(vec![7, 9])));
    /// let bob = table.spawn((Place(2), Hand(vec![3])));
    /// // Ann sees both players, and her own hand
    /// let for_ann = Selection::of::<(Place, Hand)>().restrict::<Hand>([ann]).save(&table)?;
    ///
    /// let mut copy = Table::new();
    /// let merged = Selection::of::<(Place, Hand)>().merge(&mut copy, &for_ann, Replica::new())?;
    /// assert_eq!(copy.get::<Hand>(merged.get(ann).unwrap()).map(|hand| hand.0.len()), Some(2));
    /// assert!(!copy.has::<Hand>(merged.get(bob).unwrap()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A symmetric relation is selected of both entities that it joins, or of neither: the
    /// receiver's world adds the other half. A component that a relation names in `target(..)` is
    /// selected of all targets of the selected relations: the receiver refuses a delta without it.
    ///
    /// # Errors
    /// [`delta`](Self::delta), and all other methods that read a world, return an error if `T` is
    /// not selected, or if another selected component requires it.
    #[must_use]
    pub fn restrict<T: Component>(mut self, entities: impl IntoIterator<Item = Entity>) -> Self
    where
        W: Has<T>,
    {
        let index = <W as Has<T>>::INDEX;
        let name = names(W::COMPONENTS)[index];
        let Some(at) = self.components.iter().position(|component| component.index() == index) else {
            self.unsupported = Some(format!("component `{name}` is restricted, and is not selected"));
            return self;
        };
        let mut others = self.components.iter().map(|component| component.index());
        if let Some(other) = others.find(|&other| other != index && W::CLOSURES[other].contains(index)) {
            let other = names(W::COMPONENTS)[other];
            self.unsupported = Some(format!("component `{name}` is restricted, and `{other}` requires it"));
        }
        self.restricted.retain(|(other, _)| *other != at);
        self.restricted.push((at, entities.into_iter().collect()));
        self.restricted.sort_unstable_by_key(|(at, _)| *at);
        self
    }

    /// The slots of the selected entities, and of the values of restricted components.
    pub(super) fn chosen(&self, world: &W) -> ChosenSlots {
        let slots_of = |entities: &[Entity]| {
            let mut slots = alloc::vec![0; world.__living().alive().len()];
            for entity in entities.iter().filter(|&&entity| world.contains(entity)) {
                slots[entity.slot() as usize / 64] |= 1 << (entity.slot() % 64);
            }
            slots
        };
        let components = self.restricted.iter().map(|(at, entities)| (*at, slots_of(entities))).collect();
        let mut chosen = match &self.only {
            None => world.__living().alive().to_vec(),
            Some(only) => slots_of(only),
        };
        for (word, chosen) in chosen.iter_mut().enumerate() {
            for PresenceFilter { word: of, wanted } in &self.filters {
                let bits = of(world, word);
                *chosen &= if *wanted { bits } else { !bits };
            }
        }
        ChosenSlots { entities: chosen, components }
    }

    /// Saves the selected part of the world, for [`merge`](Self::merge): the delta from nothing to
    /// frame 1.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::save::{DanglingIds, Replica, Selection};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
    /// struct Stack(u32);
    /// #[derive(Component)]
    /// struct Chest;
    ///
    /// world! { struct Game { components { Stack, Chest } } }
    ///
    /// let mut game = Game::new();
    /// let gold = game.spawn((Stack(100), Chest));
    /// game.spawn(Stack(1));
    /// let bytes = Selection::of::<Stack>().with::<Chest>().save(&game)?;
    ///
    /// let mut other = Game::new();
    /// let replica = Replica::new().entities(1000).bytes(1 << 16); // the bytes may come from anywhere
    /// let merged = Selection::of::<Stack>().merge(&mut other, &bytes, replica)?;
    /// assert_eq!(merged.len(), 1);
    /// assert_eq!(other.get(merged.get(gold).unwrap()), Some(&Stack(100)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a value cannot be serialized in the compact form.
    pub fn save(&self, world: &W) -> Result<Vec<u8>, SaveError> {
        self.delta(&Baseline::nothing(), world, 1)
    }

    /// Adds the entities of a saved part to the world. Each gets a new id, and ids in their
    /// components are mapped to the new ids.
    ///
    /// `replica` is a new one, with limits and with the treatment of ids whose entities are not in
    /// the part.
    ///
    /// # Errors
    /// The errors of [`apply`](Self::apply). The world is unchanged then.
    pub fn merge(&self, world: &mut W, bytes: &[u8], mut replica: Replica) -> Result<Merged, DeltaError> {
        self.apply(world, &mut replica, bytes)?;
        Ok(replica.into_merged())
    }
}

impl<W: World> fmt::Debug for Selection<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Selection")
            .field("world", &W::NAME)
            .field("components", &self.names)
            .field("filters", &self.filters.len())
            .field("only", &self.only.as_ref().map(Vec::len))
            .finish()
    }
}

/// Moves entities with the components `C` to another world, which may be of another type. Their
/// other components are dropped.
///
/// Ids in the components are mapped to the new ids of entities that move together. `dangling` says
/// what becomes of other ids.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::save::{DanglingIds, move_entities};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
/// struct Health(u32);
/// #[derive(Component, Serialize, Deserialize)]
/// struct Pet(Entity);
///
/// world! { struct Forest { components { Health, Pet } } }
/// world! { struct Town { components { Pet, Health } } }
///
/// let (mut forest, mut town) = (Forest::new(), Town::new());
/// let dog = forest.spawn(Health(3));
/// let ranger = forest.spawn((Health(9), Pet(dog)));
/// let moved = move_entities::<(Health, Pet), _, _>(&mut forest, [ranger, dog], &mut town, DanglingIds::Refuse)?;
/// let ranger = moved.get(ranger).unwrap();
/// assert_eq!(town.get::<Pet>(ranger).map(|pet| pet.0), moved.get(dog));
/// assert_eq!(forest.entities().len(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If an entity is not alive, if a value cannot be serialized, with [`DanglingIds::Refuse`] if a
/// component contains the id of an entity that stays, and if a rule of the other world refuses a
/// value. Both worlds are unchanged then.
///
/// # Panics
/// If code of a component panics. If that is a `Drop` while the entities leave `from`, they are in
/// the other world only.
pub fn move_entities<C, A: World, B: World>(
    from: &mut A,
    entities: impl IntoIterator<Item = Entity>,
    to: &mut B,
    dangling: DanglingIds,
) -> Result<Merged, DeltaError>
where
    C: ComponentList<A> + ComponentList<B>,
{
    let entities: Vec<Entity> = entities.into_iter().collect();
    if let Some(&entity) = entities.iter().find(|&&entity| !from.contains(entity)) {
        return Err(DeltaError::NotAlive { entity, world: A::NAME });
    }
    let bytes = Selection::<A>::of::<C>().only(entities.iter().copied()).save(from)?;
    let replica = Replica::new().dangling(dangling).memory(u64::MAX);
    let merged = Selection::<B>::of::<C>().merge(to, &bytes, replica)?;
    // an entity that was despawned with another one, by the rule of a relation, is gone already
    let mut rest = entities.into_iter();
    discard::despite_panics(&mut || rest.next().map(|entity| from.despawn(entity)).is_some());
    Ok(merged)
}
