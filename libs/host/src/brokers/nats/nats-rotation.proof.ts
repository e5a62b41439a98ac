import { describeWithNats, NATS_SERVER } from '@libs/testing';
import { PASSWORD, until, type BrokerUnderTest } from '../../../test/brokers/embedded.fixture.js';
import { aNatsCluster } from '../../../test/brokers/nats.fixture.js';

const NEXT = 'the next one';
const SIZE = 3;
const running: BrokerUnderTest[] = [];

/** Signs in again and again on every node, and counts the answers. */
class Reconnecting {
  accepted = 0;
  readonly refused: unknown[] = [];
  private isOn = true;
  private readonly ended: Promise<unknown>;

  constructor(
    nodes: readonly BrokerUnderTest[],
    readonly password: string,
  ) {
    this.ended = Promise.all(nodes.map((node) => this.repeat(node)));
  }

  /** Resolves after this number of further answers. */
  async answers(count: number): Promise<void> {
    const target = this.accepted + this.refused.length + count;
    await until('more sign-ins', () => this.accepted + this.refused.length >= target);
  }

  async stop(): Promise<void> {
    this.isOn = false;
    await this.ended;
  }

  private async repeat(node: BrokerUnderTest): Promise<void> {
    while (this.isOn)
      await node.client({ password: this.password }).then(
        async (client) => {
          this.accepted += 1;
          await client.endAsync(true);
        },
        (error: { code?: number }) => this.refused.push(error.code ?? error),
      );
  }
}

/** The first clients of a cluster wait until its streams exist. */
const isIn = (node: BrokerUnderTest): Promise<boolean> =>
  node.client().then(
    (client) => client.endAsync(true).then(() => true),
    () => false,
  );

afterEach(async () => {
  await Promise.all(running.splice(0).map((node) => node.destroy()));
});

describeWithNats('A rotation on a cluster of three nodes with nats', () => {
  it('refuses no client with the old password before its end and none with the new one after the change, and always a wrong one', async () => {
    const nodes = await aNatsCluster(NATS_SERVER, SIZE);
    running.push(...nodes);
    await Promise.all(nodes.map((node) => node.start()));
    for (const node of nodes) await until('a client is in', () => isIn(node), 30_000);
    const before = await Promise.all(nodes.map((node) => node.ready()));
    const [old, wrong] = [new Reconnecting(nodes, PASSWORD), new Reconnecting(nodes, 'guess')];
    await old.answers(SIZE * 5);

    for (const node of nodes) {
      await node.rotate(NEXT, { password: PASSWORD, valid_to: null });
      await old.answers(SIZE * 5);
    }
    const fresh = new Reconnecting(nodes, NEXT);
    const valid_to = new Date(Date.now() + 3_000).toISOString();
    for (const node of nodes) await node.rotate(NEXT, { password: PASSWORD, valid_to });
    await Promise.all([old, fresh].map((clients) => clients.answers(SIZE * 5)));
    expect(Date.now()).toBeLessThan(Date.parse(valid_to));
    await old.stop();
    await until('the end', () => Date.now() >= Date.parse(valid_to));
    const late = new Reconnecting(nodes, PASSWORD);
    await Promise.all([late, fresh].map((clients) => clients.answers(SIZE * 5)));
    await Promise.all([late, fresh, wrong].map((clients) => clients.stop()));

    expect([old.refused, fresh.refused]).toEqual([[], []]);
    expect([late.accepted, wrong.accepted]).toEqual([0, 0]);
    expect(new Set([...late.refused, ...wrong.refused])).toEqual(new Set([5]));
    expect(await Promise.all(nodes.map((node) => node.ready()))).toMatchObject(
      before.map(({ pid, configHash }) => ({ pid, configHash })),
    );
  }, 120_000);
});
