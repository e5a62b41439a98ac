import { existsSync } from 'node:fs';
import { MACHINE_REFUSED_EXIT_CODE } from '@libs/domain/machine-protocol';
import {
  findMachineAgents,
  localMachineDirectory,
  machineFileIn,
  machineLogIn,
  startMachineAgent,
} from '../processes/machine-agent.js';
import { endProcesses, rotateLog } from '@libs/host/os';
import type { Terminal } from './terminal.js';

const RESTART_MS = 5_000;
const LOG_LIMIT_BYTES = 32 * 1024 * 1024;

/** The machine agent of this host, if `landlord machines join --local` made the host a machine. Restarted when it ends. */
export class LocalMachine {
  private readonly directory: string;
  private isStopping = false;
  private isRunning = false;
  private startAt = 0;

  constructor(
    dataDir: string,
    private readonly terminal: Terminal,
  ) {
    this.directory = localMachineDirectory(dataDir);
  }

  /** Starts the agent when it should run and does not. Called every second. */
  tend(): void {
    if (this.isStopping || this.isRunning || Date.now() < this.startAt || !existsSync(machineFileIn(this.directory)))
      return;
    this.startAt = Date.now() + RESTART_MS;
    this.start().catch((error: unknown) =>
      this.terminal.complain(
        `The agent of this machine cannot be started: ${error instanceof Error ? error.message : String(error)}`,
      ),
    );
  }

  /** Ends the agent before the agents of its nodes, because it would start them again. */
  async stop(graceMs: number, hurry: AbortSignal): Promise<void> {
    this.isStopping = true;
    await endProcesses(() => findMachineAgents(this.directory), { graceMs, hurry });
  }

  /** Leaves the agent running. */
  leave(): void {
    this.isStopping = true;
  }

  private async start(): Promise<void> {
    // An agent of an earlier start continues. The stop may have begun meanwhile, and would not see a new agent.
    if ((await findMachineAgents(this.directory)).length > 0 || this.isStopping) return;
    rotateLog(machineLogIn(this.directory), LOG_LIMIT_BYTES);
    startMachineAgent(this.directory, (code) => this.ended(code));
    this.isRunning = true;
  }

  private ended(code: number | null): void {
    this.isRunning = false;
    if (this.isStopping || code !== MACHINE_REFUSED_EXIT_CODE) return;
    this.startAt = Infinity;
    this.terminal.complain(`The agent of this machine has ended. Its log: ${machineLogIn(this.directory)}`);
  }
}
