import type { LockHolder } from '@libs/host/os';
import { commandPath } from '../files/command-file.js';
import { runningUpgrade } from '../files/launcher-lock.js';
import { LauncherError } from '../launcher-error.js';
import type { StopSignals } from './stop-signals.js';

/** Listens for the `upgrade` of another launcher, which sends SIGUSR2 to the launcher of its data directory. */
export class HandOver {
  private asker: LockHolder | null = null;

  constructor(
    private readonly dataDir: string,
    private readonly signals: StopSignals,
  ) {
    process.on('SIGUSR2', () => this.asked());
  }

  /** The apps must stop, and everything else must continue. */
  get isAsked(): boolean {
    return this.asker !== null;
  }

  /** The last line of this launcher. Throws LauncherError when the upgrade has ended meanwhile, so that no launcher runs the apps. */
  lastLine(): string {
    const upgrade = runningUpgrade(this.dataDir);
    if (upgrade !== null && upgrade.heldBy === this.asker?.heldBy)
      return `Landlord ${String(upgrade.note)} continues as process ${upgrade.heldBy}.`;
    throw new LauncherError(
      `The upgrade (process ${this.asker?.heldBy}) has ended. Agents and brokers run on. Start Landlord again: ${commandPath(this.dataDir)} start`,
    );
  }

  /** Ignores a signal that no living upgrade has sent, and every signal during a stop. */
  private asked(): void {
    const upgrade = runningUpgrade(this.dataDir);
    if (upgrade === null || this.signals.stop.aborted) return;
    this.asker = upgrade;
    this.signals.ask();
  }
}
