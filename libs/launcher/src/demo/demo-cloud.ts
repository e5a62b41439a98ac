import { FileLock, until } from '@libs/host/os';
import { bootstrapPath, readBootstrap, type Bootstrap } from '../files/bootstrap-file.js';
import { tryLauncherLock } from '../files/launcher-lock.js';
import type { LauncherConfig } from '../config.js';
import { LauncherError } from '../launcher-error.js';
import { Landlord } from '../start/landlord.js';
import type { Progress } from './progress.js';

/** Time limit for a cloud that another process is starting. */
const PATIENCE_MS = 180_000;
const ANSWER_MS = 3_000;

/** `foreign`: a cloud answers there that refuses the key. */
type CloudState = 'running' | 'foreign' | 'silent';

/** The cloud of the demo: a running one on the data directory, or one that runs only for the demo. */
export class DemoCloud {
  private own: Landlord | null = null;

  constructor(
    private readonly config: LauncherConfig,
    private readonly progress: Progress,
  ) {}

  /**
   * Finds or starts the cloud. Throws LauncherError when neither is possible, and the reason of `cancel` when it is aborted.
   */
  async open(cancel: AbortSignal): Promise<Bootstrap> {
    const bootstrap = readBootstrap(this.config.dataDir);
    if (bootstrap && (await stateOf(bootstrap)) === 'running') {
      this.progress.title(`Using the running cloud at ${bootstrap.main_api_url}`);
      return bootstrap;
    }
    return this.isBeingStarted() ? this.awaitRunning(cancel) : this.start(cancel);
  }

  /** Stops the cloud if the demo started it. */
  async close(hurry: AbortSignal): Promise<void> {
    if (!this.own) return;
    this.progress.title('Stopping the cloud of this demo');
    await this.own.stop(hurry);
    this.own = null;
  }

  private async start(cancel: AbortSignal): Promise<Bootstrap> {
    this.progress.title(`No cloud runs with ${this.config.dataDir}. Starting a cloud for this demo`);
    // Hides the greeting of the launcher, but shows its errors.
    const quiet = { say: () => undefined, complain: (line: string) => this.progress.complain(line) };
    this.own = new Landlord(this.config, quiet);
    await this.progress.timed('starting the cloud', async () => this.own?.start(cancel));
    cancel.throwIfAborted();
    const bootstrap = readBootstrap(this.config.dataDir);
    if (!bootstrap) throw new LauncherError(noBootstrap(this.config.dataDir));
    this.progress.fact('address', bootstrap.main_api_url);
    this.progress.fact('key', `in ${bootstrapPath(this.config.dataDir)}`);
    return bootstrap;
  }

  private async awaitRunning(cancel: AbortSignal): Promise<Bootstrap> {
    const { dataDir } = this.config;
    this.progress.title(`Waiting for the cloud that is starting with ${dataDir}`);
    let bootstrap: Bootstrap | null = null;
    let state: CloudState = 'silent';
    const hasAnswered = async (): Promise<boolean> => {
      bootstrap = readBootstrap(this.config.dataDir);
      state = bootstrap ? await stateOf(bootstrap) : 'silent';
      return state !== 'silent';
    };
    await until(hasAnswered, { timeoutMs: PATIENCE_MS, everyMs: 250, hurry: cancel });
    cancel.throwIfAborted();
    if (bootstrap === null) throw new LauncherError(noBootstrap(dataDir));
    if (state === 'silent')
      throw new LauncherError(
        `Landlord runs with ${dataDir}, but its cloud does not become ready. Read the logs in this directory.`,
      );
    if (state === 'foreign')
      throw new LauncherError(`The cloud no longer accepts the API key of ${bootstrapPath(dataDir)}.`);
    return bootstrap;
  }

  /** A launcher has the lock of the data directory. Checks that by taking the lock for a moment. */
  private isBeingStarted(): boolean {
    const lock = tryLauncherLock(this.config.dataDir);
    if (!(lock instanceof FileLock)) return true;
    lock.release();
    return false;
  }
}

/** Whether both APIs work and accept the key. An address alone is not enough, because another cloud may use the port later. */
async function stateOf(bootstrap: Bootstrap): Promise<CloudState> {
  const { main_api_url: main, supervisor_url: supervisor, tenant_id: tenant, api_key: key } = bootstrap;
  const ready = await Promise.all([main, supervisor].map((url) => statusOf(`${url}/health/ready`)));
  if (ready.some((status) => status !== 200)) return 'silent';
  const known = await statusOf(`${main}/tenants/${tenant}/api_keys/context`, { 'ld-api-key': key });
  return known === 200 ? 'running' : 'foreign';
}

async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number | null> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_MS) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

const noBootstrap = (dataDir: string): string =>
  `${bootstrapPath(dataDir)} is missing. Landlord writes this file at the first start. The demo needs the API key in this file.`;
