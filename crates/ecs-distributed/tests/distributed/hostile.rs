//! A process that shakes hands as one of the run, and then sends what no process sends.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ecs_distributed::{Exchange, Network, NetworkOptions, RunError, Worker};

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::settlers::{Settlers, run_ticks};

fn options() -> NetworkOptions {
    let mut options = NetworkOptions::new(1, 2, 7);
    options.connect_timeout = Duration::from_secs(20);
    options.timeout = Duration::from_secs(1);
    options
}

/// Connects to process 0 as process 1.
fn shake_hands(listener: &TcpListener) -> JoinHandle<TcpStream> {
    let mut stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let mut hello = b"ecs-distributed\n".to_vec();
    [5_u32, 1, 2, 1].iter().for_each(|number| hello.extend(number.to_le_bytes()));
    hello.extend(7_u64.to_le_bytes());
    hello.extend([9; 16]);
    stream.write_all(&hello).unwrap();
    // process 0 answers later: the proof needs its hello
    std::thread::spawn(move || prove(stream, &hello))
}

/// Sends the proof of a process that has no key of its own.
fn prove(mut stream: TcpStream, hello: &[u8]) -> TcpStream {
    let mut other = vec![0; hello.len()];
    stream.read_exact(&mut other).unwrap();
    let mac = Hmac::<Sha256>::new_from_slice(&Sha256::digest(b"")).unwrap();
    let proof = mac.chain_update([1]).chain_update(hello).chain_update(&other).finalize();
    stream.write_all(&proof.into_bytes()).unwrap();
    stream.read_exact(&mut [0; 32]).unwrap();
    stream.write_all(&1_u32.to_le_bytes()).unwrap();
    stream.write_all(b"1").unwrap();
    stream
}

/// A stranger gives each of two processes that wait for a third what the other one sends.
#[test]
fn proofs_of_a_process_that_listens_are_none_of_one_that_connects() {
    let free = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let hosts = [free(), free(), free()];
    let process = |process| {
        let hosts = hosts.clone();
        thread::spawn(move || {
            let options = NetworkOptions { processes: 3, ..options() };
            Network::hosts(&hosts, process, options).map(drop)
        })
    };
    let waiting = [process(0), process(1)];
    let mut streams = [0, 1].map(|at| {
        loop {
            match TcpStream::connect(&hosts[at]) {
                Ok(stream) => break stream,
                Err(_) => thread::sleep(Duration::from_millis(5)),
            }
        }
    });
    // hellos have 56 bytes, and proofs 32
    for length in [56, 32] {
        let mut parts = [vec![0; length], vec![0; length]];
        for (stream, part) in streams.iter_mut().zip(&mut parts) {
            stream.read_exact(part).unwrap();
        }
        parts.reverse();
        for (stream, part) in streams.iter_mut().zip(&parts) {
            stream.write_all(part).unwrap();
        }
    }
    // both are closed
    for mut stream in streams {
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        assert!(matches!(stream.read(&mut [0]), Ok(0)));
    }
    let last = process(2);
    for process in waiting.into_iter().chain([last]) {
        assert_eq!(process.join().unwrap(), Ok(()));
    }
}

/// The error of process 0 if process 1 sends these bytes.
fn error_of(bytes: Vec<u8>) -> RunError {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let stream = shake_hands(&listener);
    let network = Network::host(&listener, options()).unwrap();
    let mut stream = stream.join().unwrap();
    let hostile = thread::spawn(move || {
        let _ = stream.write_all(&bytes);
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let result = network.run(|exchange| run_ticks(&mut Worker::new(Settlers::new(), exchange)?, 3));
    hostile.join().unwrap();
    result.unwrap_err()
}

/// The first frame of a connection, with this content.
fn frame(content: &[u8]) -> Vec<u8> {
    let mix = |mut bits: u64| {
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    };
    let fold = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (words, rest) = content.as_chunks();
    let hash = words.iter().fold(mix(0), |hash, word| fold(hash, u64::from_le_bytes(*word)));
    let hash = rest.iter().fold(hash, |hash, &byte| fold(hash, byte.into()));
    let hash = mix(hash ^ content.len() as u64);
    [&(content.len() as u32).to_le_bytes()[..], &hash.to_le_bytes(), content].concat()
}

/// A head of a message of `timely`.
fn head(numbers: [u64; 6]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

#[test]
fn heads_of_messages_that_cannot_be_are_errors_at_once() {
    let begin = Instant::now();
    for numbers in [
        [0, 1, 0, 2, 8, 0],
        [0, 1, 1, 2, 8, 0],
        [0, 1, 1, 0, 8, 0],
        [0, 1, 0, 1, u64::MAX, 0],
        [0, 1, 0, 1, u64::MAX - 47, 0],
        [u64::MAX; 6],
    ] {
        let error = error_of(frame(&head(numbers)));
        assert!(
            matches!(&error, RunError::Lost { peer, .. } if peer.starts_with("process 1 at ")),
            "{error}"
        );
        assert!(error.to_string().ends_with("it has sent bytes that are no messages"), "{error}");
    }
    assert!(begin.elapsed() < Duration::from_secs(6), "{:?}", begin.elapsed());
}

#[test]
fn damaged_data_is_an_error_that_names_the_process() {
    let whole = frame(&head([0, 1, 0, 1, 8, 0]));
    for at in 4..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        let error = error_of(bytes);
        assert!(
            matches!(&error, RunError::Lost { peer, .. } if peer.starts_with("process 1 at ")),
            "{error}"
        );
        assert!(error.to_string().ends_with("its data was damaged on the way, in frame 0"), "{error}");
    }
    // longer than any frame
    let error = error_of(vec![0xff; 12]);
    assert!(error.to_string().ends_with("it has sent bytes that are no messages"), "{error}");
}

#[test]
fn contents_that_cannot_be_are_errors_in_time() {
    for (seed, channel) in [0, 1, 2, 3, 4, 5, u64::MAX].into_iter().enumerate() {
        let mut bytes = head([channel, 1, 0, 1, 64, 0]);
        bytes.extend((0..64_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> (seed + 7)) as u8));
        let begin = Instant::now();
        let text = error_of(frame(&bytes)).to_string();
        assert!(!text.contains("worker 0 has panicked"), "{text}");
        assert!(begin.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn a_stream_that_ends_anywhere_is_an_error() {
    let part = head([0, 1, 0, 1, 64, 0]);
    for bytes in
        [vec![], vec![1], frame(&part)[..47].to_vec(), frame(&part[..47]), frame(&part), frame(&head([0; 6]))]
    {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = shake_hands(&listener);
        let network = Network::host(&listener, options()).unwrap();
        let mut stream = stream.join().unwrap();
        stream.write_all(&bytes).unwrap();
        drop(stream);
        let result = network.run(|exchange| run_ticks(&mut Worker::new(Settlers::new(), exchange)?, 3));
        assert!(result.is_err());
    }
}

/// Engines that are wrong about the workers.
struct Lying {
    index: usize,
    workers: usize,
    messages: usize,
}

impl Exchange for Lying {
    fn index(&self) -> usize {
        self.index
    }

    fn workers(&self) -> usize {
        self.workers
    }

    fn exchange(&mut self, mut to_each: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, RunError> {
        to_each.resize(self.messages, to_each.first().cloned().unwrap_or_default());
        Ok(to_each)
    }
}

#[test]
fn engines_that_are_wrong_about_the_workers_are_errors() {
    for (index, workers, messages) in
        [(0, 0, 0), (3, 2, 2), (2, 2, 2), (usize::MAX, 1, 1), (0, 2, 0), (0, 2, 1), (0, 2, 3)]
    {
        let lying = || Lying { index, workers, messages };
        let run = |mut worker: Worker<Settlers, Lying>| run_ticks(&mut worker, 2);
        let error = Worker::new(Settlers::new(), lying()).and_then(run).unwrap_err();
        assert!(error.to_string().starts_with("the exchange "), "{error}");
        let folder = std::env::temp_dir().join("ecs-distributed-there-is-no-such-folder");
        let checkpoints = ecs_distributed::Checkpoints::new(folder, 0);
        let error = Worker::resume(Settlers::new(), lying(), &checkpoints).unwrap_err();
        assert!(error.to_string().starts_with("the exchange "), "{error}");
    }
}
