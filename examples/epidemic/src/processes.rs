//! The processes of a run: those that this one starts, and those of other machines.

use std::error::Error;
use std::net::TcpListener;
use std::process::{Child, Command};
use std::time::Duration;

use ecs_distributed::{
    Key, Network, NetworkOptions, fingerprint_of_program, process_of_environment, read_hosts,
};

use crate::cli::Options;

/// The processes that this one has started. They end with it.
#[derive(Default)]
pub struct Children(Vec<Child>);

impl Children {
    /// Waits until all have ended. They end by themselves, since they lose their connections
    /// otherwise.
    pub fn wait(&mut self) -> Result<(), Box<dyn Error>> {
        for mut child in self.0.drain(..) {
            let status = child.wait()?;
            if !status.success() {
                return Err(format!("a process has ended with {status}").into());
            }
        }
        Ok(())
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Connects this process with all others, and starts these if they are to run on this machine.
pub fn connect(options: &Options) -> Result<(Network, Children), Box<dyn Error>> {
    let mut children = Children::default();
    let mut network = NetworkOptions::new(options.workers, options.processes, 0);
    network.timeout = Duration::from_secs(options.timeout);
    network.connect_timeout = Duration::from_secs(options.connect);
    if let Some(file) = &options.key {
        network.key = Key::read(file)?;
    }
    if let Some(file) = &options.hosts {
        let addresses = read_hosts(file)?;
        network.processes = addresses.len();
        network.fingerprint = fingerprint_of_program()? ^ options.fingerprint();
        let process = options.process.map_or_else(process_of_environment, Ok)?;
        return Ok((Network::hosts(&addresses, process, network)?, children));
    }
    if options.processes == 1 {
        return Ok((Network::threads(network)?, children));
    }
    network.fingerprint = fingerprint_of_program()? ^ options.fingerprint();
    if let (Some(host), Some(process)) = (&options.join, options.process) {
        return Ok((Network::join(host, process, network)?, children));
    }
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    eprintln!("{} processes meet at {address}", options.processes);
    for process in 1..options.processes {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(std::env::args_os().skip(1)).args([
            "--join",
            &address,
            "--process",
            &process.to_string(),
        ]);
        let child = command.spawn()?;
        eprintln!("process {process} has the id {}", child.id());
        children.0.push(child);
    }
    Ok((Network::host(&listener, network)?, children))
}
