import { setTimeout as delay } from 'node:timers/promises';
import { TestCloud, type AppProcess, type TestQueue, SmallDisk } from '@libs/testing';
import { AgentLink } from './agent-link.js';
import { StoryReceiver } from './story-receiver.js';

const PATIENCE_MS = 60_000;
const RETRY_MS = 250;
const LOOK_MS = 1_000;

/** A cloud for all faults of the runner. Restarts its apps as a launcher does. */
export class FaultCloud {
  private readonly starting = new Map<AppProcess, Promise<void>>();
  private restartTimer: NodeJS.Timeout | undefined;

  private constructor(
    readonly cloud: TestCloud,
    readonly link: AgentLink,
    /** Null if this user may not mount a disk. */
    readonly disk: SmallDisk | null,
    /** The destination of sinks. */
    readonly receiver: StoryReceiver,
  ) {}

  static async start(queue: TestQueue): Promise<FaultCloud> {
    const link = await AgentLink.open();
    const disk = await SmallDisk.mount().catch(() => null);
    const cloud = await TestCloud.start({
      queue,
      ownDatabase: true,
      ...(disk && { directory: disk.directory }),
      env: {
        NODE_UNREACHABLE_SECONDS: '6',
        // The next upgrade is possible as soon as a scenario requests it.
        UPGRADE_COOLDOWN_SECONDS: '1',
        AGENT_PUBLIC_URL: link.url,
        LOG_LEVEL: 'info',
        ALLOW_PRIVATE_DESTINATIONS: 'true',
      },
    });
    link.leadsTo(Number(cloud.supervisorEnv['GATEWAY_PORT']));
    const hurt = new FaultCloud(cloud, link, disk, await StoryReceiver.open());
    hurt.restartTimer = setInterval(() => {
      // `heal` reports an app that cannot be started.
      for (const app of hurt.apps) hurt.keepRunning(app).catch(() => undefined);
    }, LOOK_MS);
    return hurt;
  }

  private get apps(): AppProcess[] {
    return [this.cloud.mainApi, this.cloud.supervisor];
  }

  /** Removes the faults that an operator would remove, and waits until everything runs. */
  async heal(): Promise<void> {
    this.link.mend();
    await this.disk?.free();
    await Promise.all(this.apps.map((app) => this.keepRunning(app)));
  }

  /** Restarts a dead app until it runs, as the launcher does, regardless of the exit reason. */
  async keepRunning(app: AppProcess): Promise<void> {
    const starting = this.starting.get(app) ?? this.start(app).finally(() => this.starting.delete(app));
    this.starting.set(app, starting);
    await starting;
  }

  private async start(app: AppProcess): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!app.isRunning) {
      try {
        await app.start();
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await delay(RETRY_MS);
      }
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.restartTimer);
    await Promise.allSettled(this.starting.values());
    await this.cloud.stop();
    await this.link.close();
    await this.receiver.close();
    await this.disk?.unmount();
  }
}
