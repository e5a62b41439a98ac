import type { BrokerSettings } from '../broker-setting.js';
import { admin, plane } from '../setting-kinds.js';
import { count, duration, size, text, toggle, type IggySettings } from './iggy-kinds.js';

const ADDRESS = 'A free port of the loopback address. Clients connect through the gate.';
const ENCRYPTED = 'The gate encrypts connections, so the broker does not.';
const CERTIFICATE = 'Path of the certificate of the broker itself. Unused, because the gate encrypts connections.';
const KEY = 'Path of the key of that certificate.';
const SELF_SIGNED = 'Whether the broker creates its own certificate when it has none.';
const U32 = 4_294_967_295;

const BUFFER = { min: '1 B', max: '1 GiB' };
const TCP_SOCKET = { requires: 'tcp.socket.override_defaults' };
const QUIC_SOCKET = { requires: 'quic.socket.override_defaults' };

/** Connections over TCP and QUIC. */
export const IGGY_0_8_CONNECTIONS: IggySettings = {
  'tcp.enabled': plane(toggle('Whether clients can connect over TCP.')),
  'tcp.address': plane(text(`Address of the TCP listener. ${ADDRESS}`)),
  'tcp.ipv6': plane(toggle('Has no effect in this release.')),
  'tcp.socket_migration': admin(toggle('Whether a connection moves to the shard of the partition that it uses.')),
  'tcp.tls.enabled': plane(toggle(`Whether the broker encrypts TCP. ${ENCRYPTED}`)),
  'tcp.tls.self_signed': plane(toggle(SELF_SIGNED)),
  'tcp.tls.cert_file': plane(text(CERTIFICATE)),
  'tcp.tls.key_file': plane(text(KEY)),
  'tcp.socket.override_defaults': admin(toggle('Whether the other tcp.socket keys have an effect.')),
  'tcp.socket.recv_buffer_size': admin(
    size('Receive buffer of a TCP connection. The system may use less.', { ...BUFFER, ...TCP_SOCKET }),
  ),
  'tcp.socket.send_buffer_size': admin(
    size('Send buffer of a TCP connection. The system may use less.', { ...BUFFER, ...TCP_SOCKET }),
  ),
  'tcp.socket.keepalive': admin(toggle('Whether the system sends keep-alive packets on TCP connections.', TCP_SOCKET)),
  'tcp.socket.nodelay': admin(toggle('Whether small packets are sent at once (TCP_NODELAY).', TCP_SOCKET)),
  'tcp.socket.linger': admin(
    duration('How long a closing connection sends its remaining data (SO_LINGER).', { max: '1 h', ...TCP_SOCKET }),
  ),
  'quic.enabled': toggle('Whether clients can connect over QUIC, if the deployment offers UDP.'),
  'quic.address': plane(text(`Address of the QUIC listener. ${ADDRESS}`)),
  'quic.max_concurrent_bidi_streams': count('Streams that one client can have open at once.', { min: 1, max: U32 }),
  'quic.datagram_send_buffer_size': size('Buffer of datagrams that wait to be sent to one client.', { max: '1 GiB' }),
  'quic.initial_mtu': size('Size of the first packets, before the broker measures the path.', {
    ...{ min: '1200 B', max: '65535 B' },
  }),
  'quic.send_window': size('Unacknowledged bytes that the broker sends to one client.', {
    ...{ min: '1 B', max: `${U32} B` },
  }),
  'quic.receive_window': size('Unacknowledged bytes that one client can send, over all its streams.', {
    min: '1 B',
    max: `${U32} B`,
  }),
  'quic.keep_alive_interval': duration('Time between two keep-alive packets on an idle connection. 0: none.', {
    min: '1 ms',
    isZeroTaken: true,
  }),
  'quic.max_idle_timeout': duration('The broker closes a connection that is idle for longer than this. 0: never.', {
    min: '1 ms',
    max: '365 d',
    isZeroTaken: true,
  }),
  'quic.certificate.self_signed': plane(toggle(SELF_SIGNED)),
  'quic.certificate.cert_file': plane(text(CERTIFICATE)),
  'quic.certificate.key_file': plane(text(KEY)),
  'quic.socket.override_defaults': admin(toggle('Whether the other quic.socket keys have an effect.')),
  'quic.socket.recv_buffer_size': admin(
    size('Receive buffer of the QUIC socket. The system may use less.', { ...BUFFER, ...QUIC_SOCKET }),
  ),
  'quic.socket.send_buffer_size': admin(
    size('Send buffer of the QUIC socket. The system may use less.', { ...BUFFER, ...QUIC_SOCKET }),
  ),
  'quic.socket.keepalive': admin(toggle('Whether the option SO_KEEPALIVE is set on the QUIC socket.', QUIC_SOCKET)),
};

/** With less, the broker closes connections at the first request. */
const MESSAGE = { min: '1 KiB', max: '1 GiB' };

/** Connections over WebSocket. The sizes are absent from the broker's report unless they are set. */
export const IGGY_0_8_WEBSOCKET: BrokerSettings = {
  'websocket.enabled': toggle('Whether clients can connect over WebSocket.'),
  'websocket.address': plane(text(`Address of the WebSocket listener. ${ADDRESS}`)),
  'websocket.read_buffer_size': size('Buffer for data of a client. The broker uses 128 KiB.', BUFFER),
  'websocket.write_buffer_size': size('Data that the broker collects before it sends. It uses 128 KiB.', BUFFER),
  'websocket.max_write_buffer_size': size('Data that can wait for a slow client. The broker sets no limit.', BUFFER),
  'websocket.max_message_size': size('Maximum size of a message of a client. The broker uses 64 MiB.', MESSAGE),
  'websocket.max_frame_size': size('Maximum size of a frame of a message. The broker uses 16 MiB.', MESSAGE),
  'websocket.accept_unmasked_frames': toggle(
    'Whether the broker accepts frames without a mask, which the standard forbids.',
  ),
  'websocket.tls.enabled': plane(toggle(`Whether the broker encrypts WebSocket. ${ENCRYPTED}`)),
  'websocket.tls.self_signed': plane(toggle(SELF_SIGNED)),
  'websocket.tls.cert_file': plane(text(CERTIFICATE)),
  'websocket.tls.key_file': plane(text(KEY)),
};
