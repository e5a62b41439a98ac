import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { outageAtWork } from '@libs/domain/outages';
import { claimInstance, InstanceTakenError } from '../control/instance-socket.js';
import { isAlive } from '../control/ask-instance.js';
import { PROOF_HEADER, PROOF_PATH, Proofs } from '../control/proofs.js';
import { MachineRefused } from './machine-refused.js';

const RETRY_MS = 1_000;

/** Makes a process the only agent of a machine's directory. */
export class MachineLock {
  private constructor(
    private readonly dir: string,
    private unlock: () => void,
  ) {}

  /** Throws MachineRefused when another agent has the directory. */
  static async take(dir: string): Promise<MachineLock> {
    return new MachineLock(dir, await lock(dir));
  }

  release(): void {
    this.unlock();
  }

  /** Lends the directory to another agent while `work` runs. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.unlock();
    try {
      return await work();
    } finally {
      this.unlock = await lockUntilStored(this.dir);
    }
  }
}

/** The machine agent continues after a disk that was full for a while. */
async function lockUntilStored(dir: string): Promise<() => void> {
  for (;;) {
    try {
      return await lock(dir);
    } catch (error) {
      if (outageAtWork(error) === null) throw error;
      await delay(RETRY_MS);
    }
  }
}

async function lock(dir: string): Promise<() => void> {
  const proofs = new Proofs();
  const server = createServer({ requestTimeout: 5_000 }, ({ method = '', url: path = '', headers }, response) => {
    const nonce = proofs.accept(headers.authorization, 'control', { method, path, payload: '' });
    const isProof = nonce !== null && path === PROOF_PATH;
    const sealed = isProof ? { [PROOF_HEADER]: proofs.seal(nonce, { status: 200, payload: '{}' }) } : {};
    response.writeHead(isProof ? 200 : 404, { connection: 'close', ...sealed }).end('{}');
  });
  // The agent of a machine claims its directory like the agent of a node.
  const home = { dir, installation: 'machine', nodeId: 0 };
  await claimInstance(server, home, 'agent', proofs.token, isAlive).catch((error: unknown) => {
    server.close();
    if (!(error instanceof InstanceTakenError)) throw error;
    throw new MachineRefused(`Another agent of the machine in ${dir} is already running.`);
  });
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
