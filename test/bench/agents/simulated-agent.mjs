// One agent as the gateway sees it: a long poll, and a status every interval ± 20 % and immediately after a new
// document.
import { AGENT_VERSION } from '../../../dist/libs/host/src/node/agent-version.js';
import { Backoff } from '../../../dist/libs/host/src/node/gateway/backoff.js';
import { Connection } from './connection.mjs';

/** Changes within this time are sent in one status, as with the real agent. */
const GATHER_MS = 50;
const POLL_SECONDS = 25;
/** Agents per source address. The gateway takes at most 200 new connections of an address at once. */
const AGENTS_PER_ADDRESS = 50;

export const nowMs = () => Number(process.hrtime.bigint()) / 1e6;

/** The source address of an agent: 127.0.1.1, 127.0.1.2 … Each address uses a local port once. */
export function addressOf(index) {
  const number = Math.floor(index / AGENTS_PER_ADDRESS);
  return process.platform === 'linux' ? `127.0.${1 + Math.floor(number / 250)}.${1 + (number % 250)}` : undefined;
}

export class SimulatedAgent {
  #seq = 0;
  #timer = null;
  #isReporting = false;
  #intervalMs = 10_000;
  #isClosed = false;
  #pollBackoff = new Backoff();
  #statusBackoff = new Backoff();

  /**
   * `tally` receives the events: received(nodeId, generation, document), reported(ms, isKept, the id of a node whose status was
   * taken), refused(route, status), failed(error).
   */
  constructor(
    { id, secret, epoch, generation = 0, timeline = 1, hash = '' },
    { port, index, keepsBoth, tally, isTls = false },
  ) {
    Object.assign(this, { id, secret, epoch, generation, timeline, hash, tally, keepsBoth });
    const address = addressOf(index);
    this.polls = new Connection(port, address, isTls);
    this.calls = new Connection(port, address, isTls);
  }

  /** Polls until it is closed. */
  async poll() {
    while (!this.#isClosed) {
      try {
        const path = `/agent/v1/desired?timeline=${this.timeline}&since=${this.generation}&wait=${POLL_SECONDS}`;
        const { status, body } = await this.polls.request(this.#head('GET', path, '') + '\r\n');
        if (status === 200 || status === 204) this.#pollBackoff.reset();
        if (status === 200) this.#take(JSON.parse(body).document);
        else if (status !== 204) await this.#wait('desired', status);
      } catch (error) {
        await this.#wait('desired', error);
      }
    }
  }

  /** Reports for the first time after `delayMs`, then periodically. */
  reportIn(delayMs) {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#report(), delayMs);
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.polls.close();
    this.calls.close();
  }

  #take(document) {
    const { timeline, generation, hash, epoch } = document;
    this.tally.received(this.id, generation, document);
    Object.assign(this, { timeline, generation, hash, epoch });
    if (!this.#isReporting) this.reportIn(GATHER_MS);
  }

  async #report() {
    this.#isReporting = true;
    const { generation } = this;
    const isTaken = await this.#send();
    this.#isReporting = false;
    if (!this.keepsBoth) this.calls.close();
    if (!isTaken) return this.reportIn(this.#statusBackoff.next());
    this.#statusBackoff.reset();
    this.reportIn(generation === this.generation ? this.#intervalMs * (0.8 + 0.4 * Math.random()) : GATHER_MS);
  }

  async #send() {
    try {
      const begun = nowMs();
      const { status, body } = await this.calls.request(this.#status());
      if (status === 200) this.#intervalMs = JSON.parse(body).interval_ms;
      else this.tally.refused('status', status);
      this.tally.reported(nowMs() - begun, this.keepsBoth, status === 200 ? this.id : null);
      return status === 200;
    } catch (error) {
      this.tally.failed(error);
      return false;
    }
  }

  async #wait(route, cause) {
    if (this.#isClosed) return;
    if (typeof cause === 'number') this.tally.refused(route, cause);
    else this.tally.failed(cause);
    await new Promise((later) => setTimeout(later, this.#pollBackoff.next()));
  }

  #status() {
    this.#seq += 1;
    const { timeline, generation, hash, epoch } = this;
    const body = JSON.stringify({
      epoch,
      seq: this.#seq,
      boot_id: `boot-${this.id}`,
      agent_version: AGENT_VERSION,
      observed: { timeline, generation, hash },
      runtimes: [
        { runtime: 'broker', status: generation > 0 ? 'running' : 'starting', version: '1.2.0', ...RUNTIME_TAIL },
      ],
      stats: {
        cpu_percent: 1.5,
        memory_bytes: 61_000_000 + this.#seq,
        disk_bytes: 4_096,
        clients: 12,
        gate_clients: 12,
      },
      gate: { mode: 'inline', generation, clients: 12 },
    });
    return `${this.#head('POST', '/agent/v1/status', body)}content-type: application/json\r\n\r\n${body}`;
  }

  #head(method, path, body) {
    const length = body === '' ? '' : `content-length: ${body.length}\r\n`;
    return `${method} ${path} HTTP/1.1\r\nhost: gateway\r\naccept: application/json\r\nld-agent-version: ${AGENT_VERSION}\r\nauthorization: Bearer ${this.id}.${this.secret}\r\n${length}`;
  }
}

const RUNTIME_TAIL = { started_at: '2026-11-21T10:00:00.000Z', pid: 4711, restarts: 0, last_error: null };
