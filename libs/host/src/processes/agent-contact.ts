import { connect } from 'node:net';
import { request, type RequestOptions } from 'node:http';
import { open, readdir, readFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeId } from '@libs/domain';
import {
  newestSocket,
  previousSocket,
  SOCKET_DIRECTORY,
  socketName,
  type InstanceRole,
} from '@libs/domain/node-sockets';
import { nodeFlag } from '../control/node-home.js';
import { pidsWith } from '../os/process-table.js';

const ANSWER_TIMEOUT_MS = 2_000;
/** In characters. An answer of an agent has less than a hundred. */
const LONGEST_ANSWER = 4_096;

export interface AgentAddress {
  installation: string;
  nodeId: NodeId;
  /** The node's directory. */
  dir: string;
}

interface Ping {
  node?: unknown;
  pid?: unknown;
}

/**
 * Whether the node's agent answers. Queries the agent's own address, and the answer must contain the node. A pid is no proof.
 */
export async function agentAnswers(address: AgentAddress): Promise<boolean> {
  const sockets = join(address.dir, SOCKET_DIRECTORY);
  const directory = await open(sockets, 'r').catch(() => null);
  try {
    const contact = await contactOf(sockets, directory);
    if (contact === null) return await previousAgentAnswers(address);
    return (await ask(contact))?.node === address.nodeId;
  } finally {
    await directory?.close();
  }
}

/** What the sockets of a node prove. `unknown`: there is none, or its process neither answers nor has ended. */
export type Proof = 'listens' | 'ended' | 'unknown';

/**
 * Whether the newest process of a role listens. A socket whose process has ended refuses the connection: the file stays, also after
 * kill -9. A process that hangs still listens.
 */
export async function proofOf(dir: string, role: InstanceRole): Promise<Proof> {
  const sockets = join(dir, SOCKET_DIRECTORY);
  const directory = await open(sockets, 'r').catch(() => null);
  if (directory === null || process.platform !== 'linux') return 'unknown';
  try {
    const number = newestSocket(await readdir(sockets).catch(() => []), role);
    if (number === 0) return 'unknown';
    return await knock(`/proc/self/fd/${directory.fd}/${socketName(role, number)}`);
  } finally {
    await directory.close();
  }
}

function knock(path: string): Promise<Proof> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve('listens'));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'ended' : 'unknown'),
    );
    socket.once('connect', () => socket.destroy());
  });
}

/**
 * Whether an agent of the previous release answers. An upgrade leaves this agent and its broker running, because the agent of
 * this release would restart the broker. Any process on the machine can answer at that address. So the answer counts only if it
 * names a process of this user with the arguments of the agent: while that agent runs, the node needs no other agent.
 */
async function previousAgentAnswers({ installation, nodeId, dir }: AgentAddress): Promise<boolean> {
  const contact =
    process.platform === 'linux'
      ? { socketPath: previousSocket(installation, nodeId, 'agent') }
      : contactOfPort(Number(await readFile(join(dir, 'agent.port'), 'utf8').catch(() => '0')));
  const answer = contact === null ? null : await ask(contact);
  if (answer?.node !== nodeId) return false;
  const pids = await pidsWith({ flags: ['--dir', dir, nodeFlag({ installation, nodeId })] });
  return pids.some((pid) => pid === answer.pid);
}

/**
 * The agent's socket in the node's directory on Linux, otherwise the loopback port that the agent stored there. A path may be
 * longer than a socket address, so the socket is reached through the open directory.
 */
async function contactOf(sockets: string, directory: FileHandle | null): Promise<RequestOptions | null> {
  if (process.platform !== 'linux')
    return contactOfPort(portIn(await readFile(join(sockets, 'agent.port'), 'utf8').catch(() => '{}')));
  const number = newestSocket(await readdir(sockets).catch(() => []), 'agent');
  if (number === 0 || directory === null) return null;
  return { socketPath: `/proc/self/fd/${directory.fd}/${socketName('agent', number)}` };
}

const portIn = (content: string): number => (JSON.parse(content) as { port?: number }).port ?? 0;

function contactOfPort(port: number): RequestOptions | null {
  return port > 0 ? { host: '127.0.0.1', port } : null;
}

/** The answer to a ping. Null for an answer that is late or long: any process can listen at the address of an older release. */
function ask(contact: RequestOptions): Promise<Ping | null> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const call = request({ ...contact, path: '/ping', agent: false, signal }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length <= LONGEST_ANSWER) return;
        resolve(null);
        call.destroy();
      });
      response.on('error', () => resolve(null));
      response.on('end', () => resolve(parse(text)));
    });
    call.on('error', () => resolve(null));
    call.on('close', () => resolve(null));
    call.end();
  });
}

function parse(text: string): Ping | null {
  try {
    return JSON.parse(text) as Ping | null;
  } catch {
    return null;
  }
}
