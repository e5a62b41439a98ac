import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { eventually, noteSkip } from '@libs/testing';
import type { CommandLine } from './command-line.js';

const LANDLORD = join(import.meta.dirname, '../../../dist/libs/launcher/src/main.js');
/** The program of util-linux, which gives a program a terminal. The one of macOS has other options. */
const HAS_TERMINAL = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;

/** A test of what a person sees in a terminal. */
export const itInTerminal: typeof it | typeof it.skip = HAS_TERMINAL ? it : skipped();

function skipped(): typeof it.skip {
  noteSkip('there is no script of util-linux', 'It gives a program a terminal');
  return it.skip;
}

/** A command in a terminal, and the person in front of the terminal. */
export class Terminal {
  private text = '';
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor(commandLine: CommandLine, words: readonly string[], env: Record<string, string> = {}) {
    const line = [process.execPath, LANDLORD, ...words].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
    this.child = spawn('script', ['-qec', line.join(' '), '/dev/null'], {
      cwd: commandLine.home,
      env: { PATH: process.env['PATH'], TERM: 'xterm', ...commandLine.environment, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
  }

  /** Everything that the person has seen. */
  get screen(): string {
    return this.text;
  }

  /** Waits until the person sees the text. */
  async shows(text: string | RegExp): Promise<void> {
    await eventually(`the terminal shows ${text}`, () =>
      Promise.resolve(typeof text === 'string' ? this.text.includes(text) : text.test(this.text)),
    );
  }

  type(keys: string): void {
    this.child.stdin?.write(keys);
  }
}
