import { basename } from 'node:path';
import type { LogLine, LogRuntime } from '@libs/domain';
import { LOG_LIMITS } from '@libs/domain/agent-protocol';
import { readLogFile, type LogPosition } from './log-file.js';
import { LogParser } from './log-line.js';
import type { LogRedaction } from './log-redaction.js';
import type { ServerClock } from '../gateway/server-clock.js';

export interface LogSource {
  runtime: LogRuntime;
  path: string;
}

/** Lines, and the cursor after them. */
export interface ReadLines {
  lines: LogLine[];
  cursor: string;
}

/** The sustained rate and the burst of log lines of a node. */
const LINES_A_SECOND = 50;
const LINES_AT_ONCE = 5_000;

/**
 * Reads the output of the node's processes after a cursor. Lines above the rate are dropped, counted, and reported in a line.
 * Lines that do not fit into a batch stay unread.
 */
export class LogReader {
  private positions: Record<string, LogPosition> = {};
  private readonly parsers = new Map<string, LogParser>();
  private tokens = LINES_AT_ONCE;
  private filledAtMs = Date.now();

  constructor(
    private readonly sources: () => readonly LogSource[],
    private readonly redaction: LogRedaction,
    private readonly clock: ServerClock,
  ) {}

  /** Continues at the cursor. An unreadable cursor starts from the beginning. */
  seek(cursor: string): void {
    this.positions = positionsIn(cursor);
  }

  get cursor(): string {
    return JSON.stringify(this.positions);
  }

  /** The next lines, at most one batch. Empty when there is no new output. */
  async next(): Promise<ReadLines> {
    this.refill();
    const lines: LogLine[] = [];
    const budget = { lines: 0, bytes: 0 };
    for (const source of this.sources()) await this.readSource(source, lines, budget);
    if (budget.lines > 0 || budget.bytes > 0) lines.push(this.drops(budget));
    return { lines, cursor: this.cursor };
  }

  private async readSource({ runtime, path }: LogSource, lines: LogLine[], budget: { lines: number; bytes: number }) {
    const name = basename(path);
    const chunk = await readLogFile(path, this.positions[name] ?? null);
    budget.bytes += chunk.skippedBytes;
    const parser = this.parsers.get(name) ?? new LogParser();
    this.parsers.set(name, parser);
    for (const { text, position } of chunk.lines) {
      // Reserves space for the line that reports dropped lines.
      if (this.tokens >= 1 && lines.length >= LOG_LIMITS.lines - 1) return;
      this.positions[name] = position;
      if (text.trim() === '') continue;
      if (this.tokens < 1) budget.lines += 1;
      else lines.push(this.toLine(runtime, parser, text));
      this.tokens -= this.tokens < 1 ? 0 : 1;
    }
  }

  private toLine(runtime: LogRuntime, parser: LogParser, text: string): LogLine {
    // Redacts before the line is cut, because half of a secret is still secret.
    const { level, at, message } = parser.parse(this.redaction.redact(text));
    return { runtime, level, at: this.atServer(at ?? Date.now()), message };
  }

  private drops({ lines, bytes }: { lines: number; bytes: number }): LogLine {
    const what = [...(lines > 0 ? [`${lines} lines`] : []), ...(bytes > 0 ? [`${bytes} bytes`] : [])].join(' and ');
    const message = `${what} of the log were dropped: a node can send ${LINES_A_SECOND} lines a second`;
    return { runtime: 'agent', level: 'warn', at: this.atServer(Date.now()), message };
  }

  private atServer(ms: number): number {
    return Math.max(0, Math.round(ms + this.clock.offsetMs));
  }

  private refill(): void {
    const now = Date.now();
    this.tokens = Math.min(LINES_AT_ONCE, this.tokens + (Math.max(0, now - this.filledAtMs) / 1000) * LINES_A_SECOND);
    this.filledAtMs = now;
  }
}

function positionsIn(cursor: string): Record<string, LogPosition> {
  try {
    const entries = Object.entries(JSON.parse(cursor) as Record<string, unknown>);
    return Object.fromEntries(entries.filter((entry): entry is [string, LogPosition] => isPosition(entry[1])));
  } catch {
    return {};
  }
}

const isPosition = (value: unknown): value is LogPosition =>
  Array.isArray(value) && value.length === 2 && value.every((part) => Number.isSafeInteger(part) && part >= 0);
