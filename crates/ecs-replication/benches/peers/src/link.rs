//! A link in memory that loses and delays datagrams by a seed.

use oorandom::Rand32;

/// The condition of a link.
#[derive(Clone, Copy)]
pub(crate) struct Road {
    /// In percent.
    pub(crate) loss: u32,
    /// The shortest and the longest delay, in ticks.
    pub(crate) delay: [u32; 2],
}

/// One direction of the link of a client.
pub(crate) struct Link {
    pub(crate) road: Road,
    random: Rand32,
    under_way: Vec<(u64, Vec<u8>)>,
}

impl Link {
    /// A link that loses nothing.
    pub(crate) fn new(seed: u64) -> Self {
        let road = Road { loss: 0, delay: [0, 0] };
        Self { road, random: Rand32::new(seed), under_way: Vec::new() }
    }

    pub(crate) fn send(&mut self, now: u64, datagram: Vec<u8>) {
        let Road { loss, delay: [shortest, longest] } = self.road;
        if self.random.rand_range(0..100) >= loss {
            let delay = self.random.rand_range(shortest..longest + 1);
            self.under_way.push((now + u64::from(delay), datagram));
        }
    }

    /// The datagrams that have arrived, in the order in which they were sent.
    pub(crate) fn receive(&mut self, now: u64) -> Vec<Vec<u8>> {
        let here = self.under_way.extract_if(.., |(arrives, _)| *arrives <= now);
        here.map(|(_, datagram)| datagram).collect()
    }
}
