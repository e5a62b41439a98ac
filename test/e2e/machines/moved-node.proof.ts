import { execFile } from 'node:child_process';
import { access, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { MachineCommands } from '@libs/operator';
import { describeWithIggy, eventually, NATS_SERVER, nodeProcesses, skippedSuite, TestDeployment } from '@libs/testing';
import { KeptTexts, numbered } from '../backups/kept-texts.js';
import { OfflineQueue } from '../backups/offline-queue.js';
import { StepBrake } from '../operations/step-brake.js';
import { HOST_ADDRESS, type JoinedHost } from './joined-host.js';
import {
  describeOnNetwork,
  EMBEDDED,
  IGGY,
  MachineWorld,
  NATS,
  type Placed,
  type WorldBroker,
  ZONES,
} from './machine-world.js';

const LANDLORD = resolve('dist/libs/launcher/src/main.js');
const TEXTS = 20;
/** A step of a killed Supervisor waits until its lease expires after 15 s, and the node starts on another host. */
const MOVED_WITHIN_MS = 240_000;

jest.setTimeout(600_000);

/** The steps after the first one. At each, the Supervisor, the machine agents and the agents of nodes are killed. */
const STEPS = [
  'stopping_node',
  'archiving_data',
  'verifying_archive',
  'placing_node',
  'restoring_data',
  'redirecting_clients',
  'starting_node',
  'removing_archive',
];

describeOnNetwork('A node of the embedded broker with the only copy of its data, on a drained machine,', () =>
  movesWithItsData(EMBEDDED, STEPS),
);
(NATS_SERVER === null ? skippedSuite('nats-server is missing', 'Run "npm run broker:nats"') : describeOnNetwork)(
  'A node of nats with the only copy of its data, on a drained machine,',
  () => movesWithItsData(NATS, ['verifying_archive', 'starting_node']),
);
describeWithIggy('with iggy', () =>
  describeOnNetwork('A node of iggy with the only copy of its data, on a drained machine,', () =>
    movesWithItsData(IGGY, ['verifying_archive', 'starting_node']),
  ),
);

function movesWithItsData(broker: WorldBroker, steps: readonly string[]): void {
  let world: MachineWorld;
  let deployment: TestDeployment;
  let hosts: [JoinedHost, JoinedHost];
  beforeAll(async () => {
    world = await MachineWorld.start(broker);
    deployment = await TestDeployment.free(world.cloud);
    await world.open(deployment);
    hosts = [(await currentHost()).host, await world.join(ZONES[0])];
  });
  afterAll(() => world.stop());

  const asOperator = <T>(act: (commands: MachineCommands) => Promise<T>): Promise<T> =>
    world.cloud.asOperator((session) => act(new MachineCommands(session)));
  const currentHost = async (): Promise<{ host: JoinedHost; node: Placed }> => {
    const node = (await world.placed(deployment)).at(-1) as Placed;
    return { host: world.hosts.find(({ id }) => id === node.machine) as JoinedHost, node };
  };
  const directoryOf = (host: JoinedHost, { id }: Placed): string => join(host.directory, 'nodes', String(id));
  const exists = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    );
  const archives = (): Promise<string[]> =>
    readdir(join(world.cloud.directory, 'objects', 'deployments', String(deployment.id), 'moves')).catch(() => []);

  async function killAll(): Promise<void> {
    const { cloud } = world;
    await cloud.supervisor.kill();
    for (const host of hosts) await host.kill();
    for (const { pid, command } of await nodeProcesses(cloud.installation.installation))
      if (command.includes('agent.main')) process.kill(pid, 'SIGKILL');
  }

  async function startAll(): Promise<void> {
    await world.cloud.supervisor.start();
    for (const host of hosts) host.start(world.authority.caFile);
  }

  /** Null while the newest move runs. */
  async function endOfMove(): Promise<string | null> {
    const [row] = await world.cloud.rows<{ status: string; reason: string | null }>(
      `select status, reason from operations where deployment_id = $1 and type = 'move_node' order by id desc limit 1`,
      [deployment.id],
    );
    if (row === undefined || ['pending', 'running'].includes(row.status)) return null;
    return row.status === 'succeeded' ? row.status : `${row.status}: ${row.reason}`;
  }

  it.each(steps)('is on another machine with its data, although all processes are killed before %s', async (step) => {
    const texts = new KeptTexts(deployment, step);
    const queue = broker === IGGY ? null : new OfflineQueue(deployment, `offline-${step}`);
    await texts.write('kept', TEXTS);
    await queue?.begin();
    await queue?.publish(['first', 'second']);
    const before = await currentHost();
    const [{ endpoints } = { endpoints: null }] = await deployment.nodes();
    for (const host of hosts)
      if (host.id !== before.host.id) await asOperator((commands) => commands.resume(host.id)).catch(() => undefined);

    const brake = await StepBrake.at(world.cloud, step);
    await asOperator((commands) => commands.drain(before.host.id));
    await brake.isReached();
    await killAll();
    await brake.release();
    await startAll();
    expect(await eventually('the move has ended', endOfMove, MOVED_WITHIN_MS)).toBe('succeeded');
    await eventually(
      'nothing of the node is left on its machine',
      async () =>
        (await before.host.processes()).length === 0 &&
        !(await exists(directoryOf(before.host, before.node))) &&
        (await world.placed(deployment)).length === 1,
      MOVED_WITHIN_MS,
    );

    const after = await currentHost();
    expect(after.host.id).toBe(hosts.find(({ id }) => id !== before.host.id)?.id);
    expect(after.node).toMatchObject({ id: before.node.id, incarnation: before.node.incarnation + 1 });
    expect(await texts.all(TEXTS)).toEqual(numbered('kept', TEXTS));
    if (queue) expect(await queue.drain()).toEqual(['first', 'second']);
    expect((await deployment.detail()).status).toBe('initialized');
    expect((await deployment.nodes())[0]?.endpoints).toEqual(endpoints);
    expect(endpoints?.tcp).toContain(`${HOST_ADDRESS}:`);
    expect(await archives()).toEqual([]);
    expect((await world.cloud.runtime().get(`${deployment.live}/backups`)).body.items ?? []).toEqual([]);
  });

  it('stays and serves while no other machine of its zone has capacity, the list says why, and it moves as soon as one has', async () => {
    const { host, node } = await currentHost();
    const other = hosts.find(({ id }) => id !== host.id) as JoinedHost;
    await asOperator((commands) => commands.drain(other.id)).catch(() => undefined);
    await asOperator((commands) => commands.drain(host.id));

    const env = { ...world.cloud.supervisorEnv, DATABASE_URL: world.cloud.database.url };
    const { stdout } = await promisify(execFile)(process.execPath, [LANDLORD, 'machines', 'list'], { env });
    expect(stdout).toContain(`Machine ${host.id} is draining. Its nodes:`);
    expect(stdout).toMatch(/only copy +stays: no other machine of us-east-1a accepts nodes/);
    expect(await world.exchange(deployment, 'stays', ['one'])).toEqual(['one']);
    expect(await currentHost()).toEqual({ host, node });

    await asOperator((commands) => commands.resume(other.id));
    await eventually('the node has moved', async () => (await currentHost()).host.id === other.id, MOVED_WITHIN_MS);
    const client = await deployment.admits();
    expect(await client.readAll('stays', 1)).toEqual(['one']);
    await client.close();
    await deployment.delete();
    expect(await nodeProcesses(world.cloud.installation.installation)).toEqual([]);
  });
}
