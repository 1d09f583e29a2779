//! Sharing the board on the local network: the addresses of this machine, the code that pairs a device, and the tokens
//! of paired devices.

use super::http::HttpError;
use chuhe_app::access::Access;
use chuhe_support::lock::Lock;
use rand::{Rng, RngExt};
use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The port of a shared board, so that the address of a device stays from run to run.
pub const LAN_PORT: u16 = 8642;
/// What a code opens, and how it begins: the board, a game for its other player, a game for who watches it.
const CODES: [(Access, &str); 3] = [(Access::Device, "pair-"), (Access::Player, "play-"), (Access::Watcher, "watch-")];
/// Letters of a code: none that look alike.
const CODE_LETTERS: &[u8] = b"abcdefghjkmnpqrstuvwxyz23456789";
const CODE_LENGTH: usize = 10;
/// After so many wrong codes in a row an address has to wait before the next one is looked at.
const MAX_WRONG_CODES: u32 = 5;
const WRONG_CODE_DELAY: Duration = Duration::from_secs(60);
/// The maximum number of addresses whose wrong codes are counted; beyond this, the oldest is forgotten.
const MAX_STRANGERS: usize = 256;
/// The maximum number of paired devices.
pub const MAX_DEVICES: usize = 16;
/// The maximum number of tokens of a device, one for each browser on it; beyond this, the oldest is worth nothing.
const MAX_TOKENS: usize = 4;
/// The maximum number of notices that nobody has taken yet.
const MAX_NOTICES: usize = 64;

/// An address that no network has (RFC 5737), so that it is reached by the default route.
const DEFAULT_ROUTE_TARGET: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);

const WRONG_CODE: HttpError =
    HttpError { status: 410, reason: "this code pairs no device any more: scan the code that the computer shows now" };
const TOO_MANY_WRONG_CODES: HttpError =
    HttpError { status: 429, reason: "too many wrong codes: wait a minute, and scan the code that the computer shows" };
const TOO_MANY_DEVICES: HttpError =
    HttpError { status: 409, reason: "too many devices are paired: send one of them away on the computer" };

/// What the user is told on the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LanNotice {
    Paired(IpAddr),
    /// This address has sent wrong codes and has to wait.
    Slowed(IpAddr),
    /// This address has brought the code, but there are too many devices.
    Full(IpAddr),
}

/// A paired device: its tokens are accepted from its address only.
struct PairedDevice {
    peer: IpAddr,
    tokens: VecDeque<(String, Access)>,
}

/// An address that has sent wrong codes.
struct Stranger {
    peer: IpAddr,
    wrong_codes: u32,
    waits_until: Option<Instant>,
}

impl Stranger {
    fn is_waiting(&self) -> bool {
        self.waits_until.is_some_and(|until| Instant::now() < until)
    }
}

struct Pairing {
    /// The current codes, in the order of `CODES`.
    codes: [String; 3],
    devices: Vec<PairedDevice>,
    strangers: VecDeque<Stranger>,
    notices: VecDeque<LanNotice>,
}

impl Pairing {
    fn tell(&mut self, notice: LanNotice) {
        self.notices.push_back(notice);
        if self.notices.len() > MAX_NOTICES {
            self.notices.pop_front();
        }
    }

    fn count_wrong_code(&mut self, peer: IpAddr) {
        let known = self.strangers.iter().position(|stranger| stranger.peer == peer);
        let known = known.and_then(|index| self.strangers.remove(index));
        let mut stranger = known.unwrap_or(Stranger { peer, wrong_codes: 0, waits_until: None });
        stranger.wrong_codes += 1;
        if stranger.wrong_codes.is_multiple_of(MAX_WRONG_CODES) {
            stranger.waits_until = Some(Instant::now() + WRONG_CODE_DELAY);
            self.tell(LanNotice::Slowed(peer));
        }
        self.strangers.push_back(stranger);
        if self.strangers.len() > MAX_STRANGERS {
            self.strangers.pop_front();
        }
    }
}

/// What a shared board knows about its network.
pub struct Lan {
    addresses: Vec<Ipv4Addr>,
    pairing: Mutex<Pairing>,
}

impl Lan {
    /// Shares at these addresses of this machine.
    pub fn new(addresses: Vec<Ipv4Addr>) -> Lan {
        let (devices, strangers, notices) = Default::default();
        Lan {
            addresses,
            pairing: Mutex::new(Pairing { codes: CODES.map(|_| random_code()), devices, strangers, notices }),
        }
    }

    pub fn addresses(&self) -> &[Ipv4Addr] {
        &self.addresses
    }

    /// The address that pairs the next device, or invites one.
    pub fn invitation(&self, port: u16, access: Access) -> Option<String> {
        let address = self.addresses.first()?;
        let kind = CODES.iter().position(|&(opened, _)| opened == access)?;
        Some(format!("http://{address}:{port}/#{}{}", CODES[kind].1, self.pairing.locked().codes[kind]))
    }

    /// Pairs a device that brings a current code, which is then replaced; returns a token of the device. A device that
    /// is paired already keeps its place. Whoever brings wrong codes has to wait, and the codes stay.
    pub fn pair(&self, brought: &str, peer: IpAddr) -> Result<String, HttpError> {
        let mut pairing = self.pairing.locked();
        if pairing.strangers.iter().any(|stranger| stranger.peer == peer && stranger.is_waiting()) {
            return Err(TOO_MANY_WRONG_CODES);
        }
        let is_brought = |kind: &usize| {
            let code = brought.strip_prefix(CODES[*kind].1).unwrap_or_default();
            constant_time_eq(code, &pairing.codes[*kind])
        };
        let Some(kind) = (0..CODES.len()).find(is_brought) else {
            pairing.count_wrong_code(peer);
            return Err(WRONG_CODE);
        };
        let access = CODES[kind].0;
        pairing.strangers.retain(|stranger| stranger.peer != peer);
        if !pairing.devices.iter().any(|device| device.peer == peer) {
            if pairing.devices.len() >= MAX_DEVICES {
                pairing.tell(LanNotice::Full(peer));
                return Err(TOO_MANY_DEVICES);
            }
            pairing.devices.push(PairedDevice { peer, tokens: VecDeque::new() });
        }
        let token = random_token();
        // There is one other player.
        if access == Access::Player {
            for device in &mut pairing.devices {
                device.tokens.retain(|&(_, access)| access != Access::Player);
            }
        }
        for device in pairing.devices.iter_mut().filter(|device| device.peer == peer) {
            device.tokens.push_back((token.clone(), access));
            if device.tokens.len() > MAX_TOKENS {
                device.tokens.pop_front();
            }
        }
        pairing.codes[kind] = random_code();
        pairing.tell(LanNotice::Paired(peer));
        Ok(token)
    }

    /// What this token opens, if it was given to the device at this address.
    pub fn access_of(&self, token: &str, peer: IpAddr) -> Option<Access> {
        let pairing = self.pairing.locked();
        let tokens = pairing.devices.iter().flat_map(|device| device.tokens.iter().map(|own| (own, device.peer)));
        // All are compared, so that the time tells nothing.
        let known = tokens.filter(|&((own, _), address)| constant_time_eq(own, token) & (address == peer));
        known.fold(None, |_, ((_, access), _)| Some(*access))
    }

    /// The addresses of the paired devices, in the order of pairing.
    pub fn paired_devices(&self) -> Vec<IpAddr> {
        self.pairing.locked().devices.iter().map(|device| device.peer).collect()
    }

    /// The addresses that have to wait because of wrong codes.
    pub fn slowed_addresses(&self) -> Vec<IpAddr> {
        self.pairing
            .locked()
            .strangers
            .iter()
            .filter(|stranger| stranger.is_waiting())
            .map(|stranger| stranger.peer)
            .collect()
    }

    /// Sends a paired device away: its tokens are worth nothing any more.
    pub fn dismiss(&self, peer: IpAddr) {
        self.pairing.locked().devices.retain(|device| device.peer != peer);
    }

    /// What has happened since this was asked last.
    pub fn take_notices(&self) -> Vec<LanNotice> {
        self.pairing.locked().notices.drain(..).collect()
    }
}

/// Whether a connection from this address may come from the local network.
pub fn is_local_peer(peer: IpAddr) -> bool {
    match peer {
        IpAddr::V4(address) => address.is_loopback() || is_private(address),
        IpAddr::V6(address) => address.is_loopback(),
    }
}

fn is_private(address: Ipv4Addr) -> bool {
    // Carriers' addresses (100.64.0.0/10) are those of overlay networks, too.
    let is_shared = address.octets()[0] == 100 && address.octets()[1] & 0xC0 == 64;
    address.is_private() || address.is_link_local() || is_shared
}

/// The addresses of this machine on local networks, that of the default route first.
pub fn local_addresses() -> Vec<Ipv4Addr> {
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    let of_interfaces = interfaces.iter().map(|interface| interface.ip());
    let mut found = Vec::new();
    for address in source_address(DEFAULT_ROUTE_TARGET).into_iter().chain(of_interfaces) {
        if let IpAddr::V4(address) = address
            && is_private(address)
            && !found.contains(&address)
        {
            found.push(address);
        }
    }
    found
}

/// The address that this machine sends from to a target. Nothing is sent: connecting a UDP socket only chooses it.
fn source_address(target: Ipv4Addr) -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((target, 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

fn random_code() -> String {
    let mut rng = rand::rng();
    (0..CODE_LENGTH).map(|_| char::from(CODE_LETTERS[rng.random_range(0..CODE_LETTERS.len())])).collect()
}

/// A random token.
pub(super) fn random_token() -> String {
    let mut bytes = [0; 16];
    rand::rng().fill_bytes(&mut bytes);
    bytes.map(|byte| format!("{byte:02x}")).concat()
}

/// Whether two texts are equal, in constant time.
pub(super) fn constant_time_eq(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
    one.len() == other.len() && differences == 0
}
