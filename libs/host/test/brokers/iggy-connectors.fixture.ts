import { copyFile, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { NodeConnector } from '@libs/domain';
import { BUILT_IN_VERSION } from '@libs/broker-config';
import { IGGY_CONNECTORS, IGGY_LIBRARIES, IggyHttp } from '@libs/testing';
import { pluginsName } from '../../src/control/node-home.js';
import { pidsWith } from '../../src/os/process-table.js';
import { aConnector, RunnerUnderTest } from './connectors.fixture.js';
import { until, type BrokerUnderTest } from './embedded.fixture.js';
import { anIggyNode } from './iggy.fixture.js';

/** Release of the plugins of Apache Iggy 0.8. */
export const PLUGIN = { plugin_version: '0.4.0' };

/** Version of the plugins that are built into Landlord's connectors process. */
export const BUILT_IN = { plugin_version: BUILT_IN_VERSION };

const running: { broker: BrokerUnderTest; runner: RunnerUnderTest | null }[] = [];

/** A node with a real iggy-server, and a connectors process that uses a real iggy-connectors. */
export async function anIggyRunner(
  instances: NodeConnector[],
  { program = IGGY_CONNECTORS ?? '', allowPrivate = true } = {},
): Promise<RunnerUnderTest> {
  const broker = await anIggyNode();
  const entry: (typeof running)[number] = { broker, runner: null };
  running.push(entry);
  await broker.start();
  const runner = new RunnerUnderTest(broker, instances);
  entry.runner = runner;
  runner.binaries = { iggy_connectors: program, ...(IGGY_LIBRARIES !== null && { iggy_libraries: IGGY_LIBRARIES }) };
  await runner.start(allowPrivate);
  return runner;
}

/** Ends everything that specs have started. */
export async function endIggyRunners(): Promise<void> {
  for (const { broker, runner } of running.splice(0)) {
    await runner?.stop();
    await broker.destroy();
  }
}

/** A random source that runs as a plugin. */
export const aPluginSource = (plugin_config: Record<string, unknown>, changes: Partial<NodeConnector> = {}) => {
  const config = { interval: '20ms', messages_range: [10, 11], payload_size: 20, ...plugin_config };
  const connector = aConnector('source', { values: { plugin_config: config } });
  return { ...connector, ...PLUGIN, ...changes };
};

/** A sink that runs as a plugin. */
export const aPluginSink = (
  plugin: string,
  plugin_config: Record<string, unknown> = {},
  changes: Partial<NodeConnector> = {},
) => ({ ...aConnector('sink', { plugin, values: { plugin_config } }), ...PLUGIN, ...changes });

/** A client of the node. */
export const clientOf = ({ broker }: RunnerUnderTest): Promise<IggyHttp> =>
  IggyHttp.signIn(broker.spec.listen.ports.http);

/** The pid of the iggy-connectors of the node. */
export async function pluginsPid({ broker }: RunnerUnderTest): Promise<number> {
  return until('iggy-connectors runs', async () => (await pidsWith({ name: pluginsName(broker.home) }))[0]);
}

/** The number of messages in topic demo/numbers. */
export async function storedIn(client: IggyHttp, topic = 'numbers'): Promise<number> {
  const { status, body } = await client.call<{ messages_count: number }>('GET', `/streams/demo/topics/${topic}`);
  return status === 200 ? body.messages_count : 0;
}

/** A folder with iggy-connectors and only these plugins. The program finds the plugins beside itself, so it is copied. */
export async function aProgramWith(plugins: string[]): Promise<string> {
  const from = IGGY_CONNECTORS ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'landlord-plugins-'));
  await mkdir(folder, { recursive: true });
  const program = join(folder, basename(from));
  await copyFile(from, program);
  for (const plugin of plugins) await symlink(join(dirname(from), plugin), join(folder, plugin));
  return program;
}
