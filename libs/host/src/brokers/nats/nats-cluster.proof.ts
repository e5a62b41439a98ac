import { connect } from 'node:net';
import { describeWithNats, NATS_SERVER } from '@libs/testing';
import type { MqttClient } from 'mqtt';
import { type BrokerUnderTest, inboxOf, until, type Received } from '../../../test/brokers/embedded.fixture.js';
import { filesWith, KEY, MARK, storeMessages } from '../../../test/brokers/encrypted-data.fixture.js';
import { aNatsCluster } from '../../../test/brokers/nats.fixture.js';
import { NATS_FILES } from './nats-files.js';

const SIZE = 3;
const running: BrokerUnderTest[] = [];

/** Three connected nodes, all ready. */
async function aCluster(): Promise<BrokerUnderTest[]> {
  const nodes = await aNatsCluster(NATS_SERVER, SIZE);
  running.push(...nodes);
  await Promise.all(nodes.map((node) => node.start()));
  return nodes;
}

/**
 * A connected client. The first clients of a cluster wait until the MQTT streams exist. The client reconnects, because a
 * publish during a leader election may close its connection.
 */
function aClient(node: BrokerUnderTest, options: { clientId?: string; clean?: boolean } = {}): Promise<MqttClient> {
  return until('a client is in', () => node.client({ reconnectPeriod: 200, ...options }).catch(() => null), 30_000);
}

/** Distinct messages on `kept/…`. A message without an acknowledgement in time is delivered again. */
function kept(inbox: Received[]): string[] {
  return [...new Set(inbox.filter(({ topic }) => topic.startsWith('kept/')).map(({ text }) => text))];
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((node) => node.destroy()));
});

describeWithNats('a cluster of three nodes with nats', () => {
  it('continues without a killed node, and keeps its sessions', async () => {
    const [one, two, three] = (await aCluster()) as [BrokerUnderTest, BrokerUnderTest, BrokerUnderTest];
    const session = { clientId: 'reader', clean: false };
    const reader = await aClient(three, session);
    await reader.subscribeAsync('kept/#', { qos: 1 });
    await reader.endAsync();
    const [writer, witness] = [await aClient(one), await aClient(two)];
    const inbox = inboxOf(witness);
    await witness.subscribeAsync('live/#', { qos: 1 });
    await writer.publishAsync('kept/1', 'before', { qos: 1 });

    await three.kill();
    await writer.publishAsync('live/1', 'still here', { qos: 1 });
    await until('the message on the other node', () => inbox.some(({ text }) => text === 'still here'), 30_000);
    await writer.publishAsync('kept/2', 'meanwhile', { qos: 1 });

    const moved = await two.reader({ ...session, reconnectPeriod: 200 });
    await until('what was kept', () => kept(moved.inbox).join() === 'before,meanwhile', 30_000);

    await three.start();
    await Promise.all([writer, witness, moved.client].map((client) => client.endAsync(true)));
  }, 120_000);

  it('encrypts what each node stores, and continues with the key after a restart', async () => {
    const nodes = await aNatsCluster(NATS_SERVER, SIZE);
    for (const node of nodes) node.spec.broker.encryption = { key: KEY };
    running.push(...nodes);
    await Promise.all(nodes.map((node) => node.start()));
    const first = nodes[0] as BrokerUnderTest;
    await (await aClient(first)).endAsync();
    await storeMessages(first, MARK);

    await Promise.all(nodes.map((node) => node.runtime.stop(node.home, 5_000)));
    await Promise.all(nodes.map((node) => node.start()));
    const reader = await aClient(nodes[2] as BrokerUnderTest);
    const inbox = inboxOf(reader);
    await reader.subscribeAsync('state', { qos: 1 });

    await until('the retained message', () => inbox.some(({ text }) => text === MARK), 30_000);
    for (const node of nodes) expect(await filesWith(NATS_FILES.data(node.home), MARK)).toEqual([]);
    await reader.endAsync(true);
  }, 120_000);

  it('refuses a route without the secret of the cluster', async () => {
    const [one] = (await aCluster()) as [BrokerUnderTest];
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(one.spec.listen.peer ?? 0, '127.0.0.1', () => {
        socket.write(
          'CONNECT {"verbose":false,"user":"route","pass":"guess","name":"x","cluster":"deployment-1"}\r\nPING\r\n',
        );
      });
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('error', () => undefined);
      socket.once('close', () => resolve(text));
    });

    expect(answer).toContain('Authorization Violation');
  }, 60_000);
});
