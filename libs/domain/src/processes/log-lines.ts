/** How much one process may write in a minute. */
export interface LogLimits {
  /** Bytes of warnings and errors. */
  alarmBytes: number;
  /** Bytes of all lines. A busy API writes a line for each change. */
  allBytes: number;
}

const LIMITS: LogLimits = { alarmBytes: 2 ** 20, allBytes: 32 * 2 ** 20 };
const MINUTE_MS = 60_000;
const TIME = /"time":"[^"]*",/;
/** One failure has several stacks: they also show what waited for it. */
const STACK = /"stack":"(?:[^"\\]|\\.)*",?/;

/** `alarm`: warnings and errors. `last`: why the process ends. */
export type LineKind = 'plain' | 'alarm' | 'last';

interface Repeat {
  line: string;
  count: number;
}

/**
 * The lines that a process writes. A fault that comes back in every pass of a loop must not fill the disk: an alarm that equals an
 * earlier one of the same minute, except for its time and its stack, is only counted, and written once at the end of the minute with `repeated`.
 * What is over the limits of a minute is left out, and its number is written. Lines are JSON objects with the member `time`, and end
 * with a line break.
 */
export class LogLines {
  private readonly repeats = new Map<string, Repeat>();
  private alarmBytes = 0;
  private allBytes = 0;
  private left = { lines: 0, bytes: 0 };
  private minute: NodeJS.Timeout | undefined;
  private minuteEndsAt = 0;

  /** `base`: the members of the line that tells what was left out, such as the level and the name of the process. */
  constructor(
    private readonly write: (line: string) => void,
    private readonly base: Readonly<Record<string, unknown>>,
    private readonly limits: LogLimits = LIMITS,
  ) {}

  add(kind: LineKind, line: string): void {
    if (performance.now() >= this.minuteEndsAt) this.begin();
    if (kind === 'last') return this.write(line);
    if (kind === 'alarm' && this.isRepeated(line)) return;
    const isOver =
      this.allBytes + line.length > this.limits.allBytes ||
      (kind === 'alarm' && this.alarmBytes + line.length > this.limits.alarmBytes);
    if (isOver) return this.leaveOut(line);
    this.allBytes += line.length;
    if (kind === 'alarm') this.alarmBytes += line.length;
    this.write(line);
  }

  /** Ends the minute: writes what was counted. */
  private begin(): void {
    clearTimeout(this.minute);
    this.minute = undefined;
    for (const { line, count } of this.repeats.values())
      if (count > 0) this.write(`${this.dated(line).trimEnd().slice(0, -1)},"repeated":${count}}\n`);
    if (this.left.lines > 0) {
      const msg = 'log lines were left out: the process wrote more than it may in a minute';
      this.write(`${JSON.stringify({ ...this.base, time: new Date().toISOString(), ...this.left, msg })}\n`);
    }
    this.repeats.clear();
    this.left = { lines: 0, bytes: 0 };
    this.alarmBytes = this.allBytes = 0;
    this.minuteEndsAt = performance.now() + MINUTE_MS;
  }

  private isRepeated(line: string): boolean {
    const key = line.replace(TIME, '').replace(STACK, '');
    const repeat = this.repeats.get(key);
    // Lines that were left out are not kept, so the limit of bytes also limits this map.
    if (repeat === undefined) {
      if (this.alarmBytes + line.length <= this.limits.alarmBytes) this.repeats.set(key, { line, count: 0 });
      return false;
    }
    repeat.count += 1;
    this.tellLater();
    return true;
  }

  private leaveOut(line: string): void {
    this.left.lines += 1;
    this.left.bytes += line.length;
    this.tellLater();
  }

  private tellLater(): void {
    this.minute ??= setTimeout(() => this.begin(), Math.max(0, this.minuteEndsAt - performance.now())).unref();
  }

  private dated(line: string): string {
    return line.replace(TIME, `"time":"${new Date().toISOString()}",`);
  }
}
