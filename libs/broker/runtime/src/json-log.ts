import { writeSync } from 'node:fs';

export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** JSON lines on standard output: a constant message and fields. The processes of a node use it as their logger. */
export class JsonLog {
  constructor(private readonly base: LogFields) {}

  info(msg: string, fields: LogFields = {}): void {
    this.write('info', msg, fields);
  }

  warn(msg: string, fields: LogFields = {}): void {
    this.write('warn', msg, fields);
  }

  error(msg: string, fields: LogFields = {}): void {
    this.write('error', msg, fields);
  }

  private write(level: string, msg: string, fields: LogFields): void {
    const line = JSON.stringify({ level, time: new Date().toISOString(), ...this.base, ...fields, msg });
    try {
      writeSync(1, `${line}\n`);
    } catch {
      // The disk is full, or no process reads the output. Loses the line instead of the process.
    }
  }
}

/** The message of a thrown value, for a log field or `last_error`. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
