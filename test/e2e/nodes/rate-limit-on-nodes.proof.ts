import { eventually, itWithMqtt, type Login, TestCloud, TestDeployment } from '@libs/testing';

const BATCHES = 13;
/** The messages that a client sends without waiting for acknowledgements. */
const IN_FLIGHT = 20;
const MESSAGES = Array.from({ length: BATCHES * IN_FLIGHT }, (_, index) => `${index} `.padEnd(4_000, 'x'));
const BYTES_PER_MS = 100;
/** The limit admits the bytes of one second at once. */
const BURST_MS = 1_000;
/** 1 MB at 100 KB/s takes 10 seconds. The burst and the measurement take less than 2 seconds. */
const LEAST_MS = 8_000;

/** The counters of a node, which its gate keeps. */
async function countersOf(endpoint: string, { username, password }: Login) {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const answer = await fetch(`http://${endpoint}/stats`, { headers: { authorization } });
  return (await answer.json()) as { bytes_received: number; messages_received: number };
}

describe('The rate limit of the Free tier', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    deployment = await TestDeployment.free(cloud);
  });
  afterAll(() => cloud.stop());

  it('lets 1 MB of acknowledged messages take 10 seconds, and keeps the client and a reader connected', async () => {
    const [writer, reader] = [await deployment.client(), await deployment.client()];
    const begun = performance.now();
    let acknowledgedBytes = 0;
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const texts = MESSAGES.slice(batch * IN_FLIGHT, (batch + 1) * IN_FLIGHT);
      await writer.write('rate', ...texts);
      acknowledgedBytes += texts.join('').length;
      expect(acknowledgedBytes).toBeLessThan(BYTES_PER_MS * (performance.now() - begun + BURST_MS));
    }
    const elapsedMs = performance.now() - begun;
    const received = await reader.readAll('rate', MESSAGES.length);

    expect(elapsedMs).toBeGreaterThanOrEqual(LEAST_MS);
    expect([writer.isCut, reader.isCut]).toEqual([false, false]);
    expect(received.sort()).toEqual([...MESSAGES].sort());
    await Promise.all([writer.close(), reader.close()]);
  });
  itWithMqtt(
    'delivers the messages to a connected subscriber at the same pace, and counts them at the gate',
    async () => {
      const [writer, reader] = [await deployment.connect(), await deployment.connect()];
      let [disconnects, received] = [0, 0];
      for (const client of [writer, reader]) client.on('close', () => (disconnects += 1));
      reader.on('message', () => (received += 1));
      await reader.subscribeAsync('live/#', { qos: 1 });
      const http = (await deployment.nodes())[0]?.endpoints.http ?? '';
      const before = await countersOf(http, await deployment.login());
      const begun = performance.now();

      let next = 0;
      const publish = async (): Promise<void> => {
        while (next < MESSAGES.length) await writer.publishAsync(`live/${next}`, MESSAGES[next++] ?? '', { qos: 1 });
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, publish));
      const after = await countersOf(http, await deployment.login());
      const elapsedMs = performance.now() - begun;

      expect(elapsedMs).toBeGreaterThanOrEqual(LEAST_MS);
      expect(after.bytes_received - before.bytes_received).toBeLessThan(BYTES_PER_MS * (elapsedMs + BURST_MS));
      expect(after.messages_received - before.messages_received).toBe(MESSAGES.length);
      await eventually('all messages arrive', () => received === MESSAGES.length);
      expect(disconnects).toBe(0);
      await Promise.all([writer.endAsync(), reader.endAsync()]);
    },
  );
});
