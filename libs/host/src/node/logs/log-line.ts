import type { LogLevel } from '@libs/domain';
import { LOG_LIMITS } from '@libs/domain/agent-protocol';
import { cutText } from '@libs/domain/storable-text';

/** A line without its runtime. */
export interface ParsedLine {
  level: LogLevel;
  /** Milliseconds since the epoch, by the clock of this machine. Null when the line has no time. */
  at: number | null;
  message: string;
}

// eslint-disable-next-line no-control-regex
const ANSI = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
/** `[pid] 2026/11/21 19:07:09.123456 [INF] message`, in the time zone of the machine. */
const NATS = /^\[\d+\] (\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,3})\d*)? \[([A-Z]{3})\] (.*)$/;
const NATS_LEVELS: Record<string, LogLevel> = { TRC: 'debug', DBG: 'debug', WRN: 'warn', ERR: 'error', FTL: 'error' };
/** `2026-11-22T12:14:15.750087Z  INFO shard-0 server::module: message`, in UTC. */
const IGGY = /^(\d{4}-\d\d-\d\dT[\d:]+(?:\.\d+)?Z) +(TRACE|DEBUG|INFO|WARN|ERROR) +(.*)$/;
const IGGY_LEVELS: Record<string, LogLevel> = { TRACE: 'debug', DEBUG: 'debug', WARN: 'warn', ERROR: 'error' };
const JSON_LEVELS: Record<string, LogLevel> = {
  ...{ trace: 'debug', debug: 'debug', info: 'info', warn: 'warn', warning: 'warn', error: 'error', fatal: 'error' },
};
/** A program in Rust prints a panic in several lines: its thread and place, its message, and a note at the end. */
const PANIC = /^thread '.*' (?:\(\d+\) )?panicked at /;
/** The line that a program in Rust ends with, when its main function fails. */
const FAILURE = /^Error: /;
/** The end of a panic, or the line that the agent writes before the next start. */
const AFTER_PANIC = /^(?:note: |--- )/;
/** Fields that are the same in every line of a process, so the message omits them. */
const KNOWN_FIELDS = ['level', 'time', 'msg', 'node', 'process'];

/** Parses the lines of one log in their order. */
export class LogParser {
  private isInPanic = false;

  /** Parses one line: JSON of Landlord's processes, the formats of nats-server and iggy-server, or plain text. */
  parse(raw: string): ParsedLine {
    const line = raw.replace(ANSI, '');
    const parsed = fromJson(line) ?? fromNats(line) ?? fromIggy(line) ?? this.plain(line);
    this.isInPanic &&= parsed.at === null;
    const message = cutText(parsed.message.replace(CONTROL, ' '), LOG_LIMITS.messageLength);
    return { ...parsed, message };
  }

  private plain(message: string): ParsedLine {
    this.isInPanic = PANIC.test(message) || (this.isInPanic && !AFTER_PANIC.test(message));
    return { level: this.isInPanic || FAILURE.test(message) ? 'error' : 'info', at: null, message };
  }
}

function fromJson(line: string): ParsedLine | null {
  if (!line.startsWith('{')) return null;
  try {
    const fields = JSON.parse(line) as Record<string, unknown>;
    const at = Date.parse(String(fields['time']));
    const more = Object.entries(fields).filter(([name]) => !KNOWN_FIELDS.includes(name));
    const words = more.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
    return {
      level: JSON_LEVELS[String(fields['level'])] ?? 'info',
      at: Number.isNaN(at) ? null : at,
      message: [...(typeof fields['msg'] === 'string' ? [fields['msg']] : []), ...words].join(' '),
    };
  } catch {
    return null;
  }
}

function fromNats(line: string): ParsedLine | null {
  const match = NATS.exec(line);
  if (!match) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const ms = Number((match[7] ?? '0').padEnd(3, '0'));
  const at = new Date(year, month - 1, day, hour, minute, second, ms).getTime();
  return { level: NATS_LEVELS[match[8] ?? ''] ?? 'info', at, message: match[9] ?? '' };
}

function fromIggy(line: string): ParsedLine | null {
  const [, time = '', level = '', message = ''] = IGGY.exec(line) ?? [];
  return time === '' ? null : { level: IGGY_LEVELS[level] ?? 'info', at: Date.parse(time), message };
}
