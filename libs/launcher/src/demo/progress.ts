import type { Terminal } from '../start/terminal.js';

const CLEAR_LINE = '\r\u001b[K';
const STEP_COLUMNS = 32;

/** What the demo shows while it works. Moves the cursor only on a real terminal; elsewhere everything is a line. */
export class Progress {
  private readonly parts: { name: string; ms: number }[] = [];
  private hasLiveLine = false;

  constructor(
    private readonly terminal: Terminal,
    /** Writes without a line break; null where the output is no terminal. */
    private readonly live: ((text: string) => void) | null,
  ) {}

  /** A heading. */
  title(text: string): void {
    this.say(`\n${text}`);
  }

  /** Something that is so. */
  fact(name: string, value: string): void {
    this.say(`   ${name.padEnd(10)} ${value}`);
  }

  note(text: string): void {
    this.say(`   ${text}`);
  }

  /** A step that is over. */
  step(name: string, ms: number, remark = ''): void {
    this.say(`   ${name.padEnd(STEP_COLUMNS)} ${seconds(ms)}${remark && `   ${remark}`}`);
  }

  /** A step that is under way: one line that is written over by whatever is said next. */
  underWay(name: string, ms: number, remark: string | null): void {
    if (!this.live) return;
    this.hasLiveLine = true;
    this.live(`${CLEAR_LINE}   ${name.padEnd(STEP_COLUMNS)} ${seconds(ms)}   ${remark ?? '…'}`);
  }

  /** Does a part of the whole and keeps its time for the table at the end. */
  async timed<T>(name: string, part: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await part();
    this.parts.push({ name, ms: performance.now() - began });
    return result;
  }

  /** The time of each part, and of all. */
  table(): void {
    const total = this.parts.reduce((sum, { ms }) => sum + ms, 0);
    this.title('Time');
    for (const { name, ms } of [...this.parts, { name: 'total', ms: total }]) this.step(name, ms);
  }

  complain(text: string): void {
    this.endLiveLine();
    this.terminal.complain(text);
  }

  /** Takes away the line of the step under way, for whoever writes next. */
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
