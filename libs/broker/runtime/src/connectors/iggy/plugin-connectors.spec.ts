import { describeWithIggyConnectors } from '@libs/testing';
import { Destination } from '../../../test/connectors.fixture.js';
import { until } from '../../../test/embedded.fixture.js';
import {
  anIggyRunner,
  aPluginSink,
  aPluginSource,
  clientOf,
  endIggyRunners,
  storedIn,
} from '../../../test/iggy-connectors.fixture.js';

const destinations: Destination[] = [];

afterEach(async () => {
  await endIggyRunners();
  await Promise.all(destinations.splice(0).map((one) => one.stop()));
});

describeWithIggyConnectors('connectors of a node with iggy-connectors', () => {
  it('move messages from a source through a topic to a service, and count them per connector', async () => {
    const destination = await Destination.start();
    destinations.push(destination);
    const runner = await anIggyRunner([
      aPluginSource({ max_count: 40 }),
      aPluginSink('http', { url: destination.url, max_retries: 1 }),
    ]);

    const source = await runner.reports('the source has sent', 1, ({ messages }) => messages === 40);
    const sink = await runner.reports('the sink has delivered', 2, ({ messages }) => messages === 40);

    expect([source, sink]).toEqual([
      { instance_id: 1, status: 'running', config_id: 10, error: null, messages: 40, failed: 0, last_error: null },
      { instance_id: 2, status: 'running', config_id: 20, error: null, messages: 40, failed: 0, last_error: null },
    ]);
    expect(await storedIn(await clientOf(runner))).toBe(40);
    await until('all requests', () => destination.taken.length === 40);
    expect(JSON.parse(destination.taken[0]?.body ?? '')).toMatchObject({
      metadata: { iggy_stream: 'demo', iggy_topic: 'numbers', iggy_offset: 0 },
    });
    expect((await runner.runtime.stats(runner.broker.home))['memory_bytes']).toBeGreaterThan(100 * 1024 * 1024);
  });
});
