import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import mqtt from 'mqtt';
import { eventually } from './eventually.mjs';

const OPERATION_MS = 120_000;
const ANSWER_MS = 60_000;
const BROKER_MS = 90_000;
const TOPIC = 'check/message';

/** An answer that the check does not expect. */
class NotAsExpected extends Error {
  name = 'NotAsExpected';
}

/** Uses an installation as its customers do: with the first key, over both APIs and over MQTT. */
export class Customer {
  /** @param bootstrap The text of bootstrap.json, with the addresses and the first key. */
  constructor(bootstrap) {
    Object.assign(this, JSON.parse(bootstrap));
    this.tenant = `${this.main_api_url}/tenants/${this.tenant_id}`;
  }

  /** Creates a Free deployment, and waits until it serves. Returns its addresses at both APIs. */
  async create(place) {
    const url = `${this.tenant}/divisions/${this.division_id}`;
    const accepted = await this.#call('POST', `${url}/deployments/starter`, place);
    const main = `${url}/environments/${accepted.environment_id}/deployments/${accepted.deployment_id}`;
    await this.#succeeds(accepted.operation_id);
    const { supervisor_url: supervisor, id } = await this.#call('GET', main);
    return { main, live: `${supervisor}/deployments/${id}` };
  }

  async delete({ main }) {
    const { operation_id: operation } = await this.#call('DELETE', main);
    await this.#succeeds(operation);
  }

  /** The status of an address for this key. */
  async status(url) {
    return (await this.#fetch('GET', url)).status;
  }

  /** Publishes a retained message, and reads it with a second client. Returns the text. */
  async exchange(deployment, text) {
    const writer = await this.#connect(deployment);
    await writer.publishAsync(TOPIC, text, { qos: 1, retain: true });
    await writer.endAsync();
    return this.read(deployment);
  }

  /** The retained message, as a new client gets it. */
  async read(deployment) {
    const reader = await this.#connect(deployment);
    try {
      const arrived = once(reader, 'message', { signal: AbortSignal.timeout(ANSWER_MS) });
      await reader.subscribeAsync(TOPIC, { qos: 1 });
      const [, payload] = await arrived;
      return payload.toString();
    } finally {
      await reader.endAsync(true);
    }
  }

  /** Nodes start again after their container: connects as soon as the broker accepts clients. */
  async #connect(deployment) {
    const attempt = async () => {
      const { endpoint, ...login } = await this.connection(deployment);
      const options = { ...login, reconnectPeriod: 0, connectTimeout: 5_000 };
      return mqtt.connectAsync(`mqtt://${endpoint}`, options, false).catch(() => null);
    };
    return eventually(`the broker of ${deployment.live} accepts a client`, attempt, BROKER_MS);
  }

  /** The address of a node for MQTT, and the sign-in. */
  async connection({ live }) {
    const { username, password } = await this.#call('GET', `${live}/credentials`);
    const { nodes } = await this.#call('GET', live);
    return { endpoint: nodes[0].endpoints.tcp, username, password };
  }

  async #succeeds(id) {
    const look = async () => {
      const operation = await this.#call('GET', `${this.tenant}/operations/${id}?wait=20`);
      return ['pending', 'running'].includes(operation.status) ? null : operation;
    };
    const { status, reason } = await eventually(`operation ${id} ends`, look, OPERATION_MS);
    if (status !== 'succeeded') throw new NotAsExpected(`Operation ${id} is ${status}: ${reason}`);
  }

  async #call(method, url, body) {
    const response = await this.#fetch(method, url, body);
    const text = await response.text();
    if (!response.ok) throw new NotAsExpected(`${method} ${url} returned ${response.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  #fetch(method, url, body) {
    const headers = {
      ...{ 'ld-api-key': this.api_key, 'idempotency-key': randomUUID(), 'content-type': 'application/json' },
      // The next installation has the same address. A connection that is kept could lead to the one before it.
      connection: 'close',
    };
    const signal = AbortSignal.timeout(ANSWER_MS);
    return fetch(url, { method, headers, signal, ...(body && { body: JSON.stringify(body) }) });
  }
}
