import { SUPPORT_LEVELS } from '@libs/domain';
import { ApiProperty } from '@nestjs/swagger';

const level = (description: string) => ApiProperty({ enum: [...SUPPORT_LEVELS], description });

/**
 * What the drivers do. `real`: done. `played`: the resource has its states, and carries no traffic. `none`: nobody does
 * it, and an order of it is refused.
 */
export class FeaturesView {
  @level('Message data and backups cannot be read without a key of the deployment.')
  encryption: string;

  @level('The broker admits the rate of the compute size and slows senders down.')
  rate_limit: string;

  @level('The deployment shares its machines with no other deployment.')
  dedicated: string;

  @level('Peerings and private endpoints.')
  private_networking: string;

  @level('The address of a client behind a private endpoint reaches the broker.')
  proxy_protocol: string;

  @level('The nodes of a cluster replicate messages.')
  replication: string;

  @level('Backups of the data, and their restoration.')
  backup: string;
}

/** What the drivers do for each kind of deployment. */
export class FeaturesByClusterView {
  /** For deployments of several nodes. */
  cluster: FeaturesView;

  /** For deployments of one node. */
  standalone: FeaturesView;
}
