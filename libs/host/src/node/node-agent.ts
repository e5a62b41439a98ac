import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { NodeDocument, NodeOrder } from '@libs/domain';
import { brokerRuntimeOf } from '../brokers/broker-runtimes.js';
import { ConnectorsRuntime } from '../connectors/connectors.runtime.js';
import { InstanceTakenError } from '../control/instance-socket.js';
import { JsonLog } from '../os/json-log.js';
import type { NodeHome } from '../control/node-home.js';
import { homeOf, readBootstrap, type AgentBootstrap } from './agent-bootstrap.js';
import { AgentSession, type SessionEnd } from './gateway/agent-session.js';
import { AgentSocket } from './agent-socket.js';
import { BrokerReconciler } from './broker/broker-reconciler.js';
import { directoryIsGone } from './directory-watch.js';
import { ConnectorsReconciler } from './connectors/connectors-reconciler.js';
import type { ConnectorPrograms } from './connectors/programs/connector-programs.js';
import { DesiredLoop } from './gateway/desired-loop.js';
import { secretsOf } from './gateway/document-secrets.js';
import { DocumentStore } from './gateway/document-store.js';
import { GatewayClient } from './gateway/gateway-client.js';
import { LogLoop } from './logs/log-loop.js';
import { LogReader, type LogSource } from './logs/log-reader.js';
import { LogRedaction } from './logs/log-redaction.js';
import { OrderJournal } from './orders/order-journal.js';
import { NodeOrderReconciler } from './orders/node-order-reconciler.js';
import type { OrderDependencies } from './orders/order-dependencies.js';
import { removeLeftovers } from './orders/order-leftovers.js';
import type { OrderWork } from './orders/order-work.js';
import { Registrar } from './gateway/registrar.js';
import { RequestLoop } from './connectors/request-loop.js';
import { ServerClock } from './gateway/server-clock.js';
import { StatusLoop } from './gateway/status-loop.js';
import { Mutex } from '../os/mutex.js';

export interface AgentOptions {
  /** Absolute path of the node's directory. */
  dir: string;
  /** `<installation>/<node id>`, as in the flag of the node's processes. */
  node: string;
  /** Aborts when the agent must end. The broker continues. */
  signal: AbortSignal;
}

/**
 * Runs a node's agent until its end: by the signal, or by the gateway when the node is deleted. Starts the broker from the
 * stored document at once, so that a node works while the gateway is down. Resolves at the end. Rejects with AgentError when
 * the node's files make work impossible.
 */
export async function runNodeAgent(options: AgentOptions): Promise<void> {
  const bootstrap = await readBootstrap(options.dir, options.node);
  const log = new JsonLog({ node: bootstrap.node_id, process: 'agent' });
  const agent = new NodeAgent(options, bootstrap, log);
  try {
    await agent.run();
  } catch (error) {
    if (!(error instanceof InstanceTakenError)) throw error;
    log.info('another agent of this node is already running');
  }
}

class NodeAgent {
  private readonly bootId = randomUUID();
  private readonly work = new AbortController();
  private readonly store: DocumentStore;
  private readonly socket: AgentSocket;
  private end: SessionEnd | null = null;

  constructor(
    private readonly options: AgentOptions,
    private readonly bootstrap: AgentBootstrap,
    private readonly log: JsonLog,
  ) {
    const home = homeOf(options.dir, bootstrap);
    this.store = new DocumentStore(options.dir, bootstrap.node_id);
    this.socket = new AgentSocket(home, this.bootId, () => (this.end === 'fenced' ? 'fenced' : 'working'));
    options.signal.addEventListener('abort', () => this.work.abort(), { once: true });
  }

  async run(): Promise<void> {
    await this.socket.claim();
    await this.store.load();
    const clock = new ServerClock(this.store.serverOffsetMs);
    const client = await GatewayClient.to(this.bootstrap.agent_url, clock);
    try {
      await this.converse(client, clock);
    } finally {
      client.close();
      this.socket.close();
    }
    this.log.info('agent stops', { end: this.end ?? 'signal' });
  }

  private async converse(client: GatewayClient, clock: ServerClock): Promise<void> {
    const { log, store, bootId } = this;
    const { signal } = this.work;
    const home = homeOf(this.options.dir, this.bootstrap);
    const registrar = new Registrar(this.options.dir, this.bootstrap, client, bootId, log);
    const session = new AgentSession(registrar, log, (end) => this.finish(end));
    const { binaries = {} } = this.bootstrap;
    const turn = new Mutex();
    const wakeUp = (): void => status.wakeUp();
    const broker: BrokerReconciler = new BrokerReconciler(home, binaries, clock, log, turn, wakeUp);
    const authorization = (): string => session.identity.authorization;
    const logSources = (): LogSource[] => this.logSources();
    const { connectors, programs } = await this.connectors(home, client, authorization, wakeUp);
    const diagnostics = { home, binaries, broker, connectors, clock, logSources };
    const dependencies = { home, binaries, turn, objects: client.objects, authorization, diagnostics };
    const orders = this.orderReconciler(dependencies, wakeUp);
    const redaction = new LogRedaction();
    const apply = (document: NodeDocument): void => {
      redaction.know(...secretsOf(document));
      broker.setDesired(document);
      orders.setDesired(document);
      connectors.setDesired(document);
    };
    const desired = new DesiredLoop(session, client, store, clock, log, apply);
    const sources = { broker, connectors, orders, refused: () => desired.refused };
    const status: StatusLoop = new StatusLoop(session, client, sources, bootId);

    const requests = new RequestLoop(session, client, connectors, home);
    const logs = new LogLoop(session, client, new LogReader(logSources, redaction, clock));

    if (store.document) apply(store.document);
    log.info('agent started', { pid: process.pid, generation: store.document?.generation ?? 0 });
    await this.thaw(home);
    const keeping = Promise.all([broker.run(signal), connectors.run(signal)]);
    void directoryIsGone(this.options.dir, signal).then((isGone) => isGone && this.finish('gone'));
    const loops = [desired, status, logs, orders, requests, ...(programs ? [programs] : [])];
    if (await session.open(signal)) await Promise.all(loops.map((loop) => loop.run(signal)));
    await keeping;
    if (this.end === 'gone') await Promise.all([connectors.stopConnectors(), broker.stopBroker()]);
    if (this.end === 'fenced') await this.untilStopped();
  }

  /** The connectors, and what fetches their plugins. */
  private async connectors(
    home: NodeHome,
    client: GatewayClient,
    authorization: () => string,
    onChange: () => void,
  ): Promise<{ connectors: ConnectorsReconciler; programs: ConnectorPrograms | null }> {
    const { binaries = {}, allow_private_destinations: allowPrivate = false } = this.bootstrap;
    const programs = await this.connectorPrograms(client, authorization, () => connectors.wakeUp());
    const machine = { binaries, allowPrivate, programs };
    const connectors: ConnectorsReconciler = new ConnectorsReconciler(home, machine, this.log, onChange);
    return { connectors, programs };
  }

  /** Null for an agent from a checkout: all plugins are beside it. */
  private async connectorPrograms(
    client: GatewayClient,
    authorization: () => string,
    onChange: () => void,
  ): Promise<ConnectorPrograms | null> {
    const { log, options, bootstrap } = this;
    const agent = bootstrap.agent_artifact;
    if (agent === undefined) return null;
    const { ConnectorPrograms } = await import('./connectors/programs/connector-programs.js');
    const { folder: agentFolder } = new ConnectorsRuntime();
    return new ConnectorPrograms({ dir: options.dir, agent, agentFolder, client, authorization, log, onChange });
  }

  private orderReconciler(dependencies: OrderDependencies, onEnd: () => void): NodeOrderReconciler {
    // Loaded with the first order, because most agents have none for days.
    const perform: OrderWork['perform'] = async (...order) => {
      const { OrderWork } = await import('./orders/order-work.js');
      return new OrderWork(dependencies).perform(...order);
    };
    const work = { perform, tidy: (orders: readonly NodeOrder[]) => removeLeftovers(dependencies.home, orders) };
    return new NodeOrderReconciler(work, new OrderJournal(this.options.dir), this.log, onEnd);
  }

  /** Resumes a broker that a freeze paused when the previous agent died. */
  private async thaw(home: NodeHome): Promise<void> {
    const driver = this.store.document?.spec.broker.driver;
    if (driver) await brokerRuntimeOf(driver, this.bootstrap.binaries).thaw(home);
  }

  /** Without a document there are no logs of a broker. */
  private logSources(): LogSource[] {
    const { dir } = this.options;
    const driver = this.store.document?.spec.broker.driver;
    const files = driver ? brokerRuntimeOf(driver).logFiles(homeOf(dir, this.bootstrap)) : [];
    const ofBroker = files.map((path): LogSource => ({ runtime: 'broker', path }));
    const ofConnectors: LogSource = {
      runtime: 'connectors',
      path: new ConnectorsRuntime().logFile(homeOf(dir, this.bootstrap)),
    };
    return [...ofBroker, ofConnectors, { runtime: 'agent', path: join(dir, 'agent.log') }];
  }

  private finish(end: SessionEnd): void {
    this.end ??= end;
    this.log.warn('this agent stops', { end });
    this.work.abort();
  }

  /** A fenced agent keeps answering pings for its node, so that the driver starts no other agent. */
  private untilStopped(): Promise<void> {
    return new Promise((resolve) => {
      if (this.options.signal.aborted) resolve();
      else this.options.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
