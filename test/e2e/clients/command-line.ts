import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestCloud } from '@libs/testing';

const LANDLORD = join(import.meta.dirname, '../../../dist/libs/launcher/src/main.js');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The command line of one person: an own home, and no terminal. */
export class CommandLine {
  readonly home = mkdtempSync(join(tmpdir(), 'landlord-home-'));

  /** @param env The environment of all commands, in addition to PATH. */
  constructor(private readonly env: Record<string, string> = {}) {}

  /** Everything that a script for the cloud needs. */
  static for(cloud: TestCloud, more: Record<string, string> = {}): CommandLine {
    const { tenant_id } = cloud.installation;
    return new CommandLine({
      ...{ LANDLORD_URL: cloud.mainApi.url, LANDLORD_API_KEY: cloud.key, LANDLORD_TENANT_ID: String(tenant_id) },
      ...more,
    });
  }

  /** The environment of all commands, except for PATH. */
  get environment(): Record<string, string> {
    // A keyring belongs to the developer, not to the home of the test.
    return { HOME: this.home, LANDLORD_KEYRING: 'off', ...this.env };
  }

  /** How another program starts the words. */
  program(...words: string[]) {
    const { PATH = '' } = process.env;
    const env: Record<string, string> = { PATH, ...this.environment };
    return { command: process.execPath, args: [LANDLORD, ...words], cwd: this.home, env };
  }

  start(...words: string[]): ChildProcess & { ended: Promise<Ended> } {
    const { command, args, cwd, env } = this.program(...words);
    const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
    return Object.assign(child, { ended });
  }

  /** Runs the words without input. */
  run(...words: string[]): Promise<Ended> {
    const child = this.start(...words);
    child.stdin?.end();
    return child.ended;
  }

  /** The JSON that the words print. They must succeed. */
  async json<T = Record<string, unknown>>(...words: string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run(...words, '-o', 'json');
    if (code !== 0) throw new TypeError(`landlord ${words.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }
}
