import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@libs/testing';
import xterm from '@xterm/headless';
import type { CommandLine } from './command-line.js';

/** The program of util-linux that runs a command in a pseudo-terminal. macOS has another one with the same name. */
export const HAS_SCRIPT = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '');

export interface WindowSize {
  columns: number;
  rows: number;
}

const USUAL: WindowSize = { columns: 100, rows: 30 };
const ENDED = /ended with (\d+):/;
let started = 0;

/** A command in a pseudo-terminal, and the screen that a person sees, as an emulator of terminals by another project draws it. */
export class PseudoTerminal {
  private readonly screen: xterm.Terminal;
  /** Files of this terminal: its name, and what the shell writes after the command. */
  private readonly files: { tty: string; after: string };
  private readonly child: ChildProcess;
  readonly ended: Promise<void>;
  /** Everything that was written, with its escape sequences. */
  written = '';

  /** After the command, the shell writes its exit code and the settings of the terminal on the screen. */
  constructor(
    private readonly person: CommandLine,
    shell: string,
    { columns, rows }: WindowSize,
    env: Record<string, string> = {},
  ) {
    started += 1;
    this.files = { tty: `tty-${started}.txt`, after: `after-${started}.txt` };
    this.screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    const size = `stty rows ${rows} cols ${columns}; tty > ${this.files.tty}`;
    const settings = 'echo "ended with $?:" $(stty -a | grep -oE -- "-?(icanon|echo) ")';
    const after = `${settings} > ${this.files.after}; cat ${this.files.after}`;
    this.child = spawn('script', ['-qec', `${size}; ${shell}; ${after}`, '/dev/null'], {
      ...{
        cwd: person.home,
        env: { ...person.program().env, TERM: 'xterm-256color', ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    });
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.written += chunk.toString();
      this.screen.write(chunk);
    });
    this.ended = new Promise((resolve) => this.child.once('close', () => resolve()));
  }

  static landlord(
    person: CommandLine,
    words: readonly string[],
    { size = USUAL, env = {} }: { size?: WindowSize; env?: Record<string, string> } = {},
  ): PseudoTerminal {
    const { command, args } = person.program(...words);
    const quoted = [command, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
    return new PseudoTerminal(person, quoted.join(' '), size, env);
  }

  type(text: string): void {
    this.child.stdin?.write(text);
  }

  /** Presses and releases the left button. The columns and rows begin with 0. */
  click(column: number, row: number): void {
    this.type(`\u001b[<0;${column + 1};${row + 1}M\u001b[<0;${column + 1};${row + 1}m`);
  }

  resize({ columns, rows }: WindowSize): void {
    const terminal = readFileSync(join(this.person.home, this.files.tty), 'utf8').trim();
    this.screen.resize(columns, rows);
    spawnSync('stty', ['-F', terminal, 'rows', String(rows), 'cols', String(columns)]);
  }

  /** The processes of Node in the terminal. Null: none yet. */
  processes(): number[] | null {
    const terminal = readFileSync(join(this.person.home, this.files.tty), 'utf8').trim().replace('/dev/', '');
    const { stdout } = spawnSync('ps', ['-t', terminal, '-o', 'pid=,comm='], { encoding: 'utf8' });
    const found = [...stdout.matchAll(/^ *(\d+) node/gm)].map(([, pid]) => Number(pid));
    return found.length > 0 ? found : null;
  }

  /** The rows of the screen. */
  get rows(): string[] {
    const { active } = this.screen.buffer;
    return Array.from(
      { length: this.screen.rows },
      (_one, at) => active.getLine(active.baseY + at)?.translateToString(true) ?? '',
    );
  }

  get text(): string {
    return this.rows.join('\n');
  }

  /** The text of the cells that are shown inverse in the row. */
  inverse(row: number): string {
    const { active } = this.screen.buffer;
    const line = active.getLine(active.baseY + row);
    const cells = Array.from({ length: this.screen.cols }, (_one, at) => line?.getCell(at));
    return cells
      .map((cell) => (cell?.isInverse() && cell.getWidth() > 0 ? cell.getChars() || ' ' : ''))
      .join('')
      .trim();
  }

  get isAlternate(): boolean {
    return this.screen.buffer.active.type === 'alternate';
  }

  get mouse(): string {
    return this.screen.modes.mouseTrackingMode;
  }

  /** Waits until the screen shows the text. */
  async shows(text: string | RegExp): Promise<void> {
    const isShown = (): boolean => (typeof text === 'string' ? this.text.includes(text) : text.test(this.text));
    await eventually(`the screen shows ${text}`, async () => isShown()).catch((error: unknown) => {
      throw new TypeError(`${(error as Error).message}\n${this.text}`);
    });
  }

  /** The exit code of the command, and the settings of the terminal after it. */
  async after(): Promise<string> {
    const file = join(this.person.home, this.files.after);
    await eventually(
      'the command has ended',
      async () => existsSync(file) && readFileSync(file, 'utf8').includes('\n'),
    );
    await this.ended;
    // The emulator reads what was written asynchronously.
    await new Promise<void>((resolve) => this.screen.write('', resolve));
    return readFileSync(file, 'utf8').trim();
  }

  /** The exit code of the command. */
  async exitCode(): Promise<number> {
    return Number(ENDED.exec(await this.after())?.[1]);
  }

  end(): void {
    this.child.kill('SIGKILL');
  }
}
