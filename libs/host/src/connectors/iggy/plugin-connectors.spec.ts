import { describeWithIggyConnectors } from '@libs/testing';
import { Destination } from '../../../test/brokers/connectors.fixture.js';
import { until } from '../../../test/brokers/embedded.fixture.js';
import {
  anIggyRunner,
  aPluginSink,
  aPluginSource,
  aProgramWith,
  clientOf,
  endIggyRunners,
  pluginsPid,
  storedIn,
} from '../../../test/brokers/iggy-connectors.fixture.js';

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

  it('move JSON when their streams name no schema', async () => {
    const destination = await Destination.start();
    destinations.push(destination);
    const values = { streams: [{ stream: 'demo', topics: ['numbers'] }] };
    const instances = [aPluginSource({ max_count: 40 }), aPluginSink('http', { url: destination.url })];
    const runner = await anIggyRunner(
      instances.map(({ config, ...more }) => ({
        ...more,
        config: { ...config, values: { ...config.values, ...values } },
      })),
    );

    await runner.reports('the sink has delivered', 2, ({ messages }) => messages === 40);

    expect(JSON.parse(destination.taken[0]?.body ?? '')).toMatchObject({ metadata: { iggy_topic: 'numbers' } });
  });

  it('report a plugin that panicked as failed, take its repair alone, and let the others work', async () => {
    // The real plugin panics on an empty range, and the runtime reports it as running.
    const broken = aPluginSource({ messages_range: [10, 10] }, { instance_id: 3, key: 'broken' });
    const runner = await anIggyRunner([broken, aPluginSource({})]);

    const { error } = await runner.reports('the panic is found', 3, ({ status }) => status === 'failed');
    const pid = await pluginsPid(runner);
    const before = (await runner.report(1))?.messages ?? 0;

    expect(error).toMatch(/^panicked: called `Result::unwrap\(\)` on an `Err` value: EmptyRange \(/);
    await runner.reports('the other goes on', 1, ({ messages, status }) => messages > before && status === 'running');
    const config = { ...broken.config, id: 31, version: 2 };
    const values = { ...config.values, plugin_config: { ...config.values.plugin_config, messages_range: [10, 11] } };
    await runner.apply([{ ...broken, config: { ...config, values } }, ...runner.instances.slice(1)]);
    const repaired = await runner.reports('it works', 3, ({ messages }) => messages > 0);

    expect(repaired).toMatchObject({ status: 'running', config_id: 31, error: null });
    expect(await pluginsPid(runner)).toBe(pid);
  });

  it('leave out libraries that are missing, and plugins that nothing keeps from private addresses', async () => {
    const program = await aProgramWith(['libiggy_connector_random_source.so', 'libiggy_connector_http_sink.so']);
    const http = aPluginSink('http', { url: 'http://127.0.0.1:1/' }, { instance_id: 3, key: 'http' });
    const instances = [aPluginSource({ max_count: 20 }), aPluginSink('stdout'), http];
    const runner = await anIggyRunner(instances, { program, allowPrivate: false });

    await runner.reports('the source works', 1, ({ messages }) => messages === 20);

    expect(await runner.report(2)).toMatchObject({
      ...{ status: 'failed', error: 'this node has no library libiggy_connector_stdout_sink.so' },
    });
    expect((await runner.report(3))?.error).toContain('cannot be kept from private addresses');
  });
});
