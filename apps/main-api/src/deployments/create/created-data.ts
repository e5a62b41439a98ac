import type { NewNode } from '@libs/persistence/runtime';
import type { DeploymentRequest } from './managed-rules.js';

/** Data of a deployment that exists after its rows are inserted. */
export interface CreatedFacts {
  code: string;
  /** The domain name. Null without one. */
  domain: string | null;
  nodes: NewNode[];
}

/** Returns the data of the audit record `deployment_created` (C-26.6). */
export const createdData = (request: DeploymentRequest, { code, domain, nodes }: CreatedFacts): object => ({
  cloud: request.shape.cloud,
  area: request.area,
  region: request.shape.region,
  variant: request.variant,
  tier: request.shape.tier,
  cluster_kind: request.shape.cluster,
  public_ip: request.hasPublicIp,
  storage_type: request.shape.storage.type,
  storage_size: request.shape.storage.size,
  target_network_tput: request.shape.targetNetworkTput,
  encrypted: request.isEncrypted,
  protected: request.isProtected,
  retention: {
    telemetry: {
      logs_days: request.telemetryDays,
      metrics_days: request.telemetryDays,
      heartbeats_days: request.telemetryDays,
    },
  },
  ...(request.restoreFrom && {
    restored_from: { deployment_id: request.restoreFrom.deploymentId, backup_id: request.restoreFrom.backupId },
  }),
  code,
  name: request.name,
  ...(domain !== null && { domain }),
  nodes: nodes.map((node) => ({
    id: node.id,
    name: node.name,
    image_id: node.image_id,
    variant: node.variant,
    storage_type: node.storage_type,
  })),
});
