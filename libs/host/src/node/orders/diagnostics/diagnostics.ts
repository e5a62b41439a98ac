import { release, type } from 'node:os';
import type { DiagnosticLog, NodeDiagnostics, NodeDocument, NodeOrder } from '@libs/domain';
import { LOG_RUNTIMES } from '@libs/domain/agent-protocol';
import { brokerRuntimeOf, type BrokerBinaries } from '../../../brokers/broker-runtimes.js';
import { reasonOf } from '../../../os/json-log.js';
import type { NodeHome } from '../../../control/node-home.js';
import { AGENT_VERSION } from '../../agent-version.js';
import type { BrokerReconciler } from '../../broker/broker-reconciler.js';
import type { ConnectorsReconciler } from '../../connectors/connectors-reconciler.js';
import type { LogSource } from '../../logs/log-reader.js';
import type { ServerClock } from '../../gateway/server-clock.js';
import { dataListing } from './data-listing.js';
import { DiagnosticsRedaction } from './diagnostics-redaction.js';
import { ownEnvironment } from './environment.config.js';
import { lastLines } from './last-lines.js';
import { machineFacts, processFacts } from './machine-facts.js';
import { probe } from './probe.js';

/** The sources of a node's facts. */
export interface DiagnosticsSources {
  home: NodeHome;
  binaries: BrokerBinaries;
  broker: Pick<BrokerReconciler, 'runtimeReport' | 'observed' | 'gate' | 'stats'>;
  connectors: Pick<ConnectorsReconciler, 'runtimeReport'>;
  clock: ServerClock;
  logSources: () => readonly LogSource[];
}

type Failures = NodeDiagnostics['failures'];

/** Collects the diagnostics of a node. A missing fact does not affect the others. */
export class Diagnostics {
  constructor(private readonly sources: DiagnosticsSources) {}

  /** `failures`: failures from before this call. */
  async collect(
    document: NodeDocument,
    { redact_secrets: isRedacted = true }: NodeOrder['options'],
    authorization: string,
    failures: Failures,
  ): Promise<NodeDiagnostics> {
    const redaction = new DiagnosticsRedaction(document, authorization, isRedacted);
    const { spec } = document;
    const facts = await this.facts(document, redaction, failures);
    return redaction.bundle({
      format: 1,
      node_id: spec.node_id,
      taken_at: new Date(this.toServerTime(Date.now())).toISOString(),
      is_redacted: isRedacted,
      versions: this.versions(document),
      ...facts,
      runtimes: [this.sources.broker.runtimeReport(), this.sources.connectors.runtimeReport()].filter(
        (one) => one !== null,
      ),
      config: spec.broker.config,
      limits: spec.broker.limits ?? null,
      environment: ownEnvironment(),
      gate: { ...this.sources.broker.gate, rules: spec.access_rules },
      document: {
        wanted: { timeline: document.timeline, generation: document.generation, hash: document.hash },
        observed: this.sources.broker.observed,
        want: spec.broker.want,
        credentials_version: spec.credentials.version,
      },
      failures,
    });
  }

  private async facts(document: NodeDocument, redaction: DiagnosticsRedaction, failures: Failures) {
    const { home, broker, clock } = this.sources;
    const data = this.runtime(document).dataDirectory(home);
    const orElse = async <T>(what: string, fact: () => Promise<T>, without: T): Promise<T> =>
      fact().catch((error: unknown) => {
        failures.push({ what, why: reasonOf(error) });
        return without;
      });
    const noData: NodeDiagnostics['data'] = { bytes: 0, files: 0, directories: 0, entries: [] };
    const { gauges } = await orElse('gauges', () => broker.stats(), { gauges: {}, dataDirectory: null });
    return {
      machine: await machineFacts(home.dir, clock.offsetMs),
      processes: await orElse('processes', () => this.processes(), {}),
      cluster: await this.cluster(document),
      ports: await this.ports(document),
      data: await orElse('the data directory', () => dataListing(data), noData),
      gauges,
      logs: await orElse('logs', () => this.logs(redaction), [] as DiagnosticLog[]),
    };
  }

  private versions({ spec }: NodeDocument): NodeDiagnostics['versions'] {
    return {
      agent: AGENT_VERSION,
      node_js: process.version,
      os: type(),
      kernel: release(),
      arch: process.arch,
      broker_driver: spec.broker.driver,
      broker_wanted: spec.broker.version,
      broker: this.sources.broker.runtimeReport().version,
    };
  }

  private async processes(): Promise<NodeDiagnostics['processes']> {
    const { pid, started_at: startedAt } = this.sources.broker.runtimeReport();
    const agentStart = new Date(Date.now() - process.uptime() * 1000).toISOString();
    return {
      agent: await processFacts(process.pid, agentStart),
      ...(pid !== null && { broker: await processFacts(pid, startedAt) }),
    };
  }

  private async cluster({ spec }: NodeDocument): Promise<NodeDiagnostics['cluster']> {
    const { size, ordinal, leader, peers = [] } = spec.cluster;
    const probed = peers.map(({ host, port }, index) => probe(`peer ${index + 1}`, host, port));
    return {
      size,
      ordinal,
      leader: leader && (await probe('leader', leader.host, leader.port)),
      peers: await Promise.all(probed),
    };
  }

  private ports({ spec: { listen } }: NodeDocument): Promise<NodeDiagnostics['ports']> {
    // UDP has no connections to probe.
    const brokerPorts = Object.entries(listen.ports).filter(([name, port]) => port !== null && name !== 'udp');
    return Promise.all(brokerPorts.map(([name, port]) => probe(name, listen.address, Number(port))));
  }

  private async logs(redaction: DiagnosticsRedaction): Promise<DiagnosticLog[]> {
    const read = this.sources.logSources().map(async ({ runtime, path }) => {
      const { lines, isCut } = await lastLines(path, redaction.text, (ms) => this.toServerTime(ms));
      return { runtime, lines, is_cut: isCut };
    });
    return gathered(await Promise.all(read));
  }

  private toServerTime(ms: number): number {
    return ms + this.sources.clock.offsetMs;
  }

  private runtime({ spec }: NodeDocument) {
    return brokerRuntimeOf(spec.broker.driver, this.sources.binaries);
  }
}

/** One log per runtime. Lines from several files are sorted by time. */
function gathered(read: readonly DiagnosticLog[]): DiagnosticLog[] {
  const byRuntime = LOG_RUNTIMES.map((runtime) => ({ runtime, own: read.filter((log) => log.runtime === runtime) }));
  return byRuntime
    .filter(({ own }) => own.length > 0)
    .map(({ runtime, own }) => {
      const lines = own.flatMap((log) => log.lines);
      if (own.length > 1) lines.sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
      return { runtime, lines, is_cut: own.some((log) => log.is_cut) };
    });
}
