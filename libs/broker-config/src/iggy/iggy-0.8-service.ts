import { ours, plane } from '../setting-kinds.js';
import { choice, count, duration, list, secret, size, text, toggle, type IggySettings } from './iggy-kinds.js';

const HEADER_NAMES = { pattern: /^(|\*|[A-Za-z0-9-]{1,100})$/, reason: 'must be the name of a header, or *' };
const METHODS = {
  pattern: /^(GET|POST|PUT|DELETE|HEAD|OPTIONS|CONNECT|PATCH|TRACE)$/,
  reason: 'must be GET, POST, PUT, DELETE, HEAD, OPTIONS, CONNECT, PATCH or TRACE',
};
const ORIGINS = {
  pattern: /^(\*|https?:\/\/[A-Za-z0-9.:[\]-]{1,200})$/,
  reason: 'must be an origin such as https://app.example.com, or *',
};

const IGGY_0_8_CORS: IggySettings = {
  'http.cors.enabled': ours(
    toggle('Whether pages of other origins can call the broker from a browser.'),
    false,
    'The default of Landlord is false, so that only named pages get access. The default of the broker is true.',
  ),
  'http.cors.allowed_methods': list('Methods that such pages can use.', METHODS),
  'http.cors.allowed_origins': list('Origins of such pages. The first entry * means every origin.', ORIGINS),
  'http.cors.allowed_headers': list('Headers that such pages can send.', HEADER_NAMES),
  'http.cors.exposed_headers': list('Headers of answers that such pages can read.', HEADER_NAMES),
  'http.cors.allow_credentials': toggle(
    'Whether such pages can send cookies. Then origins and headers must be named, without *.',
  ),
  'http.cors.allow_private_network': toggle('Whether public pages can call the broker in a private network.'),
};

const TOKENS = 'Fixed, because the agent of the node and the broker must accept the tokens of the broker.';
const NO_SECRET =
  'Always empty: the broker writes this value into a diagnostic file that every user of the broker can download. ' +
  'With an empty value the broker creates a new random key at each start.';

const IGGY_0_8_TOKENS: IggySettings = {
  'http.jwt.algorithm': choice(['HS256', 'HS384', 'HS512'], 'How access tokens are signed.'),
  'http.jwt.issuer': plane(text(`Issuer of access tokens. ${TOKENS}`)),
  'http.jwt.audience': plane(text(`Audience of access tokens. ${TOKENS}`)),
  'http.jwt.valid_issuers': plane(list(`Issuers of accepted tokens. ${TOKENS}`)),
  'http.jwt.valid_audiences': plane(list(`Audiences of accepted tokens. ${TOKENS}`)),
  'http.jwt.access_token_expiry': duration('How long an access token is valid.', {
    ...{ min: '1 m', max: '365 d' },
  }),
  'http.jwt.clock_skew': duration('Accepted difference between two clocks.', { max: '1 h' }),
  'http.jwt.not_before': plane(duration(`Time from the creation of a token until it is valid. ${TOKENS}`)),
  'http.jwt.encoding_secret': plane(secret(`Key that signs tokens. ${NO_SECRET}`)),
  'http.jwt.decoding_secret': plane(secret(`Key that checks tokens. ${NO_SECRET}`)),
  'http.jwt.use_base64_secret': plane(toggle('Whether both keys are in Base64.')),
  'http.jwt.trusted_issuers': plane(
    ours(
      list('Other services whose tokens the broker accepts.'),
      [],
      'Landlord sets none. The broker itself trusts an example on its own machine.',
    ),
  ),
};

/** HTTP. The agent of the node uses it, too. */
export const IGGY_0_8_HTTP: IggySettings = {
  'http.enabled': plane(toggle('Whether clients can connect over HTTP. The agent of the node does.')),
  'http.address': plane(text('Address of the HTTP listener. A free port of the loopback address, behind the gate.')),
  'http.max_request_size': size('Maximum size of the body of a request.', {
    ...{ min: '64 KiB', max: '256 MiB' },
  }),
  'http.web_ui': plane(
    toggle('Whether the broker serves its web interface. Fixed, because the gate has a page of its own.'),
  ),
  ...IGGY_0_8_CORS,
  ...IGGY_0_8_TOKENS,
  'http.metrics.enabled': toggle(
    'Whether the broker offers metrics over HTTP. The gate does not pass them to clients.',
  ),
  'http.metrics.endpoint': plane(text('Path of the metrics. Fixed, because at another path the broker may not start.')),
  'http.tls.enabled': plane(toggle('Whether the broker encrypts HTTP. The gate encrypts connections, so it does not.')),
  'http.tls.cert_file': plane(text('Path of the certificate of the broker itself. Unused.')),
  'http.tls.key_file': plane(text('Path of the key of that certificate.')),
};

/** The broker never gets ready with a timer that is much shorter, and ignores signals. */
const TIMER = { min: '1 s' };

/** Sessions of clients. */
export const IGGY_0_8_SESSIONS: IggySettings = {
  'consumer_group.rebalancing_timeout': duration(
    'How long a member of a group can keep a partition that another member gets.',
  ),
  'consumer_group.rebalancing_check_interval': duration(
    'Time between two checks for partitions that were kept too long.',
    TIMER,
  ),
  'personal_access_token.max_tokens_per_user': count('Maximum number of access tokens of one user.', {
    min: 1,
    max: 4_294_967_295,
  }),
  'personal_access_token.cleaner.enabled': toggle('Whether the broker deletes expired access tokens.'),
  'personal_access_token.cleaner.interval': duration('Time between two deletions of expired access tokens.', TIMER),
  'heartbeat.enabled': toggle('Whether the broker disconnects clients without heartbeats.'),
  'heartbeat.interval': duration(
    'The broker disconnects a client after 1.2 times this time without a heartbeat.',
    TIMER,
  ),
};

const NO_TELEMETRY = 'Fixed, because this release of the broker does not start with telemetry.';

export const IGGY_0_8_TELEMETRY: IggySettings = {
  'telemetry.enabled': plane(toggle(`Whether the broker sends logs and traces to a collector. ${NO_TELEMETRY}`)),
  'telemetry.service_name': plane(text('Name of the broker at the collector. Unused.')),
  'telemetry.logs.transport': plane(text('How the broker sends logs. Unused.')),
  'telemetry.logs.endpoint': plane(text('Where the broker sends logs. Unused.')),
  'telemetry.traces.transport': plane(text('How the broker sends traces. Unused.')),
  'telemetry.traces.endpoint': plane(text('Where the broker sends traces. Unused.')),
};
