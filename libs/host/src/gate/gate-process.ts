import type { Socket } from 'node:net';
import { ControlServer, type Controlled } from '../control/control-server.js';
import type { JsonLog } from '../os/json-log.js';
import type { ClientListeners } from './client-listeners.js';
import type { Gate } from './gate.js';
import type { GateConfig } from './gate-config.js';
import { gateHash, type GateSettings } from '../control/gate-settings.js';
import { newGate } from './new-gate.js';
import type { GateUpstream } from './gate-upstream.js';

/**
 * The gate as a separate process in front of an external broker. It owns the node's public ports, so the death of the agent,
 * which started it, cuts no connection. It also reports the status of the broker to the agent.
 */
export class GateProcess implements Controlled {
  private readonly gate: Gate;
  private readonly control: ControlServer;
  private gateSettings: GateSettings;
  private isListening = false;

  constructor(
    private readonly config: GateConfig,
    private readonly upstream: GateUpstream,
    private readonly listeners: ClientListeners,
    private readonly log: JsonLog,
  ) {
    this.gate = newGate(config.max_connections, listeners.signInMs, log);
    this.gateSettings = config.gate;
    const home = { dir: config.dir, installation: config.installation, nodeId: config.node_id };
    this.control = new ControlServer(home, 'gate', this);
  }

  /** Takes the lock, then opens the ports. If it rejects with BrokerError, the process must end. */
  async start(): Promise<void> {
    await this.control.claim();
    await this.setGate(this.config.gate);
    await this.listeners.open(this.gate, () => this.stats());
    this.isListening = true;
    this.log.info('gate is listening');
  }

  async ping(): Promise<Record<string, unknown>> {
    return {
      node: this.config.node_id,
      pid: process.pid,
      config_hash: this.config.config_hash,
      gate_hash: gateHash(this.gateSettings),
      server_offset_ms: this.gateSettings.server_offset_ms,
      listening: this.isListening,
      refused_logins: this.listeners.refusals.recent(),
      ...(this.listeners.nodePorts && { node_ports: this.listeners.nodePorts }),
      broker: await this.upstream.report(),
    };
  }

  async stats(): Promise<Record<string, number>> {
    const cpu = process.cpuUsage();
    const { memory_bytes: brokerMemory = 0, cpu_seconds: brokerCpu = 0, ...rest } = await this.upstream.stats();
    return {
      ...this.listeners.counts(),
      ...rest,
      gate_clients: this.gate.clients,
      gate_denied: this.gate.denied,
      gate_cut: this.gate.cut,
      refused_logins: this.listeners.refusals.total,
      memory_bytes: brokerMemory + process.memoryUsage.rss(),
      cpu_seconds: brokerCpu + (cpu.user + cpu.system) / 1e6,
    };
  }

  /** The settings count as applied only when the listeners have applied the credentials. */
  async setGate(settings: GateSettings): Promise<void> {
    this.gate.setRules(settings.rules, settings.server_offset_ms, settings.proxies);
    this.gate.setCertificate(settings.certs ?? null);
    await this.listeners.setCredentials(settings.credentials, settings.server_offset_ms);
    this.gateSettings = settings;
  }

  enter(socket: Socket): void {
    this.listeners.enter(socket);
  }

  /** The gate has no durable data, so the stop does not wait. */
  stop(): void {
    this.gate.close();
    this.listeners.close();
    this.gate.cutAll();
    this.log.info('gate stopped');
    // Exits after the answer to the caller.
    setImmediate(() => process.exit(0));
  }
}
