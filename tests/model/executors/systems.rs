//! Systems with all kinds of parameters: queries, filters, commands, events and locals.

use ecs::Accumulator;
use ecs::prelude::*;

use super::bombs::blow;
use super::world::*;

#[system(Game)]
pub(super) fn pour(mass: &mut Mass, heat: Option<&Heat>) {
    mass.0 = mass.0.wrapping_mul(31).wrapping_add(heat.map_or(1, |heat| heat.0 as u32));
}
#[system(Game)]
pub(super) fn sum(all: Query<&Mass, Without<Tag>>, mut sum: ResMut<Sum>) {
    sum.0 = all.iter().fold(sum.0, |sum, mass| sum.rotate_left(3) ^ u64::from(mass.0));
}
#[system(Game)]
pub(super) fn age_tagged(seat: Query<&mut Label, With<Tag>>) {
    seat.into_iter().for_each(|label| label.0.push('t'));
}
#[system(Game)]
pub(super) fn age_untagged(seat: Query<&mut Label, Without<Tag>>) {
    seat.into_iter().for_each(|label| label.0.truncate(4));
}
#[system(Game)]
pub(super) fn regroup(mut team: Mut<Team>, mass: &Mass) {
    if mass.0.is_multiple_of(3) {
        team.0 = (team.0 + 1) % 6;
    }
}
#[system(Game)]
pub(super) fn find_team(teams: Lookup<Team>, mut log: ResMut<Log>) {
    let found = (0..6).flat_map(|team| teams.find(&Team(team)));
    log.0.push(found.fold(0, |sum: u64, entity| sum.rotate_left(5) ^ entity.to_bits()));
}
#[system(Game)]
pub(super) fn warm(mut heat: Mut<Heat>, tag: Is<Tag>) {
    if *tag || heat.0 < 3 {
        heat.0 += 1;
    }
}
#[system(Game)]
pub(super) fn seen(
    changed: Query<Entity, Changed<Heat>>,
    added: Query<Entity, Added<Team>>,
    mut log: ResMut<Log>,
) {
    let all = changed.iter().chain(added.iter());
    log.0.push(all.fold(1, |sum: u64, entity| sum.rotate_left(7) ^ entity.to_bits()));
}
#[system(Game)]
pub(super) fn came(new: Entered<(With<Heat>, Without<Tag>)>, mut log: ResMut<Log>) {
    log.0.push(new.iter().fold(2, |sum: u64, entity| sum.rotate_left(7) ^ entity.to_bits()));
}
#[system(Game)]
pub(super) fn went(gone: Exited<With<Mass>>, mut log: ResMut<Log>) {
    log.0.push(gone.iter().fold(3, |sum: u64, entity| sum.rotate_left(7) ^ entity.to_bits()));
}
#[system(Game)]
pub(super) fn lost(mut heat: Removed<Heat>, mut labels: Removed<Label>, mut log: ResMut<Log>) {
    log.0
        .push(heat.iter().fold(4, |sum: u64, (entity, heat)| sum.rotate_left(7) ^ entity.to_bits() ^ heat.0));
    log.0.push(labels.iter().map(|(_, label)| label.0.len() as u64).sum());
}
#[system(Game)]
pub(super) fn many(all: Query<&Mass>) -> bool {
    all.len() > 12
}
#[system(Game)]
pub(super) fn odd(mut runs: Local<u32>) -> bool {
    *runs += 1;
    *runs % 2 == 1
}
#[system(Game)]
pub(super) fn tag(rows: Query<(Entity, &Mass)>, mut tags: Storage<Tag>) {
    for (entity, mass) in &rows {
        if mass.0.is_multiple_of(3) {
            tags.insert(entity, Tag).unwrap();
        } else if mass.0 % 3 == 1 {
            tags.remove(entity);
        }
    }
}
#[system(Game)]
pub(super) fn name(rows: Query<(Entity, &Mass)>, mut names: Storage<Label>, mut runs: Local<u32>) {
    *runs += 1;
    for (entity, mass) in rows.iter().filter(|(_, mass)| mass.0.is_multiple_of(4)) {
        names.insert(entity, Label(format!("{} {}", *runs, mass.0 % 10))).unwrap();
    }
}
#[system(Game)]
pub(super) fn rename(names: &mut Label, heat: Option<&Heat>) {
    names.0.push(heat.map_or('-', |heat| char::from(b'a' + (heat.0 % 26) as u8)));
    if names.0.len() > 12 {
        names.0.clear();
    }
}
#[system(Game)]
pub(super) fn spawn_few(mut runs: Local<u32>, mut commands: Commands<Game>) {
    *runs += 1;
    let entity = commands.spawn((Mass(*runs), Heat(7)));
    commands.insert(entity, Team(*runs as u8 % 6));
    for n in 0..*runs % 4 {
        commands.spawn((Label(format!("{n}")), Tag, Seat(*runs * 4 + n)));
    }
}
#[system(Game)]
pub(super) fn spawn_many(sum: Res<Sum>, mut commands: Commands<Game>) {
    for n in 0..sum.0 % 70 {
        commands.spawn((Mass(n as u32), Team(n as u8 % 6)));
    }
}
#[system(Game)]
pub(super) fn cull(rows: Query<(Entity, &Mass)>, mut commands: Commands<Game>) {
    rows.iter().filter(|(_, mass)| mass.0 % 5 < 2).for_each(|(entity, _)| commands.despawn(entity));
}
#[system(Game)]
pub(super) fn give(
    rows: Query<Entity, (With<Team>, Without<Heat>)>,
    sum: Res<Sum>,
    mut commands: Commands<Game>,
) {
    rows.iter().for_each(|entity| commands.insert(entity, (Heat(sum.0 % 9), Seat(entity.slot()))));
}
#[system(Game)]
pub(super) fn strip(rows: Query<(Entity, &Heat), With<Team>>, mut commands: Commands<Game>) {
    let odd = rows.iter().filter(|(_, heat)| heat.0 % 2 == 1);
    odd.for_each(|(entity, _)| commands.remove::<(Heat, Tag)>(entity));
}
#[system(Game)]
pub(super) fn follow(rows: Query<Entity, With<Mass>>, mut commands: Commands<Game>, mut runs: Local<usize>) {
    *runs += 1;
    let all: Vec<Entity> = rows.iter().collect();
    for (at, &entity) in all.iter().enumerate().step_by(3) {
        let other = all[(at * 7 + *runs) % all.len()];
        if other != entity {
            commands.insert(entity, Follows(other));
        }
    }
}
#[system(Game)]
pub(super) fn shout(rows: Query<(Entity, &Mass)>, mut pings: EventWriter<Ping>) {
    pings.extend(rows.iter().step_by(7).map(|(entity, mass)| Ping(entity, u64::from(mass.0))));
}
#[system(Game)]
pub(super) fn shout_too(rows: Query<(Entity, &Heat)>, mut runs: Local<u64>, mut pings: EventWriter<Ping>) {
    *runs += 1;
    pings.extend(rows.iter().take(3).map(|(entity, heat)| Ping(entity, heat.0 ^ *runs)));
}
#[system(Game)]
pub(super) fn hear(mut pings: EventReader<Ping>, mut log: ResMut<Log>) {
    let hash = |ping: &Ping| ping.0.to_bits() ^ ping.1;
    log.0.push(pings.iter().fold(0, |sum: u64, ping| sum.rotate_left(1) ^ hash(ping)));
}
#[system(Game)]
pub(super) fn relay(mut pings: EventReader<Ping>, mut pongs: EventWriter<Pong>) {
    pongs.extend(pings.iter().filter(|ping| ping.1 % 2 == 0).map(|ping| Pong(ping.1)));
}
#[system(Game)]
pub(super) fn heed(mut pongs: EventReader<Pong>, mut rows: Query<Mut<Heat>>, mut last: Local<u64>) {
    *last = pongs.iter().fold(*last, |last, pong| last.wrapping_mul(3) ^ pong.0);
    rows.par_for_each(|mut heat| heat.0 = heat.0.wrapping_add(*last));
}
/// Writes all that a system on several threads may write, and may panic for some of its entities.
#[system(Game, par)]
pub(super) fn par_pour(
    entity: Entity,
    mass: &mut Mass,
    heat: Option<&Heat>,
    fuse: Res<Fuse>,
    mut pings: EventWriter<Ping>,
    mut commands: ParCommands<Game>,
    mut sum: Accumulator<Sum>,
) {
    mass.0 = mass.0.wrapping_mul(7).wrapping_add(heat.map_or(1, |heat| heat.0 as u32));
    sum.add(u64::from(mass.0) ^ entity.to_bits());
    if mass.0.is_multiple_of(5) {
        pings.send(Ping(entity, u64::from(mass.0)));
        commands.spawn((Mass(mass.0 / 5), Label("new".into())));
    }
    if mass.0 % 7 == 2 {
        blow(&fuse, 3);
    }
    if mass.0 % 11 == 3 {
        let team = (mass.0 % 6) as u8;
        commands.spawn_then((Team(team), Heat(3)), move |game, new| {
            game.insert(entity, Follows(new)).ok();
        });
        blow(&fuse, 8);
    }
    if mass.0 % 13 == 4 {
        commands.despawn(entity);
    }
}
#[system(Game, par)]
pub(super) fn par_strip(
    entity: Entity,
    heat: &Heat,
    team: Option<&Team>,
    masses: Query<&Mass>,
    mut commands: ParCommands<Game>,
    mut clicks: EventWriter<Click>,
) {
    clicks.extend((0..heat.0 % 3).map(|n| Click(n ^ masses.get(entity).map_or(0, |mass| u64::from(mass.0)))));
    match team {
        None => commands.insert(entity, (Team(heat.0 as u8 % 6), Tag)),
        Some(team) if heat.0.is_multiple_of(2) => commands.insert(entity, Seat(u32::from(team.0))),
        Some(_) => commands.remove::<Heat>(entity),
    }
}
#[system(Game, par)]
pub(super) fn par_warm(
    mut heat: Mut<Heat>,
    fuse: Res<Fuse>,
    mut sum: Accumulator<Sum>,
    mut shards: EventWriter<Shard>,
) {
    sum.add(heat.0);
    if fuse.has(15) {
        shards.send(Shard(heat.0 * 7));
    }
    if heat.0 % 4 == 1 {
        blow(&fuse, 5);
        heat.0 += 2;
    }
}
#[system(Game)]
pub(super) fn later(mut commands: Commands<Game>, sum: Res<Sum>) {
    let sum = sum.0;
    commands.run(move |game| {
        game.resource_mut::<Log>().0.push(sum);
        game.query_mut::<Mut<Team>>().for_each(|mut team| team.0 ^= 1);
    });
}
/// Reacts whenever an entity is hotter than before, up to a limit that may exceed `max`.
#[system(Game)]
pub(super) fn spread_heat(
    hot: Query<(Entity, &Heat), Changed<Heat>>,
    new: Entered<With<Heat>>,
    mut commands: Commands<Game>,
) {
    let hottest = hot.iter().map(|(_, heat)| heat.0 % 11).max().unwrap_or(0);
    if hottest > 3 || new.len() > 4 {
        commands.run(move |game| {
            let first = game.query::<Entity>().filter::<With<Heat>>().iter().next();
            if let Some(first) = first {
                game.get_tracked::<Heat>(first).unwrap().0 += 1;
            }
            game.spawn(Heat(0));
        });
    }
}
#[system(Game)]
pub(super) fn settle(gone: Exited<With<Heat>>, mut log: ResMut<Log>) {
    log.0.push(gone.len() as u64);
}
#[system(Game)]
pub(super) fn fail(
    fuse: Res<Fuse>,
    mut commands: Commands<Game>,
    mut pings: EventWriter<Ping>,
) -> Result<(), String> {
    let entity = commands.spawn(Heat(1));
    pings.send(Ping(entity, 1));
    if fuse.has(1) { Err("told to".into()) } else { Ok(()) }
}
#[system(Game)]
pub(super) fn fail_again(fuse: Res<Fuse>, mut log: ResMut<Log>) -> Result<(), String> {
    log.0.push(8);
    if fuse.has(2) { Err("told to".into()) } else { Ok(()) }
}

#[system(Game)]
pub(super) fn click(sum: Res<Sum>, mut clicks: EventWriter<Click>) {
    clicks.extend((0..sum.0 % 3).map(Click));
}
#[system(Game)]
pub(super) fn on_click(mut clicks: EventReader<Click>, mut log: ResMut<Log>) {
    log.0.push(clicks.iter().fold(5, |sum: u64, click| sum.rotate_left(9) ^ click.0));
}
/// A condition with an event reader, which `&&` and `||` may skip.
#[system(Game)]
pub(super) fn clicked(mut clicks: EventReader<Click>, mut gone: Removed<Label>) -> bool {
    let gone = gone.iter().count();
    clicks.iter().count() > gone % 2
}
#[system(Game)]
pub(super) fn post(sum: Res<Sum>, mut letters: EventWriter<Letter>) {
    letters.extend((0..sum.0 % 50).map(Letter));
}
#[system(Game)]
pub(super) fn collect(mut letters: EventReader<Letter>, mut log: ResMut<Log>) {
    log.0.push(letters.missed() + letters.iter().fold(6, |sum: u64, letter| sum.rotate_left(9) ^ letter.0));
}
#[system(Game)]
pub(super) fn hearing_question(
    mut pings: EventReader<Ping>,
    mut again: EventReader<Ping>,
    mut labels: Removed<Label>,
    mut runs: Local<u64>,
) -> bool {
    *runs += 1 + again.iter().take(1).count() as u64;
    pings.iter().count() + labels.iter().count() + *runs as usize > 3
}
#[system(Game)]
pub(super) fn spawning_question(mut commands: Commands<Game>, sum: Res<Sum>) -> bool {
    (0..sum.0 % 3).for_each(|n| _ = commands.spawn((Mass(n as u32), Label("asked".into()))));
    !sum.0.is_multiple_of(4)
}
#[system(Game)]
pub(super) fn shouting_question(
    mut pings: EventWriter<Ping>,
    heat: Query<(Entity, &Heat), Changed<Heat>>,
) -> bool {
    pings.extend(heat.iter().take(2).map(|(entity, heat)| Ping(entity, heat.0)));
    !heat.is_empty()
}

#[system(Game)]
pub(super) fn more_than(least: In<usize>, all: Query<&Mass>) -> bool {
    all.len() > *least
}
#[system(Game, par)]
pub(super) fn add_mass(added: In<u32>, mass: &mut Mass, _: With<Heat>) {
    mass.0 = mass.0.wrapping_add(*added);
}
#[system(Game)]
pub(super) fn masses(all: Query<&Mass>, mut pings: EventReader<Ping>) -> u64 {
    let heard: u64 = pings.iter().map(|ping| ping.1).fold(0, u64::wrapping_add);
    all.iter().fold(heard, |sum, mass| sum.rotate_left(3) ^ u64::from(mass.0))
}
#[system(Game)]
pub(super) fn fold(value: In<u64>, mut runs: Local<u64>, mut log: ResMut<Log>, mut commands: Commands<Game>) {
    *runs += 1;
    log.0.push(*value ^ *runs);
    if value.is_multiple_of(5) {
        commands.spawn((Mass(*runs as u32), Heat(*value % 9)));
    }
}
#[system(Game)]
pub(super) fn folded(value: In<u64>, mut heats: Query<Mut<Heat>, Changed<Heat>>) -> (u64, usize) {
    heats.for_each(|mut heat| heat.0 = heat.0.wrapping_mul(3));
    (*value, heats.len())
}
#[system(Game)]
pub(super) fn fail_above(
    value: In<u64>,
    heats: In<usize>,
    mut pongs: EventWriter<Pong>,
) -> Result<(), String> {
    pongs.send(Pong(*value ^ *heats as u64));
    if *heats > 9 { Err(format!("{} heats", *heats)) } else { Ok(()) }
}
