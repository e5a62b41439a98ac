import { NodeDocumentsRepository } from '@libs/persistence/runtime';
import { WorkflowBench } from '@libs/testing';
import { LifecycleFixture } from '../../../test/lifecycle.fixture.js';
import { PrivateConnectionFixture } from '../../../test/private-connection.fixture.js';
import { PrivateConnectionReports } from './private-connection-reports.js';

const TRACE = '0'.repeat(32);
const FIRST = ['10.200.0.0/24'];
const SECOND = ['10.200.0.0/24', 'fd20::/64'];

describe('The networks of proxies in the documents of nodes', () => {
  let bench: WorkflowBench;
  let documents: NodeDocumentsRepository;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
    documents = new NodeDocumentsRepository(bench.database, bench.secrets);
  });
  afterAll(() => bench.close());

  interface Given {
    lifecycle: LifecycleFixture;
    nodes: number[];
    /** The networks in the documents of all nodes, and the generations of the documents. */
    published: () => Promise<{ proxies: (string[] | undefined)[]; generations: (number | undefined)[] }>;
  }

  /** A deployment with two nodes. The first one has a document. */
  async function given(): Promise<Given> {
    const lifecycle = await LifecycleFixture.ordered(bench, 2);
    const rows = await bench.rows<{ id: number }>('select id from nodes where deployment_id = $1 order by id', [
      lifecycle.deploymentId,
    ]);
    const nodes = rows.map(({ id }) => Number(id));
    await settle(nodes[0]);
    return {
      ...{ lifecycle, nodes },
      published: async () => {
        const found = await Promise.all(nodes.map((id) => documents.find(id)));
        return { proxies: found.map((one) => one?.spec.proxies), generations: found.map((one) => one?.generation) };
      },
    };
  }

  /** The node has an address now, and gets its document. */
  async function settle(node = 0): Promise<void> {
    await bench.rows(`update nodes set listen_address = '127.0.0.1' where id = $1`, [node]);
    await bench.database.transaction(() => documents.publish(node, TRACE));
  }

  /** An attachment whose provider reports these networks from its first report on. */
  async function attached({ lifecycle }: Given, nat_ranges: string[], enable_proxy_protocol = true) {
    const changes = { enable_proxy_protocol };
    const fixture = await PrivateConnectionFixture.asked(bench, 'service_attachment', lifecycle, changes);
    const { cloud } = lifecycle;
    const ensure = cloud.ensure.bind(cloud);
    cloud.ensure = async (kind, ref, spec, tags) => {
      const made = await ensure(kind, ref, spec, tags);
      if (ref.name !== fixture.resource) return made;
      cloud.becomes<'service_attachment'>(fixture.resource, { attributes: { nat_ranges } });
      return { ...made, attributes: { ...made.attributes, nat_ranges } };
    };
    expect(await fixture.create()).toBe('succeeded');
    cloud.ensure = ensure;
    return fixture;
  }

  const reports = ({ connections }: PrivateConnectionFixture) =>
    new PrivateConnectionReports(bench.database, connections, documents);

  async function report(fixture: PrivateConnectionFixture, nat_ranges: string[]): Promise<boolean> {
    const { cloud } = fixture.lifecycle;
    cloud.becomes<'service_attachment'>(fixture.resource, { attributes: { nat_ranges } });
    const [connection, resource] = [await fixture.connections.get(fixture.id), cloud.resources.get(fixture.resource)];
    return reports(fixture).record(connection!, resource as never, TRACE);
  }

  it('are there from the creation of an attachment to the end of its deletion, also at nodes that come later', async () => {
    const home = await given();
    const fixture = await attached(home, FIRST);
    expect(await home.published()).toEqual({ proxies: [FIRST, undefined], generations: [2, undefined] });
    await settle(home.nodes[1]);
    expect((await home.published()).proxies).toEqual([FIRST, FIRST]);

    const deletion = await fixture.startDeletion();
    await bench.runner([home.lifecycle.workflows.connectionDeletion]).run(deletion);
    const meanwhile = await home.published();
    await bench.drive(deletion, () => bench.runner([home.lifecycle.workflows.connectionDeletion]));

    expect(meanwhile).toEqual({ proxies: [FIRST, FIRST], generations: [2, 1] });
    expect(await home.published()).toEqual({ proxies: [undefined, undefined], generations: [3, 2] });
  });

  it('follow the reports of the provider, and equal reports publish nothing', async () => {
    const home = await given();
    const fixture = await attached(home, []);
    expect(await home.published()).toEqual({ proxies: [undefined, undefined], generations: [1, undefined] });

    expect(await report(fixture, SECOND)).toBe(true);
    expect(await report(fixture, SECOND)).toBe(false);
    expect(await home.published()).toEqual({ proxies: [SECOND, undefined], generations: [2, undefined] });
    expect(await report(fixture, FIRST)).toBe(true);

    expect(await home.published()).toEqual({ proxies: [FIRST, undefined], generations: [3, undefined] });
  });

  it('go when the attachment is gone at the provider', async () => {
    const home = await given();
    const fixture = await attached(home, FIRST);
    const connection = await fixture.connections.get(fixture.id);

    expect(await reports(fixture).recordGone(connection!, TRACE)).toBe(true);
    expect(await reports(fixture).recordGone(connection!, TRACE)).toBe(false);

    expect((await home.published()).proxies).toEqual([undefined, undefined]);
  });

  it('are those of all attachments together, and an attachment without the PROXY protocol has none', async () => {
    const home = await given();
    await attached(home, ['10.200.9.0/24'], false);
    expect((await home.published()).generations).toEqual([1, undefined]);
    const one = await attached(home, ['10.200.1.0/24', '10.200.0.0/24']);
    await attached(home, FIRST);
    expect((await home.published()).proxies[0]).toEqual(['10.200.0.0/24', '10.200.1.0/24']);

    await one.delete();

    expect((await home.published()).proxies[0]).toEqual(FIRST);
  });

  it('of another deployment stay there', async () => {
    const [home, other] = [await given(), await given()];
    await attached(other, FIRST);

    await settle(home.nodes[1]);

    expect((await home.published()).proxies).toEqual([undefined, undefined]);
  });
});
