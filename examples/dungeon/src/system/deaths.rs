//! The effects of a death.
//!
//! These systems react to [`Died`], which [`wound()`](super::wound()) sends. They stand in one
//! `react` block with it, so that the whole chain of deaths, loot and bursts ends before the next
//! stage.

use ecs::prelude::*;

use crate::component::{Burst, Experience, Fallen, Health, Loot, Mind, Player, Position};
use crate::content::Catalogue;
use crate::dice::Dice;
use crate::event::{Cause, Deed, Died, Hurt};
use crate::world::Dungeon;

/// Marks dead creatures, and reports their deaths.
#[system(Dungeon)]
pub fn fall(mut died: EventReader<Died>, mut commands: Commands<Dungeon>, mut deeds: EventWriter<Deed>) {
    for &Died { who } in &mut died {
        commands.insert(who, Fallen);
        deeds.send(Deed::Died { who });
    }
}

/// Spawns the loot of dead creatures. The commands are applied at the end of this round of
/// reactions.
#[system(Dungeon)]
pub fn bequeath(
    mut died: EventReader<Died>,
    owners: Query<(&Loot, &Position)>,
    catalogue: Res<Catalogue>,
    mut commands: Commands<Dungeon>,
) {
    for (loot, position) in died.iter().filter_map(|died| owners.get(died.who)) {
        if let Some(template) = catalogue.get(&loot.item) {
            template.spawn(&mut commands, position.0);
        }
    }
}

/// Harms creatures near one that bursts. Their deaths are handled in the next round of reactions.
#[system(Dungeon)]
pub fn burst(
    mut died: EventReader<Died>,
    bombs: Query<(&Burst, &Position)>,
    bodies: Query<(Entity, &Position), (With<Health>, Without<Fallen>)>,
    mut dice: ResMut<Dice>,
    mut hurts: EventWriter<Hurt>,
    mut deeds: EventWriter<Deed>,
) {
    for &Died { who } in &mut died {
        let Some((bomb, centre)) = bombs.get(who) else { continue };
        deeds.send(Deed::Burst { who });
        let is_near = |at: &Position| at.0.distance(centre.0) <= u32::from(bomb.radius);
        for (victim, _) in bodies.iter().filter(|(victim, at)| *victim != who && is_near(at)) {
            hurts.send(Hurt { victim, damage: Some(dice.throw(bomb.damage)), cause: Cause::Burst(who) });
        }
    }
}

/// Gains experience by the deaths of enemies, in proportion to their health.
#[system(Dungeon)]
pub fn learn(
    mut died: EventReader<Died>,
    mut heroes: Query<(Entity, &mut Experience, &mut Health), With<Player>>,
    enemies: Query<&Health, (With<Mind>, Without<Player>)>,
    mut deeds: EventWriter<Deed>,
) {
    /// The health that each rank adds.
    const HARDIER: u32 = 2;

    for enemy in died.iter().filter_map(|died| enemies.get(died.who)) {
        for (who, experience, health) in heroes.iter_mut().filter(|(.., health)| !health.is_empty()) {
            if experience.gain(enemy.max()) {
                health.set_max(health.max().saturating_add(HARDIER));
                deeds.send(Deed::Hardened { who });
            }
        }
    }
}

/// Despawns dead creatures at the end of the turn, except for the hero, whom the screen shows.
#[system(Dungeon)]
pub fn bury(dead: Entity, _: With<Fallen>, _: Without<Player>, mut commands: Commands<Dungeon>) {
    commands.despawn(dead);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::Point;
    use crate::world::arena;

    const FRAIL: Health = Health::full(1);

    #[test]
    fn a_burst_sets_off_bursts_nearby() {
        let mut world = arena(99, 1);
        let bomb = Burst { damage: "1".parse().expect("a number is a throw"), radius: 1 };
        let place = |x| Position(Point::new(x, 0));
        let row: Vec<Entity> = (0..40).map(|x| world.spawn((FRAIL, bomb, place(x)))).collect();
        let beside = world.spawn((Health::full(2), place(40)));
        let apart = world.spawn((FRAIL, bomb, place(42)));

        world.send(Hurt { victim: row[0], damage: Some(1), cause: Cause::Fire });
        world.turn();
        assert!(row.iter().all(|&bomb| !world.contains(bomb)));
        assert_eq!(world.get(beside), Some(&Health::new(1, 2)));
        assert_eq!(world.get(apart), Some(&FRAIL));
    }

    #[test]
    fn enemies_teach_once_each() {
        let mut world = arena(1, 1);
        let hero = world.spawn((Player {}, Health::full(5), Experience { points: 0, every: 10 }));
        let enemies = [(); 2].map(|()| world.spawn((Mind { memory: 0 }, Health::full(6))));
        for victim in enemies.into_iter().chain(enemies) {
            world.send(Hurt { victim, damage: Some(9), cause: Cause::Fire });
        }
        world.turn();
        assert_eq!(world.get(hero), Some(&Experience { points: 12, every: 10 }));
        assert_eq!(world.get::<Health>(hero).map(|health| health.max()), Some(7));
    }
}
