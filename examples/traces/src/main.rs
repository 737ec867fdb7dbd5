//! Writes a trace of ticks: `cargo run --release -p traces -- --ticks 100 --into trace.json`.
//!
//! With the feature `trace` each turn of a system is a span of the `tracing` crate, with the names
//! of the system, its schedule and its world. This program adds a span for each tick, and writes
//! all spans for <https://ui.perfetto.dev>, which opens the file by *Open trace file*. Each thread
//! has a row, so that systems of one wave are seen beside each other.

use std::error::Error;
use std::fmt::Debug;
use std::path::PathBuf;

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use lexopt::prelude::*;
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing_chrome::{ChromeLayerBuilder, EventOrSpan, TraceStyle};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::prelude::*;
use tracing_subscriber::registry::LookupSpan;

#[derive(Component)]
struct Position(f32, f32);

#[derive(Component)]
struct Velocity(f32, f32);

#[derive(Component)]
struct Temperature(f32);

#[derive(Resource, Default)]
struct Weather {
    wind: f32,
    warmth: f32,
}

world! {
    struct Sky {
        components { Position, Velocity, Temperature }
        resources { weather: Weather = Weather::default() }
    }
    schedule tick {
        change_weather;
        blow, warm;                         // one wave: both run at the same time
        drift;
        settle if is_calm;
    }
}

#[system(Sky)]
fn change_weather(mut weather: ResMut<Weather>) {
    weather.wind = (weather.wind * 1.7 + 0.3) % 1.0;
    weather.warmth = 1.0 - weather.wind;
}

#[system(Sky)]
fn blow(velocity: &mut Velocity, weather: Res<Weather>) {
    velocity.0 = velocity.0 * 0.9 + weather.wind;
}

#[system(Sky)]
fn warm(temperature: &mut Temperature, weather: Res<Weather>) {
    temperature.0 += (weather.warmth - temperature.0) * 0.1;
}

#[system(Sky)]
fn drift(position: &mut Position, velocity: &Velocity, temperature: &Temperature) {
    position.0 += velocity.0;
    position.1 += velocity.1 + temperature.0;
}

#[system(Sky)]
fn is_calm(weather: Res<Weather>) -> bool {
    weather.wind < 0.5
}

#[system(Sky)]
fn settle(velocity: &mut Velocity) {
    velocity.0 *= 0.5;
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut ticks, mut into) = (100_u32, PathBuf::from("trace.json"));
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("ticks") => ticks = arguments.value()?.parse()?,
            Long("into") => into = arguments.value()?.into(),
            other => return Err(other.unexpected().into()),
        }
    }
    let (layer, guard) = ChromeLayerBuilder::new()
        .file(&into)
        .include_args(true)
        .trace_style(TraceStyle::Threaded)
        .name_fn(Box::new(shown))
        .build();
    tracing_subscriber::registry().with(SystemNames).with(layer).init();

    let mut sky = Sky::new();
    sky.set_parallelism(Parallelism::Always);
    let _ =
        sky.spawn_batch((0..10_000).map(|n| (Position(n as f32, 0.0), Velocity(0.0, 0.1), Temperature(0.5))));
    for tick in 0..ticks {
        let _span = tracing::info_span!("tick", tick).entered();
        sky.tick();
    }
    drop(guard); // writes the end of the file
    println!("{ticks} ticks are in {}", into.display());
    Ok(())
}

/// The name of a system's span, for the name of its bar.
struct SystemName(String);

/// A layer that keeps the names of systems with their spans: all of them are spans `system` with
/// the name as a field.
struct SystemNames;

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for SystemNames {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut name = SystemName(String::new());
        attributes.record(&mut name);
        if let Some(span) = context.span(id).filter(|_| !name.0.is_empty()) {
            span.extensions_mut().insert(name);
        }
    }
}

impl Visit for SystemName {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "system" {
            self.0 = value.to_owned();
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

/// The name of a bar: that of the system, where the span is one's.
fn shown<S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync>(what: &EventOrSpan<'_, '_, S>) -> String {
    match what {
        EventOrSpan::Event(event) => event.metadata().name().to_owned(),
        EventOrSpan::Span(span) => match span.extensions().get::<SystemName>() {
            Some(SystemName(name)) => name.clone(),
            None => span.metadata().name().to_owned(),
        },
    }
}
