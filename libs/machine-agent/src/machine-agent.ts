import { join } from 'node:path';
import { BootSlots } from '@libs/cloud/local-nodes';
import { InstanceTakenError, JsonLog } from '@libs/broker/runtime';
import type { JoinedMachine, MachineStatus } from '@libs/domain/machine-protocol';
import { AGENT_VERSION, ServerClock } from '@libs/node-agent/gateway';
import { MachineClient } from './gateway/machine-client.js';
import { MachineDesiredLoop } from './gateway/machine-desired-loop.js';
import { MachineDocumentStore } from './gateway/machine-document-store.js';
import { MachineSession } from './gateway/machine-session.js';
import { MachineStatusLoop } from './gateway/machine-status-loop.js';
import { joinOnce, onAccepted, type Membership } from './gateway/membership.js';
import { hostFacts } from './host-facts.js';
import { completeMachineFile, readMachineFile, type CompleteMachineFile } from './machine-file.js';
import { lockMachine } from './machine-lock.js';
import { MachineRefused } from './machine-refused.js';
import { Capacity } from './nodes/capacity.js';
import { MachineNodes } from './nodes/machine-nodes.js';
import { NodeRecords } from './nodes/node-records.js';
import type { NodeTools } from './nodes/node-task.js';
import { ProcessNodes } from './nodes/process-nodes.js';
import { SystemdNodes } from './nodes/systemd/systemd-nodes.js';
import { ProgramFolders } from './programs/machine-programs.js';

/** More nodes at once would compete for the processors, and all would miss their deadlines. */
const BOOTING_AT_ONCE = 2;

export interface MachineAgentOptions {
  /** Absolute path of the machine's directory, which contains machine.json. */
  dir: string;
  /** Aborts when the agent must end. The nodes continue. */
  signal: AbortSignal;
}

/**
 * Runs the agent of a machine until the signal. Joins if necessary, and keeps the nodes of the newest document, also while the gateway is
 * down. Rejects with MachineRefused when only a person can help.
 */
export async function runMachineAgent({ dir, signal }: MachineAgentOptions): Promise<void> {
  const log = new JsonLog({ process: 'machine-agent' });
  // Before the lock, which creates files.
  await readMachineFile(dir);
  const unlock = await lockMachine(dir).catch((error: unknown) => {
    if (!(error instanceof InstanceTakenError)) throw error;
    throw new MachineRefused(`Another agent of the machine in ${dir} is already running.`);
  });
  try {
    const file = await completeMachineFile(dir);
    const client = await MachineClient.to(file.agent_url, new ServerClock());
    try {
      await new MachineAgent(dir, file, client, log).run(signal);
    } finally {
      client.close();
    }
  } finally {
    unlock();
  }
}

class MachineAgent {
  private readonly facts: JoinedMachine;
  /** Aborts when the operator has removed the machine. */
  private readonly removed = new AbortController();

  constructor(
    private readonly dir: string,
    private readonly file: CompleteMachineFile,
    private readonly client: MachineClient,
    private readonly log: JsonLog,
  ) {
    this.facts = hostFacts(file);
  }

  async run(ended: AbortSignal): Promise<void> {
    const { dir, file, client, log, facts } = this;
    const membership = await joinOnce({ dir, token: file.token, facts }, client, log, ended);
    if (membership === null) return;
    const { removed } = this;
    const session = new MachineSession(membership.authorization, log, () => removed.abort(), onAccepted(dir));
    const tools = await this.tools(membership);
    await this.keep(membership, session, tools, AbortSignal.any([ended, removed.signal]));
    log.info('machine agent stops', { end: removed.signal.aborted ? 'removed' : 'signal' });
    if (!removed.signal.aborted) return;
    throw new MachineRefused(
      'The operator has removed this machine. Its nodes are stopped, and their data is still in this directory.',
    );
  }

  private async keep(
    { machine }: Membership,
    session: MachineSession,
    tools: NodeTools,
    signal: AbortSignal,
  ): Promise<void> {
    const { dir, client, log } = this;
    const store = new MachineDocumentStore(dir, machine.machine_id);
    await store.load();
    const nodes: MachineNodes = new MachineNodes(tools, log, () => statuses.wakeUp());
    const statuses = new MachineStatusLoop(session, client, () => this.status(store, nodes));
    const desired = new MachineDesiredLoop(session, client, store, log, (document) => nodes.setDesired(document));
    if (store.document) nodes.setDesired(store.document);
    log.info('machine agent started', { pid: process.pid, generation: store.document?.generation ?? 0 });
    await Promise.all([nodes, statuses, desired].map((loop) => loop.run(signal)));
    // Their deployments may already have other nodes elsewhere.
    if (this.removed.signal.aborted) await nodes.stopAll();
  }

  private status(store: MachineDocumentStore, nodes: MachineNodes): MachineStatus {
    const { generation = 0 } = store.document ?? {};
    return { generation, agent_version: AGENT_VERSION, machine: this.facts, nodes: nodes.statuses };
  }

  private async tools({ machine, authorization }: Membership): Promise<NodeTools> {
    const { dir, file, client } = this;
    const records = new NodeRecords(join(dir, 'records'));
    await records.load();
    const capacity = new Capacity(file);
    for (const record of records.all) capacity.count(record.node_id, record);
    const programs = new ProgramFolders(
      join(dir, 'programs'),
      client.artifacts(() => authorization),
    );
    const { installation } = machine;
    const options = { dir, installation, agentUrl: file.agent_url, authority: file.ca_file ?? null };
    const host = file.nodes === 'systemd' ? new SystemdNodes(options) : new ProcessNodes(options);
    return { records, capacity, programs, host, boots: new BootSlots(BOOTING_AT_ONCE) };
  }
}
