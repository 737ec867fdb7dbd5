//! The agents of a picture: who is at a place at which the user clicks, and where the chosen one is.

use ecs::component::Hooked;
use ecs::prelude::*;
use ecs::reflect::ReflectWorld;
use ecs::system::HookState;

use super::ModelWindow;
use crate::cell_list::{CellList, Positioned, Scalar};
use crate::cells::{Cell, CellIndex};
use crate::space::ContinuousSpace;

/// A place of a picture: columns and rows of a grid, or units of length of a space.
type Place = [f64; 2];

/// The agents at a place.
type Find<W> = Box<dyn Fn(&W, Place) -> Vec<Entity>>;

/// The middle of an agent.
type Locate<W> = Box<dyn Fn(&W, Entity) -> Option<Place>>;

/// The kinds of agents.
pub(super) struct AgentFinders<W>(Vec<(Find<W>, Locate<W>)>);

impl<W> AgentFinders<W> {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The agents at a place.
    pub(super) fn at(&self, world: &W, place: Place) -> Vec<Entity> {
        self.0.iter().flat_map(|(find, _)| find(world, place)).collect()
    }

    /// The middle of an agent.
    pub(super) fn place_of(&self, world: &W, agent: Entity) -> Option<Place> {
        self.0.iter().find_map(|(_, locate)| locate(world, agent))
    }
}

/// The agents at which the user can click.
impl<W: ReflectWorld + 'static> ModelWindow<W> {
    /// Agents in cells, whose component is [`SingleCell`](crate::cells::SingleCell), [`Cell`], or one of
    /// the program with the same hook. Of several agents in a cell, each click chooses the next one.
    #[must_use]
    pub fn cells<C>(self) -> Self
    where
        C: Hooked<Hook = CellIndex> + Copy + Into<Cell>,
        W: World + Has<C>,
    {
        let find = |world: &W, [x, y]: Place| {
            let cell = Cell { x: x as u32, y: y as u32 };
            HookState::<C>::of(world).at(cell).to_vec()
        };
        let middle = |at: u32| f64::from(at) + 0.5;
        let locate = move |world: &W, agent| {
            let cell: Cell = (*world.get::<C>(agent)?).into();
            Some([middle(cell.x), middle(cell.y)])
        };
        self.agents(find, locate)
    }

    /// Agents at points of a [`ContinuousSpace`]: `.points::<Position, f32, 2>()`. A click chooses the
    /// nearest one.
    #[must_use]
    pub fn points<P, S, const D: usize>(self) -> Self
    where
        P: Hooked<Hook = CellList<S, D>> + Positioned<S, D>,
        S: Scalar,
        W: World + Has<P> + HasResource<ContinuousSpace<S, D>>,
    {
        let find = |world: &W, place: Place| {
            let point = std::array::from_fn(|axis| place.get(axis).map_or(S::default(), |&at| S::of(at)));
            let space = World::resource::<ContinuousSpace<S, D>>(world);
            let nearest = space.nearest(&HookState::<P>::of(world), point, 1);
            nearest.into_iter().map(|near| near.agent).collect()
        };
        let locate = |world: &W, agent| {
            let point = world.get::<P>(agent)?.point();
            Some([0, 1].map(|axis| point.get(axis).map_or(0.5, |at| at.to_f64())))
        };
        self.agents(find, locate)
    }

    /// Agents whose places a function knows: `find` returns those at a place, and `locate` the place
    /// of an agent, or `None`. Places are columns and rows of a grid with its first cell from 0 to
    /// 1, or units of length of a space.
    #[must_use]
    pub fn agents(
        mut self,
        find: impl Fn(&W, [f64; 2]) -> Vec<Entity> + 'static,
        locate: impl Fn(&W, Entity) -> Option<[f64; 2]> + 'static,
    ) -> Self {
        self.agents.0.push((Box::new(find), Box::new(locate)));
        self
    }
}
