import { open } from 'node:fs/promises';
import type { BrokerExit, BrokerRuntime } from '../../control/broker-runtime.js';
import type { NodeHome } from '../../control/node-home.js';
import { cutText } from '@libs/domain/storable-text';
import type { SupervisedProcess } from './supervised-process.js';

const TAIL_BYTES = 4_096;
const LONGEST_WORDS = 500;

/** Why a broker has ended. A signal explains the end by itself. */
export async function exitReasonOf(
  home: NodeHome,
  runtime: BrokerRuntime,
  brokerProcess: SupervisedProcess,
): Promise<string> {
  const lastError = brokerProcess.exit?.signal ? null : await runtime.lastError?.(home, brokerProcess.sinceMs);
  return lastError
    ? cutText(lastError, LONGEST_WORDS)
    : exitReason(brokerProcess.exit?.logFile ?? runtime.logFile(home), brokerProcess.exit);
}

/** The exit reason of a process: the signal that ended it, otherwise the last line of its output. */
export async function exitReason(logFile: string, exit: BrokerExit | null, who = 'the broker'): Promise<string> {
  if (exit?.signal) return `${who} was stopped by ${exit.signal}`;
  const line = (await tail(logFile)).trimEnd().split('\n').at(-1) ?? '';
  // An adopted process has no exit code. Without an error in its output only its end can be reported.
  if (line === '' || isOrdinary(line))
    return exit ? `${who} stopped with exit code ${exit.code}` : `${who} stopped for an unknown reason`;
  return cutText(messageOf(line), LONGEST_WORDS);
}

/** Lines that the embedded broker or nats-server prints in normal operation. */
function isOrdinary(line: string): boolean {
  return line.startsWith('{"level":"info"') || line.includes(' [INF] ');
}

function messageOf(line: string): string {
  try {
    const { msg, reason } = JSON.parse(line) as { msg?: string; reason?: string };
    return [msg, reason].filter(Boolean).join(': ') || line;
  } catch {
    return line;
  }
}

async function tail(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const length = Math.min(size, TAIL_BYTES);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}
