//! Checkpoints of a distributed world in a bucket: [`Bucket`] puts them into any store of the crate
//! [`object_store`], such as one of Amazon S3, Google Cloud Storage or Azure, with the feature
//! `aws`, `gcp` or `azure` of that crate.

use std::fmt;
use std::io;

use bytes::Bytes;
use ecs_distributed::Store;
use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt};
use tokio::runtime::{Builder, Runtime};

/// A prefix in an object store, as a place for checkpoints.
pub struct Bucket<S> {
    store: S,
    prefix: Path,
    runtime: Runtime,
}

impl<S: ObjectStore> Bucket<S> {
    /// A place in a store: objects have names that begin with the prefix, which may be empty.
    ///
    /// An object is written by one request: Amazon S3 takes up to 5 GB. The methods wait for the
    /// store, so that they panic in a task of `tokio`: a worker runs on a thread of its own.
    ///
    /// # Errors
    /// If the threads of the runtime cannot be started.
    pub fn new(store: S, prefix: &str) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        Ok(Self { store, prefix: Path::from(prefix), runtime })
    }

    fn path(&self, name: &str) -> Path {
        Path::from(format!("{}/{name}", self.prefix))
    }
}

impl<S: ObjectStore> Store for Bucket<S> {
    fn put(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        let payload = parts.iter().map(|part| Bytes::copy_from_slice(part)).collect();
        self.runtime.block_on(self.store.put(&self.path(name), payload))?;
        Ok(())
    }

    fn get(&self, name: &str) -> io::Result<Vec<u8>> {
        let path = self.path(name);
        let bytes = self.runtime.block_on(async { self.store.get(&path).await?.bytes().await })?;
        Ok(bytes.into())
    }

    fn list(&self) -> io::Result<Vec<String>> {
        let found = self.store.list(Some(&self.prefix)).map_ok(|meta| meta.location);
        let found: Vec<Path> = self.runtime.block_on(found.try_collect())?;
        let name = |path: &Path| {
            let name = path.as_ref().strip_prefix(self.prefix.as_ref())?;
            // without a prefix there is nothing to separate from it
            Some(name.strip_prefix('/').unwrap_or(name).to_owned())
        };
        Ok(found.iter().filter_map(name).collect())
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        match self.runtime.block_on(self.store.delete(&self.path(name))) {
            Err(error) if !matches!(error, Error::NotFound { .. }) => Err(error.into()),
            _ => Ok(()),
        }
    }
}

impl<S: ObjectStore> fmt::Display for Bucket<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.store, self.prefix)
    }
}
