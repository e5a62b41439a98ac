import { join } from 'node:path';
import { checkNodePorts, requireDataDirectory } from '@libs/domain/starts';
import { checkDatabaseOfOwner, type Installation } from '@libs/persistence/migrations';
import { checkQueue } from '@libs/queue/setup';
import type { LauncherConfig } from '../config.js';
import { ensureBootstrapFile } from '../files/bootstrap-file.js';
import { ensureCommandFile } from '../files/command-file.js';
import { FileLock, rotateLog, readFileIfAnySync, writePrivateFileSync, endProcesses } from '@libs/host/os';
import { inUse, refuseBesideUpgrade, tryLauncherLock, type LauncherNote } from '../files/launcher-lock.js';
import { ProgramCopies } from '../files/program-copies.js';
import { lookUpSecretKeys, type SecretKeys } from '../files/secret-keys.js';
import { appFlag, findAgents, findApps, findNodeProcesses } from '../processes/installation-processes.js';
import { APP_NAMES, appEntry, type AppName } from './app-entries.js';
import { checkBrokerPrograms } from './check-broker-programs.js';
import { checkListeners } from './check-listeners.js';
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
 * the launcher the next start finds the remaining parts (by lock file, data directory and app flags) and takes over. An `upgrade`
 * finds them in the same way after this launcher has left them.
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
  /** Null until the apps are ready. A start that fails keeps the copy of the release before. */
  private copies: ProgramCopies | null = null;

  /** `note`: what other launchers may know. Without it, this launcher hands nothing over. */
  constructor(
    private readonly config: LauncherConfig,
    private readonly terminal: Terminal,
    private readonly note?: LauncherNote,
  ) {
    this.database = new DatabaseWatchdog(config, terminal, () => this.renewApps());
    this.machine = new LocalMachine(config.dataDir, terminal);
    this.upkeep = new Upkeep(terminal);
  }

  /** Whether the processes of the data directory are those of this launcher: from the start of its work until a stop. */
  get isInCharge(): boolean {
    return this.lock !== null;
  }

  /** Resolves when both apps are ready. After an abort of `cancel`, resolves when the current step ends. */
  async start(cancel: AbortSignal): Promise<void> {
    const entries = APP_NAMES.map((name) => ({ name, entry: appEntry(name) }));
    this.enterDataDirectory();
    await this.stopEarlierApps(this.notedInstallation());
    await checkListeners(this.config);
    await this.warn();
    await checkBrokerPrograms(this.config);
    const installation = await this.prepareDatabase(cancel);
    if (cancel.aborted) return;
    const bootstrap = ensureBootstrapFile(this.config, installation);
    await this.stopEarlierApps(installation.installation);
    for (const { name, entry } of entries) this.apps.push(this.app(name, entry, installation));
    for (const app of this.apps) app.start();
    this.tending = setInterval(() => this.tend(), TEND_MS);
    await Promise.all(this.apps.map((app) => app.whenReady(READY_MS, cancel)));
    if (cancel.aborted) return;
    // Until now, the file starts the release before.
    const file = ensureCommandFile(this.config.dataDir);
    const command = this.config.command ?? file;
    this.copies = new ProgramCopies(this.config.dataDir, this.terminal);
    this.terminal.say(greeting(this.config, { bootstrap, installation, link: this.link, command }));
  }

  /**
   * Stops in order: apps, the machine agent, node agents, brokers, database. Leaves no process running, and never hangs. `hurry` ends every grace
   * period. Continues when one part cannot be stopped, and throws the first such failure at the end.
   */
  async stop(hurry: AbortSignal): Promise<void> {
    if (!this.lock) return;
    // The disk may be broken, and the processes must be found anyway.
    const installation = this.installation ?? this.notedInstallation();
    const endAll = async (find: (name: string) => Promise<number[]>): Promise<void> => {
      if (installation !== null) await endProcesses(() => find(installation), { graceMs: GRACE_MS, hurry });
    };
    await this.end(hurry, [
      () => this.machine.stop(GRACE_MS, hurry),
      () => endAll(findApps),
      () => endAll(findAgents),
      () => endAll(findNodeProcesses),
      () => this.database.stop(hurry),
    ]);
  }

  /** Stops the apps only. The next launcher finds the agents, the brokers and the database as they run. */
  async leave(hurry: AbortSignal): Promise<void> {
    if (!this.lock) return;
    this.machine.leave();
    await this.end(hurry, [() => this.database.leave()]);
  }

  private async end(hurry: AbortSignal, steps: (() => Promise<void>)[]): Promise<void> {
    if (this.tending) clearInterval(this.tending);
    const failures: unknown[] = [];
    const stopApps = (): Promise<unknown> => Promise.all(this.apps.map((app) => app.stop(GRACE_MS, hurry)));
    for (const step of [stopApps, ...steps]) await step().catch((error: unknown) => failures.push(error));
    this.keys?.forget();
    this.lock?.release();
    this.lock = null;
    if (failures.length > 0) throw failures[0];
  }

  private enterDataDirectory(): void {
    refuseBesideUpgrade(this.config.dataDir);
    const lock = tryLauncherLock(this.config.dataDir, this.note);
    if (!(lock instanceof FileLock)) throw inUse(this.config.dataDir, lock);
    this.lock = lock;
    requireDataDirectory(join(this.config.dataDir, 'logs'));
  }

  private async warn(): Promise<void> {
    const { localPorts, nodeAddress, queueUrl } = this.config;
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
    lookUpSecretKeys(this.config);
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
    this.copies?.tend();
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
