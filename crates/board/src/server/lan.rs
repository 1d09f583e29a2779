//! Sharing the board on the local network: the addresses of this machine, the code that pairs a device, and the tokens
//! of paired devices.

use super::token::{constant_time_eq, random_token};
use rand::RngExt;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The port of a shared board, so that the address of a device stays from run to run.
pub const LAN_PORT: u16 = 8642;
/// How pairing codes begin.
const CODE_PREFIX: &str = "pair-";
/// Letters of a code: none that look alike.
const CODE_LETTERS: &[u8] = b"abcdefghjkmnpqrstuvwxyz23456789";
const CODE_LENGTH: usize = 10;
/// After so many wrong codes there is a new one.
const MAX_WRONG_CODES: u32 = 10;
/// The maximum number of paired devices.
const MAX_DEVICES: usize = 16;

/// An address that no network has (RFC 5737), so that it is reached by the default route.
const DEFAULT_ROUTE_TARGET: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);

/// A paired device: its token is accepted from its address only.
struct PairedDevice {
    token: String,
    peer: IpAddr,
}

struct Pairing {
    code: String,
    wrong_codes: u32,
    devices: Vec<PairedDevice>,
}

/// What a shared board knows about its network.
pub struct Lan {
    addresses: Vec<Ipv4Addr>,
    pairing: Mutex<Pairing>,
}

impl Lan {
    /// Shares at these addresses of this machine.
    pub fn new(addresses: Vec<Ipv4Addr>) -> Lan {
        Lan { addresses, pairing: Mutex::new(Pairing { code: random_code(), wrong_codes: 0, devices: Vec::new() }) }
    }

    pub fn addresses(&self) -> &[Ipv4Addr] {
        &self.addresses
    }

    /// The address that pairs the next device.
    pub fn invitation(&self, port: u16) -> Option<String> {
        let address = self.addresses.first()?;
        Some(format!("http://{address}:{port}/#{CODE_PREFIX}{}", self.pairing().code))
    }

    /// Pairs a device that brings the current code, which is then replaced; returns the device's token.
    pub fn pair(&self, brought: &str, peer: IpAddr) -> Option<String> {
        let mut pairing = self.pairing();
        let code = brought.strip_prefix(CODE_PREFIX)?;
        let is_right = constant_time_eq(code, &pairing.code);
        pairing.wrong_codes += u32::from(!is_right);
        if is_right || pairing.wrong_codes >= MAX_WRONG_CODES {
            pairing.code = random_code();
            pairing.wrong_codes = 0;
        }
        if !is_right || pairing.devices.len() >= MAX_DEVICES {
            return None;
        }
        let token = random_token();
        pairing.devices.push(PairedDevice { token: token.clone(), peer });
        Some(token)
    }

    /// Whether this token was given to the device at this address.
    pub fn is_paired(&self, token: &str, peer: IpAddr) -> bool {
        let pairing = self.pairing();
        // All are compared, so that the time tells nothing.
        pairing.devices.iter().filter(|device| constant_time_eq(&device.token, token) & (device.peer == peer)).count()
            > 0
    }

    /// The addresses of the paired devices, in the order of pairing.
    pub fn paired_devices(&self) -> Vec<IpAddr> {
        self.pairing().devices.iter().map(|device| device.peer).collect()
    }

    fn pairing(&self) -> MutexGuard<'_, Pairing> {
        self.pairing.lock().unwrap_or_else(PoisonError::into_inner)
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
