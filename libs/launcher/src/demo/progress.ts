import type { Terminal } from '../start/terminal.js';

const CLEAR_LINE = '\r\u001b[K';
const STEP_COLUMNS = 32;

/** The output of the demo while it works. Moves the cursor only on a terminal. Otherwise it prints only complete lines. */
export class Progress {
  private readonly parts: { name: string; ms: number }[] = [];
  private hasLiveLine = false;

  constructor(
    private readonly terminal: Terminal,
    /** Writes without a line break. Null when the output is not a terminal. */
    private readonly live: ((text: string) => void) | null,
  ) {}

  /** A heading. */
  title(text: string): void {
    this.say(`\n${text}`);
  }

  /** A name and a value. */
  fact(name: string, value: string): void {
    this.say(`   ${name.padEnd(10)} ${value}`);
  }

  note(text: string): void {
    this.say(`   ${text}`);
  }

  /** A step that has ended. */
  step(name: string, ms: number, remark = ''): void {
    this.say(`   ${name.padEnd(STEP_COLUMNS)} ${seconds(ms)}${remark && `   ${remark}`}`);
  }

  /** A running step: one line that the next output overwrites. */
  underWay(name: string, ms: number, remark: string | null): void {
    if (!this.live) return;
    this.hasLiveLine = true;
    this.live(`${CLEAR_LINE}   ${name.padEnd(STEP_COLUMNS)} ${seconds(ms)}   ${remark ?? '…'}`);
  }

  /** Runs a part and records its time for the table at the end. */
  async timed<T>(name: string, part: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await part();
    this.parts.push({ name, ms: performance.now() - began });
    return result;
  }

  /** The time of each part, and the total. */
  table(): void {
    const total = this.parts.reduce((sum, { ms }) => sum + ms, 0);
    this.title('Time');
    for (const { name, ms } of [...this.parts, { name: 'total', ms: total }]) this.step(name, ms);
  }

  complain(text: string): void {
    this.endLiveLine();
    this.terminal.complain(text);
  }

  /** Clears the line of the running step before other output. */
  endLiveLine(): void {
    if (this.hasLiveLine) this.live?.(CLEAR_LINE);
    this.hasLiveLine = false;
  }

  private say(line: string): void {
    this.endLiveLine();
    this.terminal.say(line);
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2).padStart(6)} s`;
