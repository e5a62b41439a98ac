// A client as the contract requires: a lost connection repeats the request at the other process, with the same
// idempotency key; a 503 repeats the request after its `retry-after`.
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';

const CONNECTIONS = 100;
const PATIENCE_MS = 30_000;
const PAUSE_MS = 100;

export class RetryingClient {
  #turn = 0;

  constructor(urls) {
    const options = { connections: CONNECTIONS, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS };
    this.pools = urls.map((url) => new Pool(url, options));
  }

  /** Sends to the processes in turns. Returns `{status, headers, body, retries}`; rejects without an answer in 30 s. */
  async send({ method, path, key, body, idempotencyKey }) {
    const deadline = performance.now() + PATIENCE_MS;
    const headers = { 'ld-api-key': key };
    if (body) headers['content-type'] = 'application/json';
    if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
    const request = { method, path, headers, body: body && JSON.stringify(body) };
    this.#turn += 1;
    for (let retries = 0; ; retries += 1) {
      const { answer, loss } = await once(this.pools[(this.#turn + retries) % this.pools.length], request);
      const pause = answer ? pauseOf(answer) : pauseAfterLoss(retries);
      if (answer && pause === null) return { ...answer, retries };
      if (performance.now() + pause > deadline) throw loss ?? new Error(`${answer.status} for ${PATIENCE_MS} ms`);
      await delay(pause);
    }
  }

  async close() {
    await Promise.all(this.pools.map((pool) => pool.destroy()));
  }
}

async function once(pool, request) {
  try {
    const { statusCode: status, headers, body } = await pool.request(request);
    const text = await body.text();
    return { answer: { status, headers, body: text === '' ? null : JSON.parse(text) } };
  } catch (loss) {
    return { loss };
  }
}

/** The other process is asked at once, and both again after a pause. */
const pauseAfterLoss = (retries) => (retries % 2 === 0 ? 0 : PAUSE_MS);

/** Milliseconds until the repetition that the answer asks for; null if the answer is final. */
function pauseOf({ status, headers, body }) {
  if (status === 503 && headers['retry-after'] !== undefined) return Number(headers['retry-after']) * 1000;
  return status === 409 && body?.code === 'idempotent_request_in_progress' ? PAUSE_MS : null;
}
