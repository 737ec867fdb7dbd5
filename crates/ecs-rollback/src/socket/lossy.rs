//! [`LossySocket`]: a bad network for tests.

use std::hash::Hash;
use std::ops::Range;

use ggrs::{Message, NonBlockingSocket};
use oorandom::Rand32;

/// A socket that drops, delays and repeats the messages that are sent through another one. A delay
/// that varies also changes the order.
///
/// The random numbers have a seed. Time is counted in calls that receive messages, one in each
/// frame, so that a socket treats the same messages equally in each run.
///
/// ```
/// use ecs_rollback::{DatagramSocket, LossySocket};
///
/// let socket = DatagramSocket::bind("127.0.0.1:0")?;
/// // loses every fifth message, and delays the others by 1 to 5 frames
/// let bad: LossySocket<_> = LossySocket::new(socket, 7).loss(0.2).delay(1..6);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct LossySocket<S, A = std::net::SocketAddr> {
    socket: S,
    random: Rand32,
    loss: f32,
    repeats: f32,
    delay: Range<u32>,
    now: u32,
    /// Messages that are under way, with the time at which they are sent.
    waiting: Vec<(u32, A, Message)>,
}

impl<S, A> LossySocket<S, A> {
    /// Wraps a socket, without losses and delays. `seed` chooses the random numbers.
    pub fn new(socket: S, seed: u64) -> Self {
        let random = Rand32::new(seed);
        Self { socket, random, loss: 0.0, repeats: 0.0, delay: 0..1, now: 0, waiting: Vec::new() }
    }

    /// Sets the probability that a message is lost.
    #[must_use]
    pub fn loss(self, loss: f32) -> Self {
        Self { loss, ..self }
    }

    /// Sets the probability that a message arrives twice.
    #[must_use]
    pub fn repeats(self, repeats: f32) -> Self {
        Self { repeats, ..self }
    }

    /// Sets the delay of a message, in frames.
    #[must_use]
    pub fn delay(self, delay: Range<u32>) -> Self {
        Self { delay, ..self }
    }
}

impl<A: Clone + Eq + Hash + Send + Sync, S: NonBlockingSocket<A>> NonBlockingSocket<A> for LossySocket<S, A> {
    fn send_to(&mut self, message: &Message, address: &A) {
        if self.random.rand_float() < self.loss {
            return;
        }
        let copies = 1 + u32::from(self.random.rand_float() < self.repeats);
        for _ in 0..copies {
            let delay = if self.delay.is_empty() { 0 } else { self.random.rand_range(self.delay.clone()) };
            match delay {
                0 => self.socket.send_to(message, address),
                _ => self.waiting.push((self.now + delay, address.clone(), message.clone())),
            }
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(A, Message)> {
        self.now += 1;
        let now = self.now;
        for (_, address, message) in self.waiting.extract_if(.., |(at, ..)| *at <= now) {
            self.socket.send_to(&message, &address);
        }
        self.socket.receive_all_messages()
    }
}
