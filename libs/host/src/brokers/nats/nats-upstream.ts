import { readFile } from 'node:fs/promises';
import type { Address, GateUpstream, UpstreamReport } from '../../gate/gate-upstream.js';
import { nodeFlag, type NodeHome } from '../../control/node-home.js';
import { hashOfTags } from './nats-config.js';
import { NATS_FILES } from './nats-files.js';
import { NatsMonitor } from './nats-monitor.js';

const TICKS_PER_SECOND = 100;

/** The nats-server of a node, as its gate and its agent query it. Its server name is the node's flag: see NatsRuntime. */
export class NatsUpstream implements GateUpstream {
  private readonly monitor: NatsMonitor;

  constructor(
    private readonly home: NodeHome,
    private readonly clusterSize: number,
    password: string,
  ) {
    this.monitor = new NatsMonitor(NATS_FILES.ports(home), nodeFlag(home), password);
  }

  async find(): Promise<Address | null> {
    const { host, port } = (await this.monitor.varz())?.mqtt ?? {};
    return host && port && port > 0 ? { host, port } : null;
  }

  async report(): Promise<UpstreamReport | null> {
    const varz = await this.monitor.varz();
    if (varz === null) return null;
    const reason = (varz.mqtt?.port ?? 0) > 0 ? await this.unreadiness() : 'the MQTT port is not open yet';
    return {
      pid: await this.pid(),
      startedAt: varz.start,
      version: varz.version,
      configHash: hashOfTags(varz.tags),
      ready: reason === null,
      reason,
    };
  }

  async stats(): Promise<Record<string, number>> {
    const [varz, jsz] = await Promise.all([this.monitor.varz(), this.monitor.jsz()]);
    if (varz === null || jsz === null) return {};
    return {
      // Excludes the connection of this query.
      clients: Math.max(0, varz.connections - 1),
      subscriptions: varz.subscriptions,
      routes: varz.routes,
      slow_consumers: varz.slow_consumers,
      streams: jsz.streams,
      messages: jsz.messages,
      stored_bytes: jsz.bytes,
      memory_bytes: varz.mem,
      cpu_seconds: await this.cpuSeconds(),
      uptime_seconds: Math.round((Date.now() - Date.parse(varz.start)) / 1000),
    };
  }

  close(): Promise<void> {
    return this.monitor.close();
  }

  /** In a cluster nothing can be stored before the nodes have elected a leader. */
  private async unreadiness(): Promise<string | null> {
    const sickness = await this.monitor.sickness();
    if (sickness !== null || this.clusterSize < 2) return sickness;
    const leader = (await this.monitor.jsz())?.meta_cluster?.leader;
    return leader ? null : 'the nodes of the cluster have not agreed on a leader yet';
  }

  private async pid(): Promise<number> {
    return Number(await readFile(NATS_FILES.pid(this.home), 'utf8').catch(() => '0')) || 0;
  }

  /** User and system time of the server. 0 where the system does not report it. */
  private async cpuSeconds(): Promise<number> {
    const stat = await readFile(`/proc/${await this.pid()}/stat`, 'utf8').catch(() => '');
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return (user + system) / TICKS_PER_SECOND;
  }
}
