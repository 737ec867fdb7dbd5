//! [`JitterBuffer`]: the delay with which received frames are drawn, by the jitter of their
//! arrivals.
//!
//! Each new frame gives one sample: the time from the frame *before* it, by the server's clock, to
//! its arrival, by that of the client. If drawing is later than this by the server's clock, the new
//! frame is there before the old one is used up. A frame that is late has a greater sample, and so
//! has one after lost frames. Drawing is later by the mean of the samples and some mean deviations,
//! both exponentially weighted, as the timer of RFC 6298 is, and with the weight of the jitter in
//! RFC 3550.

use std::time::Duration;

/// The weight of a sample in the means.
const WEIGHT: f64 = 1.0 / 16.0;

/// The slowest and the fastest drawing, as differences to the speed of the server's clock: a delay
/// that is too short grows soon, and one that is too long shrinks slowly.
const SPEED: [f64; 2] = [-0.1, 0.03];

/// The time within which drawing would reach its delay if its speed were not bounded, in seconds.
const SMOOTH: f64 = 0.5;

/// The difference from which on drawing jumps, and the mean of the samples begins anew, in seconds:
/// the server was paused, or the client was.
const JUMP: f64 = 1.0;

/// The frame to draw at each time: so much later than it was made that the next one has arrived in
/// most cases, and no later.
///
/// The delay follows the measured jitter of the arrivals, and lost frames count as late ones. It
/// grows when frames come too late, and shrinks slowly when they come evenly again. Drawing never
/// goes back: it becomes slower by up to a tenth, or faster by up to 3 %. While no new frame
/// arrives, it stands at the newest.
///
/// Times are those of any clock of the client, since any time in its past. The buffer has no clock
/// of its own, so that equal calls have equal results.
///
/// ```
/// use std::time::Duration;
/// use ecs_replication::JitterBuffer;
///
/// let ms = Duration::from_millis;
/// let mut buffer = JitterBuffer::new(ms(50)); // the server makes 20 frames in a second
/// assert_eq!(buffer.frame(ms(0)), None);
/// for frame in 1..=200_u64 {
///     let late = if frame % 2 == 0 { 30 } else { 0 };
///     buffer.arrived(frame, ms(frame * 50 + late)); // after `Client::receive` has applied it
/// }
/// // the newest frame is of 10,000 ms, and arrived at 10,030 ms
/// let drawn = buffer.frame(ms(10_030)).unwrap();
/// assert!((197.0..199.0).contains(&drawn), "{drawn}");
/// // to be drawn: `Interpolation::at(entity, drawn)`
/// ```
#[derive(Clone, Debug)]
pub struct JitterBuffer {
    /// The seconds of a frame.
    step: f64,
    deviations: f64,
    /// The bounds of the delay, in seconds.
    least: f64,
    most: f64,
    arrivals: Option<Arrivals>,
    drawn: Option<Drawn>,
}

/// The measured arrivals, in seconds.
#[derive(Clone, Copy, Debug)]
struct Arrivals {
    newest: u64,
    mean: f64,
    deviation: f64,
}

/// The frame that was drawn last, and when.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    at: f64,
    frame: f64,
}

impl JitterBuffer {
    /// Makes a buffer for a server whose frames have this length. The delay is three mean
    /// deviations, and at most half a second.
    ///
    /// # Panics
    /// If the length is 0.
    #[must_use]
    pub fn new(frame: Duration) -> Self {
        assert!(!frame.is_zero(), "a frame of a jitter buffer has a length");
        let step = frame.as_secs_f64();
        Self { step, deviations: 3.0, least: 0.0, most: 0.5, arrivals: None, drawn: None }
    }

    /// Bounds the [delay](Self::delay).
    #[must_use]
    pub fn bounds(self, least: Duration, most: Duration) -> Self {
        Self { least: least.as_secs_f64(), most: most.max(least).as_secs_f64(), ..self }
    }

    /// Sets the number of mean deviations that the delay is: with fewer, drawing stands more often,
    /// and is less far behind.
    #[must_use]
    pub fn deviations(self, number: f32) -> Self {
        Self { deviations: if number > 0.0 { f64::from(number).min(1e6) } else { 0.0 }, ..self }
    }

    /// Notes that a frame has arrived and was applied: [`Client::receive`](crate::Client::receive)
    /// has returned `true`, and `frame` is [`Client::frame`](crate::Client::frame). A frame before
    /// the newest one is that of a server that was started anew, and the measurement begins anew.
    pub fn arrived(&mut self, frame: u64, now: Duration) {
        let now = now.as_secs_f64();
        let Some(arrivals) = self.arrivals.as_mut().filter(|known| frame >= known.newest) else {
            let mean = now - (frame as f64 - 1.0) * self.step;
            self.arrivals = Some(Arrivals { newest: frame, mean, deviation: self.step / 2.0 });
            self.drawn = None;
            return;
        };
        if frame == arrivals.newest {
            return;
        }
        // no delay makes up for more lost frames than fit into it
        let lost = ((frame - arrivals.newest) as f64 * self.step).min(self.step + self.most);
        let sample = now - frame as f64 * self.step + lost;
        let difference = sample - arrivals.mean;
        arrivals.newest = frame;
        if difference.abs() > JUMP {
            arrivals.mean = sample;
        } else {
            arrivals.mean += difference * WEIGHT;
            arrivals.deviation += (difference.abs() - arrivals.deviation) * WEIGHT;
        }
    }

    /// The time by which drawing is to be later than the mean arrival of the frame that it needs:
    /// the mean deviation of the arrivals, times the number of [deviations](Self::deviations),
    /// within the [bounds](Self::bounds).
    #[must_use]
    pub fn delay(&self) -> Duration {
        Duration::from_secs_f64(self.arrivals.map_or(self.least, |arrivals| self.margin(&arrivals)))
    }

    fn margin(&self, arrivals: &Arrivals) -> f64 {
        (arrivals.deviation * self.deviations).clamp(self.least, self.most)
    }

    /// The frame to draw at this time, which is never less than that of an earlier call. `None`
    /// before the first frame has arrived.
    pub fn frame(&mut self, now: Duration) -> Option<f64> {
        let arrivals = self.arrivals?;
        let now = now.as_secs_f64();
        let wanted = (now - arrivals.mean - self.margin(&arrivals)) / self.step;
        let mut frame = wanted;
        if let Some(last) = self.drawn {
            // at the speed of the server's clock, or a little faster or slower
            let passed = (now - last.at).max(0.0);
            let behind = wanted * self.step - (last.frame * self.step + passed);
            if behind.abs() < JUMP {
                let speed = 1.0 + (behind / SMOOTH).clamp(SPEED[0], SPEED[1]);
                frame = last.frame + passed / self.step * speed;
            }
            frame = frame.max(last.frame);
        }
        frame = frame.min(arrivals.newest as f64);
        self.drawn = Some(Drawn { at: now, frame });
        Some(frame)
    }
}
