import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Block } from '../../architecture/sources/blocks.js';
import { RunningLandlord } from '../launcher/running-landlord.fixture.js';

const ROOT = join(import.meta.dirname, '../../..');
/** A page that takes longer is stuck. Less than the time of a test, which then ends the session. */
const LONGEST_SESSION_MS = 120_000;

/** What a terminal shows at the end of a session, and its exit code. */
export interface Shown {
  code: number | null;
  output: string;
}

/** A reader of the documents: a folder with a checkout in which `npm start` runs, and a terminal in this folder. */
export class PastedSession {
  private readonly folder = mkdtempSync(join(tmpdir(), 'landlord-reader-'));
  private readonly checkout = join(this.folder, 'landlord');
  private landlord: RunningLandlord | null = null;

  static async open(): Promise<PastedSession> {
    const session = new PastedSession();
    session.checkOut();
    session.landlord = await RunningLandlord.start({
      dataDirectory: join(session.checkout, '.landlord'),
      // The broker of a new checkout, for which the pages are written.
      broker: 'embedded',
    });
    session.writeCurl();
    return session;
  }

  /** Pastes all blocks at once. The session ends at the first command that fails. */
  async paste(blocks: readonly Block[]): Promise<Shown> {
    const script = join(this.folder, 'session.sh');
    writeFileSync(script, blocks.map(({ text }) => text).join('\n'));
    const shell = spawn('bash', ['-ev', script], {
      cwd: this.checkout,
      env: { ...{ PATH: this.path, HOME: this.folder, LANDLORD_KEYRING: 'off' }, npm_config_update_notifier: 'false' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, which ends with the session: a page may start programs in the background.
      detached: true,
    });
    let output = '';
    for (const stream of [shell.stdout, shell.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const end = (): void => endGroup(shell.pid);
    const patience = setTimeout(end, LONGEST_SESSION_MS);
    const [code] = (await once(shell, 'exit')) as [number | null];
    clearTimeout(patience);
    end();
    return { code, output };
  }

  /** What is left in the installation when the page has ended. */
  async deployments(): Promise<unknown[]> {
    const { landlord } = this;
    const { body } = (await landlord?.main.get(`/tenants/${landlord.bootstrap.tenant_id}/deployments`)) ?? {};
    return (body as { items: unknown[] }).items;
  }

  async close(): Promise<void> {
    await this.landlord?.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }

  private get path(): string {
    return [join(this.folder, 'bin'), join(this.checkout, '.landlord/bin'), process.env['PATH'] ?? ''].join(delimiter);
  }

  private checkOut(): void {
    mkdirSync(this.checkout);
    const ofInstallation = ['.landlord', '.git'];
    for (const name of readdirSync(ROOT).filter((entry) => !ofInstallation.includes(entry)))
      symlinkSync(join(ROOT, name), join(this.checkout, name));
  }

  /** The pages name the default ports, which another test can have. This curl goes to the ports of this installation, and shows each status. */
  private writeCurl(): void {
    const { MAIN_API_PORT: main, SUPERVISOR_PORT: supervisor } = this.landlord?.environment ?? {};
    const curl = join(this.folder, 'bin/curl');
    mkdirSync(join(this.folder, 'bin'));
    const words = [
      String(programOf('curl')),
      `--connect-to localhost:3000:127.0.0.1:${main} --connect-to localhost:4000:127.0.0.1:${supervisor}`,
      `--write-out '%{stderr}\\n${STATUS}%{http_code} %{url_effective}\\n'`,
    ];
    writeFileSync(curl, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`);
    chmodSync(curl, 0o755);
  }
}

const STATUS = 'status of curl: ';

/** What went wrong although its command ended with 0: refused requests of curl, and operations that failed. */
export function failuresIn(output: string): string[] {
  const patterns = [new RegExp(`^${STATUS}(?:000|[45]\\d\\d) .*$`, 'gm'), /"status":"(?:failed|cancelled)".*/g];
  return patterns.flatMap((pattern) => [...output.matchAll(pattern)].map(([line]) => line));
}

/** The path of a program, or null. */
export function programOf(name: string): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // It is in another folder, or in none.
    }
  }
  return null;
}

function endGroup(pid: number | undefined): void {
  // Without a process, 0 would be the group of this test.
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // No process of the session is left.
  }
}
