import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { eventually } from '../basics/eventually.js';

const run = promisify(execFile);

/** What a process of a node does. The gate of the embedded broker is in the process of the broker. */
export type NodeProcessKind = 'agent' | 'gate' | 'broker' | 'connectors';

export interface NodeProcess {
  pid: number;
  command: string;
  kind: NodeProcessKind;
}

/** The processes of the nodes of an installation, found by the flag in their argv. */
export async function nodeProcesses(installation: string): Promise<NodeProcess[]> {
  const { stdout } = await run('ps', ['-axww', '-o', 'pid=,stat=,args=']);
  return stdout
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((match) => match?.[3]?.includes(`--landlord-node=${installation}/`) && !match[2]?.startsWith('Z'))
    .map((match) => ({ pid: Number(match?.[1]), command: match?.[3] ?? '', kind: kindOf(match?.[3] ?? '') }));
}

function kindOf(command: string): NodeProcessKind {
  if (command.includes('agent.main')) return 'agent';
  if (command.includes('gate.main')) return 'gate';
  return command.includes('connectors') ? 'connectors' : 'broker';
}

/** Kills all of them repeatedly, because an agent may start a broker during the scan. */
export async function killNodeProcesses(installation: string): Promise<void> {
  await eventually('no node process is left', async () => {
    const processes = await nodeProcesses(installation);
    for (const { pid } of processes) kill(pid);
    return processes.length === 0;
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process ended after the scan.
  }
}
