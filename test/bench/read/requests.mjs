// What the benches of reads share: the environment of our server, and slices of requests with their CPU time.
import autocannon from 'autocannon';
import { cpuMicroseconds } from '../measure.mjs';

const CONNECTIONS = 50;

/** Our server without other work: no queue, and a limit of requests that is counted but never reached. */
export const ENVIRONMENT = ({ installation, secretKeys, dataDir }) => ({
  DATABASE_URL: installation.role_urls.main_api,
  LANDLORD_SECRET_KEYS: secretKeys,
  LOG_LEVEL: 'warn',
  QUEUE_URL: 'off',
  RATE_LIMIT: '1000000',
  LANDLORD_DATA_DIR: dataDir,
});

/** One answer, which must be 200. */
export async function answerOf(url, key) {
  const response = await fetch(url, { headers: { 'ld-api-key': key } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answers ${response.status}: ${text}`);
  return { headers: response.headers, text };
}

const OWN_HEADERS = [
  'ld-request',
  'etag',
  'content-length',
  'content-type',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
];

/** The headers of our answer that the other server repeats, so that both send the same bytes. */
export const headersOf = ({ headers }) =>
  Object.fromEntries([...headers].filter(([name]) => !OWN_HEADERS.includes(name)));

/** CPU time of a server per request, and its requests per second, in one slice. */
export async function slice(server, path, key, seconds) {
  const before = cpuMicroseconds(server.child.pid);
  const result = await autocannon({
    url: `${server.url}${path}`,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { 'ld-api-key': key },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${server.name}: ${result.non2xx} refusals, ${result.errors} errors`);
  const answered = result['2xx'];
  return {
    answered,
    cpuMicros: (cpuMicroseconds(server.child.pid) - before) / answered,
    perSecond: answered / result.duration,
  };
}
