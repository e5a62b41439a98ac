import type { LauncherConfig } from '../config.js';
import {
  ensureDatabase,
  isDatabaseAlive,
  stopDatabase,
  type DatabaseHandle,
} from '../embedded-postgres/ensure-database.js';
import type { Terminal } from './terminal.js';

/** Pause after a failed recovery, so that a full disk does not flood the terminal too. */
const RECOVERY_PAUSE_MS = 10_000;

/** The database of a running Landlord: the embedded one, which is restarted when it dies, or an external one, which is not. */
export class DatabaseWatchdog {
  private handle: DatabaseHandle | null = null;
  private recovery: Promise<void> | null = null;
  private quietUntil = 0;
  private stopped = false;

  constructor(
    private readonly config: LauncherConfig,
    private readonly terminal: Terminal,
    /** Called when the database restarted on another port. */
    private readonly onMoved: () => void,
  ) {}

  /** Starts or adopts the database. Returns the superuser's URL, or DATABASE_URL. */
  async start(): Promise<string> {
    if (this.config.databaseUrl !== null) return this.config.databaseUrl;
    this.handle = await ensureDatabase({ dataDir: this.config.dataDir });
    return this.handle.url;
  }

  /** A role's URL, with the current port of the embedded database. */
  current(url: string): string {
    if (!this.handle) return url;
    const moved = new URL(url);
    moved.port = String(this.handle.port);
    return moved.href;
  }

  /** Restarts the embedded database if it died. Returns at once. Call it periodically. */
  tend(): void {
    if (!this.handle || this.stopped || this.recovery || performance.now() < this.quietUntil) return;
    if (isDatabaseAlive(this.config.dataDir)) return;
    this.recovery = this.recover(this.handle.port).finally(() => (this.recovery = null));
  }

  /** Stops the embedded database. Never hangs. */
  async stop(hurry: AbortSignal): Promise<void> {
    this.stopped = true;
    await this.recovery;
    if (this.config.databaseUrl === null) await stopDatabase({ dataDir: this.config.dataDir, hurry });
  }

  /** Leaves the embedded database running. */
  async leave(): Promise<void> {
    this.stopped = true;
    await this.recovery;
  }

  private async recover(oldPort: number): Promise<void> {
    this.terminal.complain('PostgreSQL stopped. Landlord starts it again.');
    try {
      this.handle = await ensureDatabase({ dataDir: this.config.dataDir });
      this.terminal.say('PostgreSQL is running again.');
      if (this.handle.port !== oldPort) this.onMoved();
    } catch (error) {
      this.terminal.complain(error instanceof Error ? error.message : String(error));
      this.quietUntil = performance.now() + RECOVERY_PAUSE_MS;
    }
  }
}
