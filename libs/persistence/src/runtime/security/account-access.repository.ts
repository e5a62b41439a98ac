import { Injectable } from '@nestjs/common';
import type { DeploymentId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { ResourcePlace } from '../cloud-resources.repository.js';

// A row of the previous release has no place, and is looked at when its deployment has another network.
const IN_USE = statement(
  'account_access.in_use',
  `select c.driver, jsonb_build_object('cloud', c.cloud, 'region', c.region, 'account', c.account) as at,
          (array_agg(c.name order by c.deployment_id desc))[1] as name,
          array_agg(c.deployment_id order by c.deployment_id) as "deploymentIds"
     from cloud_resources c join deployment_runtimes r on r.deployment_id = c.deployment_id
    where r.cell = $1 and r.deleted_at is null and r.status in ('initialized', 'degraded')
      and c.kind = 'network' and c.intent = 'present' and c.account is not null
    group by c.driver, c.cloud, c.region, c.account
    order by c.driver, c.cloud, c.region, c.account`,
);
const RECORD = statement(
  'account_access.record',
  `update deployment_accounts set refusal = left($2, 1000)
    where deployment_id = any($1::bigint[]) and refusal is distinct from left($2, 1000)`,
);

/** The account of a customer with deployments that serve, and the network of one of them. */
export interface AccountInUse {
  driver: string;
  at: ResourcePlace;
  /** The name of the network. */
  name: string;
  deploymentIds: DeploymentId[];
}

/** Whether the providers let Landlord work in the accounts of customers. */
@Injectable()
export class AccountAccessRepository {
  constructor(private readonly database: Database) {}

  /** The accounts of customers that contain serving deployments of the cell, by region. */
  async inUse(cell: string): Promise<AccountInUse[]> {
    return this.database.query<AccountInUse>(IN_USE, [cell]);
  }

  /** Records the refusal for these deployments; null: the provider accepts Landlord. Returns how many rows have changed. */
  async record(deploymentIds: readonly DeploymentId[], refusal: string | null): Promise<number> {
    return this.database.execute(RECORD, [deploymentIds, refusal]);
  }
}
