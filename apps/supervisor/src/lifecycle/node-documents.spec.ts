import { NodeDocumentsRepository } from '@libs/persistence/runtime';
import { eventually, WorkflowBench } from '@libs/testing';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';

const TRACE = '0'.repeat(32);

describe("A node's document", () => {
  let bench: WorkflowBench;
  let documents: NodeDocumentsRepository;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    documents = new NodeDocumentsRepository(bench.database, bench.secrets);
  });
  afterAll(() => bench.close());

  it('contains both of two changes that are published concurrently', async () => {
    const fixture = await LifecycleFixture.ordered(bench, 1);
    await bench.rows(`update nodes set listen_address = '127.0.0.1' where deployment_id = $1`, [fixture.deploymentId]);
    const [row] = await bench.rows<{ id: number }>('select id from nodes where deployment_id = $1', [
      fixture.deploymentId,
    ]);
    const node = Number(row?.id);
    const change = (name: string, before: Promise<void>, done: () => void): Promise<void> =>
      bench.database.transaction(async () => {
        await bench.database.manager.query(
          `insert into access_rules (deployment_id, name, cidr_blocks, rules)
           values ($1, $2, '{10.0.0.0/8}', '{"broker_tcp": true, "broker_http": false, "broker_websocket": false, "broker_udp": false}')`,
          [fixture.deploymentId, name],
        );
        const published = documents.publish(node, TRACE).then(done);
        // The first transaction stays open until the second has started. The second then waits for the first commit.
        await before;
        await published;
      });
    let secondHasBegun: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (secondHasBegun = resolve));

    let firstHasPublished: () => void = () => undefined;
    const published = new Promise<void>((resolve) => (firstHasPublished = resolve));
    const first = change('first', begun, firstHasPublished);
    await published;
    const second = change('second', Promise.resolve(), () => undefined);
    await eventually('the second waits for the first', async () => {
      const waiting = await bench.rows(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    secondHasBegun();
    await Promise.all([first, second]);

    const document = await documents.find(node);
    expect(document?.spec.access_rules).toHaveLength(3);
    expect(document?.generation).toBe(2);
  });
});
