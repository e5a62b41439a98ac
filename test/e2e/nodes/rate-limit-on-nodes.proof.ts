import { TestCloud } from '@libs/testing';
import mqtt from 'mqtt';

const MESSAGE = Buffer.alloc(4_000, 'x');
const MESSAGES = 250;
const IN_FLIGHT = 20;
/** 1 MB at 100 KB/s takes 10 seconds. The burst and the measurement take less than 2 seconds. */
const LEAST_MS = 8_000;

/** The counters of a node, which its gate keeps. */
async function countersOf(endpoint: string, { username, password }: { username: string; password: string }) {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const answer = await fetch(`http://${endpoint}/stats`, { headers: { authorization } });
  return (await answer.json()) as { bytes_received: number; messages_received: number };
}

describe('The rate limit of the Free tier', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
  });
  afterAll(() => cloud.stop());

  it('lets 1 MB of QoS 1 messages take 10 seconds, and keeps the client and a reader connected', async () => {
    const starter = { cloud: 'aws', region: 'us-east-1' };
    const accepted = await cloud.main().post(`${cloud.division}/deployments/starter`, starter);
    expect(accepted.status).toBe(202);
    await cloud.main().get(`${cloud.tenant}/operations/${accepted.headers.get('ld-operation')}?wait=50`);
    const path = `/deployments/${accepted.headers.get('ld-deployment')}`;
    const { body } = await cloud.runtime().get(path);
    const { tcp, http } = body.nodes[0].endpoints as { tcp: string; http: string };
    const login = (await cloud.runtime().get(`${path}/credentials`)).body as { username: string; password: string };
    const options = { username: login.username, password: login.password, reconnectPeriod: 0, keepalive: 30 };
    const publisher = await mqtt.connectAsync(`mqtt://${tcp}`, options);
    const reader = await mqtt.connectAsync(`mqtt://${tcp}`, options);
    let [disconnects, received] = [0, 0];
    for (const client of [publisher, reader]) client.on('close', () => (disconnects += 1));
    reader.on('message', () => (received += 1));
    await reader.subscribeAsync('rate/#', { qos: 1 });

    const startedAt = performance.now();
    let next = 0;
    const publish = async (): Promise<void> => {
      while (next < MESSAGES) await publisher.publishAsync(`rate/${(next += 1)}`, MESSAGE, { qos: 1 });
    };
    const publishing = Promise.all(Array.from({ length: IN_FLIGHT }, publish));
    const first = await countersOf(http, login);
    await new Promise((wake) => setTimeout(wake, 2_000));
    const later = await countersOf(http, login);
    const elapsedSinceStartMs = performance.now() - startedAt;
    await publishing;
    const elapsedMs = performance.now() - startedAt;

    expect(elapsedMs).toBeGreaterThanOrEqual(LEAST_MS);
    expect(later.bytes_received - first.bytes_received).toBeLessThan(100 * (elapsedSinceStartMs + 1_000));
    expect((await countersOf(http, login)).messages_received).toBe(MESSAGES);
    expect(disconnects).toBe(0);
    await vi.waitFor(() => expect(received).toBe(MESSAGES));
    await Promise.all([publisher.endAsync(), reader.endAsync()]);
  });
});
