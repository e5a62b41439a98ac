import { readRange, sizeOf } from './log-file.js';

const WARN = 40;
const READ_AT_MOST = 256 * 1024;

/**
 * Reads new output in the log of an app. Passes on the JSON lines of level warn and above in a readable format. All other lines
 * stay only in the file.
 */
export class LogFollower {
  private offset: number;
  private rest = '';

  constructor(
    private readonly path: string,
    private readonly show: (line: string) => void,
  ) {
    this.offset = sizeOf(path);
  }

  /** Continues where the last call ended. */
  read(): void {
    const size = sizeOf(this.path);
    // The log was rotated, so its whole content is new.
    if (size < this.offset) this.offset = 0;
    // Skips the older part of very long output, because the terminal shows the present.
    const start = Math.max(this.offset, size - READ_AT_MOST);
    const lines = (this.rest + readRange(this.path, start, size)).split('\n');
    this.offset = size;
    this.rest = (lines.pop() ?? '').slice(-READ_AT_MOST);
    for (const line of lines) {
      const readable = importantLine(line);
      if (readable !== null) this.show(readable);
    }
  }
}

interface LogLine {
  level?: unknown;
  msg?: unknown;
  err?: { message?: unknown };
}

function importantLine(line: string): string | null {
  const parsed = parseLine(line);
  if (typeof parsed?.level !== 'number' || parsed.level < WARN) return null;
  const message = typeof parsed.msg === 'string' ? parsed.msg : 'no message';
  return `${parsed.level > WARN ? 'error' : 'warning'}: ${message}${causeOf(parsed, message)}`;
}

function causeOf({ err }: LogLine, message: string): string {
  return typeof err?.message === 'string' && err.message !== message ? `: ${err.message}` : '';
}

function parseLine(line: string): LogLine | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return null;
  }
}
