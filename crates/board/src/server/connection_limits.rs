//! The places of connections. This machine has places of its own, which no device can take, and of the other places each
//! device has a share. A connection counts until it has been answered, and not only until its request is read.

use chuhe_support::lock::Lock;
use std::net::IpAddr;
use std::sync::Mutex;

/// The places of this machine, those of all devices together, and those of one device: a browser opens six connections.
pub const OWN_PLACES: usize = 24;
pub const DEVICE_PLACES: usize = 36;
pub const PLACES_OF_DEVICE: usize = 12;

/// How far a connection is. The first of these is closed first when there are too many.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// Its request is incomplete.
    Reading,
    /// It is answered what anybody is.
    AnsweringAnybody,
    /// It is answered after it has shown a token.
    Answering,
    Streaming,
}

struct Connection {
    number: usize,
    peer: IpAddr,
    stage: Stage,
    /// It was closed to make room, and its thread has not ended yet.
    is_closed: bool,
    close: Box<dyn Fn() + Send>,
}

#[derive(Default)]
pub struct Places(Mutex<Vec<Connection>>);

impl Places {
    /// Takes a place. Without a free one, a connection of the address that has most of them is closed: whoever floods the
    /// server takes no place from others. False if too many closed ones of this address are still at work.
    pub fn take(&self, number: usize, peer: IpAddr, close: impl Fn() + Send + 'static) -> bool {
        let mut connections = self.0.locked();
        let places = if peer.is_loopback() { OWN_PLACES } else { DEVICE_PLACES };
        let share = if peer.is_loopback() { OWN_PLACES } else { PLACES_OF_DEVICE };
        let of = |address: IpAddr| connections.iter().filter(move |other| other.peer == address);
        let open = |address: IpAddr| of(address).filter(|other| !other.is_closed).count();
        if of(peer).count() >= 2 * share {
            return false;
        }
        let rivals = || {
            let here = peer.is_loopback();
            connections.iter().filter(move |other| other.peer.is_loopback() == here && !other.is_closed)
        };
        let victim = if open(peer) >= share {
            Some(peer)
        } else if rivals().count() >= places {
            // Of equals the one that came first.
            rivals().map(|other| other.peer).rev().max_by_key(|&address| open(address))
        } else {
            None
        };
        let is_victim = |other: &&mut Connection| Some(other.peer) == victim && !other.is_closed;
        let first = connections.iter_mut().filter(is_victim).min_by_key(|other| (other.stage, other.number));
        if let Some(closed) = first {
            closed.is_closed = true;
            (closed.close)();
        }
        connections.push(Connection { number, peer, stage: Stage::Reading, is_closed: false, close: Box::new(close) });
        true
    }

    /// A connection has come further.
    pub fn advance(&self, number: usize, stage: Stage) {
        let mut connections = self.0.locked();
        connections.iter_mut().filter(|other| other.number == number).for_each(|other| other.stage = stage);
    }

    /// A connection has ended.
    pub fn leave(&self, number: usize) {
        self.0.locked().retain(|other| other.number != number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[derive(Default, Clone)]
    struct Line(Arc<AtomicBool>);

    impl Line {
        /// What closes it.
        fn close(&self) -> impl Fn() + use<> {
            let line = Arc::clone(&self.0);
            move || line.store(true, Ordering::Relaxed)
        }

        fn is_open(&self) -> bool {
            !self.0.load(Ordering::Relaxed)
        }
    }

    fn device(last: u8) -> IpAddr {
        IpAddr::from([192, 168, 1, last])
    }

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[test]
    fn flood_closes_its_own_connections_and_leaves_places_to_others() {
        let (places, honest, own) = (Places::default(), Line::default(), Line::default());
        assert!(places.take(0, device(78), honest.close()) && places.take(1, HERE, own.close()));
        let mut flood = Vec::new();
        for number in 2..200 {
            let line = Line::default();
            if places.take(number, device(77), line.close()) {
                // Answered ones count as well as those that send.
                places.advance(number, Stage::Answering);
                flood.push(line);
            }
        }
        assert!(honest.is_open() && own.is_open());
        assert_eq!(flood.len(), 2 * PLACES_OF_DEVICE, "those whose work has not ended count");
        assert_eq!(flood.iter().filter(|line| line.is_open()).count(), PLACES_OF_DEVICE);
        // As soon as they have ended there is room again.
        (2..200).for_each(|number| places.leave(number));
        assert!(places.take(200, device(77), || {}));
    }

    #[test]
    fn many_devices_leave_this_machine_its_places() {
        let places = Places::default();
        let lines: Vec<Line> = (0..200).map(|_| Line::default()).collect();
        for (number, line) in lines.iter().enumerate() {
            assert!(places.take(number, device(number as u8), line.close()));
        }
        assert_eq!(lines.iter().filter(|line| line.is_open()).count(), DEVICE_PLACES);
        let own: Vec<Line> = (0..OWN_PLACES).map(|_| Line::default()).collect();
        for (number, line) in own.iter().enumerate() {
            assert!(places.take(300 + number, HERE, line.close()));
        }
        assert!(own.iter().all(Line::is_open));
    }

    #[test]
    fn streams_and_answers_are_closed_last() {
        let places = Places::default();
        let lines: Vec<Line> = (0..PLACES_OF_DEVICE + 2).map(|_| Line::default()).collect();
        let mut stages = [Stage::Streaming, Stage::AnsweringAnybody, Stage::Answering].into_iter();
        for (number, line) in lines.iter().enumerate() {
            assert!(places.take(number, device(1), line.close()));
            places.advance(number, stages.next().unwrap_or(Stage::Answering));
        }
        let open: Vec<bool> = lines.iter().map(Line::is_open).collect();
        assert_eq!(open[..4], [true, false, false, true]);
    }
}
