import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Wakeup } from '../../os/wakeup.js';

/** The message of a machine agent to the process that started it for a trial: the gateway has accepted a status. */
export const ACCEPTED = 'accepted';

/** Looks at the gateway during a trial: one every five seconds. */
const LOOKS = 24;
/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 5_000;

export interface ProgramTrialOptions {
  dir: string;
  /** Entry file of the new machine agent. */
  entry: string;
  trialSeconds: number;
  /** Whether the gateway accepts a status of this process now. */
  reachesGateway: (signal: AbortSignal) => Promise<boolean>;
}

/**
 * Runs a new machine agent for this machine until the gateway accepts a status of it, and ends it. Returns why the program is refused, or
 * null for an accepted program or an abort. Only this process decides, because a broken program cannot. A gateway that does not
 * accept a status of this process either is no reason to refuse the program.
 */
export async function tryProgram(options: ProgramTrialOptions, signal: AbortSignal): Promise<string | null> {
  const { dir, entry } = options;
  const child = spawn(process.execPath, [...process.execArgv, entry, '--dir', dir], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new AbortController();
  const trial = new Trial(child, () => ended.abort());
  try {
    return await trial.decide(options, AbortSignal.any([signal, ended.signal]));
  } finally {
    await end(child);
  }
}

class Trial {
  private isAccepted = false;
  private failure: string | null = null;

  constructor(child: ChildProcess, onDecided: () => void) {
    child.on('message', (message) => {
      if (message !== ACCEPTED) return;
      this.isAccepted = true;
      onDecided();
    });
    child.once('error', ({ message }) => {
      this.failure = `The program cannot be started: ${message}`;
      onDecided();
    });
    child.once('exit', (code, killedBy) => {
      this.failure ??= `The program ended (${killedBy ?? `exit code ${code}`}) before the gateway accepted a status.`;
      onDecided();
    });
  }

  async decide({ trialSeconds, reachesGateway }: ProgramTrialOptions, signal: AbortSignal): Promise<string | null> {
    const trialMs = trialSeconds * 1000;
    let countedMs = 0;
    while (!signal.aborted && countedMs < trialMs) {
      const began = performance.now();
      await new Wakeup().sleep(trialMs / LOOKS, signal);
      if (!signal.aborted && (await reachesGateway(signal))) countedMs += performance.now() - began;
    }
    if (this.isAccepted) return null;
    if (this.failure !== null) return this.failure;
    return signal.aborted ? null : `The gateway accepted no status of the program for ${trialSeconds} seconds.`;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  await exited;
  clearTimeout(timer);
}
