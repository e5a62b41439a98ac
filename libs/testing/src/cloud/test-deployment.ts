import type { MqttClient } from 'mqtt';
import type { BrokerClient, ClientTarget, Login } from '../broker/broker-client.js';
import { FORMS_CLUSTERS } from '../broker/broker-of-the-run.js';
import { openBrokerClient } from '../broker/open-broker-client.js';
import { eventually } from '../eventually.js';
import type { ApiAnswer } from './api-client.js';
import type { TestCloud } from './test-cloud.js';

/** A node in the format of the Supervisor's API. Tests read more members than these. */
export interface SeenNode {
  id: number;
  name: string;
  driver: string;
  status: string;
  private_ip: string | null;
  endpoints: Record<'tcp' | 'http' | 'websocket' | 'udp', string | null>;
  runtimes: { runtime: string; status: string; pid: number | null; started_at: string | null }[];
}

const PAID = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard', cluster: 'cluster' };
const HERE = ['127.0.0.0/8'];
const ALL_BUT_UDP = { broker_tcp: true, broker_http: true, broker_websocket: true };
const PATIENCE_MS = 120_000;
let named = 0;

/** The cloud gave an unexpected answer during the setup of a test. */
class NotAsExpected extends TypeError {}

/** A deployment on real nodes, created and used only through the APIs. */
export class TestDeployment {
  private constructor(
    readonly cloud: TestCloud,
    readonly id: number,
  ) {}

  /** One Free node, open to all clients. */
  static free(cloud: TestCloud, more: object = {}): Promise<TestDeployment> {
    return TestDeployment.made(cloud, `${cloud.division}/deployments/starter`, {
      cloud: 'aws',
      region: 'us-east-1',
      ...more,
    });
  }

  /** Three nodes by default, closed to all clients. */
  static paid(cloud: TestCloud, more: object = {}, withinMs = PATIENCE_MS): Promise<TestDeployment> {
    named += 1;
    const body = { name: `paid-${named}`, ...PAID, ...more };
    return TestDeployment.made(cloud, `${cloud.environment}/deployments/managed`, body, withinMs);
  }

  /** Closed to all clients, with the nodes that the broker of the run can form: three, or one Free node. */
  static async largest(cloud: TestCloud): Promise<TestDeployment> {
    if (FORMS_CLUSTERS) return TestDeployment.paid(cloud);
    const deployment = await TestDeployment.free(cloud);
    for (const { id } of (await cloud.runtime().get(`${deployment.live}/access_rules`)).body)
      await cloud.runtime().delete(`${deployment.live}/access_rules/${id}`);
    return deployment;
  }

  /** The deployment of this request, which must succeed. */
  static async made(cloud: TestCloud, path: string, body: object, withinMs = PATIENCE_MS): Promise<TestDeployment> {
    const accepted = await cloud.main().post(path, body);
    if (accepted.status !== 202) throw new NotAsExpected(JSON.stringify(accepted.body));
    const deployment = new TestDeployment(cloud, Number(accepted.headers.get('ld-deployment')));
    await deployment.succeeds(accepted, withinMs);
    return deployment;
  }

  /** Its record at the main API. */
  get path(): string {
    return `${this.cloud.environment}/deployments/${this.id}`;
  }

  /** Its record at the Supervisor. */
  get live(): string {
    return `/deployments/${this.id}`;
  }

  /** The result of the operation of an accepted request. */
  async outcome(accepted: ApiAnswer, withinMs = PATIENCE_MS): Promise<{ status: string; reason: string | null }> {
    const id = accepted.headers.get('ld-operation');
    return eventually(
      `operation ${id} ends`,
      async () => {
        const { body } = await this.cloud.main().get(`${this.cloud.tenant}/operations/${id}?wait=20`);
        return ['succeeded', 'failed', 'cancelled'].includes(body.status) ? body : null;
      },
      withinMs,
    );
  }

  async succeeds(accepted: ApiAnswer, withinMs = PATIENCE_MS): Promise<void> {
    const { status, reason } = await this.outcome(accepted, withinMs);
    if (status !== 'succeeded') throw new NotAsExpected(`${status}: ${reason}`);
  }

  async detail(): Promise<{ status: string; nodes: SeenNode[]; [member: string]: unknown }> {
    return (await this.cloud.runtime().get(this.live)).body;
  }

  async nodes(): Promise<SeenNode[]> {
    return (await this.detail()).nodes;
  }

  async login(): Promise<Login> {
    return (await this.cloud.runtime().get(`${this.live}/credentials`)).body;
  }

  /** Opens it to this machine. Returns the id of the rule. */
  async permit(more: object = {}): Promise<number> {
    named += 1;
    const rule = { name: `here ${named}`, cidr_blocks: HERE, rules: ALL_BUT_UDP, ...more };
    const { status, body } = await this.cloud.runtime().post(`${this.live}/access_rules`, rule);
    if (status !== 201) throw new NotAsExpected(JSON.stringify(body));
    return body.id;
  }

  /** An MQTT client of the node with this index. Rejects when the node refuses it. */
  async connect(index = 0, login?: Login): Promise<MqttClient> {
    const endpoint = (await this.nodes())[index]?.endpoints.tcp;
    const options = { ...(login ?? (await this.login())), reconnectPeriod: 0, connectTimeout: 2_000 };
    // Without the last argument, a server that closes before it answers would be awaited without a limit.
    const { default: mqtt } = await import('mqtt');
    return mqtt.connectAsync(`mqtt://${endpoint}`, options, false);
  }

  /** A client, as soon as the node accepts one. */
  async letsIn(index = 0): Promise<MqttClient> {
    return eventually('a client is let in', () => this.connect(index).catch(() => null));
  }

  /**
   * A client in the protocol of the node with this index, by default over TCP with the credentials of the deployment. Rejects with
   * SignInRefused for wrong credentials, and with another error when the node lets no client in.
   */
  async client(index = 0, how: Partial<ClientTarget> = {}): Promise<BrokerClient> {
    const node = (await this.nodes())[index];
    const over = how.over ?? 'tcp';
    const own = { endpoint: node?.endpoints[over] ?? '', login: how.login ?? (await this.login()), over };
    return openBrokerClient(node?.driver ?? '', { ...own, ...how });
  }

  /** The same, as soon as the node lets a client in. */
  async admits(index = 0): Promise<BrokerClient> {
    return eventually('a client is let in', () => this.client(index).catch(() => null));
  }

  /** Opens the deployment to this machine, and waits until every node accepts a client. */
  async openToClients(): Promise<void> {
    await this.permit();
    for (const [index] of (await this.nodes()).entries()) await (await this.admits(index)).close();
  }

  async delete(withinMs = PATIENCE_MS): Promise<void> {
    await this.succeeds(await this.cloud.main().delete(this.path), withinMs);
  }
}
