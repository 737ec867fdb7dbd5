//! Workers over `timely`: threads, and connections between the processes of a run, which stand on
//! threads here.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use ecs_distributed::{Exchange, Key, Network, NetworkOptions, RunError, Worker};

use crate::crowd::Crowd;
use crate::model::setting;
use crate::settlers::{Settlers, hash_of, run_ticks};

fn options(workers: usize, processes: usize) -> NetworkOptions {
    let mut options = NetworkOptions::new(workers, processes, 7);
    options.connect_timeout = Duration::from_secs(20);
    options.timeout = Duration::from_secs(20);
    options
}

/// The networks of several processes, by number.
fn processes(
    options: impl Fn(usize) -> NetworkOptions + Copy + Send + Sync,
    count: usize,
) -> Vec<Result<Network, RunError>> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::scope(|scope| {
        let host = scope.spawn(|| Network::host(&listener, options(0)));
        let address = &address;
        let join = |process| scope.spawn(move || Network::join(address, process, options(process)));
        let others: Vec<_> = (1..count).map(join).collect();
        let threads = [host].into_iter().chain(others);
        threads.map(|thread| thread.join().unwrap()).collect()
    })
}

/// The hashes of all workers of all processes.
fn hashes(workers: usize, count: usize, ticks: u64) -> Vec<u64> {
    let networks = processes(|_| options(workers, count), count);
    let run = |network: Result<Network, RunError>| {
        thread::spawn(move || {
            network.unwrap().run(move |exchange| {
                run_ticks(&mut Worker::new(Settlers::new(), exchange)?.rebalance_every(5), ticks)
            })
        })
    };
    let threads: Vec<_> = networks.into_iter().map(run).collect();
    threads.into_iter().flat_map(|thread| thread.join().unwrap().unwrap()).collect()
}

#[test]
fn threads_and_processes_give_the_same_hash() {
    let expected = hash_of(1, 12);
    for (workers, count) in [(1, 1), (2, 1), (4, 1), (1, 2), (2, 2), (1, 3)] {
        let hashes = hashes(workers, count, 12);
        assert_eq!(hashes, vec![expected; workers * count], "{workers} workers in {count} processes");
    }
}

/// Totals, messages, crowded places: all that workers exchange.
#[test]
fn processes_share_totals_and_messages() {
    let run = |exchange: &mut ecs_distributed::NetworkExchange<'_>| {
        let mut worker = Worker::new(Crowd::<true>(setting(5)), exchange)?;
        (0..15).try_for_each(|_| worker.tick())?;
        worker.hash()
    };
    let alone = Network::threads(options(1, 1)).unwrap().run(run).unwrap()[0];
    let threads: Vec<_> = processes(|_| options(2, 2), 2)
        .into_iter()
        .map(|network| thread::spawn(move || network.unwrap().run(run)))
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), Ok(vec![alone; 2]));
    }
}

#[test]
fn messages_of_any_size_arrive() {
    let networks = processes(|_| options(1, 2), 2);
    let run = |network: Result<Network, RunError>| {
        thread::spawn(move || {
            network.unwrap().run(|exchange| {
                for size in [0, 1, 1000, 3_000_000, 0, 70_000] {
                    let own = exchange.index();
                    let message = |to: usize| vec![(own * 2 + to) as u8; size + own];
                    let received = exchange.exchange(vec![message(0), message(1)])?;
                    for (from, message) in received.iter().enumerate() {
                        assert_eq!(*message, vec![(from * 2 + own) as u8; size + from]);
                    }
                }
                Ok(())
            })
        })
    };
    let threads: Vec<_> = networks.into_iter().map(run).collect();
    threads.into_iter().for_each(|thread| drop(thread.join().unwrap().unwrap()));
}

#[test]
fn another_version_of_the_program_is_refused() {
    let other = |process| NetworkOptions { fingerprint: 7 + process as u64, ..options(1, 2) };
    for (process, network) in processes(other, 2).into_iter().enumerate() {
        let error = network.unwrap_err();
        assert!(matches!(error, RunError::Handshake(_)), "{error}");
        let text = error.to_string();
        assert!(text.starts_with(&format!("process {} at 127.0.0.1:", 1 - process)), "{text}");
        assert!(text.contains("is another version of the program"), "{text}");
    }
}

#[test]
fn another_number_of_workers_is_refused() {
    for network in processes(|process| options(1 + process, 2), 2) {
        let text = network.unwrap_err().to_string();
        assert!(
            text.contains("2 processes of 2") && text.contains("2 of 1") || text.contains("2 processes of 1"),
            "{text}"
        );
    }
}

/// Connections that do not begin as those of a process: a port scan, a wrong address.
#[test]
fn strangers_do_not_disturb_a_run() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let strangers: Vec<TcpStream> = (0..4)
        .map(|kind| {
            let mut stream = TcpStream::connect(address).unwrap();
            match kind {
                0 => stream.write_all(&[b'x'; 100]).unwrap(),
                1 => stream.write_all(b"ecs-distributed\n half").unwrap(), // and then nothing
                2 => stream.shutdown(std::net::Shutdown::Both).unwrap(),
                _ => stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap(),
            }
            stream
        })
        .collect();
    let host = thread::spawn(move || Network::host(&listener, options(1, 2)));
    let other = thread::spawn(move || Network::join(&address.to_string(), 1, options(1, 2)));
    let (host, other) = (host.join().unwrap().unwrap(), other.join().unwrap().unwrap());
    let other = thread::spawn(|| other.run(|exchange| exchange.exchange(vec![vec![1], vec![2]])));
    assert_eq!(
        host.run(|exchange| exchange.exchange(vec![vec![3], vec![4]])),
        Ok(vec![vec![vec![3], vec![1]]])
    );
    assert_eq!(other.join().unwrap(), Ok(vec![vec![vec![4], vec![2]]]));
    drop(strangers);
}

/// One after the other, they would use up the time for the connections.
#[test]
fn many_silent_strangers_do_not_delay_a_run() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let strangers: Vec<TcpStream> = (0..40).map(|_| TcpStream::connect(address).unwrap()).collect();
    let begin = Instant::now();
    let host = thread::spawn(move || Network::host(&listener, options(1, 2)));
    let other = thread::spawn(move || Network::join(&address.to_string(), 1, options(1, 2)));
    assert!(host.join().unwrap().is_ok() && other.join().unwrap().is_ok());
    assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
    drop(strangers);
}

#[test]
fn a_stranger_is_named_if_a_process_does_not_come() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let stranger = thread::spawn(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(&[b'x'; 100]).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
    });
    let mut options = options(1, 2);
    options.connect_timeout = Duration::from_millis(500);
    let error = Network::host(&listener, options).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("process 0 has no connection to process 1 in time; 127.0.0.1:"), "{text}");
    assert!(text.ends_with("is not a process of a distributed run"), "{text}");
    stranger.join().unwrap();
}

#[test]
fn a_server_of_another_kind_is_an_error_at_once() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.write_all(b"220 mail.example.org ESMTP\r\n");
    });
    let error = Network::join(&address, 1, options(1, 2)).unwrap_err();
    assert_eq!(error.to_string(), format!("{address} is not a process of a distributed run"));
    server.join().unwrap();
}

#[test]
fn options_and_addresses_that_cannot_be_are_errors_at_once() {
    let begin = Instant::now();
    let text = |result: Result<Network, RunError>| result.unwrap_err().to_string();
    assert_eq!(text(Network::threads(options(0, 1))), "a process has at least one worker");
    assert!(text(Network::threads(options(usize::MAX, 1))).contains("a run has at most 1048576 workers"));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    assert!(text(Network::host(&listener, options(1, usize::MAX))).contains("at most 1048576 workers"));
    assert_eq!(text(Network::join("127.0.0.1:1", 7, options(1, 2))), "there is no process 7 among 2");
    let hosts = ["127.0.0.1:0".to_owned(), "127.0.0.1:0".to_owned()];
    assert_eq!(text(Network::hosts(&hosts, 2, options(1, 2))), "there is no process 2 among 2");
    assert_eq!(text(Network::hosts(&[], 0, options(1, 0))), "there is no process 0 among 0");
    for garbage in ["garbage", "127.0.0.1", "127.0.0.1:99999", "a b:c", ""] {
        let hosts = [garbage.to_owned(), "127.0.0.1:0".to_owned()];
        let text = text(Network::hosts(&hosts, 1, options(1, 2)));
        assert!(text.starts_with(&format!("`{garbage}` is no address of process 0: ")), "{text}");
    }
    // for ever
    let connect_timeout = Duration::MAX;
    assert!(Network::threads(NetworkOptions { connect_timeout, ..options(1, 1) }).is_ok());
    let hosts = ["x".to_owned()];
    assert!(Network::hosts(&hosts, 0, NetworkOptions { connect_timeout, ..options(1, 1) }).is_err());
    assert!(begin.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_process_that_does_not_come_is_an_error_in_time() {
    let begin = Instant::now();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut options = options(1, 3);
    options.connect_timeout = Duration::from_millis(200);
    let error = Network::host(&listener, options).unwrap_err();
    assert_eq!(error.to_string(), "process 0 has no connection to process 1, 2 in time");
    assert!(begin.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_process_that_does_not_come_is_named_with_its_address() {
    let free = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let hosts = [free(), free(), free()];
    let connect_timeout = Duration::from_millis(300);
    let first = Network::hosts(&hosts, 0, NetworkOptions { connect_timeout, ..options(1, 3) });
    let text = first.unwrap_err().to_string();
    let (one, two) = (&hosts[1], &hosts[2]);
    assert_eq!(text, format!("process 0 has no connection to process 1 ({one}), 2 ({two}) in time"));
    let last = Network::hosts(&hosts, 2, NetworkOptions { connect_timeout, ..options(1, 3) });
    let text = last.unwrap_err().to_string();
    let zero = &hosts[0];
    assert!(
        text.starts_with(&format!("process 2 has no connection to process 0 ({zero}) in time; {zero}: ")),
        "{text}"
    );
}

#[test]
fn a_process_that_comes_late_belongs_to_the_run() {
    let free = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let hosts = [free(), free()];
    let late = {
        let hosts = hosts.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            Network::hosts(&hosts, 0, options(1, 2))
        })
    };
    assert!(Network::hosts(&hosts, 1, options(1, 2)).is_ok());
    assert!(late.join().unwrap().is_ok());
}

#[test]
fn processes_with_one_key_run_and_one_with_another_key_is_refused() {
    let key = |process: usize| Key::new(if process == 2 { b"guessed" } else { b"a secret of the group" });
    let networks = processes(|process| NetworkOptions { key: key(process), ..options(1, 2) }, 2);
    assert!(networks.iter().all(Result::is_ok), "{networks:?}");
    // the host waits for the right one, and names the other
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let connect_timeout = Duration::from_millis(500);
    for wrong in [key(2), Key::default()] {
        let address = address.clone();
        let join = thread::spawn(move || {
            let error =
                Network::join(&address, 1, NetworkOptions { key: wrong, ..options(1, 2) }).unwrap_err();
            assert_eq!(error, RunError::Handshake(format!("{address} does not have the key of this run")));
        });
        let options = NetworkOptions { key: key(0), connect_timeout, ..options(1, 2) };
        let text = Network::host(&listener, options).unwrap_err().to_string();
        join.join().unwrap();
        assert!(text.starts_with("process 0 has no connection to process 1 in time; 127.0.0.1:"), "{text}");
        assert!(text.ends_with("does not have the key of this run"), "{text}");
    }
    assert_eq!(format!("{:?}", key(1)), "Key(..)");
}

/// One that sends back what it gets, and one that sends what it has heard in another connection.
#[test]
fn a_proof_fits_one_connection_only() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    // between a process and its host stands one that listens
    let between = TcpListener::bind("127.0.0.1:0").unwrap();
    let between_address = between.local_addr().unwrap().to_string();
    let key = Key::new(b"a secret of the group");
    let listens = {
        let heard = Arc::clone(&heard);
        thread::spawn(move || {
            let (mut process, _) = between.accept().unwrap();
            let mut host = TcpStream::connect(address).unwrap();
            for length in [56, 32] {
                let (mut hers, mut his) = (vec![0; length], vec![0; length]);
                process.read_exact(&mut hers).unwrap();
                host.write_all(&hers).unwrap();
                host.read_exact(&mut his).unwrap();
                process.write_all(&his).unwrap();
                heard.lock().unwrap().extend(hers);
            }
            // they go on, and it ends the connection
        })
    };
    let with = move |connect_timeout| NetworkOptions { key, connect_timeout, ..options(1, 2) };
    let join = thread::spawn(move || Network::join(&between_address, 1, with(Duration::from_secs(5))));
    assert!(Network::host(&listener, with(Duration::from_secs(5))).is_err());
    assert!(join.join().unwrap().is_err());
    listens.join().unwrap();
    let replays = thread::spawn(move || {
        let mut again = TcpStream::connect(address).unwrap();
        again.write_all(&heard.lock().unwrap()).unwrap();
        let mut echo = TcpStream::connect(address).unwrap();
        for length in [56, 32] {
            let mut bytes = vec![0; length];
            if echo.read_exact(&mut bytes).is_ok() {
                let _ = echo.write_all(&bytes);
            }
        }
        let _ = again.read_to_end(&mut Vec::new());
        let _ = echo.read_to_end(&mut Vec::new());
    });
    let text = Network::host(&listener, with(Duration::from_millis(500))).unwrap_err().to_string();
    assert!(text.starts_with("process 0 has no connection to process 1 in time; 127.0.0.1:"), "{text}");
    let reasons = ["does not have the key of this run", "is process 0 as well"];
    assert!(reasons.iter().any(|reason| text.ends_with(reason)), "{text}");
    drop(listener);
    replays.join().unwrap();
}

/// The errors of two processes, of which the second does something else than its ticks after some
/// of them.
fn two(timeout: Duration, other: fn() -> Result<u64, RunError>) -> [Result<Vec<u64>, RunError>; 2] {
    let networks = processes(move |_| NetworkOptions { timeout, ..options(1, 2) }, 2);
    let run = |network: Result<Network, RunError>| {
        thread::spawn(move || {
            network.unwrap().run(move |exchange| {
                let mut worker = Worker::new(Settlers::new(), exchange)?;
                run_ticks(&mut worker, 3)?;
                if worker.index() == 1 { other() } else { run_ticks(&mut worker, 3) }
            })
        })
    };
    let threads: Vec<_> = networks.into_iter().map(run).collect();
    let results: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    results.try_into().unwrap()
}

#[test]
fn the_failure_of_a_process_reaches_the_others() {
    let [first, second] = two(Duration::from_secs(20), || Err(RunError::System("no more ink".to_owned())));
    assert_eq!(second.unwrap_err().to_string(), "no more ink");
    let first = first.unwrap_err();
    assert!(matches!(&first, RunError::Lost { peer, .. } if peer.starts_with("process 1 at ")), "{first}");
}

#[test]
fn a_panic_of_a_worker_is_an_error() {
    let [first, second] = two(Duration::from_secs(20), || panic!("out of ink"));
    assert_eq!(second.unwrap_err().to_string(), "worker 1 has panicked: out of ink");
    assert!(matches!(first.unwrap_err(), RunError::Lost { .. }));
}

/// The payload of a panic, whose drop panics.
struct Payload;

impl Drop for Payload {
    fn drop(&mut self) {
        panic!("the payload was dropped");
    }
}

#[test]
fn a_panic_whose_payload_panics_is_an_error_everywhere_at_once() {
    let begin = Instant::now();
    let [first, second] = two(Duration::from_secs(20), || std::panic::panic_any(Payload));
    assert_eq!(second.unwrap_err().to_string(), "worker 1 has panicked: no message");
    assert!(matches!(first.unwrap_err(), RunError::Lost { .. }));
    let network = Network::threads(options(2, 1)).unwrap();
    let error = network.run(|exchange| {
        let mut worker = Worker::new(Settlers::new(), exchange)?;
        if worker.index() == 1 {
            std::panic::panic_any(Payload);
        }
        run_ticks(&mut worker, 2)
    });
    assert_eq!(error.unwrap_err().to_string(), "worker 1 has panicked: no message");
    assert!(begin.elapsed() < Duration::from_secs(15), "{:?}", begin.elapsed());
}

#[test]
fn a_process_that_hangs_is_an_error_in_time() {
    let [first, second] = two(Duration::from_millis(500), || {
        thread::sleep(Duration::from_secs(3));
        Ok(0)
    });
    let first = first.unwrap_err();
    assert!(matches!(&first, RunError::Timeout { missing, .. } if *missing == [1]), "{first}");
    assert!(second.is_ok());
}

#[test]
fn the_failure_of_a_thread_reaches_the_others() {
    let network = Network::threads(options(3, 1)).unwrap();
    let begin = Instant::now();
    let error = network.run(|exchange| {
        let mut worker = Worker::new(Settlers::new(), exchange)?;
        run_ticks(&mut worker, 2)?;
        if worker.index() == 2 {
            return Err(RunError::System("no more ink".to_owned()));
        }
        run_ticks(&mut worker, 2)
    });
    assert_eq!(error.unwrap_err().to_string(), "no more ink");
    assert!(begin.elapsed() < Duration::from_secs(20));
}
