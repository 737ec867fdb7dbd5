//! [`Messages`]: effects on entities of any worker.
//!
//! A message whose receiver is on the sending worker stays there. All others go to all workers,
//! which answer whether they have the receiver, or the sender: so each message is delivered,
//! returned, or counted as lost by all workers alike, without a directory of all entities.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::marker::PhantomData;

use ecs::query::AllowDisabled;
use ecs::{Entity, Has, HasResource, Resource, World};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::global_id::mix;
use crate::hash::has_entity;
use crate::shared::{Link, SharedList, check_listed};
use crate::wire::{read_number, read_part, read_value, write_number, write_part};
use crate::{GlobalId, Model, RunError};

/// A message that has arrived, or has come back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message<T> {
    /// The entity that has received it: that of `to`, or that of `from` if it was returned.
    pub entity: Entity,
    /// The sender.
    pub from: GlobalId,
    /// The receiver.
    pub to: GlobalId,
    /// The content.
    pub value: T,
}

/// A resource with messages to entities of any worker, by their [`GlobalId`].
///
/// A message that a system [sends](Self::send) in one tick is there in the next one, on the worker
/// that has the receiver by then. If no worker has it, the message is [returned](Self::returned) in
/// the same tick to the entity that has sent it; if that is gone, too, it is counted as
/// [lost](Self::lost). This is the same for each number of workers, as is the order of messages: by
/// receiver, then by sender, then by the bytes of the serialized contents.
///
/// The model lists the resource in [`Model::Shared`]. `T` contains no [`Entity`], which would be
/// another one on another worker: the run ends with an error.
///
/// ```
/// use ecs::prelude::*;
/// use ecs_distributed::{GlobalId, Messages};
/// # #[derive(Component)] struct Friend(GlobalId);
/// # #[derive(Component)] struct Food(u32);
/// # world! { struct Village { components { GlobalId, Friend, Food } resources { gifts: Messages<Gift> = Messages::new() } } }
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Serialize, Deserialize)]
/// struct Gift(u32);
///
/// #[system(Village)]
/// fn give(id: &GlobalId, friend: &Friend, food: &mut Food, mut gifts: ResMut<Messages<Gift>>) {
///     if food.0 > 10 {
///         food.0 -= 5;
///         gifts.send(*id, friend.0, Gift(5));
///     }
/// }
///
/// #[system(Village)]
/// fn receive(mut people: Query<&mut Food>, gifts: Res<Messages<Gift>>) {
///     for gift in gifts.iter().chain(gifts.returned()) {
///         // an earlier system of this tick may have despawned the entity
///         if let Some(food) = people.get_mut(gift.entity) {
///             food.0 += gift.value.0;
///         }
///     }
/// }
/// ```
///
/// # Cost
/// In a tick with messages of a type, each worker looks at the ids of all its entities once or twice. A
/// message to an entity of another worker is sent to all workers, and adds one exchange to the
/// tick.
#[derive(Resource, Clone, Debug)]
#[resource(skip)]
pub struct Messages<T> {
    sent: Vec<(GlobalId, GlobalId, T)>,
    received: Vec<Message<T>>,
    returned: Vec<Message<T>>,
    lost: u64,
    /// Whether a worker exchanges them.
    is_listed: bool,
}

impl<T: 'static> Messages<T> {
    /// No messages: the value before the first tick.
    pub fn new() -> Self {
        Self { sent: Vec::new(), received: Vec::new(), returned: Vec::new(), lost: 0, is_listed: false }
    }

    /// Sends a message to an entity of any worker. `from` is the id of an entity of this worker,
    /// for which the system acts: the message comes back to it if the receiver is gone.
    ///
    /// # Panics
    /// If a worker runs the system, and its model does not list the resource in
    /// [`Model::Shared`].
    #[track_caller]
    pub fn send(&mut self, from: GlobalId, to: GlobalId, value: T) {
        check_listed::<Self>(self.is_listed);
        self.sent.push((from, to, value));
    }

    /// The messages of the last tick to entities of this worker, in the order of receivers, then of
    /// senders, then of the bytes of their contents.
    pub fn iter(&self) -> std::slice::Iter<'_, Message<T>> {
        self.received.iter()
    }

    /// The messages of the last tick to one entity, in the same order.
    pub fn to(&self, receiver: GlobalId) -> &[Message<T>] {
        let begin = self.received.partition_point(|message| message.to < receiver);
        let length = self.received[begin..].partition_point(|message| message.to == receiver);
        &self.received[begin..begin + length]
    }

    /// The messages that entities of this worker have sent in the last tick to entities that no
    /// worker has, in the same order.
    pub fn returned(&self) -> &[Message<T>] {
        &self.returned
    }

    /// The number of messages since the beginning of the run whose receiver and sender were both
    /// gone: the same on all workers.
    pub fn lost(&self) -> u64 {
        self.lost
    }
}

impl<T: 'static> Default for Messages<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'m, T: 'static> IntoIterator for &'m Messages<T> {
    type Item = &'m Message<T>;
    type IntoIter = std::slice::Iter<'m, Message<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A message whose content is serialized. Also one that stays on its worker is, so that all values
/// have gone the same way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct RawMessage {
    to: u64,
    from: u64,
    bytes: Vec<u8>,
}

impl RawMessage {
    fn new<T: Serialize>(from: GlobalId, to: GlobalId, value: &T) -> Result<Self, RunError> {
        let fail = |error: &dyn fmt::Display| {
            RunError::System(format!("a message to entity {} cannot be sent: {error}", to.0))
        };
        // its id would be that of another entity on another worker
        if has_entity(value) {
            return Err(fail(&"it contains an `Entity`: send the `GlobalId` of the entity"));
        }
        let bytes = bincode::serialize(value).map_err(|error| fail(&error))?;
        Ok(Self { to: to.0, from: from.0, bytes })
    }

    fn write(&self, out: &mut Vec<u8>) {
        write_number(self.to, out);
        write_number(self.from, out);
        write_part(&self.bytes, out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        let (to, from) = (read_number(input)?, read_number(input)?);
        Some(Self { to, from, bytes: read_part(input)?.to_vec() })
    }

    fn value<T: DeserializeOwned>(&self) -> Result<T, String> {
        let mut input = self.bytes.as_slice();
        let value = read_value(&mut input).map_err(|error| error.to_string())?;
        if input.is_empty() { Ok(value) } else { Err("bytes remain after a message".to_owned()) }
    }
}

fn write_messages(messages: &[RawMessage], out: &mut Vec<u8>) {
    write_number(messages.len() as u64, out);
    messages.iter().for_each(|message| message.write(out));
}

fn read_messages(input: &mut &[u8]) -> Option<Vec<RawMessage>> {
    let count = read_number(input)?;
    (0..count).map(|_| RawMessage::read(input)).collect()
}

/// A hasher of ids.
#[derive(Default)]
struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = mix(self.0 ^ number);
    }
}

/// The entities of a world that have some ids.
type Found = HashMap<u64, Option<Entity>, BuildHasherDefault<IdHasher>>;

/// Some bits of a hash of each of a few ids, which tell most other ids from them.
struct IdFilter {
    bits: Vec<u64>,
    shift: u32,
}

impl IdFilter {
    fn new(ids: &Found) -> Self {
        // one bit of sixteen or more is set
        let bits = (ids.len() * 16).next_power_of_two().max(64);
        let mut filter = Self { bits: vec![0; bits / 64], shift: 64 - bits.ilog2() };
        for &id in ids.keys() {
            let bit = filter.bit(id);
            filter.bits[bit / 64] |= 1 << (bit % 64);
        }
        filter
    }

    #[inline]
    fn bit(&self, id: u64) -> usize {
        (id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    #[inline]
    fn may_have(&self, id: u64) -> bool {
        let bit = self.bit(id);
        self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }
}

/// Looks for entities by their ids. One look at all ids is cheaper than an index, which each spawn
/// would keep up to date.
fn find<W: World + Has<GlobalId>>(world: &W, ids: impl Iterator<Item = u64>) -> Result<Found, RunError> {
    let mut found: Found = ids.map(|id| (id, None)).collect();
    if found.is_empty() {
        return Ok(found);
    }
    let filter = IdFilter::new(&found);
    let all = world.query::<(Entity, &GlobalId)>().filter::<AllowDisabled>();
    for (mut entities, ids) in all.into_query().chunks_mut() {
        let mut taken = 0;
        for (at, id) in ids.iter().enumerate().filter(|(_, id)| filter.may_have(id.0)) {
            let Some(known) = found.get_mut(&id.0) else { continue };
            let entity = entities.nth(at - taken).expect("a chunk has as many entities as ids");
            taken = at + 1;
            if known.replace(entity).is_some() {
                return Err(twice(id.0));
            }
        }
    }
    Ok(found)
}

fn twice(id: u64) -> RunError {
    RunError::System(format!("two entities have the global id {id}"))
}

impl<M: Model, T> SharedList<M> for Messages<T>
where
    T: Serialize + DeserializeOwned + Send + Sync + 'static,
    M::World: HasResource<Messages<T>>,
{
    fn links(links: &mut Vec<Box<dyn Link<M>>>) {
        links.push(Box::new(MessagesLink::<T> {
            received: Vec::new(),
            returned: Vec::new(),
            open: Vec::new(),
            entities: Vec::new(),
            claims: Vec::new(),
            restored_lost: 0,
            lost: 0,
            of: PhantomData,
        }));
    }
}

/// The exchange of [`Messages`].
struct MessagesLink<T> {
    received: Vec<(RawMessage, Entity)>,
    returned: Vec<(RawMessage, Entity)>,
    /// The messages whose senders' workers do not have the receiver, in the order of workers: the
    /// same on all workers.
    open: Vec<RawMessage>,
    /// For each open message its receiver and its sender, if this worker has them.
    entities: Vec<[Option<Entity>; 2]>,
    /// For each open message whether a worker has its receiver and its sender.
    claims: Vec<[bool; 2]>,
    /// The lost messages that a checkpoint has counted: of one worker, until it has told the others.
    restored_lost: u64,
    /// The lost messages that are to be added to those of the resource.
    lost: u64,
    of: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> MessagesLink<T> {
    /// The messages, in their order.
    fn values(messages: &mut Vec<(RawMessage, Entity)>) -> Result<Vec<Message<T>>, RunError> {
        messages.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let message = |(message, entity): (RawMessage, Entity)| {
            let fail = |error| {
                RunError::System(format!("a message to entity {} cannot be read: {error}", message.to))
            };
            let value = message.value().map_err(fail)?;
            Ok(Message { entity, from: GlobalId(message.from), to: GlobalId(message.to), value })
        };
        messages.drain(..).map(message).collect()
    }
}

impl<M: Model, T> Link<M> for MessagesLink<T>
where
    T: Serialize + DeserializeOwned + Send + Sync + 'static,
    M::World: HasResource<Messages<T>>,
{
    fn write(&mut self, _: &M, world: &mut M::World, out: &mut [Vec<u8>]) -> Result<(), RunError> {
        self.open.clear();
        self.entities.clear();
        let sent = std::mem::take(&mut world.resource_mut::<Messages<T>>().sent);
        let found = find(world, sent.iter().map(|(_, to, _)| to.0))?;
        let mut open = Vec::new();
        for (from, to, value) in sent {
            let message = RawMessage::new(from, to, &value)?;
            match found[&to.0] {
                Some(entity) => self.received.push((message, entity)),
                None => open.push(message),
            }
        }
        let mut message = Vec::new();
        write_number(std::mem::take(&mut self.restored_lost), &mut message);
        write_messages(&open, &mut message);
        out.iter_mut().for_each(|out| out.extend_from_slice(&message));
        Ok(())
    }

    fn read(&mut self, from: usize, input: &mut &[u8]) -> Result<(), RunError> {
        let mut read = || read_number(input).zip(read_messages(input));
        let (lost, messages) = read().ok_or_else(|| RunError::damaged(from, "messages"))?;
        self.lost = self.lost.wrapping_add(lost);
        self.open.extend(messages);
        Ok(())
    }

    fn has_answers(&self) -> bool {
        !self.open.is_empty()
    }

    fn write_answers(&mut self, world: &M::World, out: &mut Vec<u8>) -> Result<(), RunError> {
        let found = find(world, self.open.iter().flat_map(|message| [message.to, message.from]))?;
        self.entities = self.open.iter().map(|message| [found[&message.to], found[&message.from]]).collect();
        self.claims = vec![[false; 2]; self.open.len()];
        // two bits for each message
        for four in self.entities.chunks(4) {
            let bits = four.as_flattened().iter().enumerate();
            out.push(bits.fold(0, |byte, (at, found)| byte | u8::from(found.is_some()) << at));
        }
        Ok(())
    }

    fn read_answers(&mut self, from: usize, input: &mut &[u8]) -> Result<(), RunError> {
        for (claims, messages) in self.claims.chunks_mut(4).zip(self.open.chunks(4)) {
            let byte =
                *input.split_off_first().ok_or_else(|| RunError::damaged(from, "answers to messages"))?;
            for (at, (claims, message)) in claims.iter_mut().zip(messages).enumerate() {
                let has = [byte >> (2 * at) & 1 == 1, byte >> (2 * at + 1) & 1 == 1];
                for ((claim, has), id) in claims.iter_mut().zip(has).zip([message.to, message.from]) {
                    if *claim && has {
                        return Err(twice(id));
                    }
                    *claim |= has;
                }
            }
        }
        Ok(())
    }

    fn install(&mut self, world: &mut M::World) -> Result<usize, RunError> {
        for ((message, entities), claims) in
            self.open.drain(..).zip(self.entities.drain(..)).zip(&self.claims)
        {
            match (entities, claims) {
                ([Some(receiver), _], _) => self.received.push((message, receiver)),
                ([_, Some(sender)], [false, _]) => self.returned.push((message, sender)),
                (_, claims) => self.lost = self.lost.wrapping_add(u64::from(*claims == [false; 2])),
            }
        }
        let received = Self::values(&mut self.received)?;
        let returned = Self::values(&mut self.returned)?;
        let messages = world.resource_mut::<Messages<T>>();
        (messages.received, messages.returned, messages.is_listed) = (received, returned, true);
        messages.lost = messages.lost.wrapping_add(std::mem::take(&mut self.lost));
        Ok(0)
    }

    fn saved_name(&self) -> Option<&'static str> {
        Some(std::any::type_name::<Messages<T>>())
    }

    fn save(&self, world: &M::World, own: usize, out: &mut Vec<u8>) -> Result<(), RunError> {
        let messages = world.resource::<Messages<T>>();
        // all workers have the same number of lost ones
        write_number(if own == 0 { messages.lost } else { 0 }, out);
        let all = messages.received.iter().chain(&messages.returned);
        let messages: Result<Vec<_>, _> =
            all.map(|message| RawMessage::new(message.from, message.to, &message.value)).collect();
        write_messages(&messages?, out);
        Ok(())
    }

    fn restore(&mut self, world: &mut M::World, input: &mut &[u8]) -> Option<()> {
        self.restored_lost = self.restored_lost.wrapping_add(read_number(input)?);
        let messages = world.resource_mut::<Messages<T>>();
        // they are sent again, to wherever their receivers are now
        for message in read_messages(input)? {
            messages.sent.push((GlobalId(message.from), GlobalId(message.to), message.value().ok()?));
        }
        Some(())
    }
}
