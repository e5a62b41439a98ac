import { connect } from 'node:net';
import type { ProbedAddress } from '@libs/domain';

const PATIENCE_MS = 2_000;

/** Whether the address accepts connections. Sends nothing. */
export function probe(name: string, address: string, port: number): Promise<ProbedAddress> {
  // A listener on all addresses is probed on the loopback.
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : address;
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PATIENCE_MS });
    const end = (answers: boolean): void => {
      socket.destroy();
      resolve({ name, address, port, answers });
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
