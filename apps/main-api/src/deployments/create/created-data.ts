import type { NodeId } from '@libs/domain';
import type { NewNode } from '@libs/persistence/runtime';
import type { DeploymentOrder } from './managed-rules.js';

/** A node with its id. */
export type CreatedNode = NewNode & { id: NodeId };

/** Data of a deployment that exists after its rows are inserted. */
export interface CreatedFacts {
  code: string;
  nodes: CreatedNode[];
}

/** Returns the data of the audit record `deployment_created` (C-26.6). */
export const createdData = (order: DeploymentOrder, { code, nodes }: CreatedFacts): object => ({
  cloud: order.shape.cloud,
  area: order.area,
  region: order.shape.region,
  variant: order.variant,
  tier: order.shape.tier,
  cluster_kind: order.shape.cluster,
  public_ip: order.hasPublicIp,
  storage_type: order.shape.storage.type,
  storage_size: order.shape.storage.size,
  target_network_tput: order.shape.targetNetworkTput,
  encrypted: order.isEncrypted,
  protected: order.isProtected,
  retention: {
    telemetry: {
      logs_days: order.telemetryDays,
      metrics_days: order.telemetryDays,
      heartbeats_days: order.telemetryDays,
    },
  },
  code,
  name: order.name,
  nodes: nodes.map((node) => ({
    id: node.id,
    name: node.name,
    image_id: node.image_id,
    variant: order.variant,
    storage_type: node.storage_type,
  })),
});
