import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithIggyConnectors, IggyHttp } from '@libs/testing';
import { Destination, type RunnerUnderTest } from '../../../test/brokers/connectors.fixture.js';
import { until } from '../../../test/brokers/embedded.fixture.js';
import {
  anIggyRunner,
  aPluginSink,
  aPluginSource,
  clientOf,
  endIggyRunners,
  pluginsPid,
  storedIn,
} from '../../../test/brokers/iggy-connectors.fixture.js';
import { GateControl } from '../../gate/gate-control.js';
import { pluginsName } from '../../control/node-home.js';
import { pidsWith } from '../../os/process-table.js';
import { CONNECTORS_FILES } from '../connectors-files.js';

interface SignedIn {
  access_token: { token: string };
}

const destinations: Destination[] = [];

async function aDestination(): Promise<Destination> {
  const destination = await Destination.start();
  destinations.push(destination);
  return destination;
}

afterEach(async () => {
  await endIggyRunners();
  await Promise.all(destinations.splice(0).map((one) => one.stop()));
});

/** Kills the server of the node, and starts it again as its agent would. */
async function restartServer({ broker }: RunnerUnderTest): Promise<void> {
  const { pid } = await broker.ready();
  process.kill(pid, 'SIGKILL');
  await until('the server is gone', async () => (await broker.runtime.contact(broker.home)) === null);
  await broker.start();
}

describeWithIggyConnectors('the plugins of a node with iggy', () => {
  it('continue over a restart of the server, whose ports change, in the same process', async () => {
    const destination = await aDestination();
    const runner = await anIggyRunner([aPluginSource({}), aPluginSink('http', { url: destination.url })]);
    await runner.reports('the sink works', 2, ({ messages }) => messages > 0);
    const pid = await pluginsPid(runner);

    await restartServer(runner);
    const after = (await runner.report(2))?.messages ?? 0;
    await runner.reports('the sink goes on', 2, ({ messages }) => messages > after + 20);

    expect(await pluginsPid(runner)).toBe(pid);
    const stored = await storedIn(await clientOf(runner));
    expect(stored).toBeGreaterThan(after);
  });

  it('restart with the gate, whose port they use, and keep their counts', async () => {
    const runner = await anIggyRunner([aPluginSource({})]);
    const { messages } = await runner.reports('the source works', 1, (report) => report.messages > 20);
    const pid = await pluginsPid(runner);

    const { home, runtime } = runner.broker;
    const [gate] = await pidsWith(['--config', join(home.dir, 'gate.json')]);
    process.kill(gate ?? 0, 'SIGKILL');
    await until('the gate is gone', async () => (await runtime.contact(home)) === null);
    await runner.broker.start();
    const report = await runner.reports('another process works', 1, (one) => one.messages > messages + 40);

    expect(await pluginsPid(runner)).not.toBe(pid);
    expect(report.status).toBe('running');
    expect(report.messages).toBeLessThanOrEqual(await storedIn(await clientOf(runner)));
  });

  it.each([
    ['is lost', (file: string) => rm(file)],
    ['is of another server', (file: string) => writeFile(file, 'HVUYPbGqVxzYRKJnTVkp', { mode: 0o600 })],
  ])('get another token when the token %s', async (_what, change) => {
    const runner = await anIggyRunner([aPluginSource({})]);
    const { messages } = await runner.reports('the source works', 1, (report) => report.messages > 0);
    const file = CONNECTORS_FILES.token(runner.broker.home);
    const before = await readFile(file, 'utf8');

    await runner.stop();
    await change(file);
    await runner.start();
    await runner.reports('the source works again', 1, (report) => report.messages > messages + 40);

    expect(await readFile(file, 'utf8')).not.toBe(before);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('sign in by a user of their own, who may do nothing with the server and its users', async () => {
    const runner = await anIggyRunner([aPluginSource({})]);
    await runner.reports('the source works', 1, ({ messages }) => messages > 0);
    const token = await readFile(CONNECTORS_FILES.token(runner.broker.home), 'utf8');
    const { http = 0 } = (await new GateControl(runner.broker.home, '').nodePorts()) ?? {};
    const anonymous = IggyHttp.anonymous(http);
    const signedIn = await anonymous.call<SignedIn>('POST', '/personal-access-tokens/login', { token });
    const client = anonymous.withToken(signedIn.body.access_token.token);

    const statuses: number[] = [];
    for (const path of ['/streams', '/users', '/stats']) statuses.push((await client.call('GET', path)).status);
    statuses.push(
      (await client.call('POST', '/users', { username: 'another', password: 'another', status: 'active' })).status,
    );
    expect(statuses).toEqual([200, 403, 403, 403]);
  });

  it('have no secret in their log, in files of others, or in the data that a backup copies', async () => {
    const runner = await anIggyRunner([aPluginSource({})]);
    await runner.reports('the source works', 1, ({ messages }) => messages > 0);
    const { home, runtime } = runner.broker;
    const token = await readFile(CONNECTORS_FILES.token(home), 'utf8');

    const names = await readdir(home.dir, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const holders: string[] = [];
    for (const file of files) if ((await readFile(file, 'latin1')).includes(token)) holders.push(file);

    expect(holders).toEqual([CONNECTORS_FILES.token(home)]);
    expect(holders[0]?.startsWith(runtime.dataDirectory(home))).toBe(false);
    expect(await runner.log()).not.toMatch(new RegExp(token.slice(0, 3).replace(/\W/g, '\\$&') + '\\*'));
    const [pid] = await pidsWith({ name: pluginsName(home) });
    for (const file of [CONNECTORS_FILES.pluginsConfig(home), CONNECTORS_FILES.pluginsEnvironment(home)])
      expect([file, (await stat(file)).mode & 0o777]).toEqual([file, 0o600]);
    expect(await readFile(`/proc/${pid}/environ`, 'latin1')).not.toContain(token);
  });

  it('take another configuration without a restart of the others', async () => {
    const [first, second] = [await aDestination(), await aDestination()];
    const sink = aPluginSink('http', { url: first.url });
    const runner = await anIggyRunner([aPluginSource({}), sink]);
    await runner.reports('the sink works', 2, ({ messages }) => messages > 0);
    const pid = await pluginsPid(runner);

    const values = { ...sink.config.values, plugin_config: { url: second.url } };
    await runner.apply([runner.instances[0] ?? sink, { ...sink, config: { id: 21, version: 2, values } }]);
    await until('the other service gets messages', () => second.taken.length > 0);

    expect(await runner.report(2)).toMatchObject({ config_id: 21 });
    expect(await pluginsPid(runner)).toBe(pid);
  });

  it('stop and start by their configuration, and others continue where they were', async () => {
    const source = aPluginSource({});
    const other = aPluginSource({}, { instance_id: 3, key: 'other' });
    const runner = await anIggyRunner([source, other]);
    await runner.reports('the source works', 1, ({ messages }) => messages > 0);

    // The runtime has no entry for a disabled connector.
    const disabled = { ...source.config, values: { ...source.config.values, enabled: false } };
    await runner.apply([{ ...source, config: disabled }, other]);
    const { messages } = await runner.reports('it has stopped', 1, ({ status }) => status === 'stopped');
    const before = (await runner.report(3))?.messages ?? 0;
    await runner.reports('the other goes on', 3, (report) => report.messages > before + 20);
    expect(await runner.report(1)).toMatchObject({ status: 'stopped', messages });
    await runner.apply([{ ...source, config: disabled }]);
    await until('no process runs', async () => {
      return (await pidsWith({ name: pluginsName(runner.broker.home) })).length === 0;
    });
    await runner.apply([source]);

    await runner.reports('it works again', 1, (report) => report.messages > messages);
  });

  it('read a topic that does not exist yet', async () => {
    const runner = await anIggyRunner([aPluginSink('stdout', { print_payload: true })]);
    await runner.reports('the sink runs', 2, ({ status }) => status === 'running');

    const source = aPluginSource({ max_count: 30 });
    await runner.apply([...runner.instances, source]);

    await runner.reports('the sink gets all', 2, ({ messages }) => messages === 30);
  });

  it('count and tell what a service did not take', async () => {
    const destination = await aDestination();
    destination.status = 500;
    const sink = aPluginSink('http', { url: destination.url, max_retries: 0 });
    const runner = await anIggyRunner([sink, aPluginSource({ max_count: 20 })]);

    const report = await runner.reports('the failures', 2, ({ failed }) => failed === 20);

    expect(report).toMatchObject({ messages: 0, last_error: expect.stringContaining('status: 500') });
  });

  it('are restarted alone after a panic, with growing waits', async () => {
    const broken = aPluginSource({ messages_range: [10, 10] }, { instance_id: 3, key: 'broken' });
    const runner = await anIggyRunner([broken, aPluginSource({})]);
    await runner.reports('the panic is found', 3, ({ status }) => status === 'failed');
    const pid = await pluginsPid(runner);

    const waits: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      const failedAt = Date.now();
      await runner.reports('it is restarted', 3, ({ status }) => status !== 'failed');
      waits.push(Date.now() - failedAt);
      await runner.reports('it panics again', 3, ({ status }) => status === 'failed');
    }
    const before = (await runner.report(1))?.messages ?? 0;
    await runner.reports('the other goes on', 1, ({ messages }) => messages > before);

    expect(waits[1]).toBeGreaterThan((waits[0] ?? 0) * 1.3);
    expect(await pluginsPid(runner)).toBe(pid);
  });

  it('are restarted after their process died, with its last words as the reason', async () => {
    const runner = await anIggyRunner([aPluginSource({})]);
    await runner.reports('the source works', 1, ({ messages }) => messages > 0);
    const pid = await pluginsPid(runner);

    process.kill(pid, 'SIGKILL');
    const away = await runner.reports('the end is found', 1, ({ status }) => status === 'starting');
    const { messages = 0 } = (await runner.report(1)) ?? {};
    await runner.reports('the source works again', 1, (report) => report.messages > messages);

    expect(away.error).toContain('SIGKILL');
    expect(await pluginsPid(runner)).not.toBe(pid);
  });

  it('write the log of the connectors, with levels', async () => {
    const runner = await anIggyRunner([aPluginSink('stdout'), aPluginSource({ max_count: 10 })]);
    await runner.reports('the source has ended', 1, ({ messages }) => messages === 10);

    const line = await until('its last words', async () =>
      (await runner.log()).split('\n').find((one) => one.includes('Reached max number')),
    );

    expect(JSON.parse(line)).toMatchObject({ level: 'info', process: 'connectors', node: 1 });
    await until('several repetitions', async () => (await runner.report(1))?.status === 'running');
    expect((await runner.log()).split('Reached max number')).toHaveLength(2);
    expect(await runner.log()).not.toContain('\u001b');
  });
});
