import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BrokerProtocol, GateRule, NodeCertificate, NodeSpec, PreviousPassword } from '@libs/domain';
import { freePorts } from '@libs/testing';
import mqtt, { MqttClient, type IClientOptions } from 'mqtt';
import { BrokerError } from '../../src/control/broker-error.js';
import type { BrokerContact, BrokerExit, BrokerRuntime, GateState } from '../../src/control/broker-runtime.js';
import type { NodeHome } from '../../src/control/node-home.js';
import { EmbeddedRuntime } from '../../src/brokers/embedded/embedded.runtime.js';

/** Specs run real broker processes from the build, because a process needs compiled code. */
const ENTRY = resolve('dist/libs/host/src/brokers/embedded/embedded.main.js');
const DEADLINE_MS = 30_000;

export const PASSWORD = 'correct horse';
export const EVERYONE: GateRule = {
  id: 1,
  cidrs: ['0.0.0.0/0'],
  protocols: ['tcp', 'http', 'websocket', 'udp'],
  valid_to: null,
};

const ALONE: NodeSpec['cluster'] = { size: 1, ordinal: 1, leader: null, secret: 'cluster secret' };

/** Polls until `probe` returns a value other than null, undefined or false. Rejects after the deadline. */
export async function until<T>(
  what: string | (() => string),
  probe: () => T | Promise<T>,
  deadlineMs = DEADLINE_MS,
): Promise<NonNullable<T>> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const value = await probe();
    if (value !== null && value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new BrokerError(`waited in vain: ${typeof what === 'string' ? what : what()}`);
    await new Promise((wake) => setTimeout(wake, 15));
  }
}

export interface SpecChanges {
  nodeId?: number;
  rules?: GateRule[];
  values?: Record<string, unknown>;
  cluster?: NodeSpec['cluster'];
  limits?: NodeSpec['broker']['limits'];
  rate?: number;
  key?: string;
  certs?: NodeCertificate;
}

const DEFAULTS = {
  nodeId: 1,
  values: {},
  rules: [EVERYONE],
  cluster: ALONE,
  limits: undefined,
  rate: undefined,
  key: undefined,
  certs: undefined,
};

/** A node's desired state on free ports. Pass only the relevant changes. */
export async function aNodeSpec(changes: SpecChanges = {}): Promise<NodeSpec> {
  const { nodeId, values, rules, cluster, limits, rate, key, certs } = { ...DEFAULTS, ...changes };
  const [tcp, http, websocket, peer] = (await freePorts(4)) as [number, number, number, number];
  return {
    node_id: nodeId,
    deployment_id: 1,
    name: 'node-1',
    broker: {
      driver: 'embedded',
      version: '1.2.0',
      want: 'running',
      config: { id: 1, version: 1, values },
      restart: 0,
      ...(limits && { limits }),
      ...(key && { encryption: { key } }),
      ...(rate && { rate_limit: { bytes_per_second: rate } }),
    },
    listen: { address: '127.0.0.1', ports: { tcp, http, websocket, udp: null }, peer },
    cluster,
    credentials: { username: 'admin', password: PASSWORD, version: 1 },
    access_rules: rules,
    ...(certs && { certs }),
  };
}

/** The gate in a node's desired state. */
export function gateOf(spec: NodeSpec, serverOffsetMs = 0): GateState {
  const { access_rules: rules, proxies = [], certs = null, previous_password: previous = null } = spec;
  const { username, password } = spec.credentials;
  return { rules, proxies, serverOffsetMs, certs, credentials: { username, password, previous } };
}

/** One broker process in its own directory. */
export class BrokerUnderTest {
  exited: Promise<BrokerExit> | null = null;
  private pid = 0;

  private constructor(
    readonly home: NodeHome,
    readonly spec: NodeSpec,
    readonly runtime: BrokerRuntime,
  ) {}

  static async of(spec: NodeSpec, runtime: BrokerRuntime = new EmbeddedRuntime(ENTRY)): Promise<BrokerUnderTest> {
    if (!existsSync(ENTRY)) throw new BrokerError(`${ENTRY} is missing: run "npm run build" first`);
    const dir = await mkdtemp(join(tmpdir(), 'landlord-broker-'));
    const installation = dir.slice(dir.lastIndexOf('-') + 1);
    return new BrokerUnderTest({ dir, installation, nodeId: spec.node_id }, spec, runtime);
  }

  /** Starts the process without waiting for it. */
  async spawn(offsetMs = 0): Promise<void> {
    const { pid, exited } = await this.runtime.start(this.home, this.spec, gateOf(this.spec, offsetMs));
    this.pid = pid;
    this.exited = exited;
  }

  async start(offsetMs = 0): Promise<BrokerContact> {
    await this.spawn(offsetMs);
    return this.ready();
  }

  ready(): Promise<BrokerContact> {
    let last: BrokerContact | null = null;
    return until(
      () => `the broker is ready (${last?.reason ?? 'nobody answers'})`,
      async () => {
        last = await this.runtime.contact(this.home);
        return last?.ready ? last : null;
      },
    );
  }

  async setRules(rules: GateRule[], serverOffsetMs = 0): Promise<void> {
    await this.runtime.applyGate(this.home, { ...gateOf(this.spec, serverOffsetMs), rules });
  }

  /** Sets other networks of proxies. */
  async setProxies(proxies: string[]): Promise<void> {
    this.spec.proxies = proxies;
    await this.setRules(this.spec.access_rules);
  }

  /** Sets another password, and the previous one with its end. Null: only the new password is good. */
  async rotate(password: string, previous: PreviousPassword | null): Promise<void> {
    const { credentials } = this.spec;
    this.spec.credentials = { ...credentials, password, version: credentials.version + 1 };
    delete this.spec.previous_password;
    if (previous) this.spec.previous_password = previous;
    await this.setRules(this.spec.access_rules);
  }

  /** Sets another certificate. */
  async setCertificate(certs: NodeCertificate): Promise<void> {
    this.spec.certs = certs;
    await this.setRules(this.spec.access_rules);
  }

  /** Kills the last started process and waits for its end. */
  async kill(): Promise<void> {
    process.kill(this.pid, 'SIGKILL');
    await this.exited;
  }

  log(): Promise<string> {
    return readFile(this.runtime.logFile(this.home), 'utf8');
  }

  url(protocol: Exclude<BrokerProtocol, 'udp'>): string {
    const scheme = { tcp: 'mqtt', websocket: 'ws', http: 'http' }[protocol];
    return `${scheme}://127.0.0.1:${this.spec.listen.ports[protocol]}`;
  }

  /** A connected client. Rejects when it is refused. */
  client(options: IClientOptions = {}, protocol: 'tcp' | 'websocket' = 'tcp'): Promise<MqttClient> {
    const signIn = { username: 'admin', password: PASSWORD, reconnectPeriod: 0, connectTimeout: 5_000 };
    return mqtt.connectAsync(this.url(protocol), { ...signIn, ...options }, false);
  }

  /** The same over TLS. Trusts only this authority. */
  tlsClient(ca: string, protocol: 'tcp' | 'websocket' = 'tcp'): Promise<MqttClient> {
    const signIn = { username: 'admin', password: PASSWORD, reconnectPeriod: 0, connectTimeout: 5_000 };
    const url = this.url(protocol).replace(/^(mqtt|ws):/, '$1s:');
    return mqtt.connectAsync(url, { ...signIn, ca, wsOptions: { ca } }, false);
  }

  /** A TCP client that connects from another address of this machine. */
  async clientFrom(localAddress: string, port = this.spec.listen.ports.tcp ?? 0): Promise<MqttClient> {
    const options = { username: 'admin', password: PASSWORD, reconnectPeriod: 0 };
    const client = new MqttClient(() => connect({ port, host: '127.0.0.1', localAddress }), options);
    await new Promise((resolve, reject) => client.once('connect', resolve).once('error', reject));
    return client;
  }

  /**
   * A client and its received messages. Collects from before the connection, because the session's queue arrives with the first
   * packet.
   */
  async reader(options: IClientOptions): Promise<{ client: MqttClient; inbox: Received[] }> {
    const client = mqtt.connect(this.url('tcp'), {
      ...{ username: 'admin', password: PASSWORD, reconnectPeriod: 0, manualConnect: true },
      ...options,
    });
    const inbox = inboxOf(client);
    const connected = new Promise((resolve, reject) => client.once('connect', resolve).once('error', reject));
    client.connect();
    await connected;
    return { client, inbox };
  }

  async destroy(): Promise<void> {
    await this.runtime.stop(this.home, 3_000);
    await this.exited;
    await rm(this.home.dir, { recursive: true, force: true });
  }
}

/** The last line of the output of a process that ended with an error. */
export const lastWords = (log: string): unknown => JSON.parse(log.trimEnd().split('\n').at(-1) ?? '');

export interface Received {
  topic: string;
  text: string;
  retain: boolean;
}

/** Collects the messages of a client, as text with their topic. */
export function inboxOf(client: MqttClient): Received[] {
  const inbox: Received[] = [];
  client.on('message', (topic, payload, packet) => {
    inbox.push({ topic, text: payload.toString(), retain: packet.retain });
  });
  return inbox;
}
