import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ConnectorValues, NodeConnector } from '@libs/domain';
import { describeWithIggyConnectors } from '@libs/testing';
import {
  anIggyRunner,
  aPluginSink,
  aPluginSource,
  aProgramWith,
  endIggyRunners,
  pluginsPid,
} from '../../../test/brokers/iggy-connectors.fixture.js';

afterEach(endIggyRunners);

/** The API accepts any member of a transform, and the runtime ends with the first that it cannot read. */
const BROKEN = { transforms: { add_fields: { enabled: true, fields: 'none' } } };
const changed = (connector: NodeConnector, version: number, values: Partial<ConnectorValues>): NodeConnector => {
  const { id, values: before } = connector.config;
  return { ...connector, config: { id: id + version, version, values: { ...before, ...values } } };
};

/** The real runtime ends with all connectors when it cannot load one of them. */
describeWithIggyConnectors('a connector that iggy-connectors refuses', () => {
  it('is left out because of its configuration, and the others work', async () => {
    const broken = changed(aPluginSink('stdout'), 2, BROKEN);
    const other = aPluginSink('stdout', {}, { instance_id: 3, key: 'other' });
    const runner = await anIggyRunner([aPluginSource({}), broken, other]);

    await runner.reports('the source works', 1, ({ messages }) => messages > 0);
    await runner.reports('the other sink works', 3, ({ messages }) => messages > 0);

    expect(await runner.report(2)).toMatchObject({
      ...{ status: 'failed', config_id: 22, error: expect.stringContaining('Failed to load transforms') },
    });
    await runner.apply([runner.instances[0] as NodeConnector, changed(broken, 3, { transforms: {} }), other]);
    await runner.reports('its repair works', 2, ({ messages, status }) => messages > 0 && status === 'running');
  });

  it('is left out because of its library', async () => {
    const program = await aProgramWith(['libiggy_connector_random_source.so']);
    await writeFile(join(dirname(program), 'libiggy_connector_stdout_sink.so'), 'no library');
    const runner = await anIggyRunner([aPluginSource({}), aPluginSink('stdout')], { program });

    await runner.reports('the source works', 1, ({ messages }) => messages > 0);

    expect(await runner.report(2)).toMatchObject({
      ...{ status: 'failed', error: expect.stringContaining('Could not open library') },
    });
  });

  it('does not touch the others when its configuration changes, and takes its repair', async () => {
    const sink = aPluginSink('stdout');
    const source = aPluginSource({});
    const runner = await anIggyRunner([source, sink]);
    const { messages } = await runner.reports('the sink works', 2, (report) => report.messages > 0);
    const pid = await pluginsPid(runner);

    await runner.apply([source, changed(sink, 2, BROKEN)]);
    const failed = await runner.reports('the refusal', 2, ({ status }) => status === 'failed');
    const before = (await runner.report(1))?.messages ?? 0;
    await runner.reports('the source goes on', 1, (report) => report.messages > before);
    await runner.apply([source, changed(sink, 3, { transforms: {} })]);
    await runner.reports('the repair works', 2, (report) => report.messages > messages + 40);

    expect(failed).toMatchObject({ config_id: 22, error: expect.stringContaining('Failed to load transforms') });
    expect(await pluginsPid(runner)).toBe(pid);
  });
});
