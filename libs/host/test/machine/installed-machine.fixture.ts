import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, openSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type MachineProgram, MACHINE_REFUSED_EXIT_CODE } from '@libs/domain/machine-protocol';
import { eventually } from '@libs/testing';
import { MachineUnderTest, packChanged, type BuiltArtifacts } from './machine.fixture.js';

/** Files of a program, over those of the built agents. */
export type ChangedFiles = Record<string, string>;

/**
 * A machine whose agent runs from an artifact below its own directory, as after a join. It is started again when it ends, like by the
 * service manager.
 */
export class InstalledMachine {
  /** The program of the first start. */
  readonly first: MachineProgram;
  private child: ChildProcess | null = null;
  private isStopped = true;

  private constructor(
    readonly machine: MachineUnderTest,
    private readonly artifacts: BuiltArtifacts,
  ) {
    this.first = machine.gateway.programs.agent;
  }

  static async create(artifacts: BuiltArtifacts): Promise<InstalledMachine> {
    const machine = await MachineUnderTest.create(artifacts);
    const installed = new InstalledMachine(machine, artifacts);
    const folder = `agent-${installed.first.sha256}`;
    await mkdir(installed.own());
    cpSync(dirname(artifacts.entry), installed.own(folder), { recursive: true });
    await symlink(folder, installed.own('agent'));
    return installed;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  start(): void {
    this.isStopped = false;
    this.spawn();
  }

  /** SIGKILL of the agent that the service manager started, without a restart. */
  async kill(): Promise<void> {
    this.isStopped = true;
    const { child } = this;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Publishes a program like the one of the first start, with changed files. The nodes stay. */
  async publish(files: ChangedFiles): Promise<MachineProgram> {
    const { gateway } = this.machine;
    const file = await packChanged(this.artifacts.place, dirname(this.artifacts.entry), files);
    const program = { ...this.first, sha256: gateway.serve(await readFile(file)) };
    gateway.programs = { ...gateway.programs, agent: program };
    gateway.publish(gateway.document?.nodes ?? []);
    return program;
  }

  /** Waits until the last status is from this program, which may pause for a minute first. */
  runs({ sha256 }: MachineProgram): Promise<unknown> {
    const { gateway } = this.machine;
    return eventually(
      () => `the machine agent runs ${sha256}; ${this.machine.log()}`,
      () => gateway.statuses.at(-1)?.agent.sha256 === sha256,
      90_000,
    );
  }

  /** Waits until the last status reports that the machine went back from this program. Returns the reason. */
  async refuses({ sha256 }: MachineProgram): Promise<string> {
    const { gateway } = this.machine;
    const refused = await eventually(
      () => `the machine refuses ${sha256}; ${this.machine.log()}`,
      () => {
        const said = gateway.statuses.at(-1)?.agent.refused;
        return said?.sha256 === sha256 ? said : null;
      },
      60_000,
    );
    return refused.reason;
  }

  /** Name of the folder of the current program. */
  current(): Promise<string> {
    return readlink(this.own('agent'));
  }

  own(...parts: string[]): string {
    return join(this.machine.dir, 'machine', ...parts);
  }

  /** How often a program was on trial. */
  trials(): number {
    return this.machine.log().split('is on trial').length - 1;
  }

  /** Pids of the machine agents of this directory. */
  async agents(): Promise<number[]> {
    const found: number[] = [];
    for (const name of await readdir('/proc')) {
      const argv = /^\d+$/.test(name) ? await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '') : '';
      const parts = argv.split('\0');
      if (parts.some((part) => part.endsWith('/machine.main.js')) && parts.includes(this.machine.dir))
        found.push(Number(name));
    }
    return found;
  }

  async destroy(): Promise<void> {
    await this.kill();
    for (const pid of await this.agents()) process.kill(pid, 'SIGKILL');
    await this.machine.destroy();
  }

  private spawn(): void {
    const log = openSync(join(this.machine.dir, 'agent.log'), 'a');
    const child = spawn(
      'env',
      ['-i', process.execPath, this.own('agent', 'machine.main.js'), '--dir', this.machine.dir],
      {
        cwd: this.machine.dir,
        stdio: ['ignore', log, log],
      },
    );
    this.child = child;
    child.once('exit', (code) => {
      if (!this.isStopped && code !== MACHINE_REFUSED_EXIT_CODE) this.spawn();
    });
  }
}
