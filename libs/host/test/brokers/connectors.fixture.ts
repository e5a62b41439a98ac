import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ConnectorReport, ConnectorValues, NodeConnector } from '@libs/domain';
import type { BrokerExit } from '../../src/control/broker-runtime.js';
import { until, type BrokerUnderTest } from './embedded.fixture.js';
import {
  ConnectorsRuntime,
  type ConnectorsContact,
  type ConnectorsSpec,
} from '../../src/connectors/connectors.runtime.js';

/** Specs run the real connectors process from the build, because a process needs compiled code. */
const ENTRY = resolve('dist/libs/host/src/connectors/connectors.main.js');

const STREAM = { stream: 'demo', topics: ['numbers'], schema: 'json', poll_interval: '5ms' };

type Changes = Partial<Pick<NodeConnector, 'instance_id' | 'plugin'>> & { values?: Partial<ConnectorValues> };

/** An enabled connector on topic `demo/numbers`. Pass only the relevant changes. */
export function aConnector(type: NodeConnector['type'], { values, ...changes }: Changes = {}): NodeConnector {
  const id = changes.instance_id ?? (type === 'source' ? 1 : 2);
  const standard: ConnectorValues = { enabled: true, streams: [STREAM], plugin_config: {}, transforms: {} };
  return {
    instance_id: id,
    key: `${type}_${id}`,
    name: `The ${type}`,
    type,
    plugin: type === 'source' ? 'random' : 'http',
    plugin_version: '0.5.0-edge.4',
    ...changes,
    config: { id: id * 10, version: 1, values: { ...standard, ...values } },
  };
}

/** `count` messages, ten at a time, every 10 ms. */
export const aRandomSource = (count: number, plugin_config: Record<string, unknown> = {}): NodeConnector =>
  aConnector('source', {
    values: { plugin_config: { interval: '10ms', max_count: count, messages_range: [10, 10], ...plugin_config } },
  });

export const anHttpSink = (url: string, plugin_config: Record<string, unknown> = {}): NodeConnector =>
  aConnector('sink', { values: { plugin_config: { url, retry_delay: '50ms', ...plugin_config } } });

/** A request as the destination received it. */
export interface Taken {
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** An HTTP destination that stores accepted requests. */
export class Destination {
  readonly taken: Taken[] = [];
  readonly refused: Taken[] = [];
  status = 200;
  /** The status for a body, instead of `status`. */
  refuses: (body: string) => number | null = () => null;
  /** Delay of an answer, in milliseconds. */
  delayMs = 0;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', headers } = request;
        const seen = { method, headers, body: Buffer.concat(chunks).toString('utf8') };
        const status = this.refuses(seen.body) ?? this.status;
        (status < 300 ? this.taken : this.refused).push(seen);
        setTimeout(() => response.writeHead(status).end(), this.delayMs);
      });
    });
  }

  static async start(): Promise<Destination> {
    const destination = new Destination();
    await new Promise<void>((resolve) => destination.server.listen(0, '127.0.0.1', resolve));
    return destination;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/in`;
  }

  /** Ids of all messages that arrived in separate requests. */
  get ids(): string[] {
    return this.taken.map(({ headers }) => String(headers['ld-message-id']));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** The connectors process next to a broker under test. */
export class RunnerUnderTest {
  exited: Promise<BrokerExit> | null = null;
  readonly runtime = new ConnectorsRuntime(ENTRY);
  private pid = 0;

  constructor(
    readonly broker: BrokerUnderTest,
    public instances: NodeConnector[],
  ) {}

  /** The programs of the machine, for nodes with iggy. */
  binaries: ConnectorsSpec['binaries'] = {};

  /** Ids of the instances whose plugin is missing. Null: the runner has all plugins. */
  absent: number[] | null = null;

  async spec(restart = 0, allowPrivate = true): Promise<ConnectorsSpec> {
    const { inlet } = this.broker.runtime;
    const connectors = { want: 'running' as const, restart, instances: this.instances };
    const program = this.absent && { entry: ENTRY, absent: this.absent };
    return { node: this.broker.spec, connectors, inlet, allowPrivate, binaries: this.binaries ?? {}, program };
  }

  async start(allowPrivate = true): Promise<ConnectorsContact> {
    const { pid, exited } = await this.runtime.start(this.broker.home, await this.spec(0, allowPrivate));
    this.pid = pid;
    this.exited = exited;
    return until('the runner answers', () => this.runtime.contact(this.broker.home));
  }

  /** Kills the last started process and waits for its end. */
  async kill(): Promise<void> {
    process.kill(this.pid, 'SIGKILL');
    await this.exited;
  }

  /** Makes the running process take other connectors. */
  async apply(instances: NodeConnector[]): Promise<boolean> {
    this.instances = instances;
    return this.runtime.apply(this.broker.home, await this.spec());
  }

  async stop(): Promise<void> {
    await this.runtime.stop(this.broker.home, 8_000);
    await this.exited;
  }

  async report(instanceId: number): Promise<ConnectorReport | undefined> {
    const contact = await this.runtime.contact(this.broker.home);
    return contact?.connectors.find(({ instance_id: id }) => id === instanceId);
  }

  /** The report of an instance as soon as `fits` accepts it. */
  reports(what: string, instanceId: number, fits: (report: ConnectorReport) => boolean): Promise<ConnectorReport> {
    let last: ConnectorReport | undefined;
    return until(
      () => `${what}: ${JSON.stringify(last)}`,
      async () => {
        last = await this.report(instanceId);
        return last && fits(last) ? last : null;
      },
    );
  }

  log(): Promise<string> {
    return readFile(this.runtime.logFile(this.broker.home), 'utf8');
  }
}
