import { Injectable } from '@nestjs/common';
import { Database, Secrets } from '@libs/persistence';
import type { Cell } from '@libs/persistence/organization';
import {
  AccessRulesRepository,
  ConfigsRepository,
  CredentialsRepository,
  NodesRepository,
  RuntimesRepository,
  type Node,
} from '@libs/persistence/runtime';
import type { DeploymentOrder } from './managed-rules.js';

/** The first rows of the supervisor's tables: they must be readable before the request is answered. */
@Injectable()
export class DeploymentBirth {
  private readonly runtimes: RuntimesRepository;
  private readonly credentials: CredentialsRepository;
  private readonly configs: ConfigsRepository;
  private readonly nodes: NodesRepository;
  private readonly rules: AccessRulesRepository;

  constructor(database: Database, secrets: Secrets) {
    this.runtimes = new RuntimesRepository(database, secrets);
    this.credentials = new CredentialsRepository(database, secrets);
    this.configs = new ConfigsRepository(database, secrets);
    this.nodes = new NodesRepository(database);
    this.rules = new AccessRulesRepository(database);
  }

  /** Inserts the runtime, its credentials, first configuration and nodes; answers the nodes. */
  async give(deploymentId: number, order: DeploymentOrder, cell: Cell, authorId: number): Promise<Node[]> {
    await this.runtimes.insert(deploymentId, cell.cell);
    await this.credentials.create(deploymentId);
    await this.configs.createFirst(deploymentId, cell.broker_version, authorId);
    if (order.shape.tier === 'free') await this.openToAll(deploymentId);
    const nodes = Array.from({ length: order.quote.nodes }, (_, index) =>
      nodeRow(deploymentId, index + 1, order, cell),
    );
    const ids = await this.nodes.insert(nodes);
    return nodes.map((node, index) => ({ ...node, id: ids[index] }) as Node);
  }

  /** A Free deployment starts with a global rule, which can be deleted or replaced (spec, "Access rules"). */
  private async openToAll(deploymentId: number): Promise<void> {
    const rules = { broker_tcp: true, broker_http: true, broker_websocket: true, broker_udp: true };
    const rule = {
      name: 'global',
      remarks: 'Made with the Free deployment',
      cidr_blocks: ['0.0.0.0/0'],
      rules,
      valid_to: null,
    };
    await this.rules.insert(deploymentId, rule);
  }
}

const nodeRow = (deploymentId: number, ordinal: number, { shape }: DeploymentOrder, cell: Cell): Partial<Node> => ({
  deploymentId,
  ordinal,
  name: `node-${ordinal}`,
  role: ordinal === 1 ? 'leader' : 'follower',
  brokerDriver: cell.broker_driver,
  brokerVersion: cell.broker_version,
  imageId: `landlord-${cell.broker_driver}-${cell.broker_version}`,
  storageType: shape.storage.type,
  storageSize: shape.storage.size,
});
