import { randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { ResourceAttributes } from '@libs/cloud';
import { Database } from '@libs/persistence';
import {
  NodeAgentsRepository,
  NodeDocumentsRepository,
  NodeRevivalsRepository,
  NodesRepository,
  RedirectionsRepository,
  type DeploymentFacts,
  type NodeRow,
} from '@libs/persistence/runtime';

/** The two ends of the replacement of a lost or moved node: the fence before it, and the new address after it. */
@Injectable()
export class NodeReplacement {
  private readonly logger = new Logger('NodeReplacement');

  constructor(
    private readonly database: Database,
    private readonly agents: NodeAgentsRepository,
    private readonly revivals: NodeRevivalsRepository,
    private readonly nodes: NodesRepository,
    private readonly documents: NodeDocumentsRepository,
    private readonly redirections: RedirectionsRepository,
  ) {}

  /**
   * The agent's identity was on the earlier disk. The new epoch fences the old agent before the provider is asked for
   * another one.
   */
  async fence({ id, deployment_id: deploymentId }: NodeRow, reason: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.agents.replace(id);
      await this.revivals.forgetGone(id);
    });
    this.logger.warn({ node: id, deployment: deploymentId, reason }, 'another takes the place of the node');
  }

  /** The replacement has another address, which the other nodes and the clients of the deployment must know. */
  async publishAddress(
    { id, deployment_id: deploymentId }: NodeRow,
    { public_ip_enabled: isPublic }: DeploymentFacts,
    { private_ip: privateIp, public_ip, zone, image_id: imageId }: ResourceAttributes['node'],
  ): Promise<void> {
    await this.database.transaction(async () => {
      await this.nodes.place(id, { privateIp, publicIp: isPublic ? public_ip : null, zone, imageId });
      await this.documents.publishAll(deploymentId, randomBytes(16).toString('hex'));
      await this.redirections.begin(deploymentId);
    });
  }

  /** The replacement has the earlier address. A load balancer knows the earlier machine. */
  async redirectClients({ deployment_id: deploymentId }: NodeRow): Promise<void> {
    await this.redirections.begin(deploymentId);
  }
}
