import { request, type RequestOptions } from 'node:http';
import { open, readdir, readFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { newestSocket, SOCKET_DIRECTORY, socketName } from '@libs/domain';

const ANSWER_TIMEOUT_MS = 2_000;

export interface AgentAddress {
  nodeId: number;
  /** The node's directory. */
  dir: string;
}

/**
 * Whether the node's agent answers. Queries the agent's own address, and the answer must contain the node. A pid is no proof.
 */
export async function agentAnswers(address: AgentAddress): Promise<boolean> {
  const sockets = join(address.dir, SOCKET_DIRECTORY);
  const directory = await open(sockets, 'r').catch(() => null);
  try {
    const contact = await contactOf(sockets, directory);
    const answer = contact === null ? null : await ask(contact);
    return answer?.node === address.nodeId;
  } finally {
    await directory?.close();
  }
}

/**
 * The agent's socket in the node's directory on Linux, otherwise the loopback port that the agent stored there. A path may be
 * longer than a socket address, so the socket is reached through the open directory.
 */
async function contactOf(sockets: string, directory: FileHandle | null): Promise<RequestOptions | null> {
  if (process.platform !== 'linux')
    return contactOfPort(await readFile(join(sockets, 'agent.port'), 'utf8').catch(() => null));
  const number = newestSocket(await readdir(sockets).catch(() => []), 'agent');
  if (number === 0 || directory === null) return null;
  return { socketPath: `/proc/self/fd/${directory.fd}/${socketName('agent', number)}` };
}

function contactOfPort(content: string | null): RequestOptions | null {
  const { port = 0 } = JSON.parse(content ?? '{}') as { port?: number };
  return port > 0 ? { host: '127.0.0.1', port } : null;
}

function ask(contact: RequestOptions): Promise<{ node?: unknown } | null> {
  return new Promise((resolve) => {
    const call = request({ ...contact, path: '/ping', agent: false, timeout: ANSWER_TIMEOUT_MS }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', () => resolve(null));
      response.on('end', () => resolve(parse(text)));
    });
    call.on('timeout', () => call.destroy());
    call.on('error', () => resolve(null));
    call.on('close', () => resolve(null));
    call.end();
  });
}

function parse(text: string): { node?: unknown } | null {
  try {
    return JSON.parse(text) as { node?: unknown } | null;
  } catch {
    return null;
  }
}
