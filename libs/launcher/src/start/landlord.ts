import { join } from 'node:path';
import { checkNodePorts, requireDataDirectory, requireListeners, StartRefused } from '@libs/domain/starts';
import { checkDatabaseOfOwner, type Installation } from '@libs/persistence/migrations';
import { checkQueue } from '@libs/queue/setup';
import type { LauncherConfig } from '../config.js';
import { ensureBootstrapFile } from '../files/bootstrap-file.js';
import { ensureCommandFile } from '../files/command-file.js';
import { FileLock, rotateLog, readFileIfAnySync, writePrivateFileSync, endProcesses } from '@libs/host/os';
import { tryLauncherLock } from '../files/launcher-lock.js';
import { findSecretKeys, type SecretKeys } from '../files/secret-keys.js';
import { holderOf } from '../processes/port-holder.js';
import { appFlag, findAgents, findApps, findNodeProcesses } from '../processes/installation-processes.js';
import { APP_NAMES, appEntry, type AppName } from './app-entries.js';
import { checkBrokerPrograms } from './check-broker-programs.js';
import { DatabaseWatchdog } from './database-watchdog.js';
import { firstSignInLink } from './first-sign-in-link.js';
import { greeting } from './greeting.js';
import { LocalMachine } from './local-machine.js';
import { prepareSchema } from './prepare-schema.js';
import { requireKeys } from './require-keys.js';
import { SupervisedApp } from './supervised-app.js';
import type { Terminal } from './terminal.js';
import { Upkeep } from './upkeep.js';

const GRACE_MS = 10_000;
const READY_MS = 180_000;
const TEND_MS = 1_000;
const POSTGRES_LOG_LIMIT_BYTES = 32 * 1024 * 1024;

/**
 * Everything that one `landlord start` runs: the database and both apps. Each part is restarted when it dies. After a crash of
 * the launcher the next start finds the remaining parts (by lock file, data directory and app flags) and takes over.
 */
export class Landlord {
  private readonly database: DatabaseWatchdog;
  private readonly machine: LocalMachine;
  private readonly upkeep: Upkeep;
  private readonly apps: SupervisedApp[] = [];
  private lock: FileLock | null = null;
  private keys: SecretKeys | null = null;
  private installation: string | null = null;
  private tending: NodeJS.Timeout | null = null;
  /** Signs the first owner in. Null when this start offers none. */
  private link: string | null = null;

  constructor(
    private readonly config: LauncherConfig,
    private readonly terminal: Terminal,
  ) {
    this.database = new DatabaseWatchdog(config, terminal, () => this.renewApps());
    this.machine = new LocalMachine(config.dataDir, terminal);
    this.upkeep = new Upkeep(terminal);
  }

  /** Resolves when both apps are ready. After an abort of `cancel`, resolves when the current step ends. */
  async start(cancel: AbortSignal): Promise<void> {
    const entries = APP_NAMES.map((name) => ({ name, entry: appEntry(name) }));
    this.enterDataDirectory();
    await this.stopEarlierApps(this.notedInstallation());
    await this.checkListeners();
    await checkBrokerPrograms(this.config);
    const installation = await this.prepareDatabase(cancel);
    if (cancel.aborted) return;
    const bootstrap = ensureBootstrapFile(this.config, installation);
    const file = ensureCommandFile(this.config.dataDir);
    const command = this.config.command ?? file;
    await this.stopEarlierApps(installation.installation);
    for (const { name, entry } of entries) this.apps.push(this.app(name, entry, installation));
    for (const app of this.apps) app.start();
    this.tending = setInterval(() => this.tend(), TEND_MS);
    await Promise.all(this.apps.map((app) => app.whenReady(READY_MS, cancel)));
    if (!cancel.aborted)
      this.terminal.say(greeting(this.config, { bootstrap, installation, link: this.link, command }));
  }

  /**
   * Stops in order: apps, the machine agent, node agents, brokers, database. Leaves no process running, and never hangs. `hurry` ends every grace
   * period. Continues when one part cannot be stopped, and throws the first such failure at the end.
   */
  async stop(hurry: AbortSignal): Promise<void> {
    if (!this.lock) return;
    if (this.tending) clearInterval(this.tending);
    // The disk may be broken, and the processes must be found anyway.
    const installation = this.installation ?? this.notedInstallation();
    const failures: unknown[] = [];
    const attempt = (step: Promise<unknown>): Promise<unknown> => step.catch((error: unknown) => failures.push(error));
    const options = { graceMs: GRACE_MS, hurry };
    await attempt(Promise.all(this.apps.map((app) => app.stop(GRACE_MS, hurry))));
    await attempt(this.machine.stop(GRACE_MS, hurry));
    if (installation !== null) {
      await attempt(endProcesses(() => findApps(installation), options));
      await attempt(endProcesses(() => findAgents(installation), options));
      await attempt(endProcesses(() => findNodeProcesses(installation), options));
    }
    await attempt(this.database.stop(hurry));
    this.keys?.forget();
    this.lock.release();
    if (failures.length > 0) throw failures[0];
  }

  private enterDataDirectory(): void {
    const lock = tryLauncherLock(this.config.dataDir);
    if (!(lock instanceof FileLock)) {
      throw StartRefused.because('data_directory_in_use', { path: this.config.dataDir, pid: String(lock.heldBy) });
    }
    this.lock = lock;
    requireDataDirectory(join(this.config.dataDir, 'logs'));
  }

  private async checkListeners(): Promise<void> {
    const { listeners, localPorts, nodeAddress, queueUrl } = this.config;
    // Systems differ in whether a listener on all addresses conflicts with one on a single address, so this checks each.
    const hosts = [undefined, '0.0.0.0'];
    const everywhere = listeners.flatMap((one) => hosts.map((host) => ({ ...one, host })));
    await requireListeners([...listeners, ...everywhere], holderOf);
    const warnings = [await checkNodePorts(localPorts, nodeAddress), await checkQueue(queueUrl)];
    for (const warning of warnings) if (warning !== null) this.terminal.complain(warning);
  }

  /** Stops apps of a killed launcher. They use the ports and would do the same work twice. */
  private async stopEarlierApps(installation: string | null): Promise<void> {
    if (installation === null || (await findApps(installation)).length === 0) return;
    this.terminal.say('Stopping apps of an earlier start.');
    await endProcesses(() => findApps(installation), { graceMs: GRACE_MS });
  }

  private async prepareDatabase(cancel: AbortSignal): Promise<Installation> {
    // Finds damaged keys before the database starts.
    findSecretKeys(this.config)?.forget();
    const url = await this.database.start();
    cancel.throwIfAborted();
    const warn = (text: string): void => this.terminal.complain(text);
    const { hasInstallation, warnings } = await checkDatabaseOfOwner(url);
    warnings.forEach(warn);
    this.keys = await requireKeys(this.config, { url, hasInstallation }, warn);
    const { bootstrapApiKey } = this.config;
    const installation = await prepareSchema(url, {
      roleKey: this.keys.roleKey,
      ...(bootstrapApiKey === null ? {} : { bootstrapApiKey }),
    });
    this.installation = installation.installation;
    writePrivateFileSync(this.installationPath(), `${installation.installation}\n`);
    this.link = await firstSignInLink(this.config, url);
    return installation;
  }

  private app(name: AppName, entry: string, installation: Installation): SupervisedApp {
    const isMain = name === 'main-api';
    const roleUrl = isMain ? installation.role_urls.main_api : installation.role_urls.supervisor;
    const { port } = isMain ? this.config.mainApi : this.config.supervisor;
    return new SupervisedApp(
      {
        name,
        entry,
        args: [appFlag(installation.installation)],
        environment: () => this.appEnvironment(this.database.current(roleUrl)),
        readyUrl: `${this.config.isTls ? 'https' : 'http'}://127.0.0.1:${port}/health/ready`,
        log: join(this.config.dataDir, 'logs', `${name}.log`),
      },
      this.terminal,
    );
  }

  private appEnvironment(databaseUrl: string): Record<string, string> {
    return {
      NODE_ENV: 'production',
      ...this.config.inherited,
      LANDLORD_DATA_DIR: this.config.dataDir,
      DATABASE_URL: databaseUrl,
      MAIN_API_PORT: String(this.config.mainApi.port),
      SUPERVISOR_PORT: String(this.config.supervisor.port),
      GATEWAY_PORT: String(this.config.gatewayPort),
      LANDLORD_SECRET_KEYS_FILE: this.keys?.file ?? '',
    };
  }

  private tend(): void {
    this.upkeep.run('the database', () => this.database.tend());
    for (const app of this.apps) app.tend();
    this.upkeep.run('the agent of this machine', () => this.machine.tend());
    const log = join(this.config.dataDir, 'logs', 'postgres.log');
    this.upkeep.run('the log of PostgreSQL', () => rotateLog(log, POSTGRES_LOG_LIMIT_BYTES));
  }

  private renewApps(): void {
    for (const app of this.apps) void app.renew(GRACE_MS);
  }

  private notedInstallation(): string | null {
    return readFileIfAnySync(this.installationPath());
  }

  private installationPath(): string {
    return join(this.config.dataDir, 'installation');
  }
}
