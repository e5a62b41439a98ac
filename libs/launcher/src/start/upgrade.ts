import { StartRefused } from '@libs/domain/starts';
import { sendSignal, until, type FileLock } from '@libs/host/os';
import type { LauncherConfig } from '../config.js';
import { runningLauncher, takeUpgradeLock } from '../files/launcher-lock.js';
import { checkUpgrade } from './check-upgrade.js';

/** Longer than the stop of two apps that ignore SIGTERM. */
const HAND_OVER_MS = 45_000;

/** One `landlord upgrade`, from its checks until its apps are ready. A data directory has one at a time. */
export class Upgrade {
  private constructor(
    private readonly config: LauncherConfig,
    private readonly lock: FileLock,
  ) {}

  /** @throws StartRefused while another upgrade runs */
  static begin(config: LauncherConfig): Upgrade {
    return new Upgrade(config, takeUpgradeLock(config.dataDir));
  }

  /**
   * Asks the running launcher to hand over, and waits until it has. Before that, checks everything that this release needs.
   * Returns false when no launcher runs. @throws StartRefused
   */
  async takeOver(cancel: AbortSignal): Promise<boolean> {
    const { dataDir } = this.config;
    const running = runningLauncher(dataDir);
    if (running === null) return false;
    const { pid, note } = running;
    const facts = { path: dataDir, pid: String(pid) };
    if (note === null) throw StartRefused.because('upgrade_without_hand_over', facts);
    await checkUpgrade(this.config, { pid, note });
    cancel.throwIfAborted();
    sendSignal(pid, 'SIGUSR2');
    const isFree = (): boolean => runningLauncher(dataDir)?.pid !== pid;
    if (await until(isFree, { timeoutMs: HAND_OVER_MS, hurry: cancel })) return true;
    cancel.throwIfAborted();
    const seconds = String(HAND_OVER_MS / 1000);
    throw StartRefused.because('hand_over_unfinished', { ...facts, release: note.release, seconds });
  }

  end(): void {
    this.lock.release();
  }
}
