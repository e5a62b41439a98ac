import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { NodeSpec } from '@libs/domain';
import { isProvenIggy } from '@libs/domain/iggy-releases';
import { BrokerError } from '../../control/broker-error.js';
import type { BrokerContact, BrokerRuntime, GateState, RenderedBroker } from '../../control/broker-runtime.js';
import { canonicalHash } from '../../os/canonical-hash.js';
import type { Inlet } from '../../control/inlet.js';
import type { Started } from '../../control/spawn-detached.js';
import { removeMemoryFolder } from '../encryption/memory-folder.js';
import { openCipher } from '../encryption/sealed-data.js';
import { GATE_FILES, GateControl } from '../../gate/gate-control.js';
import { nodeFlag, type NodeHome } from '../../control/node-home.js';
import { readFileIfAny, writePrivateFile } from '../../os/private-file.js';
import { endProcesses, signalProcesses } from '../../os/end-processes.js';
import { type ProcessMark } from '../../os/process-table.js';
import { replicaSecret, rootAccount } from './gate/iggy-accounts.js';
import { renderIggy, type RenderedIggy } from './config/iggy-config.js';
import { IGGY_FILES, SERVER_FILES } from './iggy-files.js';
import { changeRoot } from './server/change-root.js';
import { copyData } from './server/iggy-copy.js';
import { iggyGateConfig, iggyGatePart, type IggyGateConfig, type IggyGatePart } from './gate/iggy-gate-config.js';
// Imports only the type, so that the gate is compiled but never loaded into the agent.
import type { IggyGateEntry } from './gate/iggy-gate.main.js';
import { startLocked } from './server/data-lock.js';
import { makeStartable } from './server/startable-data.js';
import { releaseOf, startServer, type RenderedFiles, type ServerProgram } from './server/iggy-process.js';
import { requireCopies, requireUsable } from './server/iggy-release.js';
import { IggyServer, recordOf } from './server/iggy-server.js';
import { startTrial, tryConfig } from './server/iggy-trial.js';
import { errorSince } from './server/iggy-messages.js';

/** The parts of a snapshot about the server itself. The others are about the machine, which nodes of other tenants use too. */
const OWN_SNAPSHOT = ['ServerConfig', 'ServerLogs'];

/** CPUs of one node. Nodes share the CPUs of their machine, and a server with more shards does not start with fewer CPUs. */
const CPUS = 1;

const ENTRY: { path: string; main?: IggyGateEntry } = {
  path: fileURLToPath(new URL('./gate/iggy-gate.main.js', import.meta.url)),
};

/** What a node with iggy has on its machine. */
export interface IggyPrograms {
  /** Null on a machine without iggy-server. */
  server: ServerProgram | null;
  allowsUnproven: boolean;
}

/** The configuration of both processes of a node. */
interface Prepared extends RenderedFiles {
  hash: string;
  gate: IggyGatePart;
}

/**
 * Driver `iggy`: an unmodified iggy-server on private ports, and a gate process in front of it with the public ports. For the agent
 * they are one broker, which is present when both run.
 */
export class IggyRuntime implements BrokerRuntime {
  readonly driver = 'iggy';
  readonly gate = 'process';
  readonly inlet: Inlet = { role: 'gate' };

  constructor(
    private readonly programs: IggyPrograms,
    private readonly gateEntry: string = ENTRY.path,
  ) {}

  dataDirectory(home: NodeHome): string {
    return IGGY_FILES.data(home);
  }

  logFile(home: NodeHome): string {
    return IGGY_FILES.output(home);
  }

  logFiles(home: NodeHome): string[] {
    return [SERVER_FILES.log(IGGY_FILES.data(home)), IGGY_FILES.output(home), GATE_FILES.log(home)];
  }

  users(spec: NodeSpec): string[] {
    return [rootAccount(spec.cluster.secret).username, spec.credentials.username];
  }

  render(home: NodeHome, spec: NodeSpec): RenderedBroker {
    const { config, hash } = this.rendered(home, spec);
    return { content: config, hash };
  }

  async check(home: NodeHome, spec: NodeSpec): Promise<void> {
    const { config, environment, hash } = this.rendered(home, spec);
    const program = await this.program(spec);
    // An unproven release has no values of users to try, and a second server would join the cluster.
    if (!isProvenIggy(spec.broker.version) || (await readFileIfAny(IGGY_FILES.tried(home))) === hash) return;
    const root = rootAccount(spec.cluster.secret);
    await tryConfig(home, { program, files: { config, environment }, root });
    await writePrivateFile(IGGY_FILES.tried(home), hash);
  }

  async start(home: NodeHome, spec: NodeSpec, gate: GateState): Promise<Started> {
    const program = await this.program(spec);
    await mkdir(IGGY_FILES.data(home), { recursive: true, mode: 0o700 });
    // Before the server sees the data, so that no start depends on what the server notices.
    await openCipher({ data_dir: IGGY_FILES.data(home), ...spec.broker });
    const prepared = await this.prepare(home, spec);
    const config = iggyGateConfig(home, prepared.gate, gate, prepared.hash, spec);
    const gateStarted = await this.gateOf(home).ensure(config, gate);
    const serverStarted = await this.ensureServer(home, program, prepared, spec);
    const started = [serverStarted, gateStarted].filter((one) => one !== null);
    // Reports only the end of processes that this call started. The agent watches the others.
    return { pid: started[0]?.pid ?? 0, exited: Promise.race(started.map(({ exited }) => exited)) };
  }

  contact(home: NodeHome): Promise<BrokerContact | null> {
    return this.gateOf(home).contact();
  }

  applyGate(home: NodeHome, gate: GateState): Promise<void> {
    return this.gateOf(home).apply(gate);
  }

  async freeze(home: NodeHome): Promise<void> {
    const [last, files, program] = [await this.lastConfig(home), await readFiles(home), this.programs.server];
    if (last === null || files === null || program === null) throw new BrokerError('the broker has never been started');
    requireCopies(await releaseOf(program));
    const { root } = last.secrets;
    const trial = (data: string) =>
      startTrial(home, { program, files, root, data }, 'the copy of the data cannot be read');
    await copyData(home, { server: serverOf(home), root, trial });
  }

  async thaw(home: NodeHome): Promise<void> {
    await signalProcesses(serverOf(home), 'SIGCONT');
  }

  /** The data of another deployment has the root user of that deployment. The order of an encrypted deployment is refused. */
  async adopt(home: NodeHome, directory: string, spec: NodeSpec): Promise<void> {
    const { copied_root: copied, encryption } = spec.broker;
    if (encryption?.source) throw new BrokerError('iggy-server cannot encrypt its data under another key');
    if (copied === undefined) return;
    const { config, environment } = this.rendered(home, spec);
    const plan = { program: await this.program(spec), files: { config, environment }, data: directory };
    await changeRoot(home, plan, { root: rootAccount(spec.cluster.secret), before: copied });
  }

  async diagnose(home: NodeHome): Promise<Buffer> {
    const last = await this.lastConfig(home);
    const running = last && (await new IggyServer(home, last.secrets.root).running());
    if (!running) throw new BrokerError('iggy-server does not run');
    return running.admin.download('/snapshot', { compression: 'Deflated', snapshot_types: OWN_SNAPSHOT });
  }

  stats(home: NodeHome): Promise<Record<string, number>> {
    return this.gateOf(home).stats();
  }

  async stop(home: NodeHome, deadlineMs: number): Promise<void> {
    const deadline = Date.now() + deadlineMs;
    // Stops the gate first: a disconnected client that reconnects finds a closed port instead of a stopping broker.
    await this.gateOf(home).stop();
    await endProcesses(serverOf(home), { graceMs: Math.max(0, deadline - Date.now()) });
    await this.kill(home);
  }

  async kill(home: NodeHome): Promise<void> {
    await this.gateOf(home).kill();
    await endProcesses(serverOf(home), { graceMs: 0 });
    await removeMemoryFolder(IGGY_FILES.memory(home));
  }

  lastError(home: NodeHome, sinceMs: number): Promise<string | null> {
    return errorSince({ data: IGGY_FILES.data(home), output: IGGY_FILES.output(home), sinceMs });
  }

  private rendered(home: NodeHome, spec: NodeSpec): RenderedIggy {
    const { password: rootPassword } = rootAccount(spec.cluster.secret);
    const node = { rootPassword, replicaSecret: replicaSecret(spec.cluster.secret), cpus: CPUS };
    const rendered = renderIggy(home, spec, node);
    return { ...rendered, hash: canonicalHash({ server: rendered.hash, gate: iggyGatePart(spec) }) };
  }

  /**
   * Keeps the last configuration when the server refuses the new one. So a broker that dies under a refused configuration restarts
   * with its previous one, and the agent sees by the hash that it is not the wanted one. Throws BrokerError when there is none.
   */
  private async prepare(home: NodeHome, spec: NodeSpec): Promise<Prepared> {
    try {
      await this.check(home, spec);
    } catch (refusal) {
      const [last, files] = [await this.lastConfig(home), await readFiles(home)];
      if (last === null || files === null) throw refusal;
      return { ...files, hash: last.config_hash, gate: last };
    }
    const { config, environment, hash } = this.rendered(home, spec);
    return { config, environment, hash, gate: iggyGatePart(spec) };
  }

  private async ensureServer(
    home: NodeHome,
    program: ServerProgram,
    { hash, ...files }: Prepared,
    spec: NodeSpec,
  ): Promise<Started | null> {
    const running = await new IggyServer(home, rootAccount(spec.cluster.secret)).running().catch(() => null);
    if (running?.record.config_hash === hash) return null;
    await endProcesses(serverOf(home), { graceMs: 0 });
    const place = {
      name: nodeFlag(home),
      ...{ dir: home.dir, data: IGGY_FILES.data(home), output: IGGY_FILES.output(home) },
      memory: IGGY_FILES.memory(home),
      ...{ config: IGGY_FILES.config(home), environment: IGGY_FILES.environment(home) },
      replica: spec.cluster.members === undefined ? null : spec.cluster.ordinal - 1,
    };
    return startLocked(place.data, async () => {
      await makeStartable(place.data, spec.broker.version);
      await rm(IGGY_FILES.record(home), { force: true });
      const started = await startServer(program, place, files);
      await writePrivateFile(IGGY_FILES.record(home), JSON.stringify(recordOf(started.pid, hash, files.config)));
      return started;
    });
  }

  private lastConfig(home: NodeHome): Promise<IggyGateConfig | null> {
    return this.gateOf(home).lastConfig<IggyGateConfig>();
  }

  private gateOf(home: NodeHome): GateControl {
    return new GateControl(home, this.gateEntry);
  }

  /** The program, when it may run on the data of this node. */
  private async program({ broker }: NodeSpec): Promise<ServerProgram> {
    const { server, allowsUnproven } = this.programs;
    if (server === null)
      throw new BrokerError('this node has no iggy-server: run "npm run broker:iggy" or set IGGY_SERVER_BIN');
    requireUsable(await releaseOf(server), broker.version, allowsUnproven);
    return server;
  }
}

/** iggy-server refuses unknown arguments, so the node's flag is its name. The process is found by it. */
const serverOf = (home: NodeHome): ProcessMark => ({ name: nodeFlag(home) });

/** The files of the last start. Null before the first one. */
async function readFiles(home: NodeHome): Promise<RenderedFiles | null> {
  const [config, environment] = [IGGY_FILES.config(home), IGGY_FILES.environment(home)].map(readFileIfAny);
  const files = { config: await config, environment: await environment };
  return files.config && files.environment ? { config: files.config, environment: files.environment } : null;
}
