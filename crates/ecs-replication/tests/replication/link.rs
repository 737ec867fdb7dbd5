//! A link in memory that loses, repeats, delays and reorders messages, by a seed.

use oorandom::Rand32;

pub(crate) struct Link {
    random: Rand32,
    /// In percent.
    loss: u32,
    /// The longest delay, in ticks.
    delay: u32,
    now: u64,
    under_way: Vec<(u64, Vec<u8>)>,
}

impl Link {
    pub(crate) fn new(seed: u64, loss: u32, delay: u32) -> Self {
        Self { random: Rand32::new(seed), loss, delay, now: 0, under_way: Vec::new() }
    }

    pub(crate) fn send(&mut self, message: &[u8]) {
        // one message in ten arrives twice
        let copies = 1 + u32::from(self.random.rand_range(0..10) == 0);
        for _ in 0..copies {
            if self.random.rand_range(0..100) >= self.loss {
                let arrives = self.now + u64::from(self.random.rand_range(0..self.delay + 1));
                self.under_way.push((arrives, message.to_vec()));
            }
        }
    }

    /// The messages that arrive in this tick, in an order by the seed.
    pub(crate) fn receive(&mut self) -> Vec<Vec<u8>> {
        let now = self.now;
        self.now += 1;
        let (mut here, later): (Vec<_>, Vec<_>) =
            self.under_way.drain(..).partition(|(arrives, _)| *arrives <= now);
        self.under_way = later;
        for at in (1..here.len()).rev() {
            here.swap(at, self.random.rand_range(0..at as u32 + 1) as usize);
        }
        here.into_iter().map(|(_, message)| message).collect()
    }
}
