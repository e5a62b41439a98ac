import { eventually, type PlayedNode } from '@libs/testing';
import { GatewayUnderTest } from '../../../test/gateway.fixture.js';

const CALLS = ['/agent/v1/desired?timeline=1&since=1&wait=20', '/agent/v1/requests?wait=20'];

describe('A node whose agent closes its connection', () => {
  let gateway: GatewayUnderTest;
  let deployment: number;

  beforeAll(async () => {
    gateway = await GatewayUnderTest.open();
    deployment = await gateway.deployment();
  });
  afterAll(() => gateway.close());

  /** A node that runs, with its waiting calls, which end with the returned function. */
  async function runningNode(): Promise<{ node: PlayedNode; end: () => void }> {
    const node = await gateway.node(deployment);
    await node.status();
    await eventually('the report is written', async () => (await stateOf(node))[0] === 'running');
    return { node, end: await call(node) };
  }

  async function call(node: PlayedNode): Promise<() => void> {
    const end = new AbortController();
    for (const path of CALLS) node.send({ method: 'GET', path, signal: end.signal }).catch(() => undefined);
    await eventually('the calls wait', () => gateway.presence.callsOf(node.id) === CALLS.length);
    return () => end.abort();
  }

  async function stateOf({ id }: PlayedNode): Promise<[string, string | null]> {
    const [row] = await gateway.bench.rows<{ status: string; reason: string | null }>(
      'select status, status_reason as reason from nodes where id = $1',
      [id],
    );
    return [row?.status ?? '', row?.reason ?? null];
  }

  const isGone = async (node: PlayedNode): Promise<boolean> => (await stateOf(node))[0] !== 'running';

  it('does not run any more, until its next report', async () => {
    const { node, end } = await runningNode();

    end();
    await eventually('the record says so', () => isGone(node), 2_000 + 1_000);
    expect(await stateOf(node)).toEqual(['starting', 'the agent has closed its connection']);

    await node.status();
    await eventually('the record says that it runs', async () => !(await isGone(node)), 1_000);
  });

  it('is not taken back by a report that was not written yet', async () => {
    const { node, end } = await runningNode();

    await node.status();
    end();
    await eventually('the record says so', () => isGone(node), 2_000 + 1_000);
    const other = await runningNode();
    other.end();
    await eventually('all reports of that time are written', () => isGone(other.node));

    expect((await stateOf(node))[0]).toBe('starting');
  });

  it('runs while another call waits, and when it comes back at once', async () => {
    const [running, back, gone] = [await runningNode(), await runningNode(), await runningNode()];
    const { node } = running;
    node.send({ method: 'GET', path: CALLS[1] ?? '' }).catch(() => undefined);
    await eventually('a third call waits', () => gateway.presence.callsOf(node.id) === CALLS.length + 1);

    for (const { end } of [running, back, gone]) end();
    await call(back.node);
    await eventually('the third one is gone', () => isGone(gone.node));

    expect((await stateOf(running.node))[0]).toBe('running');
    expect((await stateOf(back.node))[0]).toBe('running');
  });
});
