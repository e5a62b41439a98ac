import { listenProblem } from '@libs/domain/starts';
import { HostError } from './host-error.js';

/** Whether a TCP port is free now. @throws HostError when the address itself is unusable */
export async function isPortFree(address: string, port: number): Promise<boolean> {
  const problem = await listenProblem(port, address);
  if (problem === null) return true;
  if (problem === 'EADDRINUSE' || problem === 'EACCES') return false;
  throw new HostError(`No program can listen on ${address} (${problem}).`);
}
