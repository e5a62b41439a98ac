import { createServer } from 'node:http';
import { claimInstance, isAlive, PROOF_HEADER, PROOF_PATH, Proofs } from '@libs/broker/runtime';

/**
 * Makes this process the only agent of the machine's directory until the returned function is called. Throws InstanceTakenError when
 * another agent has the directory.
 */
export async function lockMachine(dir: string): Promise<() => void> {
  const proofs = new Proofs();
  const server = createServer({ requestTimeout: 5_000 }, ({ method = '', url: path = '', headers }, response) => {
    const nonce = proofs.accept(headers.authorization, 'control', { method, path, payload: '' });
    const isProof = nonce !== null && path === PROOF_PATH;
    const sealed = isProof ? { [PROOF_HEADER]: proofs.seal(nonce, { status: 200, payload: '{}' }) } : {};
    response.writeHead(isProof ? 200 : 404, { connection: 'close', ...sealed }).end('{}');
  });
  // The agent of a machine claims its directory like the agent of a node.
  await claimInstance(server, { dir, installation: 'machine', nodeId: 0 }, 'agent', proofs.token, isAlive);
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
