import { protocolRoutes, TestCloud, type PlayedNode, type ProtocolRoute } from '@libs/testing';
import { hostileBodies } from '../matrix/hostile-bodies.js';
import { playedDeployment, playedNodes } from '../nodes/played-nodes.js';
import { ProcessorCost } from './processor-cost.js';

const KIB = 1024;
/** Half of the largest hostile message by its route: with the double, both sides of the limit are seen. */
const HALVES: Record<string, number> = {
  '/agent/v1/register': 10 * KIB,
  '/agent/v1/status': 120 * KIB,
  '/agent/v1/logs': 1024 * KIB,
};
/** Nodes that send in turn: the gateway limits the requests of each, and a refusal by rate costs nothing. */
const NODES = 100;

/** Nothing that a node sends may occupy the gateway: every message of the protocol, by the time of the processor. */
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

  /** Sends the message from the next node that may send; the status. */
  async function send({ path, packed }: ProtocolRoute, text: string): Promise<number> {
    for (;;) {
      const node = nodes[(turn += 1) % NODES] as PlayedNode;
      const answer = await node.send({ path, body: packed(text) });
      await answer.arrayBuffer();
      if (answer.status !== 429) return answer.status;
    }
  }

  it('is known for each route that takes one', () => {
    expect(routes().map(({ path }) => path)).toEqual(Object.keys(HALVES));
  });

  it.each(Object.keys(HALVES))('costs little and is refused at %s', async (path) => {
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
  });
});
