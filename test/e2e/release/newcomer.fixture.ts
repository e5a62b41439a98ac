import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { eventually, freePorts, killNodeProcesses, nextPortRange } from '@libs/testing';

/** Output and exit code of a command. */
export interface Said {
  code: number | null;
  output: string;
  stdout: string;
}

/** A person with an empty home directory, and an empty folder with the files that this person has downloaded. */
export class Newcomer {
  readonly home = mkdtempSync(join(tmpdir(), 'landlord-newcomer-'));
  readonly folder = join(this.home, 'work');
  readonly cache = join(this.home, '.npm');
  private readonly commands: Running[] = [];

  private constructor(private readonly settings: Record<string, string>) {
    mkdirSync(this.folder);
    mkdirSync(this.cache);
    // The packages that npm has downloaded for this checkout. What npx's cache gets is this person's own.
    const downloads = join(process.env['npm_config_cache'] ?? join(homedir(), '.npm'), '_cacache');
    if (existsSync(downloads)) symlinkSync(downloads, join(this.cache, '_cacache'));
  }

  static async arrive(...downloads: string[]): Promise<Newcomer> {
    const [main, supervisor, gateway] = await freePorts(3);
    const newcomer = new Newcomer({
      ...{ MAIN_API_PORT: String(main), SUPERVISOR_PORT: String(supervisor), GATEWAY_PORT: String(gateway) },
      LOCAL_PORT_RANGE: nextPortRange(),
    });
    for (const path of downloads) copyFileSync(path, join(newcomer.folder, basename(path)));
    return newcomer;
  }

  /** A person who has installed these npm packages, without their scripts. */
  static async withPackages(...files: string[]): Promise<Newcomer> {
    const newcomer = await Newcomer.arrive(...files);
    await newcomer.succeeds(['npm', 'init', '--yes']);
    const names = files.map((path) => newcomer.named(path));
    await newcomer.succeeds(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', ...names]);
    return newcomer;
  }

  get dataDir(): string {
    return join(this.home, '.landlord');
  }

  /** The name of the installation that this person has started. */
  get installation(): string {
    return readFileSync(join(this.dataDir, 'installation'), 'utf8').trim();
  }

  /** The port of the main API. */
  get port(): number {
    return Number(this.settings['MAIN_API_PORT']);
  }

  /** The environment of each command of this person. */
  get environment(): Record<string, string> {
    return {
      ...{ PATH: process.env['PATH'] ?? '', HOME: this.home, npm_config_prefer_offline: 'true' },
      ...{ npm_config_update_notifier: 'false', ...this.settings },
    };
  }

  /** Starts a command in the folder, in a group of processes like a command in a terminal. */
  start(words: readonly string[], env: Record<string, string> = {}): Running {
    const [program = '', ...args] = words;
    const child = spawn(program, args, {
      cwd: this.folder,
      env: { ...this.environment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const command = new Running(child);
    this.commands.push(command);
    return command;
  }

  run(words: readonly string[], env: Record<string, string> = {}): Promise<Said> {
    return this.start(words, env).ended;
  }

  /** Runs a command that must succeed. Returns its standard output. */
  async succeeds(words: readonly string[], env: Record<string, string> = {}): Promise<string> {
    const { code, output, stdout } = await this.run(words, env);
    expect([`${words.join(' ')}\n${output}`, code]).toEqual([`${words.join(' ')}\n${output}`, 0]);
    return stdout;
  }

  /** Starts Landlord, until it says how to stop it. */
  async startsLandlord(words: readonly string[], env: Record<string, string> = {}): Promise<Running> {
    const landlord = this.start(words, env);
    await eventually(
      () => `Landlord starts: ${landlord.output}`,
      () => landlord.output.includes('Press Ctrl-C') || landlord.hasEnded,
    );
    expect(landlord.output).toContain('Press Ctrl-C');
    return landlord;
  }

  /** What an npm package that was downloaded is called in a command of this person. */
  named(path: string): string {
    return `./${basename(path)}`;
  }

  /** The files in the home directory, without those of npm. */
  get belongings(): string[] {
    return readdirSync(this.home)
      .filter((name) => name !== basename(this.cache))
      .sort();
  }

  async leave(): Promise<void> {
    // Landlord stops its apps and PostgreSQL itself.
    await Promise.all(this.commands.filter(({ hasEnded }) => !hasEnded).map((command) => command.pressCtrlC()));
    if (existsSync(join(this.dataDir, 'installation'))) await killNodeProcesses(this.installation);
    rmSync(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** A command that runs. */
export class Running {
  output = '';
  readonly ended: Promise<Said>;
  private stdout = '';

  constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
      this.stdout += chunk.toString();
    });
    child.stderr?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = once(child, 'close').then(([code]) => ({
      ...{ code: code as number | null, output: this.output, stdout: this.stdout },
    }));
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Ctrl-C in the terminal of the command: all processes of its group get the signal. */
  async pressCtrlC(): Promise<Said> {
    process.kill(-(this.child.pid ?? 0), 'SIGINT');
    return this.ended;
  }
}
