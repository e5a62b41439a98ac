import type { BrokerSettings } from '../broker-setting.js';
import { admin, choice, count, duration, list, plane, size, text, toggle } from '../setting-kinds.js';

/** The shortest duration above zero. */
const SOME = '1 ns';
const HTTP_PATH = { pattern: /^\/[A-Za-z0-9/_.-]{0,99}$/, reason: 'must be a path such as /metrics' };
const HEADER_NAMES = { pattern: /^(\*|[A-Za-z0-9-]{1,100})$/, reason: 'must be the name of a header, or *' };
const METHODS = { pattern: /^[A-Z]{1,20}$/, reason: 'must be a method such as GET' };
const ORIGINS = {
  pattern: /^(\*|https?:\/\/[A-Za-z0-9.:[\]-]{1,200})$/,
  reason: 'must be an origin such as https://app.example.com, or *',
};
const NAMES = { pattern: /^[^\s\p{C}]{1,200}$/u, reason: 'must be a name without spaces' };
const FILE = 'Set by the plane when the node has a certificate.';

/** Connections of clients to the broker. */
export const IGGY_TCP: BrokerSettings = {
  'tcp.enabled': plane(toggle(true, 'Whether the TCP port is opened.')),
  'tcp.address': plane(text('127.0.0.1:8090', 'Where TCP is taken; the gate of the node stands before it.')),
  'tcp.tls.enabled': plane(toggle(false, 'Whether TCP is encrypted by the broker itself.')),
  'tcp.tls.self_signed': plane(toggle(true, 'Whether the broker makes a certificate when it has none.')),
  'tcp.tls.cert_file': plane(text('', `Certificate of TCP. ${FILE}`)),
  'tcp.tls.key_file': plane(text('', `Key of that certificate. ${FILE}`)),
};

export const IGGY_QUIC: BrokerSettings = {
  'quic.enabled': toggle(true, 'Whether clients may connect by QUIC, where the deployment offers UDP.'),
  'quic.address': plane(text('127.0.0.1:8080', 'Where QUIC is taken; the gate of the node stands before it.')),
  'quic.max_concurrent_bidi_streams': count(1, 'Streams that one client may hold open at once.', {
    ...{ min: 1, max: 4_294_967_295 },
  }),
  'quic.initial_mtu': size('1200 B', 'Size of the first packets, before the path is measured.', {
    ...{ min: '1200 B', max: '65535 B' },
  }),
  'quic.send_window': size('64 MiB', 'Unacknowledged bytes that the broker sends to one client.'),
  'quic.receive_window': size('64 MiB', 'Bytes that one client may have on the way over all its streams.', {
    max: '4294967295 B',
  }),
  'quic.stream_receive_window': size('64 MiB', 'Bytes that one stream of a client may have on the way.', {
    ...{ min: '1 B', max: '4294967295 B' },
  }),
  'quic.keep_alive_interval': duration('10 s', 'Pause between two signs of life on a silent connection; 0 for none.'),
  'quic.max_idle_timeout': duration('30 s', 'A connection that was silent for so long is closed; 0 for never.'),
  'quic.certificate.self_signed': plane(toggle(true, 'Whether the broker makes a certificate at each start.')),
  'quic.certificate.cert_file': plane(text('', `Certificate of QUIC. ${FILE}`)),
  'quic.certificate.key_file': plane(text('', `Key of that certificate. ${FILE}`)),
};

export const IGGY_HTTP: BrokerSettings = {
  'http.enabled': plane(toggle(true, 'Whether the HTTP port is opened; the agent of the node needs it.')),
  'http.address': plane(text('127.0.0.1:3000', 'Where HTTP is taken; the gate of the node stands before it.')),
  'http.max_request_size': size('2 MB', 'Largest body of a request by HTTP.', { min: '1 B', max: '256 MiB' }),
  'http.web_ui': toggle(false, 'Whether the broker serves its own web interface.'),
  'http.cors.enabled': toggle(true, 'Whether pages of other origins may call the broker from a browser.'),
  'http.cors.allowed_methods': list(['GET', 'POST', 'PUT', 'DELETE'], 'Methods that such pages may use.', METHODS),
  'http.cors.allowed_origins': list(['*'], 'Origins of such pages; * alone is every origin.', ORIGINS),
  'http.cors.allowed_headers': list(
    ['content-type', 'authorization'],
    'Headers that such pages may send.',
    HEADER_NAMES,
  ),
  'http.cors.exposed_headers': list(['iggy-view'], 'Headers of answers that such pages may read.', HEADER_NAMES),
  'http.cors.allow_credentials': toggle(false, 'Whether such pages may send cookies; then nothing may be *.'),
  'http.cors.allow_private_network': toggle(false, 'Whether public pages may call the broker in a private network.'),
  'http.jwt.algorithm': choice('HS256', ['HS256', 'HS384', 'HS512'], 'How access tokens are signed.'),
  'http.jwt.issuer': text('iggy.apache.org', 'Issuer that is written into access tokens.', NAMES),
  'http.jwt.audience': text('iggy.apache.org', 'Audience that is written into access tokens.', NAMES),
  'http.jwt.valid_issuers': list(['iggy.apache.org'], 'Issuers whose tokens are taken.', NAMES),
  'http.jwt.valid_audiences': list(['iggy.apache.org'], 'Audiences whose tokens are taken.', NAMES),
  'http.jwt.access_token_expiry': duration('1 h', 'How long an access token is good.', { min: '1 s' }),
  'http.jwt.clock_skew': duration('5 s', 'How far the clock of a client may be off.'),
  'http.jwt.not_before': duration('0 s', 'Time after its making from which a token is good.'),
  'http.jwt.encoding_secret': plane(text('', 'Key that signs tokens.', undefined, { secret: true })),
  'http.jwt.decoding_secret': plane(text('', 'Key that checks tokens.', undefined, { secret: true })),
  'http.jwt.use_base64_secret': plane(toggle(false, 'Whether both keys are written in Base64.')),
  'http.metrics.enabled': toggle(true, 'Whether metrics are offered by HTTP.'),
  'http.metrics.endpoint': text('/metrics', 'Path of the metrics; an access token is needed to read them.', HTTP_PATH),
  'http.tls.enabled': plane(toggle(false, 'Whether HTTP is encrypted by the broker itself.')),
  'http.tls.cert_file': plane(text('', `Certificate of HTTP. ${FILE}`)),
  'http.tls.key_file': plane(text('', `Key of that certificate. ${FILE}`)),
};

export const IGGY_WEBSOCKET: BrokerSettings = {
  'websocket.enabled': toggle(true, 'Whether clients may connect by WebSocket.'),
  'websocket.address': plane(text('127.0.0.1:8092', 'Where WebSocket is taken; the gate stands before it.')),
  'websocket.read_buffer_size': size(null, 'Buffer for what a client sends. Default: 128 KiB.', { min: '1 B' }),
  'websocket.write_buffer_size': size(null, 'What is gathered before it is sent. Default: 128 KiB.', { min: '1 B' }),
  'websocket.max_write_buffer_size': size(null, 'What may wait for a slow client. Default: no limit.'),
  'websocket.max_message_size': size(null, 'Largest message of a client. Default: 64 MiB.', { min: '1 B' }),
  'websocket.max_frame_size': size(null, 'Largest frame of a message. Default: 16 MiB.', { min: '1 B' }),
  'websocket.accept_unmasked_frames': toggle(false, 'Whether frames of clients are taken that the standard refuses.'),
  'websocket.tls.enabled': plane(toggle(false, 'Whether WebSocket is encrypted by the broker itself.')),
  'websocket.tls.self_signed': plane(toggle(true, 'Whether the broker makes a certificate when it has none.')),
  'websocket.tls.cert_file': plane(text('', `Certificate of WebSocket. ${FILE}`)),
  'websocket.tls.key_file': plane(text('', `Key of that certificate. ${FILE}`)),
};

/** Sessions of clients. */
export const IGGY_SESSIONS: BrokerSettings = {
  'consumer_group.rebalancing_timeout': duration('30s', 'Time that a group has to share its partitions out anew.', {
    min: SOME,
  }),
  'consumer_group.session_timeout': duration('30s', 'A member that was silent for so long leaves its group.', {
    min: SOME,
  }),
  'consumer_group.heartbeat_interval': duration('5s', 'How often a member shows that it lives.', { min: SOME }),
  'personal_access_token.max_tokens_per_user': count(100, 'Access tokens that one user may keep.', {
    ...{ min: 1, max: 4_294_967_295 },
  }),
  'personal_access_token.cleaner.enabled': toggle(true, 'Whether expired access tokens are removed.'),
  'personal_access_token.cleaner.interval': duration('1 m', 'Pause between two removals of expired tokens.'),
  'heartbeat.enabled': toggle(true, 'Whether clients must show that they live.'),
  'heartbeat.interval': duration('30 s', 'Clients that were silent for 1.2 times as long are put out.'),
};

const URL_FORMAT = { pattern: /^(|https?:\/\/[^\s\p{C}]{1,400})$/u, reason: 'must be an http or https URL' };

export const IGGY_EXTERNAL_AUTH: BrokerSettings = {
  'external_auth.enabled': admin(
    toggle(false, 'Whether another service is asked about logins that the broker refuses.'),
  ),
  'external_auth.url': admin(
    text('', 'Where that service is asked; may hold a password.', URL_FORMAT, { secret: true }),
  ),
  'external_auth.timeout': admin(duration('5 s', 'Time that the service has to answer.', { min: SOME })),
  'external_auth.forward_credentials': admin(toggle(false, 'Whether the service receives the password of the client.')),
  'external_auth.user_id': admin(
    count(4_294_967_295, 'User as whom such clients are known; never the root user.', { min: 1, max: 4_294_967_295 }),
  ),
};
