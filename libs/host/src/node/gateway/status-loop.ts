import { directoryBytes } from '../../os/directory-bytes.js';
import type { ConnectorReport, StatusRequest } from '@libs/domain';
import type { AgentSession } from './agent-session.js';
import { AGENT_VERSION } from '../agent-version.js';
import { Backoff } from './backoff.js';
import type { BrokerReconciler } from '../broker/broker-reconciler.js';
import type { ConnectorsReconciler } from '../connectors/connectors-reconciler.js';
import type { RefusedDocument } from './desired-loop.js';
import type { GatewayClient } from './gateway-client.js';
import { CpuMeter } from '../broker/cpu-meter.js';
import type { NodeOrderReconciler } from '../orders/node-order-reconciler.js';
import { appliedByAll } from './observed-document.js';
import { tellableStatus } from './tellable-status.js';
import { Wakeup } from '../../os/wakeup.js';

const FIRST_INTERVAL_MS = 10_000;
/** Bounds of the interval, whatever the server requests. */
const INTERVAL_BOUNDS_MS = [200, 600_000] as const;
/** Changes within this time are sent in one status. */
const GATHER_MS = 50;

/** The sources of a status. */
export interface StatusSources {
  broker: BrokerReconciler;
  connectors: ConnectorsReconciler;
  orders: Pick<NodeOrderReconciler, 'reports'>;
  refused: () => RefusedDocument | null;
}

/** Posts the node's status: every interval ± 20 %, and at once after a change. */
export class StatusLoop {
  private readonly backoff = new Backoff();
  private readonly wakeup = new Wakeup();
  private readonly gather = new Wakeup();
  private readonly cpu = new CpuMeter();
  private readonly connectorsCpu = new CpuMeter();
  private seq = 0;
  private intervalMs = FIRST_INTERVAL_MS;

  constructor(
    private readonly session: AgentSession,
    private readonly client: GatewayClient,
    private readonly sources: StatusSources,
    private readonly bootId: string,
  ) {}

  /** Makes the next status due after a change. */
  wakeUp(): void {
    this.wakeup.wakeUp();
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.post(signal);
        this.backoff.reset();
        await this.wakeup.sleep(this.intervalMs * (0.8 + 0.4 * Math.random()), signal);
        await this.gather.sleep(GATHER_MS, signal);
      } catch (error) {
        await this.session.judge(error, this.backoff, signal);
      }
    }
  }

  private async post(signal: AbortSignal): Promise<void> {
    const { authorization, epoch } = this.session.identity;
    const answer = await this.client.status(tellableStatus(await this.compose(epoch)), authorization, signal);
    await this.session.confirm();
    const [shortest, longest] = INTERVAL_BOUNDS_MS;
    this.intervalMs = Math.min(Math.max(answer?.interval_ms || FIRST_INTERVAL_MS, shortest), longest);
  }

  private async compose(epoch: number): Promise<StatusRequest> {
    const { broker, connectors, orders } = this.sources;
    const stats = await this.stats();
    const refused = this.sources.refused();
    const [runner, instances, ended] = [connectors.runtimeReport(), connectors.reports(), orders.reports];
    this.seq += 1;
    return {
      epoch,
      seq: this.seq,
      boot_id: this.bootId,
      agent_version: AGENT_VERSION,
      observed: appliedByAll(broker.observed, connectors.observed),
      runtimes: [broker.runtimeReport(), ...(runner ? [runner] : [])],
      stats,
      gate: { ...broker.gate, clients: stats['gate_clients'] ?? 0 },
      ...(ended.length > 0 && { orders: ended }),
      ...(instances && { connectors: instances }),
      ...(refused && { refused }),
      ...(broker.refusedLogins.length > 0 && { refused_logins: broker.refusedLogins }),
    };
  }

  /** The node's gauges: totals over the broker and the agent, and next to them those of the connectors. */
  private async stats(): Promise<Record<string, number>> {
    const { gauges, dataDirectory } = await this.sources.broker.stats();
    const { cpu_seconds: brokerSeconds = 0, memory_bytes: brokerMemory = 0, ...rest } = gauges;
    const cpuUsage = process.cpuUsage();
    return {
      ...rest,
      cpu_percent: this.cpu.percent(brokerSeconds + (cpuUsage.user + cpuUsage.system) / 1e6, Date.now()),
      memory_bytes: brokerMemory + process.memoryUsage.rss(),
      disk_bytes: dataDirectory === null ? 0 : await directoryBytes(dataDirectory),
      ...(await this.connectorStats()),
    };
  }

  /** Absent while the node has no connectors. Counters are sums over the instances. */
  private async connectorStats(): Promise<Record<string, number>> {
    const { connectors } = this.sources;
    const reports = connectors.reports();
    if (reports === null) return {};
    const { cpu_seconds: seconds = 0, memory_bytes: memory = 0 } = await connectors.stats();
    const sum = (count: (report: ConnectorReport) => number | undefined): number =>
      reports.reduce((total, report) => total + (count(report) ?? 0), 0);
    return {
      connectors_cpu_percent: this.connectorsCpu.percent(seconds, Date.now()),
      connectors_memory_bytes: memory,
      connectors_messages_moved: sum(({ messages }) => messages),
      connectors_messages_failed: sum(({ failed }) => failed),
      connectors_lag: sum(({ lag }) => lag),
    };
  }
}
