//! [`Server`]: the thread that reads requests from sockets, puts them into the queue, and writes
//! the answers.
//!
//! `hyper` parses HTTP on one thread of its own. A connection ends a time after its last request
//! began, whatever the client does, so that the memory of a server is bounded by the number of
//! connections times the sizes of a head, a body and an answer. While others wait for a place, each
//! connection carries one request.

mod admission;

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{self, HeaderValue};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Builder;
use tokio::sync::{Notify, Semaphore, mpsc, oneshot};
use tokio::time::{sleep, sleep_until, timeout};

use crate::dispatch::{Method, Request, Response};
use crate::options::{Limits, Options};
use crate::queue::{Delivery, Queue, Reply};
use crate::watch::mailbox::{Messages, WatchEnd};
use admission::{Admission, Rights};

/// The most bytes of a request's head; more get the status 431. The smallest buffer that `hyper`
/// allows.
const HEAD: usize = 8 << 10;

/// The connections that wait in the queue of the operating system until they are accepted. The VS
/// Code extension sends a request for each entity at once.
const WAITING: u32 = 1024;
/// The time for the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(2);

/// The time after which the connections are told again that another one waits for a place.
const CROWDED: Duration = Duration::from_millis(100);

/// The time for the last message of a watch.
const LAST_MESSAGE: Duration = Duration::from_secs(1);

/// A running server. It stops when it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The state that all connections share.
struct Service {
    queue: Arc<Queue>,
    limits: Limits,
    admission: Admission,
    open: Arc<Semaphore>,
    /// Tells the connections that another one waits for a place.
    crowded: Notify,
}

impl Server {
    pub(crate) fn start(
        options: &Options,
        queue: Arc<Queue>,
        mut deliveries: mpsc::UnboundedReceiver<Vec<Delivery>>,
    ) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
        let listener = {
            let _context = runtime.enter();
            listen(SocketAddr::new(options.address, options.port))?
        };
        let address = listener.local_addr()?;
        let service = Arc::new(Service {
            queue,
            limits: options.limits,
            admission: Admission::new(options),
            open: Arc::new(Semaphore::new(options.limits.connections.min(Semaphore::MAX_PERMITS))),
            crowded: Notify::new(),
        });
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new().name("ecs-remote".into()).spawn(move || {
            runtime.block_on(async {
                tokio::spawn(accept(listener, service));
                tokio::spawn(async move {
                    while let Some(deliveries) = deliveries.recv().await {
                        deliveries.into_iter().for_each(Delivery::run);
                    }
                });
                // an error is the end of the sender, too
                let _ = stopped.await;
            });
        })?;
        Ok(Self { address, stop: Some(stop), thread: Some(thread) })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // its panic has been reported on the standard error
            let _ = thread.join();
        }
    }
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // as the standard library: on Windows, the option would let other programs take the port
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING)
}

/// Accepts a connection as soon as there is a place for the one before it. Until then, it waits in
/// the queue of the operating system.
async fn accept(listener: TcpListener, service: Arc<Service>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // the process has no more file descriptors, for instance
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let permit = loop {
            if service.open.available_permits() == 0 {
                service.crowded.notify_waiters();
            }
            // those that were not listening yet are told again
            match timeout(CROWDED, Arc::clone(&service.open).acquire_owned()).await {
                Ok(Ok(permit)) => break permit,
                // nobody closes the semaphore
                Ok(Err(_)) => return,
                Err(_) => {}
            }
        };
        let service = Arc::clone(&service);
        tokio::spawn(async move {
            connection(stream, service).await;
            drop(permit);
        });
    }
}

/// The state of a connection that its requests change.
struct Connection {
    deadline: tokio::time::Instant,
    /// The end of its watch, if it has one.
    watch: Option<WatchEnd>,
}

type SharedConnection = Arc<Mutex<Connection>>;

fn lock(connection: &SharedConnection) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads and answers the requests of a connection. A watch has no limit of time, but a client that
/// does not read loses it.
async fn connection(stream: TcpStream, service: Arc<Service>) {
    let limit = service.limits.timeout;
    let deadline = move || tokio::time::Instant::now() + limit;
    let connection = Arc::new(Mutex::new(Connection { deadline: deadline(), watch: None }));
    let answer = service_fn(|request| {
        let (service, connection) = (Arc::clone(&service), Arc::clone(&connection));
        lock(&connection).deadline = deadline();
        async move { Ok::<_, Infallible>(service.answer(request, &connection).await) }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    http.max_buf_size(HEAD).max_headers(64);
    // a client that is slow with its head does not keep the others waiting for its place
    http.timer(TokioTimer::new()).header_read_timeout(limit.min(HEAD_TIME));
    let mut http = pin!(http.serve_connection(TokioIo::new(stream), answer));
    // a place is left to others after the present request
    let mut crowded = pin!(service.crowded.notified());
    let mut is_last = false;
    loop {
        let until = lock(&connection).deadline;
        let mut late = pin!(sleep_until(until));
        let is_closed = poll_fn(|cx| {
            if !is_last && crowded.as_mut().poll(cx).is_ready() {
                is_last = true;
                http.as_mut().graceful_shutdown();
            }
            match http.as_mut().poll(cx) {
                // an error of one connection concerns its client only
                Poll::Ready(_) => Poll::Ready(true),
                Poll::Pending => late.as_mut().poll(cx).map(|()| false),
            }
        });
        if is_closed.await {
            return;
        }
        // another request has begun meanwhile
        if lock(&connection).deadline == until {
            break;
        }
    }
    let Some(ended) = lock(&connection).watch.take() else { return };
    let is_closed = poll_fn(|cx| match http.as_mut().poll(cx) {
        Poll::Ready(_) => Poll::Ready(true),
        Poll::Pending => ended.poll(cx).map(|()| false),
    });
    if !is_closed.await {
        // the last message is on its way, unless the client does not read
        let _ = timeout(limit.min(LAST_MESSAGE), http).await;
    }
}

/// The body of an answer.
enum HttpBody {
    /// Two parts, of which the second one is shared by equal requests.
    Whole(Bytes, Bytes),
    /// Server-sent events.
    Events(Messages),
}

impl Body for HttpBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let part = match self.get_mut() {
            Self::Whole(head, rest) => {
                let part = [head, rest].into_iter().find(|part| !part.is_empty());
                Poll::Ready(part.map(std::mem::take))
            }
            Self::Events(messages) => messages.poll_part(cx),
        };
        part.map(|part| part.map(|part| Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(head, rest) if head.is_empty() && rest.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(head, rest) => SizeHint::with_exact((head.len() + rest.len()) as u64),
            Self::Events(_) => SizeHint::default(),
        }
    }
}

type HttpResponse = hyper::Response<HttpBody>;

impl Service {
    async fn answer(&self, request: hyper::Request<Incoming>, connection: &SharedConnection) -> HttpResponse {
        let rights = match self.admission.check(request.version(), request.uri(), request.headers()) {
            Err(refused) => return to_http(refused, None),
            Ok(rights) => rights,
        };
        let begin = Instant::now();
        while let Some(time) = self.admission.wait() {
            if begin.elapsed() > self.limits.timeout / 2 {
                return to_http(Response::error(429, "too many requests in the last seconds"), None);
            }
            sleep(time).await;
        }
        let origin = request.headers().get(header::ORIGIN).cloned();
        let response = match rights {
            // a browser asks whether a page may send a request, before it sends a token
            _ if request.method() == hyper::Method::OPTIONS => {
                return preflight(to_http(Response { status: 204, body: String::new() }, origin));
            }
            Rights { may_read: false, .. } => {
                Response::error(401, "this server needs a token: see `Options::reads`")
            }
            Rights { may_write, .. } => match self.read(request, may_write).await {
                Ok(request) => match self.wait(request).await {
                    Some(Reply::Whole(status, head, rest)) => {
                        return with_status(status, HttpBody::Whole(head, rest), origin);
                    }
                    Some(Reply::Events(messages)) => {
                        lock(connection).watch = Some(messages.end());
                        let mut http = with_headers(HttpBody::Events(messages), "text/event-stream", origin);
                        http.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                        return http;
                    }
                    None => Response::error(504, "the program has not answered in time"),
                },
                Err(refused) => refused,
            },
        };
        to_http(response, origin)
    }

    /// Reads the request.
    async fn read(&self, request: hyper::Request<Incoming>, may_write: bool) -> Result<Request, Response> {
        let method = request.method().as_str().parse::<Method>();
        let method = method.map_err(|reason| Response::error(405, &reason))?;
        let target = request.uri().path_and_query().map_or("/", |target| target.as_str()).to_owned();
        let (mut body, mut bytes, mut discarded) = (request.into_body(), Vec::new(), 0);
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| Response::error(400, "the body is malformed"))?;
            let Some(data) = frame.data_ref() else { continue };
            if discarded == 0 && bytes.len() + data.len() <= self.limits.body {
                bytes.extend_from_slice(data);
                continue;
            }
            // a client reads the answer only after it has sent its body
            bytes = Vec::new();
            discarded += data.len();
            if discarded > self.limits.body.saturating_mul(16) {
                break;
            }
        }
        if discarded > 0 {
            let limit = self.limits.body;
            return Err(Response::error(413, &format!("the body is longer than {limit} bytes")));
        }
        let body = String::from_utf8(bytes).map_err(|_| Response::error(400, "the body is not UTF-8"))?;
        Ok(Request { method, target, body, may_write })
    }

    /// Waits until the world has answered; `None` if it has not done so in time.
    async fn wait(&self, request: Request) -> Option<Reply> {
        let (answer, answered) = oneshot::channel();
        self.queue.push(request, answer);
        // the rest of the time is for writing the answer
        timeout(self.limits.timeout / 4 * 3, answered).await.ok()?.ok()
    }
}

fn to_http(response: Response, origin: Option<HeaderValue>) -> HttpResponse {
    with_status(response.status, HttpBody::Whole(Bytes::new(), response.body.into()), origin)
}

fn with_status(status: u16, body: HttpBody, origin: Option<HeaderValue>) -> HttpResponse {
    let mut http = with_headers(body, "application/json", origin);
    *http.status_mut() = hyper::StatusCode::from_u16(status).unwrap_or_default();
    // the rest of what such a client has sent is not read as another request
    if status >= 400 {
        http.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    http
}

fn with_headers(body: HttpBody, content: &'static str, origin: Option<HeaderValue>) -> HttpResponse {
    let mut http = hyper::Response::new(body);
    let headers = http.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    http
}

/// The answer to a browser that asks whether a page may send a request.
fn preflight(mut http: HttpResponse) -> HttpResponse {
    let headers = http.headers_mut();
    for (name, value) in [
        ("access-control-allow-methods", "GET, POST, PUT, DELETE, OPTIONS"),
        ("access-control-allow-headers", "Authorization, Content-Type"),
        ("access-control-allow-private-network", "true"),
        ("access-control-max-age", "600"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    http
}
