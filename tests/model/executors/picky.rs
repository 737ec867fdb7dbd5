//! Systems that parameters skip, and parameters that are made of others: `Single`, `Populated`,
//! `ParamSet`, structs and tuples.

use ecs::prelude::*;
use ecs::{Accumulator, SystemParam};

use super::world::*;

/// Gives the crown to none, one, two or three entities, in turn.
#[system(Game)]
pub(super) fn crown(
    (crowned, rows): (Query<Entity, With<Crown>>, Query<Entity, With<Mass>>),
    (mut runs, mut commands): (Local<usize>, Commands<Game>),
) {
    crowned.iter().for_each(|entity| commands.remove::<Crown>(entity));
    rows.iter().skip(*runs % 5).take(*runs % 4).for_each(|entity| commands.insert(entity, Crown));
    *runs += 1;
}

/// Reads events, and changes what it has of its own, only if it runs.
#[system(Game)]
pub(super) fn reign(
    mut king: Single<(Entity, &mut Mass), With<Crown>>,
    mut pings: EventReader<Ping>,
    changed: Query<Entity, Changed<Heat>>,
    (mut runs, mut log, mut commands): (Local<u64>, ResMut<Log>, Commands<Game>),
) {
    *runs += 1;
    let (entity, mass) = king.get_mut();
    mass.0 = mass.0.wrapping_add(pings.iter().count() as u32);
    commands.insert(entity, Heat(*runs));
    log.0.extend([*runs, changed.len() as u64, entity.to_bits()]);
}

#[system(Game)]
pub(super) fn heir(king: Option<Single<&Mass, With<Crown>>>, mut log: ResMut<Log>) {
    log.0.push(king.map_or(1, |king| u64::from(king.0)));
}

#[derive(SystemParam)]
pub(super) struct Court<'w> {
    crowned: Populated<'w, (Entity, Mut<'static, Team>), With<Crown>>,
    people: People<'w>,
    log: ResMut<'w, Log>,
}

#[derive(SystemParam)]
pub(super) struct People<'w> {
    new: Entered<'w, (With<Mass>, Without<Crown>)>,
    gone: Removed<'w, Heat>,
    pongs: EventWriter<'w, Pong>,
    commands: Commands<'w, Game>,
    counts: (Local<'w, u64>, Local<'w, u8>),
}

#[system(Game)]
pub(super) fn court(mut court: Court) {
    let Court { crowned, people, log } = &mut court;
    *people.counts.0 += people.new.len() as u64;
    *people.counts.1 ^= people.gone.iter().count() as u8;
    for (entity, mut team) in crowned {
        team.0 = (team.0 + 1) % 6;
        people.pongs.send(Pong(entity.to_bits()));
    }
    if *people.counts.0 % 3 == 0 {
        people.commands.spawn((Mass(*people.counts.0 as u32), Team(1)));
    }
    log.0.extend([*people.counts.0, (*people.counts.1).into()]);
}

#[system(Game)]
pub(super) fn quarrel(
    mut set: ParamSet<(Query<&mut Mass, With<Crown>>, Query<(Entity, &mut Mass)>, Query<&Mass, With<Team>>)>,
) {
    let sum = set.p2().iter().fold(0, |sum: u32, mass| sum.rotate_left(3) ^ mass.0);
    set.p0().for_each(|mass| mass.0 ^= sum);
    for (entity, mass) in set.p1() {
        mass.0 = mass.0.wrapping_add(entity.slot());
    }
}

#[system(Game)]
pub(super) fn tax((mut heat, _): (Mut<Heat>, Without<Crown>), king: Single<&Mass, With<Crown>>) {
    heat.0 ^= u64::from(king.0);
}

#[derive(SystemParam)]
pub(super) struct Shared<'w> {
    teams: Query<'w, &'static Team>,
    pings: EventWriter<'w, Ping>,
    sum: Accumulator<'w, Sum>,
    commands: ParCommands<'w, Game>,
}

#[system(Game, par)]
pub(super) fn par_tax(
    entity: Entity,
    mass: &mut Mass,
    _: Without<Crown>,
    king: Single<Entity, With<Crown>>,
    mut shared: Shared,
) {
    mass.0 = mass.0.wrapping_add(king.get().slot() + shared.teams.len() as u32);
    shared.sum.add(mass.0.into());
    if mass.0.is_multiple_of(7) {
        shared.pings.send(Ping(entity, 1));
        shared.commands.insert(entity, Tag);
    }
}

/// Clicks are lost if it is skipped.
#[system(Game)]
pub(super) fn click_of_the_king(
    _: Single<Entity, With<Crown>>,
    mut clicks: EventReader<Click>,
    mut log: ResMut<Log>,
) {
    log.0.extend(clicks.iter().map(|click| click.0));
}

#[system(Game)]
pub(super) fn has_king(_: Single<Entity, With<Crown>>, mut asked: Local<u32>) -> bool {
    *asked += 1;
    !asked.is_multiple_of(3)
}

#[system(Game)]
pub(super) fn judge(king: Single<&Mass, With<Crown>>) -> Result<(), String> {
    if king.0.is_multiple_of(3) { Err(format!("the king has {}", king.0)) } else { Ok(()) }
}
