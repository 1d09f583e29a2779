//! The server: connections from this machine, one thread and one request each. Whoever connects and says nothing makes room for
//! others, and every wait has an end.

pub mod auth;
pub mod http;
pub mod router;

use chuhe_toolkit::board_page::client::Client;
use http::{HttpError, HttpRequest, HttpResponse, head};
use router::{Answer, Router};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Connections whose request is not whole yet; one more, and the oldest is dropped.
const MAX_PENDING_CONNECTIONS: usize = 24;
/// Connections in all.
const MAX_CONNECTIONS: usize = 48;
/// A request is whole by then, and an answer gone.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// How often a stream looks whether its page is still there.
const STREAM_POLL_INTERVAL: Duration = Duration::from_millis(40);
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(1);
/// A stream is not silent for longer: what holds it back is found out.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Between two pieces of news: as many as an eye can follow.
const EVENT_INTERVAL: Duration = Duration::from_millis(120);

/// A server on this machine, for this machine alone.
pub struct Server {
    listener: TcpListener,
    shared: Arc<ServerShared>,
}

struct ServerShared {
    router: Router,
    /// Connections that have not said anything whole yet, the oldest first.
    pending: Mutex<VecDeque<(usize, TcpStream)>>,
    count: AtomicUsize,
    ended: AtomicBool,
}

impl Server {
    /// Listens at this port, or at any if it is 0.
    pub fn listen(port: u16) -> io::Result<TcpListener> {
        TcpListener::bind((Ipv4Addr::LOCALHOST, port))
    }

    /// A server that answers what this router says.
    pub fn new(listener: TcpListener, router: Router) -> Server {
        let (silent, count, ended) = Default::default();
        Server { listener, shared: Arc::new(ServerShared { router, pending: silent, count, ended }) }
    }

    pub fn router(&self) -> &Router {
        &self.shared.router
    }

    /// Answers until it is stopped.
    pub fn serve(&self) {
        for number in 0.. {
            let stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) if is_transient(error.kind()) => continue,
                // No more files may be open, for a moment.
                Err(_) => {
                    thread::sleep(STREAM_POLL_INTERVAL);
                    continue;
                }
            };
            if self.shared.ended.load(Ordering::Relaxed) {
                break;
            }
            let shared = Arc::clone(&self.shared);
            if shared.admit(number, &stream).is_err() {
                continue;
            }
            let work = move || {
                shared.handle_connection(number, &stream);
                shared.count.fetch_sub(1, Ordering::Relaxed);
            };
            if thread::Builder::new().name("request".to_string()).spawn(work).is_err() {
                self.shared.count.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }

    /// Ends it: who waits for a connection gets a last one.
    pub fn stop(&self) {
        self.shared.ended.store(true, Ordering::Relaxed);
        if let Ok(address) = self.listener.local_addr() {
            let _ =
                TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, address.port())), REQUEST_TIMEOUT);
        }
    }
}

fn is_transient(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Interrupted | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset)
}

impl ServerShared {
    /// Lets a connection in, at the cost of the one that has been silent for longest.
    fn admit(&self, number: usize, stream: &TcpStream) -> io::Result<()> {
        let mut silent = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        silent.push_back((number, stream.try_clone()?));
        if silent.len() > MAX_PENDING_CONNECTIONS
            && let Some((_, oldest)) = silent.pop_front()
        {
            let _ = oldest.shutdown(Shutdown::Both);
        }
        drop(silent);
        // Who was dropped is about to leave; who is answered is so soon.
        let until = Instant::now() + REQUEST_TIMEOUT;
        while self.count.load(Ordering::Relaxed) >= MAX_CONNECTIONS {
            if Instant::now() > until {
                stream.set_write_timeout(Some(STREAM_POLL_INTERVAL))?;
                return HttpResponse::error(TOO_MANY_CONNECTIONS)
                    .write(&mut &*stream)
                    .and(Err(ErrorKind::Other.into()));
            }
            thread::sleep(ACCEPT_RETRY_DELAY);
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Reads the request of a connection, and answers it.
    fn handle_connection(&self, number: usize, stream: &TcpStream) {
        let _ = stream.set_nodelay(true);
        let _ = stream.set_write_timeout(Some(REQUEST_TIMEOUT));
        let request = HttpRequest::read(&mut DeadlineReader { stream, until: Instant::now() + REQUEST_TIMEOUT });
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).retain(|(other, _)| *other != number);
        let answer = match &request {
            Ok(request) => self.router.answer(request),
            Err(refusal) => Answer::Now(HttpResponse::error(*refusal)),
        };
        // Nobody is left to be told that an answer could not be sent.
        let _ = match answer {
            Answer::Now(response) => response.write(&mut &*stream),
            Answer::Stream(client, seen) => self.stream_events(&client, seen, stream),
        };
        let _ = stream.shutdown(Shutdown::Write);
        if request.is_err() {
            drain_input(stream);
        }
    }

    /// Sends news until the page goes, or another stream takes its place.
    fn stream_events(&self, client: &Client, mut seen: u64, stream: &TcpStream) -> io::Result<()> {
        let number = client.begin_stream();
        let sent = (|| {
            let mut to = stream;
            to.write_all(head(200, "text/event-stream", None, None).as_bytes())?;
            // Two things at once: some scanners hold back the first until there is a second.
            to.write_all(b"data: {}\n\ndata: {}\n\n")?;
            let mut beat = Instant::now();
            while client.is_current_stream(number) && !self.ended.load(Ordering::Relaxed) && is_open(stream) {
                if let Some((next, news)) = client.events.since(seen, STREAM_POLL_INTERVAL) {
                    seen = next;
                    to.write_all(format!("data: {news}\n\n").as_bytes())?;
                    beat = Instant::now();
                    thread::sleep(EVENT_INTERVAL);
                } else if beat.elapsed() > HEARTBEAT {
                    to.write_all(b"data: {}\n\n")?;
                    beat = Instant::now();
                }
            }
            Ok(())
        })();
        client.end_stream(number);
        sent
    }
}

const TOO_MANY_CONNECTIONS: HttpError = HttpError { status: 503, reason: "too many connections" };

/// Whether the other end still listens: it says nothing, and has not hung up.
fn is_open(stream: &TcpStream) -> bool {
    let mut byte = [0];
    let _ = stream.set_nonblocking(true);
    let heard = stream.peek(&mut byte);
    let _ = stream.set_nonblocking(false);
    matches!(heard, Err(error) if error.kind() == ErrorKind::WouldBlock)
}

/// Takes in, for a moment, what somebody still sends who has been refused: otherwise he would not hear it.
fn drain_input(stream: &TcpStream) {
    let _ = stream.set_read_timeout(Some(STREAM_POLL_INTERVAL));
    let (mut from, mut step, until) = (stream, [0; 4096], Instant::now() + 4 * STREAM_POLL_INTERVAL);
    while Instant::now() < until && matches!(from.read(&mut step), Ok(count) if count > 0) {}
}

/// A connection that is read until a moment, however slowly it comes.
struct DeadlineReader<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl Read for DeadlineReader<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        (&mut &*self.stream).read(bytes)
    }
}
