import { anIggyNode, FrameClient, HttpClient } from '../../test/iggy.fixture.js';
import type { BrokerUnderTest } from '../../test/embedded.fixture.js';

const nodes: BrokerUnderTest[] = [];

async function aNode(changes = {}): Promise<BrokerUnderTest> {
  const node = await anIggyNode(changes);
  nodes.push(node);
  await node.start();
  return node;
}

const numbers = (count: number, start = 0): string[] => Array.from({ length: count }, (_, index) => `m-${start + index}`);

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

describe('a node with iggy', () => {
  it('serves clients by HTTP and by the binary protocol through its gate', async () => {
    const node = await aNode();
    const { tcp, http } = node.spec.listen.ports;
    const client = await HttpClient.signIn(http);

    await client.createTopic('orders');
    const status = await client.send('orders', numbers(10));

    expect(status).toBe(201);
    expect(await client.poll('orders')).toEqual(numbers(10));
    const frames = await FrameClient.open(tcp ?? 0);
    expect((await frames.signIn()).status).toBe(0);
    expect((await frames.ask(201)).payload.includes('orders')).toBe(true);
    frames.close();
  });
});
