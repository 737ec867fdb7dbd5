//! The command [`Commands::spawn_prefab`].
//!
//! It writes several records to the queue: one for each entity of the prefab, which reserves the id
//! (so that the id is released if the queue is dropped), and then one that gives all these entities
//! their components, or despawns all of them.

use alloc::boxed::Box;
use alloc::string::ToString;
use core::any::type_name;

use crate::base::component_set::Words;
use crate::base::mask::has_bit;
use crate::command::Commands;
use crate::command::failed_command::{self, FailedCommand, Origin};
use crate::command::queue::{Command, NO_ENTITY, StagedChange};
use crate::entity::Entity;
use crate::entity::journal::RecordedAction;
use crate::prefab::{Prefab, PrefabInstance};
use crate::raw_world::{WorldFields, journal};
use crate::world::World;

impl<W: World> Commands<'_, W> {
    /// Spawns the entities of a prefab when the stage ends: all of them, or none.
    ///
    /// The returned ids can be used at once in other commands, and can be stored.
    /// [`has`](Self::has) takes the components of the prefab into account; [`get`](Self::get) does
    /// not, since the values are made when the stage ends. If a component rule refuses a value
    /// then, no entity of the prefab is spawned, and the command fails: see
    /// [`World::on_failed_command`].
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Prefab;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize, PartialEq, Debug)] struct Health(u32);
    /// # #[derive(Component, Serialize, Deserialize, PartialEq, Debug)] struct Position(i32, i32);
    /// #[derive(Resource)]
    /// #[resource(skip)]                                       // it is read anew, and not saved
    /// struct Content { goblin: Prefab<Game> }
    ///
    /// world! {
    ///     #[derive(Serialize, Deserialize)]
    ///     struct Game { components { Health, Position } resources { Content } }
    ///     schedule tick { ambush; }
    /// }
    ///
    /// #[system(Game)]
    /// fn ambush(content: Res<Content>, mut commands: Commands<Game>) {
    ///     let goblin = commands.spawn_prefab(&content.goblin)["goblin"];
    ///     commands.insert(goblin, Position(3, 4));
    /// }
    ///
    /// let goblin = serde_json::from_str(r#"{ "goblin": { "Health": 7 } }"#)?;
    /// let mut game = Game::new(Content { goblin });
    /// game.tick();
    /// let (health, position) = game.query::<(&Health, &Position)>().single().expect("there is one");
    /// assert_eq!((health, position), (&Health(7), &Position(3, 4)));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// In [`len`](Self::len) it counts as one command for each entity, and one more.
    pub fn spawn_prefab(&mut self, prefab: &Prefab<W>) -> PrefabInstance {
        let entities = self.world.entities();
        let reserve = |kind| self.state.reserved.reserve_of(entities, kind);
        let new: Box<[Entity]> = prefab.kinds().iter().map(reserve).collect();
        for (&entity, kind) in new.iter().zip(prefab.kinds()) {
            self.state.queue.push(entity, Reserved(kind.components));
        }
        // an entity of the prefab, so that the command fails if the world in which the ids were
        // reserved is replaced
        let first = new.first().copied().unwrap_or(NO_ENTITY);
        self.state.queue.push(first, SpawnPrefab { prefab: prefab.clone(), new: new.clone() });
        prefab.placed(new)
    }
}

/// Command: makes an entity alive, which will have this set of components.
struct Reserved(Words);

/// Command: gives the entities of the [`Reserved`] commands before it their components.
struct SpawnPrefab<W: World> {
    prefab: Prefab<W>,
    new: Box<[Entity]>,
}

impl<W: World> Command<W> for Reserved {
    const SPAWNS: bool = true;

    fn staged(&self, component: usize) -> StagedChange<'_> {
        if has_bit(&self.0.0, component) { StagedChange::Required } else { StagedChange::Spawned }
    }

    /// The result of `revive` is ignored: `SpawnPrefab` tests afterwards whether all its entities
    /// are alive.
    fn apply(self, world: &mut W, entity: Entity, _: &Origin) {
        if world.entities_mut().revive(entity) {
            journal::record(world, RecordedAction::Spawned, entity);
        }
    }
}

impl<W: World> Command<W> for SpawnPrefab<W>
where
    Self: Send + Sync,
{
    fn apply(self, world: &mut W, _: Entity, origin: &Origin) {
        let Self { prefab, new } = self;
        let failed = |entity| FailedCommand {
            entity,
            command: "spawn_prefab",
            bundle: type_name::<Prefab<W>>(),
            refused: None,
            prefab: None,
            system: origin.system,
            world: W::WORLD_NAME,
        };
        if let Some(lost) = origin.lost() {
            return failed_command::handle(world, failed(lost));
        }
        if let Some(&taken) = new.iter().find(|entity| !world.contains(**entity)) {
            for &entity in &new {
                let _ = world.despawn(entity);
            }
            return failed_command::handle(world, failed(taken));
        }
        if let Err(error) = prefab.give(world, &new) {
            let refused = error.refused.as_deref().copied();
            let entity =
                refused.and_then(|refused| refused.entity).or(new.first().copied()).unwrap_or(NO_ENTITY);
            failed_command::handle(
                world,
                FailedCommand { refused, prefab: Some(error.to_string().into()), ..failed(entity) },
            );
        }
    }
}
