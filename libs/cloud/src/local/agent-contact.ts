import { request, type RequestOptions } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ANSWER_TIMEOUT_MS = 2_000;

export interface AgentAddress {
  installation: string;
  nodeId: number;
  /** The node's directory. */
  dir: string;
}

/** Whether the node's agent answers. It is asked at its own address and must name the node; a pid proves nothing. */
export async function agentAnswers(address: AgentAddress): Promise<boolean> {
  const contact = await contactOf(address);
  const answer = contact === null ? null : await ask(contact);
  return answer?.node === address.nodeId;
}

/** The agent's abstract unix socket on Linux, elsewhere the loopback port that it noted in the node's directory. */
async function contactOf({ installation, nodeId, dir }: AgentAddress): Promise<RequestOptions | null> {
  if (process.platform === 'linux') return { socketPath: `\0landlord-${installation}-${nodeId}-agent` };
  const port = Number(await readFile(join(dir, 'agent.port'), 'utf8').catch(() => ''));
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
