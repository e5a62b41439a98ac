import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { eventually, freePorts, skippedSuite } from '@libs/testing';
import { buildArtifacts, MachineUnderTest, type BuiltArtifacts } from '../../test/machine/machine.fixture.js';
import type { MachineFile } from './machine-file.js';
import { JOIN_TOKEN } from '../../test/machine/fake-machine-gateway.fixture.js';

let artifacts: BuiltArtifacts;
let machine: MachineUnderTest;

async function aMachine(file: Partial<MachineFile> = {}): Promise<MachineUnderTest> {
  machine = await MachineUnderTest.create(artifacts, file);
  return machine;
}

const listening = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });

/** What the agent writes, in this order. */
const STEPS = [
  ...['credential.json', 'document.json', 'programs/archives', 'records/5.json', 'nodes/5/bootstrap.json'],
  'nodes/5/credential.json',
];
const mayMount = process.platform === 'linux' && process.getuid?.() === 0;
const describeWithDisk = mayMount ? describe : skippedSuite('a small disk cannot be mounted', 'Run the tests as root');

/** The gateway is played. The agents, the broker and their programs are real. */
describe('A machine agent', () => {
  beforeAll(async () => {
    artifacts = await buildArtifacts();
  });
  afterAll(() => rm(artifacts.place, { recursive: true, force: true }));
  afterEach(() => machine.destroy());

  describe('joins', () => {
    it('with a secret of its own, and removes the token from the disk', async () => {
      const { gateway, dir } = await aMachine();
      machine.start();

      await eventually('a status arrives', () => gateway.statuses[0]);
      const file = await eventually('the token is removed', async () => {
        const content = JSON.parse(await readFile(join(dir, 'machine.json'), 'utf8')) as { token: string };
        return content.token === '' ? content : null;
      });

      expect(file).toMatchObject({ nodes: 'processes', memory_mib: 1024, disk_gib: 1, address: '127.0.0.1' });
      expect(gateway.joins).toEqual([
        {
          ...{ token: JOIN_TOKEN, credential_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown },
          ...{ agent_version: expect.any(String) as unknown, machine: gateway.statuses[0]?.machine },
        },
      ]);
      expect(gateway.statuses[0]).toMatchObject({ generation: 0, nodes: [], machine: { memory_mib: 1024 } });
      expect((await stat(join(dir, 'credential.json'))).mode & 0o777).toBe(0o600);
    });

    it('again with the same secret after a lost answer', async () => {
      const { gateway } = await aMachine();
      gateway.joinAnswersToLose = 1;
      machine.start();
      await eventually('a status arrives', () => gateway.statuses[0]);

      expect(gateway.joins).toHaveLength(2);
      expect(gateway.joins[0]).toEqual(gateway.joins[1]);
    });

    it('never with a used token: says so in one sentence, and ends', async () => {
      const { gateway, dir } = await aMachine();
      machine.start();
      await eventually('a status arrives', () => gateway.statuses[0]);
      await machine.end('SIGTERM');
      await rm(join(dir, 'credential.json'));
      const file = JSON.parse(await readFile(join(dir, 'machine.json'), 'utf8')) as object;
      await writeFile(join(dir, 'machine.json'), JSON.stringify({ ...file, token: JOIN_TOKEN }));
      const joinCount = gateway.joins.length;
      const before = machine.log();
      machine.start();

      expect(await machine.exitCode()).toBe(78);
      expect(gateway.joins).toHaveLength(joinCount + 1);
      expect(machine.log().slice(before.length)).toBe(
        'The gateway refused the join (401 unauthenticated): the token is unknown, expired or already used by another machine. Create another token.\n',
      );
    });

    it('while its clock is ten minutes wrong, and waits as long as the gateway asks', async () => {
      const { gateway } = await aMachine();
      gateway.serverOffsetMs = 600_000;
      machine.start();
      gateway.publish([await machine.aNode(5)]);
      await machine.reaches(5, 'active');
      const until = new Date(Date.now() + gateway.serverOffsetMs + 4_000).toUTCString();
      gateway.refusal = { status: 503, code: 'unavailable', headers: { 'retry-after': until } };
      // Ends the waiting query.
      gateway.publish([]);
      const requestCount = gateway.desiredTimes.length;
      await eventually('the refusal arrived', () => machine.log().includes('the gateway returned 503'));
      const refusedAt = Date.now();
      gateway.refusal = null;

      const next = await eventually('the next query', () => gateway.desiredTimes[requestCount], 30_000);
      expect(next - refusedAt).toBeGreaterThan(2_000);
    });

    it('alone: another agent of the same directory ends', async () => {
      const { gateway } = await aMachine();
      const first = machine.start();
      await eventually('a status arrives', () => gateway.statuses[0]);
      machine.start();

      expect(await machine.exitCode()).toBe(78);
      expect(machine.log()).toContain('Another agent of the machine');
      machine.agent = first;
    });
  });

  describe('keeps a node', () => {
    it('from the artifacts alone, until its broker runs', async () => {
      const { gateway } = await aMachine();
      gateway.publish([await machine.aNode(5)]);
      machine.start();

      await machine.reaches(5, 'active');
      await machine.runs(5);
      expect(gateway.registrations[0]).toMatchObject({ node_id: 5, token: 'token of node 5' });
      expect(await machine.processes(5)).toHaveProperty('size', 2);
      expect(new Set(gateway.artifactReaders)).toEqual(new Set([expect.stringMatching(/^Bearer machine 3\./)]));
    });

    it('over kill -9 of the machine agent, without a second process', async () => {
      const { gateway } = await aMachine();
      gateway.publish([await machine.aNode(5)]);
      machine.start();
      await machine.reaches(5, 'active');
      await machine.runs(5);
      const before = [...(await machine.processes(5)).keys()].sort();

      await machine.end('SIGKILL');
      expect([...(await machine.processes(5)).keys()].sort()).toEqual(before);
      const reported = gateway.statuses.length;
      machine.start();
      await eventually('it reports again', () =>
        gateway.statuses.slice(reported).some(({ nodes }) => nodes[0]?.state === 'active'),
      );

      expect([...(await machine.processes(5)).keys()].sort()).toEqual(before);
      expect(gateway.joins).toHaveLength(1);
    });

    it('over kill -9 at each step of its start, with one agent and one broker', async () => {
      const { gateway } = await aMachine();
      gateway.publish([await machine.aNode(5)]);
      for (const file of STEPS) {
        machine.start();
        await eventually(`${file} appears; ${machine.log()}`, () => existsSync(join(machine.dir, file)));
        await machine.end('SIGKILL');
      }
      machine.start();
      await machine.reaches(5, 'active');
      await machine.runs(5);

      expect(gateway.joins.every(({ credential_hash: hash }) => hash === gateway.joins[0]?.credential_hash)).toBe(true);
      expect(await machine.agents(5)).toHaveLength(1);
      expect(await machine.processes(5)).toHaveProperty('size', 2);
    });

    it('while the gateway is down, after a restart of both agents', async () => {
      const { gateway } = await aMachine();
      gateway.publish([await machine.aNode(5)]);
      machine.start();
      await machine.reaches(5, 'active');
      await machine.runs(5);
      await gateway.stop();
      await machine.end('SIGTERM');
      expect(await machine.agents(5)).toHaveLength(1);
      const [agent = 0] = await machine.agents(5);
      process.kill(agent, 'SIGKILL');
      machine.start();

      await eventually('the node has another agent', async () =>
        (await machine.agents(5)).some((pid) => pid !== agent),
      );
      await gateway.start();
      await machine.reaches(5, 'active');
    });

    it('until it must be absent: no process, no port, no directory', async () => {
      const { gateway } = await aMachine();
      const node = await machine.aNode(5);
      gateway.publish([node]);
      machine.start();
      await machine.reaches(5, 'active');
      await machine.runs(5);
      gateway.publish([{ ...node, intent: 'absent', token: '' }]);

      await machine.reaches(5, 'gone');
      expect(await machine.processes(5)).toHaveProperty('size', 0);
      expect(existsSync(machine.nodeDirectory(5))).toBe(false);
      expect(existsSync(join(machine.dir, 'records', '5.json'))).toBe(false);
      (await listening(node.ports[0] ?? 0)).close();
    });

    it('of a new incarnation only after nothing of the earlier one is left', async () => {
      const { gateway } = await aMachine();
      const node = await machine.aNode(5);
      gateway.publish([node]);
      machine.start();
      await machine.reaches(5, 'active');
      await machine.runs(5);
      const before = [...(await machine.processes(5)).keys()];
      await writeFile(join(machine.nodeDirectory(5), 'of-the-first'), 'x');
      // Also when the machine agent was dead while the node was replaced.
      await machine.end('SIGKILL');
      gateway.publish([{ ...node, incarnation: 2 }]);
      machine.start();
      await machine.reaches(5, 'active', 2);

      const after = [...(await machine.processes(5)).keys()];
      expect(after.filter((pid) => before.includes(pid))).toEqual([]);
      expect(existsSync(join(machine.nodeDirectory(5), 'of-the-first'))).toBe(false);
      expect(await machine.agents(5)).toHaveLength(1);
    });

    it('of no earlier incarnation than the one it has', async () => {
      const { gateway } = await aMachine();
      const node = await machine.aNode(5, { incarnation: 2 });
      gateway.publish([node]);
      machine.start();
      await machine.reaches(5, 'active', 2);
      const before = await machine.agents(5);
      gateway.publish([{ ...node, incarnation: 1 }]);

      expect(await machine.reaches(5, 'failed')).toContain('incarnation 2 of the node, which is later than 1');
      expect(await machine.agents(5)).toEqual(before);
    });
  });

  describe('reports as failed', () => {
    it('a node whose port another program has, until the port is free', async () => {
      const { gateway } = await aMachine();
      const [port = 0] = await freePorts(1);
      const server = await listening(port);
      gateway.publish([await machine.aNode(5, { ports: [port] })]);
      machine.start();

      expect(await machine.reaches(5, 'failed')).toBe(
        `Port ${port} of the node is in use by another program of the machine. Stop that program.`,
      );
      expect(existsSync(machine.nodeDirectory(5))).toBe(false);
      server.close();
      await machine.reaches(5, 'active');
    });

    it('a node that needs more memory than the machine has left, and keeps the other nodes', async () => {
      const { gateway } = await aMachine({ memory_mib: 256 });
      gateway.publish([await machine.aNode(5), await machine.aNode(6, { memory_mib: 200 })]);
      machine.start();
      await machine.reaches(5, 'active');

      expect(await machine.reaches(6, 'failed')).toBe(
        'The node needs 200 MiB of memory. The machine has 256 for nodes, and other nodes use 64.',
      );
      expect(existsSync(machine.nodeDirectory(6))).toBe(false);
    });

    it('a node whose program has another content than its hash, and starts nothing of it', async () => {
      const { gateway } = await aMachine();
      const { sha256 = '' } = gateway.programs.embedded ?? {};
      gateway.artifacts.set(sha256, { content: Buffer.from('other'), cutAfter: null });
      gateway.publish([await machine.aNode(5)]);
      machine.start();

      expect(await machine.reaches(5, 'failed')).toBe(
        'A program of the node is damaged: an artifact has another sha256 than its name.',
      );
      expect(await machine.programs()).toEqual([]);
      expect(await machine.processes(5)).toHaveProperty('size', 0);
    });

    it('no node whose program arrives in parts: the machine continues at the place of the cut', async () => {
      const { gateway } = await aMachine();
      for (const artifact of gateway.artifacts.values()) artifact.cutAfter = 100_000;
      gateway.publish([await machine.aNode(5)]);
      machine.start();

      await machine.reaches(5, 'active');
      expect(gateway.artifactReaders.length).toBeGreaterThan(5);
    });
  });

  describeWithDisk('on a disk that is too small for the programs', () => {
    it('reports the node as failed, leaves nothing behind, and starts the node when the disk is larger', async () => {
      const { gateway } = await aMachine();
      const programs = join(machine.dir, 'programs');
      await mkdir(programs);
      const disk = ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', programs];
      expect(spawnSync('mount', disk).status).toBe(0);
      try {
        gateway.publish([await machine.aNode(5)]);
        machine.start();

        expect(await machine.reaches(5, 'failed')).toBe(
          'The disk of the machine is full: the programs of the node have no space.',
        );
        expect(await machine.programs()).toEqual([]);
        expect(existsSync(machine.nodeDirectory(5))).toBe(false);
        expect(spawnSync('mount', ['-o', 'remount,size=64m', programs]).status).toBe(0);
        await machine.reaches(5, 'active');
      } finally {
        await machine.end('SIGKILL');
        spawnSync('umount', ['-l', programs]);
      }
    });
  });

  it('that the operator has removed stops its nodes, keeps their data, and ends', async () => {
    const { gateway } = await aMachine();
    gateway.publish([await machine.aNode(5)]);
    machine.start();
    await machine.reaches(5, 'active');
    gateway.refusal = { status: 410, code: 'machine_removed' };
    gateway.publish([]);

    expect(await machine.exitCode()).toBe(78);
    expect(machine.log()).toContain('The operator has removed this machine.');
    expect(await machine.processes(5)).toHaveProperty('size', 0);
    expect(existsSync(machine.nodeDirectory(5))).toBe(true);
  });
});
