import { writeSync } from 'node:fs';
import { LogLines, type LineKind } from '@libs/domain/processes';

export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** JSON lines on standard output: a constant message and fields. The processes of a node use it as their logger. */
export class JsonLog {
  private readonly lines: LogLines;

  constructor(private readonly base: LogFields) {
    this.lines = new LogLines(writeLine, { level: 'warn', ...base });
  }

  info(msg: string, fields: LogFields = {}): void {
    this.write('plain', 'info', msg, fields);
  }

  warn(msg: string, fields: LogFields = {}): void {
    this.write('alarm', 'warn', msg, fields);
  }

  error(msg: string, fields: LogFields = {}): void {
    this.write('alarm', 'error', msg, fields);
  }

  private write(kind: LineKind, level: string, msg: string, fields: LogFields): void {
    const line = JSON.stringify({ level, time: new Date().toISOString(), ...this.base, ...fields, msg });
    this.lines.add(kind, `${line}\n`);
  }
}

function writeLine(line: string): void {
  try {
    writeSync(1, line);
  } catch {
    // The disk is full, or no process reads the output. Loses the line instead of the process.
  }
}

/** The message of a thrown value, for a log field or `last_error`. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
