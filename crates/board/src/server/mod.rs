//! The board server: accepts connections of this machine and, if the board is shared, of the local network, one thread and one request each. Idle connections are dropped in favour
//! of new ones, and every wait has a timeout.

pub mod auth;
pub mod http;
pub mod lan;
pub mod qr_code;
pub mod redirect_file;
pub mod router;
mod token;

use crate::client::Client;
use http::{HttpError, HttpRequest, HttpResponse, head};
use router::{Answer, Router};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Connections with an incomplete request; beyond this, the oldest of the address that has most of them is dropped.
const MAX_PENDING_CONNECTIONS: usize = 24;
/// Connections in all.
const MAX_CONNECTIONS: usize = 48;
/// The time limit for receiving a request and for sending a response.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// How often a stream polls whether its page is still connected.
const STREAM_POLL_INTERVAL: Duration = Duration::from_millis(40);
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(1);
/// The longest silence of a stream, so that a proxy that buffers it is noticed.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The shortest time between two events: more would not be visible.
const EVENT_INTERVAL: Duration = Duration::from_millis(120);

/// A server on the loopback interface, or on all interfaces if the board is shared.
pub struct Server {
    listener: TcpListener,
    shared: Arc<ServerShared>,
}

struct PendingConnection {
    number: usize,
    peer: IpAddr,
    stream: TcpStream,
}

struct ServerShared {
    router: Router,
    /// Connections with an incomplete request, the oldest first.
    pending: Mutex<Vec<PendingConnection>>,
    count: AtomicUsize,
    ended: AtomicBool,
}

impl Server {
    /// Listens at this port, or at any free one if it is 0.
    pub fn listen(port: u16) -> io::Result<TcpListener> {
        TcpListener::bind((Ipv4Addr::LOCALHOST, port))
    }

    /// The same for all devices of the local network.
    pub fn listen_on_lan(port: u16) -> io::Result<TcpListener> {
        TcpListener::bind((Ipv4Addr::UNSPECIFIED, port))
    }

    /// A server that answers with this router.
    pub fn new(listener: TcpListener, router: Router) -> Server {
        let (pending, count, ended) = Default::default();
        Server { listener, shared: Arc::new(ServerShared { router, pending, count, ended }) }
    }

    pub fn router(&self) -> &Router {
        &self.shared.router
    }

    /// Serves until it is stopped.
    pub fn serve(&self) {
        for number in 0.. {
            let (stream, peer) = match self.listener.accept() {
                Ok((stream, peer)) => (stream, peer.ip()),
                Err(error) if is_transient(error.kind()) => continue,
                // Out of file descriptors, temporarily.
                Err(_) => {
                    thread::sleep(STREAM_POLL_INTERVAL);
                    continue;
                }
            };
            if self.shared.ended.load(Ordering::Relaxed) {
                break;
            }
            if !lan::is_local_peer(peer) {
                continue;
            }
            let shared = Arc::clone(&self.shared);
            if shared.admit(number, &stream, peer).is_err() {
                continue;
            }
            let work = move || {
                shared.handle_connection(number, &stream, peer);
                shared.count.fetch_sub(1, Ordering::Relaxed);
            };
            if thread::Builder::new().name("request".to_string()).spawn(work).is_err() {
                self.shared.count.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }

    /// Stops the server: a last connection wakes the accept loop.
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
    /// Registers a connection. If there are too many, drops the one that has been idle for longest, of the address that
    /// has most of them: whoever floods the server takes no place from others.
    fn admit(&self, number: usize, stream: &TcpStream, peer: IpAddr) -> io::Result<()> {
        let mut pending = self.pending();
        pending.push(PendingConnection { number, peer, stream: stream.try_clone()? });
        if pending.len() > MAX_PENDING_CONNECTIONS {
            let peers: Vec<IpAddr> = pending.iter().map(|connection| connection.peer).collect();
            let _ = pending.remove(first_of_most(&peers)).stream.shutdown(Shutdown::Both);
        }
        drop(pending);
        // Dropped and answered connections close soon.
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

    fn pending(&self) -> MutexGuard<'_, Vec<PendingConnection>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the request of a connection, and answers it.
    fn handle_connection(&self, number: usize, stream: &TcpStream, peer: IpAddr) {
        let _ = stream.set_nodelay(true);
        let _ = stream.set_write_timeout(Some(REQUEST_TIMEOUT));
        let mut reader = DeadlineReader { stream, until: Instant::now() + REQUEST_TIMEOUT };
        let request = HttpRequest::read(&mut reader, |request| self.router.admit(request, peer));
        self.pending().retain(|other| other.number != number);
        let answer = match &request {
            Ok(request) => self.router.answer(request, peer),
            Err(refusal) => Answer::Now(HttpResponse::error(*refusal)),
        };
        // A failure to send the response cannot be reported anywhere.
        let _ = match answer {
            Answer::Now(response) => response.write(&mut &*stream),
            Answer::Stream(client, after) => {
                // A device that is sent away hears nothing more.
                let is_known = || request.as_ref().is_ok_and(|request| self.router.admit(request, peer).is_ok());
                self.stream_events(&client, after, stream, is_known)
            }
        };
        let _ = stream.shutdown(Shutdown::Write);
        if request.is_err() {
            drain_input(stream);
        }
    }

    /// Sends events until the page disconnects or another stream replaces this one.
    fn stream_events(
        &self,
        client: &Client,
        mut after: u64,
        stream: &TcpStream,
        is_known: impl Fn() -> bool,
    ) -> io::Result<()> {
        let number = client.begin_stream();
        let sent = (|| {
            let mut to = stream;
            to.write_all(head(200, "text/event-stream", None, None).as_bytes())?;
            // Two events at once: some scanners hold back the first until there is a second.
            to.write_all(b"data: {}\n\ndata: {}\n\n")?;
            let mut beat = Instant::now();
            let goes_on = || client.is_current_stream(number) && !self.ended.load(Ordering::Relaxed) && is_known();
            while goes_on() && is_open(stream) {
                if let Some((next, events)) = client.events.since(after, STREAM_POLL_INTERVAL) {
                    after = next;
                    to.write_all(format!("data: {events}\n\n").as_bytes())?;
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

/// Where the first of those stands that are there most often.
fn first_of_most(peers: &[IpAddr]) -> usize {
    let count = |peer: &IpAddr| peers.iter().filter(|other| *other == peer).count();
    let most = peers.iter().map(count).max();
    peers.iter().position(|peer| Some(count(peer)) == most).unwrap_or_default()
}

const TOO_MANY_CONNECTIONS: HttpError = HttpError { status: 503, reason: "too many connections" };

/// Whether the other end is still connected: it sends nothing and has not closed.
fn is_open(stream: &TcpStream) -> bool {
    let mut byte = [0];
    let _ = stream.set_nonblocking(true);
    let peeked = stream.peek(&mut byte);
    let _ = stream.set_nonblocking(false);
    matches!(peeked, Err(error) if error.kind() == ErrorKind::WouldBlock)
}

/// Reads for a moment what a refused client still sends; otherwise it would not receive the response.
fn drain_input(stream: &TcpStream) {
    let _ = stream.set_read_timeout(Some(STREAM_POLL_INTERVAL));
    let (mut from, mut step, until) = (stream, [0; 4096], Instant::now() + 4 * STREAM_POLL_INTERVAL);
    while Instant::now() < until && matches!(from.read(&mut step), Ok(count) if count > 0) {}
}

/// A connection that is read until a deadline, even if bytes keep trickling in.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flood_drops_its_own_connections() {
        let [stranger, honest] = [77, 78].map(|last| IpAddr::from([192, 168, 1, last]));
        let mut peers = vec![honest];
        for _ in 0..100 {
            peers.push(stranger);
            if peers.len() > MAX_PENDING_CONNECTIONS {
                peers.remove(first_of_most(&peers));
            }
        }
        assert_eq!(peers.iter().filter(|peer| **peer == honest).count(), 1);
        assert_eq!(first_of_most(&[honest, stranger]), 0, "of equals the oldest");
    }
}
