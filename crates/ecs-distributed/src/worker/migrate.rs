//! The move of entities to the workers that own their places.

use std::fmt;

use ecs::query::AllowDisabled;
use ecs::save::{DanglingIds, Replica};
use ecs::{Entity, World};

use super::Worker;
use crate::partition::key_of;
use crate::step::Step;
use crate::wire::{read_part, write_number, write_part};
use crate::{Exchange, GlobalId, Model, RunError, Space};

impl<M: Model, E: Exchange> Worker<M, E> {
    /// Moves the entities whose places other workers own.
    pub(super) fn migrate(&mut self) -> Result<(), RunError> {
        let (own, workers) = (self.exchange.index(), self.exchange.workers());
        let entities = self.world.query::<&M::Place>().filter::<AllowDisabled>().len();
        if !self.stats.rebalanced {
            self.stats.entities = entities;
        }
        let status = self.status(false);
        if workers == 1 {
            return self.read_statuses(&[status]);
        }
        let places = self.partition.whole(own);
        let total = self.model.space().places();
        // slices: most entities stay, and only their places are read
        let placed = self.world.query::<(Entity, &M::Place)>().filter::<AllowDisabled>();
        for (mut entities, found) in placed.into_query().chunks_mut() {
            let mut taken = 0;
            for (at, place) in found.iter().enumerate() {
                let place = self.model.place(place);
                if places.contains(&place) {
                    continue;
                }
                let entity = entities.nth(at - taken).expect("a chunk has as many ids as values");
                taken = at + 1;
                let owner = self.partition.owner_of(key_of(place, self.world.get::<GlobalId>(entity)));
                if owner != own || place >= total {
                    self.leaving[owner].push(entity);
                }
            }
        }
        let mut head = self.write_loads(entities);
        write_part(&status, &mut head);
        let mut messages = Vec::with_capacity(workers);
        for to in 0..workers {
            let mut leaving = std::mem::take(&mut self.leaving[to]);
            if leaving.is_empty() {
                self.leaving[to] = leaving;
                messages.push(head.clone());
                continue;
            }
            self.stats.sent_entities += leaving.len();
            let fail =
                |error: &dyn fmt::Display| RunError::Migration { from: own, to, reason: error.to_string() };
            for at in 0..leaving.len() {
                let entity = leaving[at];
                let place = self.world.get::<M::Place>(entity).map_or(0, |place| self.model.place(place));
                if place >= total {
                    return Err(RunError::NoSuchPlace { place, places: total });
                }
                if !self.world.has::<GlobalId>(entity) {
                    return Err(RunError::NoGlobalId { world: M::World::NAME });
                }
                let before = leaving.len();
                self.model.companions(&self.world, entity, &mut leaving);
                for &companion in &leaving[before..] {
                    let Some(place) = self.world.get::<M::Place>(companion) else { continue };
                    let place = self.model.place(place);
                    let id = self.world.get::<GlobalId>(companion);
                    let owner = self.partition.owner_of(key_of(place, id));
                    if owner != to {
                        return Err(fail(&format_args!(
                            "`Model::companions` lists {companion}, which has place {place} of worker {owner}: an entity with a place \
                             moves by itself"
                        )));
                    }
                }
            }
            let selection = self.selection.take().expect("it is put back below");
            let selection = selection.only(leaving.iter().copied());
            let bytes = selection.save(&self.world);
            self.selection = Some(selection);
            let bytes = bytes.map_err(|error| fail(&error))?;
            for entity in leaving.drain(..) {
                // a companion may be despawned with its owner, by the rule of a relation
                let _ = self.world.despawn(entity);
            }
            self.leaving[to] = leaving;
            self.stats.migration_bytes += bytes.len();
            messages.push([head.as_slice(), &bytes].concat());
        }
        let received = self.exchange(Step::Migration, messages)?;
        let selection = self.selection.as_ref().expect("it was put back above");
        self.balance.loads.fill(0);
        let mut longest = 0;
        let mut statuses = Vec::with_capacity(workers);
        for (from, mut bytes) in received.iter().map(Vec::as_slice).enumerate() {
            let time = self.balance.read_loads(from, &mut bytes);
            let time = time.ok_or_else(|| RunError::damaged(from, "its load"))?;
            let status = read_part(&mut bytes);
            statuses.push(status.ok_or_else(|| RunError::damaged(from, "its checkpoint"))?.to_vec());
            if time > longest {
                (longest, self.stats.slowest) = (time, from);
            }
            if bytes.is_empty() {
                continue;
            }
            let replica = Replica::new().dangling(DanglingIds::Refuse).memory(u64::MAX);
            let fail =
                |error: &dyn fmt::Display| RunError::Migration { from, to: own, reason: error.to_string() };
            let merged = selection.merge(&mut self.world, bytes, replica).map_err(|error| fail(&error))?;
            for (_, entity) in merged.iter() {
                let Some(place) = self.world.get::<M::Place>(entity) else { continue };
                let place = self.model.place(place);
                let key = key_of(place, self.world.get::<GlobalId>(entity));
                if place >= total || self.partition.owner_of(key) != own {
                    return Err(fail(&format_args!(
                        "one has place {place}, which worker {own} does not own"
                    )));
                }
            }
        }
        self.read_statuses(&statuses)
    }

    /// The head of a message to any worker: the time of this worker's systems, its load, and how
    /// many entities it sends to each worker.
    fn write_loads(&self, entities: usize) -> Vec<u8> {
        let mut head = Vec::new();
        write_number(self.stats.compute.as_nanos() as u64, &mut head);
        let leaving = self.leaving.iter().enumerate().filter(|(_, leaving)| !leaving.is_empty());
        match self.balance.time() {
            Some(time) => [time, 0].iter().for_each(|&number| write_number(number, &mut head)),
            None => {
                let stay = entities - leaving.clone().map(|(_, leaving)| leaving.len()).sum::<usize>();
                [stay, leaving.clone().count()]
                    .iter()
                    .for_each(|&count| write_number(count as u64, &mut head));
                for (to, leaving) in leaving {
                    [to, leaving.len()].iter().for_each(|&number| write_number(number as u64, &mut head));
                }
            }
        }
        head
    }
}
