import { readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { reasonOf, type JsonLog } from '../../os/json-log.js';
import { STATUS_TEXTS } from '@libs/domain/agent-protocol';
import { MACHINE_AGENT_ENTRY, type MachineAgentProgram, type MachineDocument } from '@libs/domain/machine-protocol';
import { Backoff } from '../../node/gateway/backoff.js';
import { Wakeup } from '../../os/wakeup.js';
import { ProgramFolders, synced } from '../programs/machine-programs.js';
import { CURRENT_PROGRAM, OWN_PROGRAMS } from './own-program.js';
import { tryProgram, type ProgramTrialOptions } from './program-trial.js';
import type { RefusedProgram } from './refused-program.js';

/** Other folders below the machine's own programs are of earlier agents, or unfinished. */
const KEPT = /^(node-[0-9a-f]{64}|refused\.json|agent)$/;

/** A new program of the machine agent, complete on the disk. */
export interface NewProgram {
  entry: string;
  sha256: string;
  attempt: number;
  trialSeconds: number;
}

/**
 * Replaces the program of the machine agent. The new program becomes the current one only after a trial in which the gateway accepted a
 * status of it. The old program decides, so a restart during the trial starts the old program.
 */
export class AgentUpgrade {
  private readonly folder: string;
  private readonly wakeup = new Wakeup();
  private readonly pace = new Backoff();
  private document: MachineDocument | null = null;
  /** Milliseconds until the next trial, after the disk did not take the outcome of one. */
  private pauseMs = 0;

  constructor(
    private readonly dir: string,
    private readonly own: string | null,
    private readonly refused: RefusedProgram,
    private readonly programs: ProgramFolders,
    private readonly log: JsonLog,
  ) {
    this.folder = join(dir, OWN_PROGRAMS);
  }

  get status(): MachineAgentProgram {
    return { sha256: this.own, refused: this.refused.last };
  }

  setDesired(document: MachineDocument): void {
    this.document = document;
    this.wakeup.wakeUp();
  }

  /** Whether the agents of nodes may change to the document's program: the machine agent has done so, or never changes. */
  mayChangeNodes({ programs }: MachineDocument): boolean {
    return this.own === null || this.own === programs.agent.sha256;
  }

  /** Resolves with the next program when it is complete on the disk. Null after the signal. */
  async next(signal: AbortSignal): Promise<NewProgram | null> {
    const backoff = new Backoff();
    await this.wakeup.sleep(this.pauseMs, signal);
    while (!signal.aborted) {
      const { document } = this;
      if (document === null || !this.isDue(document)) {
        await this.wakeup.sleep(60_000, signal);
        continue;
      }
      const { programs, agent_attempt: attempt, agent_trial_seconds: trialSeconds } = document;
      try {
        const entry = await this.programs.bringOne(programs.agent, MACHINE_AGENT_ENTRY, signal);
        return { entry, sha256: programs.agent.sha256, attempt, trialSeconds };
      } catch (error) {
        if (!signal.aborted)
          this.log.warn('the new program of the machine agent cannot be fetched', { reason: reasonOf(error) });
        await this.wakeup.sleep(backoff.next(), signal);
      }
    }
    return null;
  }

  /** Returns whether the new program is now the current one, so that this process must end. */
  async try(
    { entry, sha256, attempt, trialSeconds }: NewProgram,
    reachesGateway: ProgramTrialOptions['reachesGateway'],
    signal: AbortSignal,
  ): Promise<boolean> {
    this.log.info('a new program of the machine agent is on trial', { sha256 });
    const refusal = await tryProgram({ dir: this.dir, entry, trialSeconds, reachesGateway }, signal);
    if (signal.aborted) return false;
    try {
      await this.conclude(entry, { sha256, attempt, reason: refusal });
      this.pauseMs = 0;
      return refusal === null;
    } catch (error) {
      // The machine agent continues as it is, and so do its nodes.
      this.log.error('the outcome of the trial cannot be stored', { sha256, reason: reasonOf(error) });
      this.pauseMs = this.pace.next();
      return false;
    }
  }

  private async conclude(entry: string, outcome: { sha256: string; attempt: number; reason: string | null }) {
    const { sha256, attempt, reason } = outcome;
    if (reason === null) {
      await this.makeCurrent(basename(dirname(entry)));
      this.log.info('the new program of the machine agent is the current one', { sha256 });
      return;
    }
    this.log.error('the new program of the machine agent is refused', { sha256, reason });
    await this.refused.add({ sha256, attempt, reason: reason.slice(0, STATUS_TEXTS.reason) });
  }

  /** Deletes the programs of earlier machine agents. A program on trial deletes nothing: the earlier one is still the current one. */
  async tidy(entry: string): Promise<void> {
    const current = basename(dirname(entry));
    if (this.own === null || (await readlink(join(this.folder, CURRENT_PROGRAM)).catch(() => '')) !== current) return;
    for (const name of await readdir(this.folder))
      if (name !== current && !KEPT.test(name)) await rm(join(this.folder, name), { recursive: true, force: true });
  }

  private isDue(document: MachineDocument): boolean {
    return !this.mayChangeNodes(document) && !this.refused.includes(document);
  }

  private async makeCurrent(folder: string): Promise<void> {
    const link = join(this.folder, CURRENT_PROGRAM);
    await rm(`${link}.new`, { force: true });
    await symlink(folder, `${link}.new`);
    await rename(`${link}.new`, link);
    await synced(this.folder);
  }
}
