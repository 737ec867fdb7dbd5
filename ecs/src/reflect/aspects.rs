//! Aspects by name: [`AspectNames`] lists those of a world, and the handles add, remove and swap
//! them.
//!
//! The values of an aspect are made by its own functions, and are inserted without a detour through
//! serde, so that a field that serde skips keeps its value. Only a component that a call changes is
//! read from a tree.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Deref;

use super::entry::ReflectedWorld;
use super::erased::{ErasedWorld, entry};
use super::error::{NameKind, ReflectError};
use super::path::ValuePath;
use super::world::{ReflectMut, Reflection, get_mut, put_all, split};
use crate::aspect::{Aspect, Part};
use crate::base::component_set::ComponentSet;
use crate::base::hidden::TypeDocs;
use crate::base::nearest::quoted;
use crate::bundle::{Bundle, BundleComponents, IntoComponents};
use crate::entity::Entity;
use crate::storage::detached_columns::DetachedColumns;
use crate::value::boxed::ValueBox;
use crate::value::tree::{DynamicValue, NO_NAMES, tree_of_described};

/// Gives the aspects of a world names at run time. A world with `#[derive(Reflect)]` whose program
/// implements this trait lists these aspects in [`Reflection::aspects`]; other worlds list none.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::Aspect;
/// use ecs::reflect::{AspectList, AspectNames, ReflectWorld};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
/// struct Health { now: u32, max: u32 }
/// #[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
/// struct Speed(u32);
///
/// /// Something that can be hurt.
/// #[derive(Aspect)]
/// struct Body {
///     #[aspect(default = Health { now: 5, max: 5 })]
///     health: Health,
///     speed: Speed,
/// }
///
/// world! {
///     #[derive(Reflect)]
///     struct Game { components { Health, Speed } }
/// }
///
/// impl AspectNames for Game {
///     fn aspect_names(list: AspectList<Self>) -> AspectList<Self> {
///         list.aspect::<Body>()
///     }
/// }
///
/// let mut game = Game::new();
/// let rat = game.spawn(());
/// let mut world = game.reflect_mut();
/// let [body] = &world.aspects()[..] else { panic!() };
/// assert_eq!((body.name, body.docs, &*body.components), ("Body", "Something that can be hurt.", &["Health", "Speed"][..]));
///
/// world.add_aspect(rat, "Body", &[("Health.max", 9.into())])?;
/// assert_eq!(world.aspects_of(rat)?, ["Body"]);
/// assert_eq!(game.get(rat), Some(&Health { now: 5, max: 9 }));
/// # Ok::<(), ecs::reflect::ReflectError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no names for its aspects",
    label = "does not implement `AspectNames`",
    note = "write `impl AspectNames for {Self}`, for a world with `#[derive(Reflect)]`"
)]
pub trait AspectNames: ReflectedWorld {
    /// Adds the aspects to an empty list, and returns it.
    fn aspect_names(list: AspectList<Self>) -> AspectList<Self>;
}

/// Makes the list of a world's aspects.
pub type ListAspects<W> = fn(AspectList<W>) -> AspectList<W>;

/// The aspects of a world that have names at run time: see [`AspectNames`].
pub struct AspectList<W> {
    pub(super) aspects: Vec<ListedAspect>,
    world: PhantomData<fn(W)>,
}

/// An aspect, as far as the type of the world does not matter.
#[derive(Clone)]
pub struct ListedAspect {
    pub(super) name: &'static str,
    pub(super) docs: TypeDocs,
    /// The numbers of the components.
    pub(super) components: Vec<usize>,
    /// The names of the aspects among the fields.
    pub(super) parts: Vec<&'static str>,
    /// Makes new values of the components.
    make: fn() -> Vec<(usize, ValueBox)>,
}

/// An aspect of a world.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AspectInfo {
    /// The name.
    pub name: &'static str,
    /// The documentation of the type: the text behind `///`.
    pub docs: &'static str,
    /// The components, in the order of the fields, with those of the aspects in it.
    pub components: Vec<&'static str>,
    /// The aspects that it consists of, without those that they consist of in turn.
    pub parts: Vec<&'static str>,
    /// The number of entities that have all of the components.
    pub count: usize,
}

impl<W: ReflectedWorld> AspectList<W> {
    /// Adds an aspect by the name of its type. Adding it again changes nothing.
    ///
    /// # Panics
    /// If a component of the world, or another aspect of the list, has this name.
    #[must_use]
    #[track_caller]
    pub fn aspect<A: Aspect + Bundle<W> + 'static>(self) -> Self {
        self.aspect_as::<A>(A::ASPECT_NAME)
    }

    /// Adds an aspect by another name: for two aspects whose types have the same name, and for
    /// generic aspects.
    ///
    /// # Panics
    /// If a component of the world, or another aspect of the list, has this name.
    #[must_use]
    #[track_caller]
    pub fn aspect_as<A: Aspect + Bundle<W> + 'static>(mut self, name: &'static str) -> Self {
        let make = make_values::<W, A>;
        if let Some(known) = self.aspects.iter().find(|known| known.name == name) {
            let is_same = core::ptr::fn_addr_eq(known.make, make as fn() -> _);
            assert!(
                is_same,
                "world `{}` has two aspects `{name}`: give one another name with `aspect_as`",
                W::NAME
            );
            return self;
        }
        let clashes = <W as crate::world::World>::COMPONENTS.contains(&name);
        assert!(!clashes, "world `{}` has a component `{name}`: name the aspect with `aspect_as`", W::NAME);
        let mut components = Vec::new();
        A::BundleComponents::each(&mut |index| components.push(index));
        let parts = match A::PART {
            Part::Aspect(tree) => {
                let aspects = tree.fields.iter().filter_map(|field| match field.part {
                    Part::Aspect(inner) => Some(inner.identity.name),
                    Part::Component(_) => None,
                });
                aspects.collect()
            }
            Part::Component(_) => Vec::new(),
        };
        self.aspects.push(ListedAspect { name, docs: A::ASPECT_DOCS, components, parts, make });
        self
    }

    /// The list of a world.
    pub(super) fn of_world() -> Self {
        let empty = Self { aspects: Vec::new(), world: PhantomData };
        match W::LISTS.aspects {
            Some(list) => list(empty),
            None => empty,
        }
    }
}

impl<W: ReflectedWorld> core::fmt::Debug for AspectList<W> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.aspects.iter().map(|aspect| aspect.name)).finish()
    }
}

/// Makes new values of an aspect, and boxes each component; hidden components are left out.
fn make_values<W: ReflectedWorld, A: Aspect + Bundle<W>>() -> Vec<(usize, ValueBox)> {
    let mut columns = DetachedColumns::default();
    IntoComponents::<W, _>::into_components(A::fresh()).scatter(0, &mut columns);
    let mut values = Vec::new();
    A::BundleComponents::each(&mut |index| {
        if let Some(entry) = entry::<W>(index)
            && let Some(value) = entry.detach(&mut columns, index)
        {
            values.push((index, value));
        }
    });
    values
}

impl<'w, A: Deref<Target = dyn ErasedWorld + 'w>> Reflection<A> {
    /// The aspects that [`AspectNames`] lists, and of which all components are shown.
    pub fn aspects(&self) -> Vec<AspectInfo> {
        self.shown_aspects().iter().map(|aspect| self.aspect_info(aspect)).collect()
    }

    /// The cost of [`aspects`](Self::aspects), which counts the entities of each aspect: one step
    /// for each component of an aspect, and one more for each 4,096 slots of the world. A server
    /// compares it with its limit.
    ///
    /// # Cost
    /// No entity is counted.
    pub fn cost_aspects(&self) -> usize {
        let pages = self.world.living().alive().len().div_ceil(64);
        self.shown_aspects().iter().map(|aspect| aspect.components.len().saturating_mul(1 + pages)).sum()
    }

    /// One aspect.
    ///
    /// # Errors
    /// If the world has no aspect of this name.
    pub fn aspect(&self, name: &str) -> Result<AspectInfo, ReflectError> {
        self.listed_aspect(name).map(|aspect| self.aspect_info(&aspect))
    }

    /// The names of the aspects of which the entity has all components, in the order of the list.
    ///
    /// # Errors
    /// If the entity is not alive.
    pub fn aspects_of(&self, entity: Entity) -> Result<Vec<&'static str>, ReflectError> {
        self.alive(entity)?;
        let held = |aspect: &&ListedAspect| self.lacks(entity, aspect).is_none();
        Ok(self.shown_aspects().iter().filter(held).map(|aspect| aspect.name).collect())
    }

    /// Whether the entity has all components of an aspect.
    ///
    /// # Errors
    /// If the entity is not alive, or the world has no aspect of this name.
    pub fn has_aspect(&self, entity: Entity, aspect: &str) -> Result<bool, ReflectError> {
        self.alive(entity)?;
        Ok(self.lacks(entity, &self.listed_aspect(aspect)?).is_none())
    }

    /// The values with which an aspect begins, by the names of its components.
    ///
    /// # Errors
    /// If the world has no aspect of this name, or the `Serialize` of a value fails.
    ///
    /// # Panics
    /// If an expression of the aspect panics.
    pub fn aspect_defaults(&self, name: &str) -> Result<Vec<(&'static str, DynamicValue)>, ReflectError> {
        let aspect = self.listed_aspect(name)?;
        (aspect.make)()
            .iter()
            .map(|(index, value)| Ok((self.component_name(*index), self.tree_of(*index, value)?)))
            .collect()
    }

    fn component_name(&self, index: usize) -> &'static str {
        self.world.component_names()[index]
    }

    /// The tree of a value that is not in the world.
    fn tree_of(&self, index: usize, value: &ValueBox) -> Result<DynamicValue, ReflectError> {
        let tree = tree_of_described(value.value());
        let path = || self.component_name(index).to_string();
        tree.map_err(|reason| ReflectError::Value { entity: None, path: path(), reason })
    }

    /// The aspects of which all components are shown: one with a hidden component could not be
    /// added.
    fn shown_aspects(&self) -> Vec<ListedAspect> {
        let mut aspects = self.world.listed_aspects();
        aspects.retain(|aspect| aspect.components.iter().all(|&index| self.shows.components.contains(index)));
        aspects
    }

    fn listed_aspect(&self, name: &str) -> Result<ListedAspect, ReflectError> {
        let aspects = self.shown_aspects();
        let known: Vec<&'static str> = aspects.iter().map(|aspect| aspect.name).collect();
        let found = aspects.into_iter().find(|aspect| aspect.name == name);
        found.ok_or_else(|| self.unknown(NameKind::Aspects, name, &known))
    }

    /// The documentation of an aspect and its fields.
    pub(super) fn aspect_docs(&self, name: &str) -> Result<TypeDocs, ReflectError> {
        Ok(self.listed_aspect(name)?.docs)
    }

    /// The first component of an aspect that a live entity lacks.
    fn lacks(&self, entity: Entity, aspect: &ListedAspect) -> Option<usize> {
        aspect.components.iter().copied().find(|&index| !self.world.has_at(index, entity.slot()))
    }

    fn aspect_info(&self, aspect: &ListedAspect) -> AspectInfo {
        let (words, components) = (self.world.living().alive(), &aspect.components);
        let both = |(word, &alive): (usize, &u64)| {
            components.iter().fold(alive, |bits, &index| bits & self.world.mask(index, word))
        };
        AspectInfo {
            name: aspect.name,
            docs: aspect.docs.iter().find(|(path, _)| path.is_empty()).map_or("", |(_, text)| text),
            components: components.iter().map(|&index| self.component_name(index)).collect(),
            parts: aspect.parts.clone(),
            count: words.iter().enumerate().map(|word| both(word).count_ones() as usize).sum(),
        }
    }

    /// New values of an aspect, some of them changed: pairs of a path, such as `Health.now`, and a
    /// value.
    fn changed_values(
        &self,
        entity: Entity,
        aspect: &ListedAspect,
        changes: &[(&str, DynamicValue)],
    ) -> Result<Vec<(usize, ValueBox)>, ReflectError> {
        let mut steps: Vec<(usize, ValuePath, &DynamicValue)> = Vec::new();
        for (path, value) in changes {
            let (name, path) = split(Some(entity), path)?;
            let index = self.number(NameKind::Components, name)?;
            if !aspect.components.contains(&index) {
                let known = quoted(aspect.components.iter().map(|&index| self.component_name(index)));
                let reason = format!("it is not in aspect `{}`, which has {known}", aspect.name);
                return Err(ReflectError::Path { entity: Some(entity), path: name.into(), reason });
            }
            steps.push((index, path, value));
        }
        let mut values = (aspect.make)();
        for (index, fresh) in &mut values {
            if !steps.iter().any(|(changed, ..)| changed == index) {
                continue;
            }
            let (name, mut whole) = (self.component_name(*index), self.tree_of(*index, fresh)?);
            for (_, path, value) in steps.iter().filter(|(changed, ..)| changed == index) {
                *get_mut(Some(entity), name, path, &mut whole)? = (*value).clone();
            }
            let Some(facts) = self.world.component_facts(*index) else { continue };
            *fresh = self.component_value(Some(entity), name, (facts.of)(), &whole, &NO_NAMES)?;
        }
        Ok(values)
    }
}

impl ReflectMut<'_> {
    /// Adds an aspect to an entity that has none of its components, as
    /// [`Aspects::add_aspect`](crate::aspect::Aspects::add_aspect) with its default values. Each
    /// change is a path that begins with a component of the aspect, and a value:
    /// `("Health.max", 9.into())`. [`AspectNames`] has an example.
    ///
    /// # Errors
    /// If the entity is not alive or has one of the components, the world has no aspect of this
    /// name, a change leads nowhere, or a rule refuses a value. Nothing is added then.
    ///
    /// # Panics
    /// If an expression of the aspect panics; nothing is added then. If the `Default` of a required
    /// component panics.
    pub fn add_aspect(
        &mut self,
        entity: Entity,
        aspect: &str,
        changes: &[(&str, DynamicValue)],
    ) -> Result<(), ReflectError> {
        self.writable()?;
        self.alive(entity)?;
        let aspect = self.listed_aspect(aspect)?;
        self.has_none(entity, &aspect, ComponentSet::EMPTY)?;
        let values = self.changed_values(entity, &aspect, changes)?;
        self.accepted(Some(entity), &values)?;
        put_all(self.world, entity, values);
        Ok(())
    }

    /// Makes sure that the entity has no component of an aspect, except for some.
    fn has_none(
        &self,
        entity: Entity,
        aspect: &ListedAspect,
        except: ComponentSet,
    ) -> Result<(), ReflectError> {
        let mut others = aspect.components.iter().filter(|&&index| !except.contains(index));
        match others.find(|&&index| self.world.has_at(index, entity.slot())) {
            Some(&index) => Err(ReflectError::Present { entity, component: self.component_name(index) }),
            None => Ok(()),
        }
    }

    /// Makes sure that the entity has all components of an aspect.
    fn has_whole(&self, entity: Entity, aspect: &ListedAspect) -> Result<(), ReflectError> {
        match self.lacks(entity, aspect) {
            Some(index) => Err(ReflectError::Missing { entity, component: self.component_name(index) }),
            None => Ok(()),
        }
    }

    /// Removes all components of an aspect from an entity, and returns their values with their
    /// names.
    ///
    /// # Errors
    /// If the entity is not alive or lacks one of the components, the world has no aspect of this
    /// name, or the `Serialize` of a value fails. Nothing is removed then.
    pub fn remove_aspect(
        &mut self,
        entity: Entity,
        aspect: &str,
    ) -> Result<Vec<(&'static str, DynamicValue)>, ReflectError> {
        self.writable()?;
        self.alive(entity)?;
        let aspect = self.listed_aspect(aspect)?;
        self.has_whole(entity, &aspect)?;
        let values = aspect
            .components
            .iter()
            .map(|&index| Ok((self.component_name(index), self.value_of(entity, index)?)));
        let values = values.collect::<Result<_, ReflectError>>()?;
        for index in aspect.components {
            self.world.take(index, entity);
        }
        Ok(values)
    }

    /// Removes the components of one aspect from an entity, and adds those of another, with changes
    /// as in [`add_aspect`](Self::add_aspect). Components that both aspects have get the values of
    /// the new one.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Aspect;
    /// # use ecs::reflect::{AspectList, AspectNames, ReflectWorld};
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)] struct Input;
    /// # #[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)] struct Plan(u32);
    /// #[derive(Aspect)]
    /// struct PlayerMind { input: Input }
    /// #[derive(Aspect)]
    /// struct MonsterMind { plan: Plan }
    /// # world! { #[derive(Reflect)] struct Game { components { Input, Plan } } }
    /// # impl AspectNames for Game {
    /// #     fn aspect_names(list: AspectList<Self>) -> AspectList<Self> { list.aspect::<PlayerMind>().aspect::<MonsterMind>() }
    /// # }
    /// let mut game = Game::new();
    /// let hero = game.spawn(PlayerMind::fresh());
    /// game.reflect_mut().swap_aspect(hero, "PlayerMind", "MonsterMind", &[("Plan", 3.into())])?;
    /// assert_eq!((game.get::<Input>(hero), game.get(hero)), (None, Some(&Plan(3))));
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    ///
    /// # Errors
    /// If the entity is not alive, lacks a component of the old aspect, or has one of the new
    /// aspect that is not in the old one; as [`add_aspect`](Self::add_aspect) for the others. The
    /// entity has its old components then; if a rule has refused a value, they count as removed and
    /// inserted again.
    ///
    /// # Panics
    /// As [`add_aspect`](Self::add_aspect).
    pub fn swap_aspect(
        &mut self,
        entity: Entity,
        old: &str,
        new: &str,
        changes: &[(&str, DynamicValue)],
    ) -> Result<(), ReflectError> {
        self.writable()?;
        self.alive(entity)?;
        let (old, new) = (self.listed_aspect(old)?, self.listed_aspect(new)?);
        self.has_whole(entity, &old)?;
        let held = old.components.iter().fold(ComponentSet::EMPTY, |set, &index| set.with(index));
        self.has_none(entity, &new, held)?;
        let values = self.changed_values(entity, &new, changes)?;
        // rules are asked after the removal: the new aspect may exclude the old one
        let held = self.world.held_of_targets(entity);
        let mut removed = RemovedAspect { world: self.reborrow(), entity, values: Vec::new(), held };
        for &index in &old.components {
            let value = removed.world.world.take_before_others(index, entity);
            removed.values.extend(value.map(|value| (index, value)));
        }
        removed.world.accepted(Some(entity), &values)?;
        removed.values.clear();
        put_all(removed.world.world, entity, values);
        Ok(())
    }
}

/// Inserts the values of an old aspect again if a rule refuses the new one, or panics. Then the
/// policies of relations are applied to the sources of the entity, if it has lost a component.
struct RemovedAspect<'w> {
    world: ReflectMut<'w>,
    entity: Entity,
    values: Vec<(usize, ValueBox)>,
    held: ComponentSet,
}

impl Drop for RemovedAspect<'_> {
    fn drop(&mut self) {
        for (index, value) in self.values.drain(..) {
            self.world.world.put(index, self.entity, value);
        }
        self.world.world.lose_target(self.entity, self.held);
    }
}
