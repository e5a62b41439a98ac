import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BrokerError } from '../../control/broker-error.js';

const CHECK_TIMEOUT_MS = 10_000;
const LONGEST_REASON = 300;

/** Lets the server validate a configuration. Rejects with a BrokerError that has the server's message without secrets. */
export async function checkNatsConfig(binary: string, file: string, secrets: string[]): Promise<void> {
  try {
    await promisify(execFile)(binary, ['-t', '-c', file], { timeout: CHECK_TIMEOUT_MS });
  } catch (error) {
    throw new BrokerError(`nats-server refuses the configuration: ${reasonIn(error, file, secrets)}`);
  }
}

function reasonIn(error: unknown, file: string, secrets: string[]): string {
  const { code, killed, stderr = '' } = error as { code?: string | number; killed?: boolean; stderr?: string };
  if (killed) return 'the check did not finish in time';
  if (stderr.trim() === '') return `${String(code)}`;
  const lastLine = stderr.trim().split('\n').at(-1) ?? '';
  return secrets
    .reduce((text, secret) => text.replaceAll(secret, '********'), lastLine)
    .replaceAll(`${file}:`, 'line ')
    .slice(0, LONGEST_REASON);
}
