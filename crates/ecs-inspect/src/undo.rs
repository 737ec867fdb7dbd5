//! Undo and redo: the values before each change that the user has made by a command.

use ecs::Entity;
use ecs::reflect::{DynamicValue, ReflectMut, ReflectRef};

use crate::inspector::Inspector;

/// The most changes that can be taken back.
const MOST: usize = 100;

/// An entity with the names and values of its components.
type Held = (Entity, Vec<(String, DynamicValue)>);

/// A change that can be taken back, or not.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// The entities had these components.
    Components(Vec<Held>),
    /// The resource had this value.
    Resource(String, DynamicValue),
    /// The entities were spawned.
    Spawned(Vec<Entity>),
    /// The entity was despawned: no other one can have its id.
    Despawned(Entity),
}

/// The components of an entity; `None` if one of them cannot be read.
fn held(entity: Entity, world: &ReflectRef<'_>) -> Option<Held> {
    let values = world.read_all(entity).ok()?;
    Some((entity, values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()))
}

impl Change {
    /// A change of the components of entities, made from their values before the change.
    pub(crate) fn of(entities: impl IntoIterator<Item = Entity>, world: &ReflectRef<'_>) -> Option<Self> {
        entities.into_iter().map(|entity| held(entity, world)).collect::<Option<_>>().map(Self::Components)
    }

    /// The change that brings back what is now; `None` if there is none.
    fn inverse(&self, world: &ReflectRef<'_>) -> Option<Self> {
        match self {
            Self::Components(before) => Self::of(before.iter().map(|(entity, _)| *entity), world),
            Self::Resource(name, _) => Some(Self::Resource(name.clone(), world.read_resource(name).ok()?)),
            Self::Spawned(_) | Self::Despawned(_) => None,
        }
    }

    /// Whether an entity of the change was despawned.
    fn is_lost(&self, world: &ReflectMut<'_>) -> bool {
        match self {
            Self::Components(before) => before.iter().any(|(entity, _)| !world.contains(*entity)),
            Self::Resource(..) | Self::Spawned(_) | Self::Despawned(_) => false,
        }
    }
}

impl Inspector {
    /// Adds a change that was made. `None` stands for a change that cannot be undone: older changes
    /// are dropped, since they could only be undone after it.
    pub(crate) fn note(&mut self, change: Option<Change>) {
        self.undone.clear();
        match change {
            Some(change) => self.changes.push_back(change),
            None => self.changes.clear(),
        }
        while self.changes.len() > MOST {
            self.changes.pop_front();
        }
    }

    /// Makes one change of the last two, if both are of the same entities or the same resource.
    pub(crate) fn join_changes(&mut self) {
        let mut last = self.changes.iter().rev();
        let are_alike = match (last.next(), last.next()) {
            (Some(Change::Components(new)), Some(Change::Components(old))) => {
                new.iter().map(|(entity, _)| entity).eq(old.iter().map(|(entity, _)| entity))
            }
            (Some(Change::Resource(new, _)), Some(Change::Resource(old, _))) => new == old,
            _ => false,
        };
        if are_alike {
            self.changes.pop_back();
        }
    }

    /// Takes the last change back. If that fails, it can be tried again, unless an entity of the
    /// change was despawned: then it would fail for ever, and is dropped, so that the change before
    /// it can be taken back.
    pub(crate) fn undo(&mut self, world: &mut ReflectMut<'_>) -> Result<String, String> {
        let change = self.changes.back().cloned().ok_or("there is no change to take back")?;
        let (is_lost, now) = (change.is_lost(world), change.inverse(&world.as_ref()));
        let undone = self.take_back(change, world);
        if undone.is_ok() || is_lost {
            self.changes.pop_back();
        }
        let what = undone?;
        match now {
            Some(now) => self.undone.push(now),
            // what was taken back before could only be made after this change
            None => self.undone.clear(),
        }
        Ok(format!("took {what} back"))
    }

    /// Makes the change again that was taken back last. A spawn cannot be made again: the entities
    /// would have other ids.
    pub(crate) fn redo(&mut self, world: &mut ReflectMut<'_>) -> Result<String, String> {
        let change = self.undone.pop().ok_or("there is no change to make again")?;
        let before = change.inverse(&world.as_ref());
        match self.take_back(change.clone(), world) {
            Ok(what) => {
                self.changes.extend(before);
                Ok(format!("made {what} again"))
            }
            Err(error) => {
                if !change.is_lost(world) {
                    self.undone.push(change);
                }
                Err(error)
            }
        }
    }

    /// Takes a change back, and returns its description.
    fn take_back(&mut self, change: Change, world: &mut ReflectMut<'_>) -> Result<String, String> {
        match change {
            Change::Despawned(entity) => {
                // older changes may concern the entity, or ids that are used by others now
                self.changes.clear();
                Err(format!("the despawn of {entity} cannot be taken back: no other entity can have its id"))
            }
            Change::Spawned(entities) => {
                // those that were despawned since are gone already
                for &entity in &entities {
                    if world.contains(entity) {
                        world.despawn(entity).map_err(|error| error.to_string())?;
                    }
                }
                Ok("the spawn".to_owned())
            }
            Change::Resource(name, value) => {
                world.patch_resource(&name, value).map_err(|error| error.to_string())?;
                Ok(format!("the change of {name}"))
            }
            Change::Components(before) => restore(&before, world),
        }
    }
}

/// Gives entities the components that they had. Those that they have in addition are removed first,
/// and keys that differ: a unique component or a key may be that of another.
fn restore(before: &[Held], world: &mut ReflectMut<'_>) -> Result<String, String> {
    // equal values are not written, so that they do not count as changed
    let differs = |world: &ReflectMut<'_>, entity: Entity, name: &str, value: &DynamicValue| {
        world.as_ref().read(entity, name).ok().as_ref() != Some(value)
    };
    // first remove from all entities, then insert: two of them may have exchanged a component
    for (entity, values) in before {
        let now = world.components_of(*entity).map_err(|error| error.to_string())?;
        let is_in_the_way = |name: &str| match values.iter().find(|(known, _)| known == name) {
            Some((_, value)) => {
                world.component(name).is_ok_and(|component| component.key)
                    && differs(world, *entity, name, value)
            }
            None => true,
        };
        let removed: Vec<&str> = now.into_iter().filter(|name| is_in_the_way(name)).collect();
        world.remove_all(*entity, &removed).map_err(|error| error.to_string())?;
    }
    for (entity, values) in before {
        let changed: Vec<(&str, DynamicValue)> = values
            .iter()
            .filter(|(name, value)| differs(world, *entity, name, value))
            .map(|(name, value)| (name.as_str(), value.clone()))
            .collect();
        world.insert_all(*entity, &changed).map_err(|error| error.to_string())?;
    }
    let entities: Vec<String> = before.iter().map(|(entity, _)| entity.to_string()).collect();
    Ok(format!("the change of {}", entities.join(" and ")))
}
