import { OperationFailedError, type Accepted, type Landlord, type Main } from '@landlord/sdk';
import type { MqttClient } from 'mqtt';
import type { BrokerClient, ClientTarget, Login } from '../broker/broker-client.js';
import { FORMS_CLUSTERS } from '../broker/broker-of-the-run.js';
import { openBrokerClient } from '../broker/open-broker-client.js';
import { eventually } from '../basics/eventually.js';
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

const PAID = {
  ...({ cloud: 'aws', region: 'us-east-1' } as const),
  ...({ tier: 'small', managed_tier: 'standard', cluster: 'cluster' } as const),
};
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
    const { division_id } = cloud.installation;
    return TestDeployment.made(cloud, ({ deployments }) =>
      deployments.createStarter({ division_id, cloud: 'aws', region: 'us-east-1', ...more }),
    );
  }

  /** Three nodes by default, closed to all clients. */
  static paid(cloud: TestCloud, more: object = {}, withinMs = PATIENCE_MS): Promise<TestDeployment> {
    named += 1;
    const order = { ...cloud.placeIds, name: `paid-${named}`, ...PAID, ...more };
    return TestDeployment.made(cloud, ({ deployments }) => deployments.createManaged(order), withinMs);
  }

  /** Closed to all clients, with the nodes that the broker of the run can form: three, or one Free node. */
  static async largest(cloud: TestCloud): Promise<TestDeployment> {
    if (FORMS_CLUSTERS) return TestDeployment.paid(cloud);
    const deployment = await TestDeployment.free(cloud);
    const { accessRules } = cloud.landlord;
    const place = { deployment_id: deployment.id };
    for (const { id } of await accessRules.list(place)) await accessRules.delete({ ...place, access_rule_id: id });
    return deployment;
  }

  /** The deployment of this order, which must succeed. */
  static async made(
    cloud: TestCloud,
    order: (landlord: Landlord) => Promise<Accepted<Main.AcceptedView>>,
    withinMs = PATIENCE_MS,
  ): Promise<TestDeployment> {
    const { deployment_id, operation } = await order(cloud.landlord);
    await operation.wait({ timeoutMs: withinMs });
    return new TestDeployment(cloud, deployment_id);
  }

  /** Its record at the main API. */
  get path(): string {
    return `${this.cloud.environment}/deployments/${this.id}`;
  }

  /** Its record at the Supervisor. */
  get live(): string {
    return `/deployments/${this.id}`;
  }

  /** The operation of an accepted request, after its end. */
  async outcome(accepted: ApiAnswer, withinMs = PATIENCE_MS): Promise<Main.OperationView> {
    const operation = this.cloud.landlord.operation(Number(accepted.headers.get('ld-operation')));
    return operation.wait({ timeoutMs: withinMs }).catch((error: unknown) => {
      if (error instanceof OperationFailedError) return error.operation;
      throw error;
    });
  }

  async succeeds(accepted: ApiAnswer, withinMs = PATIENCE_MS): Promise<void> {
    const { status, reason } = await this.outcome(accepted, withinMs);
    if (status !== 'succeeded') throw new NotAsExpected(`${status}: ${reason}`);
  }

  async detail(): Promise<{ status: string; nodes: SeenNode[]; [member: string]: unknown }> {
    return { ...(await this.cloud.landlord.runtime.get({ deployment_id: this.id })) };
  }

  async nodes(): Promise<SeenNode[]> {
    return (await this.detail()).nodes;
  }

  async login(): Promise<Login> {
    return this.cloud.landlord.runtime.getCredentials({ deployment_id: this.id });
  }

  /** Opens it to this machine. Returns the id of the rule. */
  async permit(more: object = {}): Promise<number> {
    named += 1;
    const rule = { name: `here ${named}`, cidr_blocks: HERE, rules: ALL_BUT_UDP, ...more };
    const { id } = await this.cloud.landlord.accessRules.create({ deployment_id: this.id, ...rule });
    return id;
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
    const options = { endpoint: node?.endpoints[over] ?? '', login: how.login ?? (await this.login()), over };
    return openBrokerClient(node?.driver ?? '', { ...options, ...how });
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
    const { deployments } = this.cloud.landlord;
    const { operation } = await deployments.delete({ ...this.cloud.placeIds, deployment_id: this.id });
    await operation.wait({ timeoutMs: withinMs });
  }
}
