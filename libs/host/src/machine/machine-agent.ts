import { join } from 'node:path';
import { Semaphore } from '../os/semaphore.js';
import { JsonLog } from '../os/json-log.js';
import type { JoinAnswer, JoinedMachine, MachineDocument, MachineStatus } from '@libs/domain/machine-protocol';
import { AGENT_VERSION } from '../node/agent-version.js';
import { ServerClock } from '../node/gateway/server-clock.js';
import { MachineClient } from './gateway/machine-client.js';
import { MachineDesiredLoop } from './gateway/machine-desired-loop.js';
import { MachineDocumentStore } from './gateway/machine-document-store.js';
import { MachineSession } from './gateway/machine-session.js';
import { MachineStatusLoop } from './gateway/machine-status-loop.js';
import { joinOnce, onAccepted, type Membership } from './gateway/membership.js';
import { hostFacts } from './host-facts.js';
import { completeMachineFile, readMachineFile, type CompleteMachineFile } from './machine-file.js';
import { MachineLock } from './machine-lock.js';
import { MachineRefused } from './machine-refused.js';
import { Capacity } from './nodes/capacity.js';
import { MachineNodes } from './nodes/machine-nodes.js';
import { NodeRecords } from './nodes/node-records.js';
import type { NodeTools } from './nodes/node-task.js';
import { ProcessNodes } from './nodes/process-nodes.js';
import { SystemdNodes } from './nodes/systemd/systemd-nodes.js';
import { ProgramFolders } from './programs/machine-programs.js';
import { AgentUpgrade, type NewProgram } from './upgrade/agent-upgrade.js';
import { OWN_PROGRAMS, ownProgram } from './upgrade/own-program.js';
import { RefusedProgram } from './upgrade/refused-program.js';

/** More nodes at once would compete for the processors, and all would miss their deadlines. */
const BOOTING_AT_ONCE = 2;

export interface MachineAgentOptions {
  /** Absolute path of the machine's directory, which contains machine.json. */
  dir: string;
  /** The file that started this process. It tells which program the machine agent runs. */
  entry: string;
  /** Aborts when the agent must end. The nodes continue. */
  signal: AbortSignal;
  /** Called after each status that the gateway has accepted. */
  onStatusAccepted?: () => void;
}

/**
 * Runs the agent of a machine until the signal, or until another program of the agent is the current one: then the service manager starts
 * that program. Joins if necessary, and keeps the nodes of the newest document, also while the gateway is down. Rejects with
 * MachineRefused when only a person can help.
 */
export async function runMachineAgent(options: MachineAgentOptions): Promise<void> {
  const { dir, signal } = options;
  const log = new JsonLog({ process: 'machine-agent' });
  // Before the lock, which creates files.
  await readMachineFile(dir);
  const lock = await MachineLock.take(dir);
  try {
    const file = await completeMachineFile(dir);
    const client = await MachineClient.to(file.agent_url, new ServerClock());
    try {
      await new MachineAgent(options, file, client, lock, log).run(signal);
    } finally {
      client.close();
    }
  } finally {
    lock.release();
  }
}

/** The loops have ended, because a new program is ready. */
interface Pause {
  program: NewProgram;
  lastStatus: MachineStatus;
}

class MachineAgent {
  private readonly facts: JoinedMachine;
  /** Aborts when the operator has removed the machine. */
  private readonly removed = new AbortController();

  constructor(
    private readonly options: MachineAgentOptions,
    private readonly file: CompleteMachineFile,
    private readonly client: MachineClient,
    private readonly lock: MachineLock,
    private readonly log: JsonLog,
  ) {
    this.facts = hostFacts(file);
  }

  async run(ended: AbortSignal): Promise<void> {
    const { file, client, log, facts, removed, lock } = this;
    const { dir } = this.options;
    const membership = await joinOnce({ dir, token: file.token, facts }, client, log, ended);
    if (membership === null) return;
    const { authorization } = membership;
    const session = new MachineSession(authorization, log, () => removed.abort(), onAccepted(dir));
    const upgrade = await this.upgrade(authorization);
    const signal = AbortSignal.any([ended, removed.signal]);
    for (;;) {
      const pause = await this.keep(membership, session, upgrade, signal);
      if (pause === null) break;
      const reachesGateway = (trial: AbortSignal): Promise<boolean> =>
        client.status(pause.lastStatus, authorization, trial).then(
          () => true,
          () => false,
        );
      if (await lock.lend(() => upgrade.try(pause.program, reachesGateway, signal))) return;
    }
    log.info('machine agent stops', { end: removed.signal.aborted ? 'removed' : 'signal' });
    if (!removed.signal.aborted) return;
    throw new MachineRefused(
      'The operator has removed this machine. Its nodes are stopped, and their data is still in this directory.',
    );
  }

  /** Keeps the nodes until the signal, or until a new program of the machine agent is ready. */
  private async keep(
    { machine, authorization }: Membership,
    session: MachineSession,
    upgrade: AgentUpgrade,
    signal: AbortSignal,
  ): Promise<Pause | null> {
    const { client, log } = this;
    const tools = await this.tools(machine, authorization, upgrade);
    const store = new MachineDocumentStore(this.options.dir, machine.machine_id);
    await store.load();
    const nodes: MachineNodes = new MachineNodes(tools, log, () => statuses.wakeUp());
    const status = (): MachineStatus => this.status(store, nodes, upgrade);
    const statuses = new MachineStatusLoop(session, client, status, () => this.options.onStatusAccepted?.());
    const take = (document: MachineDocument): void => {
      upgrade.setDesired(document);
      nodes.setDesired(document);
    };
    const desired = new MachineDesiredLoop(session, client, store, log, take);
    if (store.document) take(store.document);
    log.info('machine agent started', { pid: process.pid, generation: store.document?.generation ?? 0 });
    const paused = new AbortController();
    const either = AbortSignal.any([signal, paused.signal]);
    const ready = upgrade.next(either).finally(() => paused.abort());
    await Promise.all([nodes, statuses, desired].map((loop) => loop.run(either)));
    // Their deployments may already have other nodes elsewhere.
    if (this.removed.signal.aborted) await nodes.stopAll();
    const program = await ready;
    return program === null || signal.aborted ? null : { program, lastStatus: status() };
  }

  private status(store: MachineDocumentStore, nodes: MachineNodes, { status: agent }: AgentUpgrade): MachineStatus {
    const { generation = 0 } = store.document ?? {};
    return { generation, agent_version: AGENT_VERSION, agent, machine: this.facts, nodes: nodes.statuses };
  }

  private async upgrade(authorization: string): Promise<AgentUpgrade> {
    const { dir, entry } = this.options;
    const refused = new RefusedProgram(dir);
    await refused.load();
    const folder = join(dir, OWN_PROGRAMS);
    const programs = new ProgramFolders(
      folder,
      this.client.artifacts(() => authorization),
    );
    const upgrade = new AgentUpgrade(dir, ownProgram(dir, entry), refused, programs, this.log);
    await upgrade.tidy(entry);
    return upgrade;
  }

  private async tools(
    { installation }: JoinAnswer,
    authorization: string,
    agentUpgrade: AgentUpgrade,
  ): Promise<NodeTools> {
    const { file, client } = this;
    const { dir } = this.options;
    const records = new NodeRecords(join(dir, 'records'));
    await records.load();
    const capacity = new Capacity(file);
    for (const record of records.all) capacity.count(record.node_id, record);
    const programs = new ProgramFolders(
      join(dir, 'programs'),
      client.artifacts(() => authorization),
    );
    const options = { dir, installation, agentUrl: file.agent_url, authority: file.ca_file ?? null };
    const host = file.nodes === 'systemd' ? new SystemdNodes(options) : new ProcessNodes(options);
    const slots = { boots: new Semaphore(BOOTING_AT_ONCE), upgrades: new Semaphore(1) };
    return { records, capacity, programs, host, agentUpgrade, ...slots };
  }
}
