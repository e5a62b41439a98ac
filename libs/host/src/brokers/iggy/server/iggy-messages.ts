import { open } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { SERVER_FILES } from '../iggy-files.js';

/** The agent writes this line into the output of the servers of a node before it starts another one. */
export const STARTED = '--- iggy-server starts';
const TAIL_BYTES = 64 * 1024;
/** `2026-11-22T12:14:15.750087Z ERROR shard-0 server::mod: message` */
const LINE = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) +([A-Z]+) +\S+ +([\w:]+): (.*)$/;
const PANIC = /^thread '.*' (?:\(\d+\) )?panicked at (\S+?):?$/;

/** The places where a server writes. */
export interface ServerMessages {
  data: string;
  /** Standard error. */
  output: string;
  /** Milliseconds since the epoch. Older lines are about another process. */
  sinceMs: number;
}

/**
 * Why a server ended, from what it wrote: the message of a panic, the last line on standard error, otherwise the first error in its
 * log. Null when it wrote none. The first error of a log is the cause, and the others follow from it.
 */
export async function errorSince({ data, output, sinceMs }: ServerMessages): Promise<string | null> {
  const all = await linesOf(output);
  // Earlier lines are about an earlier process.
  const lines = all.slice(all.lastIndexOf(STARTED) + 1);
  const printed = lines.filter((line) => !line.startsWith('note: '));
  const panic = panicIn(printed);
  if (panic !== null) return panic;
  const last = printed.filter((line) => !LINE.test(line)).at(-1);
  if (last !== undefined) return plain(last);
  const logged = (await linesOf(SERVER_FILES.log(data))).flatMap((line) => {
    const [, at = '', level, , message] = LINE.exec(line) ?? [];
    return level === 'ERROR' && Date.parse(at) >= sinceMs ? [message ?? ''] : [];
  });
  return logged[0] ?? null;
}

function panicIn(lines: string[]): string | null {
  const at = lines.findLastIndex((line) => PANIC.test(line));
  if (at < 0) return null;
  return `iggy-server panicked: ${lines[at + 1] ?? PANIC.exec(lines[at] ?? '')?.[1]}`;
}

function plain(line: string): string {
  // The server names only this error when a value of the configuration has the wrong type.
  if (line.includes('ConfigurationError(CannotLoadConfiguration)'))
    return 'a value of the configuration has the wrong type or format';
  const [, shard] = /^Error: ShardFailure .*exited with error: (.+?)\.?" }$/.exec(line) ?? [];
  if (shard !== undefined) return shard.startsWith('Cannot read') ? unreadable(shard) : shard;
  // Only the state and the directories of the data are read before the server serves clients.
  const [, cause] = /^Error: SdkError\((.+)\)$/.exec(line) ?? [];
  return cause === undefined ? line.replace(/^Error: /, '') : unreadable(cause);
}

const unreadable = (cause: string): string =>
  `iggy-server cannot read its data directory: ${cause}. Restore a backup, or repair the files.`;

async function linesOf(path: string): Promise<string[]> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return [];
  try {
    const { size } = await file.stat();
    const length = Math.min(size, TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const text = stripVTControlCharacters(buffer.toString('utf8', 0, bytesRead));
    return text.split('\n').filter((line) => line.trim() !== '');
  } finally {
    await file.close();
  }
}
