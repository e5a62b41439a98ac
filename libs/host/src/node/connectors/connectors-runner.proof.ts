import mqtt from 'mqtt';
import { NodeUnderTest, until } from '../../../test/node/agent.fixture.js';
import {
  aConnector,
  aNode,
  contact,
  nodes,
  report,
  runner,
  runtime,
  SINK,
  status,
  withConnectors,
} from '../../../test/node/connectors.fixture.js';

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

/** Whether the broker has a session for a client with this id. */
async function isSessionKept({ spec }: NodeUnderTest, clientId: string): Promise<boolean> {
  const { username, password } = spec.credentials;
  const options = { username, password, clientId, clean: false, reconnectPeriod: 0 };
  const client = mqtt.connect(`mqtt://127.0.0.1:${spec.listen.ports.tcp}`, options);
  const { sessionPresent } = await new Promise<{ sessionPresent: boolean }>((resolve) =>
    client.once('connect', resolve),
  );
  await client.endAsync(true);
  return sessionPresent;
}

describe('the connectors process of a node', () => {
  it('continues while the agent is down, and is adopted by the next agent', async () => {
    const node = await aNode([SINK]);
    const { pid } = await contact(node);

    await node.endAgent('SIGKILL');
    expect((await contact(node)).pid).toBe(pid);
    const from = node.gateway.statuses.length;
    node.startAgent();

    const reported = await until('a status of the next agent', () =>
      node.gateway.statuses.slice(from).find((one) => runner(one)?.status === 'running'),
    );
    expect(runner(reported)).toMatchObject({ pid, restarts: 0 });
  });

  it('is restarted with a delay after it was killed', async () => {
    const node = await aNode([SINK]);
    const { pid } = await contact(node);

    process.kill(pid, 'SIGKILL');

    const reported = await status(
      node,
      'the restart',
      (one) => runner(one)?.restarts === 1 && runner(one)?.status === 'running',
    );
    expect(runner(reported)?.pid).not.toBe(pid);
  });

  it('reports why one connector cannot work, without blocking the document or the others', async () => {
    const broken = aConnector({ instance_id: 9, plugin: 'iceberg' }, {});
    const node = await aNode([SINK, broken]);

    const reported = await status(node, 'the failure', (one) => report(one, 9)?.status === 'failed');

    expect(report(reported, 9)?.error).toMatch(/this broker does not support the \w+ iceberg/);
    expect(reported.observed.generation).toBe(1);
    await status(node, 'the other runs', (one) => report(one, 2)?.status === 'running');
  });

  it('removes the session at the broker of a removed connector', async () => {
    const node = await aNode([SINK]);
    await status(node, 'it runs', (one) => report(one, 2)?.status === 'running');
    await runtime.kill(node.home);
    expect(await isSessionKept(node, 'landlord-connector-1-2')).toBe(true);

    node.gateway.publish(node.spec, 2);
    const { observed } = await status(
      node,
      'of it',
      (one) => one.observed.generation === 2 && one.connectors === undefined,
    );
    expect(observed.generation).toBe(2);
    // Before this status, the killed runner does not answer either.
    await until('the runner has ended', async () => (await runtime.contact(node.home)) === null);
    expect(await isSessionKept(node, 'landlord-connector-1-2')).toBe(false);
  });
});

describe('the memory of the node', () => {
  it('also limits its connectors', async () => {
    const node = await NodeUnderTest.create();
    nodes.push(node);
    const broker = { ...node.spec.broker, want: 'running' as const };
    node.gateway.publish(withConnectors({ ...node.spec, broker }, [SINK]), 1);
    node.startAgent();
    await contact(node);

    node.gateway.publish(
      withConnectors({ ...node.spec, broker: { ...broker, limits: { memory_mib: 16, storage_mib: 64 } } }, [SINK]),
      2,
    );

    const reported = await status(node, 'the death', (one) =>
      /the connectors used/.test(runner(one)?.last_error ?? ''),
    );
    expect(runner(reported)?.last_error).toMatch(/used \d+ MiB of memory, and its node has 16 MiB/);
  });
});

describe('the log of connectors', () => {
  it('is sent under the runtime connectors, without the secrets of their configurations', async () => {
    const headers = { authorization: 'Bearer very-secret-word' };
    const values = { ...aConnector({}, { headers }).config.values.plugin_config };
    const node = await aNode([
      {
        ...SINK,
        config: {
          ...SINK.config,
          values: { ...SINK.config.values, plugin_config: { ...values, print_payload: true } },
        },
      },
    ]);
    await status(node, 'it runs', (one) => report(one, 2)?.status === 'running');

    const client = await node.client();
    await client.publishAsync('demo/numbers', JSON.stringify({ said: 'a very-secret-word' }), { qos: 1 });
    const line = await until('the line', () =>
      node.gateway.logs
        .flatMap(({ lines }) => lines)
        .find(({ message }) => message.includes('"said\\":') || message.includes('said')),
    );
    await client.endAsync(true);

    expect(line.runtime).toBe('connectors');
    expect(JSON.stringify(node.gateway.logs)).not.toContain('very-secret-word');
  });
});
