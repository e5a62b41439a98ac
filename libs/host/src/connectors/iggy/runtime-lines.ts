/** What one line of the output of iggy-connectors says. */
export interface RuntimeLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  text: string;
  /** The id that the runtime gave to the connector of the line. Null for other lines. */
  connector: number | null;
}

// eslint-disable-next-line no-control-regex
const ANSI = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;
/** `2026-11-24T03:42:55.213503Z  INFO iggy_connectors: message`. */
const LINE = /^\d{4}-\d\d-\d\dT[\d:.]+Z +(TRACE|DEBUG|INFO|WARN|ERROR) +(.*)$/;
const LEVELS = { TRACE: 'debug', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
const TARGET = /^connector: connector_target="([^"]*)" /;
const ID = /\b(?:connector with|sink|source|connector) ID: (\d+)\b/i;
/** The runtime tells its port only here. */
const API = /Started iggy-connectors HTTP API on: (\S+):(\d+)$/;
/** The runtime tells the ids of connectors before they work. */
const NAMED = /\((\w+)\), initialized successfully with ID: (\d+)/;
/** The runtime loads one connector after the other, and ends with the first that it refuses. */
const LOADS = /Initializing (?:sink|source) container with name: .*\((\S+)\), config version: /;
/** What a connector can cause. Other reasons are of the server, or of the process. */
const REFUSAL = /^(?:Error: (?:InvalidConfiguration|ConnectorSdkError)\b|panicked: )/;
/** `2 of 10` messages of a batch that the plugin http gives up. The runtime counts all of them as processed. */
const PARTIAL = /partial \w+ delivery: (\d+)\/(\d+) delivered/;
/** Rust prints the place of a panic in one line, and the message in the next. */
const PANIC = /^thread '.*' (?:\(\d+\) )?panicked at (.*?):?$/;
const PLACE = /(?:sources|sinks)\/(\w+)_(source|sink)\//;

/** Null for a line without a time and level, such as the banner or the rest of a message. */
export function parseLine(raw: string): RuntimeLine | null {
  const [, level, text = ''] = LINE.exec(raw.replace(ANSI, '')) ?? [];
  if (level === undefined) return null;
  const id = ID.exec(text)?.[1];
  return {
    level: LEVELS[level as keyof typeof LEVELS],
    text: text.replace(TARGET, '$1: '),
    connector: id === undefined ? null : Number(id),
  };
}

/** The port of the HTTP API in a line. Null for other lines. */
export const apiPortIn = (text: string): number | null => Number(API.exec(text)?.[2] ?? 0) || null;

/** The id that the runtime gave to a connector, in a line. Null for other lines. */
export function namedIn(text: string): { key: string; id: number } | null {
  const [, key, id] = NAMED.exec(text) ?? [];
  return key === undefined ? null : { key, id: Number(id) };
}

/** The key of the connector that the runtime begins to load, in a line. Null for other lines. */
export const loadedIn = (text: string): string | null => LOADS.exec(text)?.[1] ?? null;

/** Whether the words with which the runtime ended are about the connector that it loaded. */
export const isRefusal = (words: string): boolean => REFUSAL.test(words);

/** The number of messages that a plugin lost with this line. */
export function lostIn(text: string): number {
  const [, delivered, all] = PARTIAL.exec(text) ?? [];
  return all === undefined ? 0 : Number(all) - Number(delivered);
}

/** A panic, as the lines of the error output tell it. */
export interface Panic {
  /** `type:key` of the plugin whose code panicked. Null when the code is of something else. */
  plugin: string | null;
  message: string;
}

/** Finds panics in the error output, line by line. */
export class PanicReader {
  private place: string | null = null;

  /** The panic whose message is this line. Null for any other line. */
  read(line: string): Panic | null {
    const { place } = this;
    this.place = PANIC.exec(line)?.[1] ?? null;
    if (place === null || this.place !== null) return null;
    const [, key, type] = PLACE.exec(place) ?? [];
    return { plugin: key === undefined ? null : `${type}:${key}`, message: `panicked: ${line.trim()} (${place})` };
  }
}
