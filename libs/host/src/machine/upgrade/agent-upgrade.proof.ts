import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { eventually } from '@libs/testing';
import { InstalledMachine } from '../../../test/machine/installed-machine.fixture.js';
import { buildArtifacts, type BuiltArtifacts } from '../../../test/machine/machine.fixture.js';

let artifacts: BuiltArtifacts;
let installed: InstalledMachine;

const SILENT = { 'machine.main.js': 'setInterval(() => undefined, 1000);' };

/** The gateway and the service manager are played. The agents, the broker and their programs are real. */
describe('A machine agent with a new program', () => {
  beforeAll(async () => {
    artifacts = await buildArtifacts();
  });
  afterAll(() => rm(artifacts.place, { recursive: true, force: true }));
  beforeEach(async () => {
    installed = await InstalledMachine.create(artifacts);
  });
  afterEach(() => installed.destroy());

  /** Starts the machine with a node whose broker runs. Returns the pid of the node's agent, and those of its other processes. */
  async function withANode(): Promise<{ agent: number; others: number[] }> {
    const { machine } = installed;
    machine.gateway.publish([await machine.aNode(5)]);
    installed.start();
    await machine.reaches(5, 'active');
    await machine.runs(5);
    return processes();
  }

  async function processes(): Promise<{ agent: number; others: number[] }> {
    const { machine } = installed;
    const [agent = 0] = await machine.agents(5);
    const all = [...(await machine.processes(5)).keys()];
    return { agent, others: all.filter((pid) => pid !== agent).sort() };
  }

  const agentOfNode = (): string | undefined => installed.machine.gateway.stateOf(5)?.agent_sha256;

  it('changes to it, and then changes the agents of its nodes, while their brokers continue', async () => {
    const before = await withANode();
    const reported = installed.machine.gateway.nodeStatuses.length;
    expect(agentOfNode()).toBe(installed.first.sha256);
    const program = await installed.publish({ 'release.txt': 'next' });
    await installed.runs(program);
    await eventually('the node has the new agent', () => agentOfNode() === program.sha256);
    await eventually('the new agent of the node reports', () =>
      installed.machine.gateway.nodeStatuses.slice(reported).some(({ runtimes }) => runtimes[0]?.status === 'running'),
    );

    const after = await processes();
    expect(after.agent).not.toBe(before.agent);
    expect(after.others).toEqual(before.others);
    expect(await installed.machine.agents(5)).toHaveLength(1);
    expect(await installed.agents()).toEqual([installed.pid]);
    expect(await installed.current()).toBe(program.sha256);
    expect(existsSync(installed.own(program.sha256, 'release.txt'))).toBe(true);
    expect((await readdir(installed.own())).sort()).toEqual([program.sha256, 'agent'].sort());
    expect(installed.machine.gateway.joins).toHaveLength(1);
  });

  it.each([
    ['that ends at once', { 'machine.main.js': 'process.exit(3);' }, /^The program ended \(exit code 3\) before/],
    [
      'that is no program',
      { 'machine.main.js': 'import "./missing.js";' },
      /^The program ended \(exit code 1\) before/,
    ],
    ['that does nothing', SILENT, /^The gateway accepted no status of the program for 2 seconds\.$/],
  ])(
    'keeps the earlier one instead of a program %s, and never tries the program again',
    async (_title, files, reason) => {
      const before = await withANode();
      installed.machine.gateway.trialSeconds = 2;
      const program = await installed.publish(files);

      expect(await installed.refuses(program)).toMatch(reason);
      expect(installed.machine.gateway.statuses.at(-1)?.agent.sha256).toBe(installed.first.sha256);
      await installed.kill();
      const reported = installed.machine.gateway.statuses.length;
      installed.start();
      await eventually('it reports again', () => installed.machine.gateway.statuses.length > reported);
      await installed.machine.reaches(5, 'active');
      expect(await processes()).toEqual(before);
      expect(installed.trials()).toBe(1);
      expect(await installed.current()).toBe(`agent-${installed.first.sha256}`);
      expect(await installed.agents()).toEqual([installed.pid]);
    },
  );

  it('tries a refused program again in the next attempt', async () => {
    await withANode();
    const { gateway } = installed.machine;
    gateway.trialSeconds = 1;
    gateway.statusRefusal = ({ agent }) =>
      agent.sha256 === installed.first.sha256 ? null : { status: 400, code: 'bad_request' };
    const program = await installed.publish({ 'release.txt': 'next' });
    expect(await installed.refuses(program)).toContain('The gateway accepted no status');
    gateway.statusRefusal = () => null;
    gateway.attempt += 1;
    gateway.trialSeconds = 120;
    gateway.publish(gateway.document?.nodes ?? []);

    await installed.runs(program);
    expect(installed.trials()).toBe(2);
  });

  it('does not blame it for a gateway that is away', async () => {
    await withANode();
    const { gateway } = installed.machine;
    const refused = { status: 503, code: 'unavailable', headers: { 'retry-after': '1' } };
    const asked = { first: 0, next: 0 };
    // As in production, longer than any pause of the program between two attempts: it is not blamed while it pauses.
    gateway.trialSeconds = 61;
    gateway.statusRefusal = ({ agent }) => {
      const isNext = agent.sha256 !== installed.first.sha256;
      asked[isNext ? 'next' : 'first'] += 1;
      return asked.next > 0 ? refused : null;
    };
    const program = await installed.publish({ 'release.txt': 'next' });
    await eventually('the program reports', () => asked.next > 0);
    const { first } = asked;
    // A whole trial has 24 looks.
    await eventually('the old program has asked long enough', () => asked.first > first + 26, 120_000);
    expect(installed.trials()).toBe(1);
    gateway.statusRefusal = () => null;

    await installed.runs(program);
    expect(gateway.statuses.every(({ agent }) => agent.refused === null)).toBe(true);
    expect(installed.trials()).toBe(1);
  }, 300_000);

  it('begins another trial after SIGKILL during the trial, when the program on trial has ended', async () => {
    await withANode();
    const { gateway } = installed.machine;
    gateway.statusRefusal = ({ agent }) =>
      agent.sha256 === installed.first.sha256 ? null : { status: 400, code: 'bad_request' };
    const program = await installed.publish({ 'release.txt': 'next' });
    await eventually('both agents run', async () => (await installed.agents()).length === 2);
    await installed.kill();
    await eventually(
      () => `no agent runs; ${installed.machine.log()}`,
      async () => (await installed.agents()).length === 0,
      10_000,
    );
    expect(await installed.current()).toBe(`agent-${installed.first.sha256}`);
    gateway.statusRefusal = () => null;
    installed.start();

    await installed.runs(program);
    expect(installed.trials()).toBe(2);
  });

  it('keeps the earlier one when the artifact has another content than its hash', async () => {
    const before = await withANode();
    const { gateway } = installed.machine;
    const wrong = 'f'.repeat(64);
    gateway.artifacts.set(wrong, { content: Buffer.from('other'), cutAfter: null });
    gateway.programs = { ...gateway.programs, agent: { ...installed.first, sha256: wrong } };
    gateway.publish(gateway.document?.nodes ?? []);
    await eventually('the machine says why', () =>
      installed.machine.log().includes('the new program of the machine agent cannot be fetched'),
    );

    await installed.machine.reaches(5, 'active');
    expect(await processes()).toEqual(before);
    expect(installed.trials()).toBe(0);
    expect(existsSync(installed.own(wrong))).toBe(false);
  });
});
