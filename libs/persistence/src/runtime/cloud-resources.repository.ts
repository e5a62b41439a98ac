import { Injectable } from '@nestjs/common';
import type { DeploymentId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { CloudResource } from './entities/cloud-resource.entity.js';

export type { CloudResource };

/** A resource by its kind and name. */
export type NamedResource = Pick<CloudResource, 'kind' | 'name'>;

// The update without a change returns the row that exists already.
const WANT = statement(
  'cloud_resources.want',
  `insert into cloud_resources as c (kind, name, deployment_id, driver, intent) values ($1, $2, $3, $4, 'present')
   on conflict (kind, name) do update set intent = c.intent
   returning kind, name, deployment_id, driver, intent`,
);
const MARK_ABSENT = statement(
  'cloud_resources.mark_absent',
  `insert into cloud_resources as c (kind, name, deployment_id, driver, intent)
   select kind, name, $1, $4, 'absent' from unnest($2::text[], $3::text[]) as r(kind, name)
   on conflict (kind, name) do update set intent = 'absent'
   returning kind, name, deployment_id, driver, intent`,
);
const OF_DEPLOYMENT = statement(
  'cloud_resources.of_deployment',
  'select kind, name, deployment_id, driver, intent from cloud_resources where deployment_id = $1 order by kind, name',
);
const DRIVERS = statement(
  'cloud_resources.drivers',
  `select c.kind, c.name, c.driver from unnest($1::text[], $2::text[]) as r(kind, name)
     join cloud_resources c on c.kind = r.kind and c.name = r.name`,
);

/** The resources at the providers that Landlord wants or removes. */
@Injectable()
export class CloudResourcesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Records that the resource is wanted, with this driver unless the resource has one. Returns its row; the intent stays
   * `absent` once its deletion has begun.
   */
  async want(kind: string, name: string, deploymentId: DeploymentId, driver: string): Promise<CloudResource> {
    const [row] = await this.database.query<CloudResource>(WANT, [kind, name, deploymentId, driver]);
    return row as CloudResource;
  }

  /** Records that the resources are to be removed, also those without a row. Returns their rows. */
  async markAbsent(
    deploymentId: DeploymentId,
    resources: readonly NamedResource[],
    driver: string,
  ): Promise<CloudResource[]> {
    const kinds = resources.map(({ kind }) => kind);
    const names = resources.map(({ name }) => name);
    return this.database.query<CloudResource>(MARK_ABSENT, [deploymentId, kinds, names, driver]);
  }

  async ofDeployment(deploymentId: DeploymentId): Promise<CloudResource[]> {
    return this.database.query<CloudResource>(OF_DEPLOYMENT, [deploymentId]);
  }

  /** The drivers of the resources. A resource without a row is missing in the result. */
  async drivers(resources: readonly NamedResource[]): Promise<Pick<CloudResource, 'kind' | 'name' | 'driver'>[]> {
    const values = [resources.map(({ kind }) => kind), resources.map(({ name }) => name)];
    return this.database.query<Pick<CloudResource, 'kind' | 'name' | 'driver'>>(DRIVERS, values);
  }
}
