import { LogLines, type LineKind } from '@libs/domain/processes';
import type { LoggerService } from '@nestjs/common';
import { pino, type Level, type Logger } from 'pino';

/** Bytes of lines that wait while the disk is full. */
const UNWRITTEN_LIMIT = 1024 * 1024;

export interface LogOptions {
  level: string;
  /** Name of the process. */
  app: string;
  /** A file instead of the standard output. */
  file?: string;
}

const WARN = 40;
const FATAL = 60;
/** Each line starts with `{"level":40,`. */
const LEVEL_AT = '{"level":'.length;

function kindOf(line: string): LineKind {
  const level = Number(line.slice(LEVEL_AT, LEVEL_AT + 2));
  if (level >= FATAL) return 'last';
  return level >= WARN ? 'alarm' : 'plain';
}

/**
 * pg adds the whole connection to the error of a connection: 4 KB, with the number of its process, so that no two are equal.
 * TypeORM adds the values of the statement, which can be secrets, and the error of pg once more.
 */
const UNSAID = { client: undefined, parameters: undefined, driverError: undefined };
const serialized = (error: Error): object => ({ ...pino.stdSerializers.err(error), ...UNSAID });

/** Makes Nest's loggers write one JSON line each: a constant message, and fields. */
export class PinoLogger implements LoggerService {
  private readonly logger: Logger;

  constructor(options: LogOptions) {
    const destination = pino.destination({ dest: options.file ?? 1, sync: true, maxLength: UNWRITTEN_LIMIT });
    // The disk is full, or no process reads the output. Lines wait and can be lost, but the process continues.
    destination.on('error', () => undefined);
    const { level, app } = options;
    const lines = new LogLines((line) => void destination.write(line), { level: WARN, app });
    const limited = { write: (line: string) => lines.add(kindOf(line), line) };
    const serializers = { err: serialized };
    this.logger = pino({ level, base: { app }, timestamp: pino.stdTimeFunctions.isoTime, serializers }, limited);
  }

  log(...parts: unknown[]): void {
    this.write('info', parts);
  }

  error(...parts: unknown[]): void {
    this.write('error', parts);
  }

  warn(...parts: unknown[]): void {
    this.write('warn', parts);
  }

  debug(...parts: unknown[]): void {
    this.write('debug', parts);
  }

  verbose(...parts: unknown[]): void {
    this.write('trace', parts);
  }

  fatal(...parts: unknown[]): void {
    this.write('fatal', parts);
  }

  /** Nest calls with (message, …, context); this project calls with (fields, message, context). */
  private write(level: Level, parts: unknown[]): void {
    const context = parts.length > 1 ? parts.at(-1) : undefined;
    const [first, second] = parts;
    if (typeof first === 'object' && first !== null) this.logger[level]({ ...fieldsOf(first), context }, text(second));
    else this.logger[level]({ context, ...(second instanceof Error && { err: second }) }, text(first));
  }
}

const fieldsOf = (part: object): object => (part instanceof Error ? { err: part } : part);
const text = (part: unknown): string => (typeof part === 'string' ? part : '');
