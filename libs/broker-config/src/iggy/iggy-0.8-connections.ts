import type { BrokerSettings } from '../broker-setting.js';
import { admin, count, duration, plane, size, text, toggle } from '../setting-kinds.js';
import { IGGY_0_8_DEFAULTS as D } from './iggy-0.8-defaults.js';

const ADDRESS = 'A free port of the loopback address. Clients connect through the gate.';
const ENCRYPTED = 'The gate encrypts connections, so the broker does not.';
const CERTIFICATE = 'Path of the certificate of the broker itself. Unused, because the gate encrypts connections.';
const KEY = 'Path of the key of that certificate.';
const SELF_SIGNED = 'Whether the broker creates its own certificate when it has none.';
const U32 = 4_294_967_295;

/** Connections over TCP and QUIC. */
export const IGGY_0_8_CONNECTIONS: BrokerSettings = {
  'tcp.enabled': plane(toggle(D['tcp.enabled'], 'Whether clients can connect over TCP.')),
  'tcp.address': plane(text(D['tcp.address'], `Address of the TCP listener. ${ADDRESS}`)),
  'tcp.ipv6': plane(toggle(D['tcp.ipv6'], 'Has no effect in this release.')),
  'tcp.socket_migration': admin(
    toggle(D['tcp.socket_migration'], 'Whether a connection moves to the shard of the partition that it uses.'),
  ),
  'tcp.tls.enabled': plane(toggle(D['tcp.tls.enabled'], `Whether the broker encrypts TCP. ${ENCRYPTED}`)),
  'tcp.tls.self_signed': plane(toggle(D['tcp.tls.self_signed'], SELF_SIGNED)),
  'tcp.tls.cert_file': plane(text(D['tcp.tls.cert_file'], CERTIFICATE)),
  'tcp.tls.key_file': plane(text(D['tcp.tls.key_file'], KEY)),
  'tcp.socket.override_defaults': admin(
    toggle(D['tcp.socket.override_defaults'], 'Whether the other tcp.socket keys have an effect.'),
  ),
  'tcp.socket.recv_buffer_size': admin(
    size(D['tcp.socket.recv_buffer_size'], 'Receive buffer of a TCP connection. The system may use less.', {
      ...{ min: '1 B', max: '1 GiB', requires: 'tcp.socket.override_defaults' },
    }),
  ),
  'tcp.socket.send_buffer_size': admin(
    size(D['tcp.socket.send_buffer_size'], 'Send buffer of a TCP connection. The system may use less.', {
      ...{ min: '1 B', max: '1 GiB', requires: 'tcp.socket.override_defaults' },
    }),
  ),
  'tcp.socket.keepalive': admin(
    toggle(D['tcp.socket.keepalive'], 'Whether the system sends keep-alive packets on TCP connections.', {
      requires: 'tcp.socket.override_defaults',
    }),
  ),
  'tcp.socket.nodelay': admin(
    toggle(D['tcp.socket.nodelay'], 'Whether small packets are sent at once (TCP_NODELAY).', {
      requires: 'tcp.socket.override_defaults',
    }),
  ),
  'tcp.socket.linger': admin(
    duration(D['tcp.socket.linger'], 'How long a closing connection sends its remaining data (SO_LINGER).', {
      ...{ max: '1 h', requires: 'tcp.socket.override_defaults' },
    }),
  ),
  'quic.enabled': toggle(D['quic.enabled'], 'Whether clients can connect over QUIC, if the deployment offers UDP.'),
  'quic.address': plane(text(D['quic.address'], `Address of the QUIC listener. ${ADDRESS}`)),
  'quic.max_concurrent_bidi_streams': count(
    D['quic.max_concurrent_bidi_streams'],
    'Streams that one client can have open at once.',
    { min: 1, max: U32 },
  ),
  'quic.datagram_send_buffer_size': size(
    D['quic.datagram_send_buffer_size'],
    'Buffer of datagrams that wait to be sent to one client.',
    { max: '1 GiB' },
  ),
  'quic.initial_mtu': size(D['quic.initial_mtu'], 'Size of the first packets, before the broker measures the path.', {
    ...{ min: '1200 B', max: '65535 B' },
  }),
  'quic.send_window': size(D['quic.send_window'], 'Unacknowledged bytes that the broker sends to one client.', {
    ...{ min: '1 B', max: `${U32} B` },
  }),
  'quic.receive_window': size(
    D['quic.receive_window'],
    'Unacknowledged bytes that one client can send, over all its streams.',
    { min: '1 B', max: `${U32} B` },
  ),
  'quic.keep_alive_interval': duration(
    D['quic.keep_alive_interval'],
    'Time between two keep-alive packets on an idle connection. 0: none.',
    { min: '1 ms', isZeroTaken: true },
  ),
  'quic.max_idle_timeout': duration(
    D['quic.max_idle_timeout'],
    'The broker closes a connection that is idle for longer than this. 0: never.',
    { min: '1 ms', max: '365 d', isZeroTaken: true },
  ),
  'quic.certificate.self_signed': plane(toggle(D['quic.certificate.self_signed'], SELF_SIGNED)),
  'quic.certificate.cert_file': plane(text(D['quic.certificate.cert_file'], CERTIFICATE)),
  'quic.certificate.key_file': plane(text(D['quic.certificate.key_file'], KEY)),
  'quic.socket.override_defaults': admin(
    toggle(D['quic.socket.override_defaults'], 'Whether the other quic.socket keys have an effect.'),
  ),
  'quic.socket.recv_buffer_size': admin(
    size(D['quic.socket.recv_buffer_size'], 'Receive buffer of the QUIC socket. The system may use less.', {
      ...{ min: '1 B', max: '1 GiB', requires: 'quic.socket.override_defaults' },
    }),
  ),
  'quic.socket.send_buffer_size': admin(
    size(D['quic.socket.send_buffer_size'], 'Send buffer of the QUIC socket. The system may use less.', {
      ...{ min: '1 B', max: '1 GiB', requires: 'quic.socket.override_defaults' },
    }),
  ),
  'quic.socket.keepalive': admin(
    toggle(D['quic.socket.keepalive'], 'Whether the option SO_KEEPALIVE is set on the QUIC socket.', {
      requires: 'quic.socket.override_defaults',
    }),
  ),
};

const BUFFER = { min: '1 B', max: '1 GiB' };
/** With less, the broker closes connections at the first request. */
const MESSAGE = { min: '1 KiB', max: '1 GiB' };

/** Connections over WebSocket. The sizes are absent from the broker's report unless they are set. */
export const IGGY_0_8_WEBSOCKET: BrokerSettings = {
  'websocket.enabled': toggle(D['websocket.enabled'], 'Whether clients can connect over WebSocket.'),
  'websocket.address': plane(text(D['websocket.address'], `Address of the WebSocket listener. ${ADDRESS}`)),
  'websocket.read_buffer_size': size(null, 'Buffer for data of a client. The broker uses 128 KiB.', BUFFER),
  'websocket.write_buffer_size': size(null, 'Data that the broker collects before it sends. It uses 128 KiB.', BUFFER),
  'websocket.max_write_buffer_size': size(null, 'Data that can wait for a slow client. The broker sets no limit.', {
    ...BUFFER,
  }),
  'websocket.max_message_size': size(null, 'Maximum size of a message of a client. The broker uses 64 MiB.', MESSAGE),
  'websocket.max_frame_size': size(null, 'Maximum size of a frame of a message. The broker uses 16 MiB.', MESSAGE),
  'websocket.accept_unmasked_frames': toggle(
    D['websocket.accept_unmasked_frames'],
    'Whether the broker accepts frames without a mask, which the standard forbids.',
  ),
  'websocket.tls.enabled': plane(
    toggle(D['websocket.tls.enabled'], `Whether the broker encrypts WebSocket. ${ENCRYPTED}`),
  ),
  'websocket.tls.self_signed': plane(toggle(D['websocket.tls.self_signed'], SELF_SIGNED)),
  'websocket.tls.cert_file': plane(text(D['websocket.tls.cert_file'], CERTIFICATE)),
  'websocket.tls.key_file': plane(text(D['websocket.tls.key_file'], KEY)),
};
