import { protocolRoutes, TestCloud, type PlayedNode, type ProtocolRoute } from '@libs/testing';
import { hostileBodies } from '../matrix/hostile-bodies.js';
import { playedDeployment, playedNodes } from '../nodes/played-nodes.js';
import { PATIENCE_OF_COSTS, ProcessorCost } from './processor-cost.js';

const KIB = 1024;
/**
 * Half of the largest hostile message for each route. The double exceeds the limit, so the test covers both sides of
 * it.
 */
const HALVES: Record<string, number> = {
  '/agent/v1/register': 10 * KIB,
  '/agent/v1/status': 120 * KIB,
  '/agent/v1/logs': 1024 * KIB,
};
/**
 * Nodes that send one after the other: the gateway limits the rate of each node, and a rate refusal would hide the
 * cost.
 */
const NODES = 100;

/** No message of a node may block the gateway. Tests each message of the protocol, and measures processor time. */
describe('A hostile message of a node', () => {
  let cloud: TestCloud;
  let nodes: PlayedNode[];
  let turn = 0;

  beforeAll(async () => {
    cloud = await TestCloud.start();
    await playedDeployment(cloud);
    nodes = await playedNodes(cloud, NODES);
  });
  afterAll(() => cloud.stop());

  const routes = (): ProtocolRoute[] =>
    protocolRoutes(nodes[0] as PlayedNode).filter(({ message }) => message !== null);

  /** Sends the message from the next node below its rate limit; returns the status. */
  async function send({ path, packed }: ProtocolRoute, text: string): Promise<number> {
    for (;;) {
      const node = nodes[(turn += 1) % NODES] as PlayedNode;
      const answer = await node.send({ path, body: packed(text) });
      await answer.arrayBuffer();
      if (answer.status !== 429) return answer.status;
    }
  }

  it('exists for each route that accepts a message', () => {
    expect(routes().map(({ path }) => path)).toEqual(Object.keys(HALVES));
  });

  it.each(Object.keys(HALVES))(
    'costs little processor time and is refused at %s',
    async (path) => {
      const route = routes().find((one) => one.path === path) as ProtocolRoute;
      const members = Object.keys(route.message as object).map((name) => ({
        path: [name],
        schema: {},
        isNullable: false,
      }));
      const half = HALVES[path] ?? 0;
      const wholes = hostileBodies(members, 2 * half);
      for (const [kind, text] of wholes) expect(`${kind}: ${await send(route, text)}`).toMatch(/: 4(00|13)$/);

      const cost = new ProcessorCost(cloud.supervisor.url, (text) => send(route, text));
      for (const [index, [kind, text]] of hostileBodies(members, half).entries())
        expect({ kind, found: await cost.excess(text, wholes[index]?.[1] ?? '') }).toEqual({ kind, found: null });
    },
    PATIENCE_OF_COSTS,
  );
});
