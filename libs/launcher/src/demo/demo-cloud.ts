import { FileLock } from '../files/file-lock.js';
import { bootstrapPath, type Bootstrap } from '../files/bootstrap-file.js';
import { tryLauncherLock } from '../files/launcher-lock.js';
import { readFileIfAny } from '../files/private-file.js';
import type { LauncherConfig } from '../config.js';
import { LauncherError } from '../launcher-error.js';
import { until } from '../processes/until.js';
import { Landlord } from '../start/landlord.js';
import type { Progress } from './progress.js';

/** How long a cloud that is being started by somebody else may take. */
const PATIENCE_MS = 180_000;
const ANSWER_MS = 3_000;

/** The cloud that the demo uses: one that runs on the data directory, or one that lives as long as the demo. */
export class DemoCloud {
  private own: Landlord | null = null;

  constructor(
    private readonly config: LauncherConfig,
    private readonly progress: Progress,
  ) {}

  /** Finds or starts it. Throws LauncherError when neither works, and whatever `cancel` was aborted with. */
  async open(cancel: AbortSignal): Promise<Bootstrap> {
    const running = await this.findRunning();
    if (running) {
      this.progress.title(`Using the cloud that runs at ${running.main_api_url}`);
      return running;
    }
    return this.isBeingStarted() ? this.awaitRunning(cancel) : this.start(cancel);
  }

  /** Stops it if the demo started it. */
  async close(hurry: AbortSignal): Promise<void> {
    if (!this.own) return;
    this.progress.title('Stopping the cloud of this demo');
    await this.own.stop(hurry);
    this.own = null;
  }

  private async start(cancel: AbortSignal): Promise<Bootstrap> {
    this.progress.title(`No cloud runs on ${this.config.dataDir}; starting one for this demo`);
    // Its greeting is not for somebody who watches a demo; what goes wrong is.
    const quiet = { say: () => undefined, complain: (line: string) => this.progress.complain(line) };
    this.own = new Landlord(this.config, quiet);
    await this.progress.timed('starting the cloud', async () => this.own?.start(cancel));
    cancel.throwIfAborted();
    const bootstrap = this.readBootstrap();
    if (!bootstrap) throw new LauncherError(noBootstrap(this.config.dataDir));
    this.progress.fact('address', bootstrap.main_api_url);
    this.progress.fact('key', `in ${bootstrapPath(this.config.dataDir)}`);
    return bootstrap;
  }

  private async awaitRunning(cancel: AbortSignal): Promise<Bootstrap> {
    this.progress.title(`Waiting for the cloud that is being started on ${this.config.dataDir}`);
    let found: Bootstrap | null = null;
    const isThere = async (): Promise<boolean> => (found = await this.findRunning()) !== null;
    await until(isThere, { timeoutMs: PATIENCE_MS, everyMs: 250, hurry: cancel });
    cancel.throwIfAborted();
    if (!found) {
      const what = this.readBootstrap() ? 'does not become ready' : noBootstrap(this.config.dataDir);
      throw new LauncherError(`A launcher runs on ${this.config.dataDir}, but: ${what}`);
    }
    return found;
  }

  /** What a running cloud says of itself, if both of its APIs answer. */
  private async findRunning(): Promise<Bootstrap | null> {
    const bootstrap = this.readBootstrap();
    if (!bootstrap) return null;
    const answers = await Promise.all([bootstrap.main_api_url, bootstrap.supervisor_url].map(isReady));
    return answers.every(Boolean) ? bootstrap : null;
  }

  /** A launcher holds the data directory; asked by taking its place for an instant. */
  private isBeingStarted(): boolean {
    const lock = tryLauncherLock(this.config.dataDir);
    if (!(lock instanceof FileLock)) return true;
    lock.release();
    return false;
  }

  private readBootstrap(): Bootstrap | null {
    const text = readFileIfAny(bootstrapPath(this.config.dataDir));
    return text ? (JSON.parse(text) as Bootstrap) : null;
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(ANSWER_MS) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

const noBootstrap = (dataDir: string): string =>
  `${bootstrapPath(dataDir)} is missing. It was written at the first start and holds the API key that the demo needs.`;
