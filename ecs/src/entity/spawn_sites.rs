//! The places in the source where the entities of a world were spawned. In builds without debug
//! assertions these types are empty, and nothing is recorded.

#[cfg(debug_assertions)]
use alloc::{sync::Arc, vec::Vec};
use core::panic::Location;

use super::Entity;

/// A place in the source where an entity is spawned.
#[derive(Clone, Copy)]
pub(crate) struct SpawnSite(#[cfg(debug_assertions)] &'static Location<'static>);

impl SpawnSite {
    /// The place of the call of a function with `track_caller`.
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    pub(crate) const fn of_caller() -> Self {
        Self(
            #[cfg(debug_assertions)]
            Location::caller(),
        )
    }
}

/// For each slot the site of an entity that was spawned in it, with its generation.
#[cfg(debug_assertions)]
type Sites = Vec<Option<(core::num::NonZeroU32, SpawnSite)>>;

/// The sites of a world's entities. Copies of the world share them until one of them spawns.
#[derive(Clone, Default)]
pub(crate) struct SpawnSites(#[cfg(debug_assertions)] Arc<Sites>);

impl SpawnSites {
    /// Records the site of an entity that was just spawned.
    #[inline(always)]
    pub(crate) fn note(&mut self, entity: Entity, site: SpawnSite) {
        #[cfg(not(debug_assertions))]
        let _ = (entity, site);
        #[cfg(debug_assertions)]
        {
            let (sites, slot) = (Arc::make_mut(&mut self.0), entity.slot() as usize);
            if slot >= sites.len() {
                sites.resize(slot + 1, None);
            }
            sites[slot] = Some((entity.generation(), site));
        }
    }

    /// Forgets the sites of slots after the last alive one, and releases their memory.
    pub(crate) fn shrink(&mut self, alive: &[u64]) {
        #[cfg(not(debug_assertions))]
        let _ = alive;
        #[cfg(debug_assertions)]
        {
            let last = alive.iter().rposition(|&word| word != 0);
            let sites = Arc::make_mut(&mut self.0);
            sites.truncate(last.map_or(0, |word| word * 64 + 64));
            sites.shrink_to_fit();
        }
    }

    /// The place of an entity, if it was recorded.
    pub(crate) fn of(&self, entity: Entity) -> Option<&'static Location<'static>> {
        #[cfg(not(debug_assertions))]
        let site = {
            let _ = entity;
            None
        };
        #[cfg(debug_assertions)]
        let site = self
            .0
            .get(entity.slot() as usize)
            .and_then(|site| site.filter(|(generation, _)| *generation == entity.generation()))
            .map(|(_, site)| site.0);
        site
    }
}
