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

  log(...said: unknown[]): void {
    this.write('info', said);
  }

  error(...said: unknown[]): void {
    this.write('error', said);
  }

  warn(...said: unknown[]): void {
    this.write('warn', said);
  }

  debug(...said: unknown[]): void {
    this.write('debug', said);
  }

  verbose(...said: unknown[]): void {
    this.write('trace', said);
  }

  fatal(...said: unknown[]): void {
    this.write('fatal', said);
  }

  /** Nest calls with (message, …, context); this project calls with (fields, message, context). */
  private write(level: Level, said: unknown[]): void {
    const context = said.length > 1 ? said.at(-1) : undefined;
    const [first, second] = said;
    if (typeof first === 'object' && first !== null) this.logger[level]({ ...fieldsOf(first), context }, text(second));
    else this.logger[level]({ context, ...(second instanceof Error && { err: second }) }, text(first));
  }
}

const fieldsOf = (said: object): object => (said instanceof Error ? { err: said } : said);
const text = (said: unknown): string => (typeof said === 'string' ? said : '');
