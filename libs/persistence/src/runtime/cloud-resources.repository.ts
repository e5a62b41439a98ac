import { Injectable } from '@nestjs/common';
import type { DeploymentId, NodeId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { CloudResource } from './entities/cloud-resource.entity.js';

/** A resource by its kind and name. */
export type NamedResource = Pick<CloudResource, 'kind' | 'name'>;

/** Where a resource is. `account`: that of the customer, or null. */
export interface ResourcePlace {
  cloud: string;
  region: string;
  account: string | null;
}

/** A row with its place. */
export interface PlacedResource extends Pick<CloudResource, 'kind' | 'name' | 'deployment_id' | 'driver' | 'intent'> {
  at: ResourcePlace;
}

/** A resource that must exist. */
export interface WantedResource extends NamedResource {
  deploymentId: DeploymentId;
  nodeId: NodeId | null;
  incarnation: number;
  driver: string;
  at: ResourcePlace;
}

// A row of the previous release has no place: its deployment has it.
const PLACED = `c.kind, c.name, c.deployment_id, c.driver, c.intent,
  (select jsonb_build_object('cloud', coalesce(c.cloud, d.cloud), 'region', coalesce(c.region, d.region),
                             'account', case when c.cloud is null then a.account_id else c.account end)
     from deployments d left join deployment_accounts a on a.deployment_id = d.id where d.id = c.deployment_id) as at`;

// The update returns the row that exists already.
const WANT = statement(
  'cloud_resources.want',
  `insert into cloud_resources as c (kind, name, deployment_id, node_id, incarnation, driver, cloud, region, account, intent)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'present')
   on conflict (kind, name) do update
      set incarnation = greatest(c.incarnation, excluded.incarnation), node_id = excluded.node_id
   returning ${PLACED}`,
);
const MARK_ABSENT = statement(
  'cloud_resources.mark_absent',
  `insert into cloud_resources as c (kind, name, deployment_id, driver, cloud, region, account, intent)
   select kind, name, $1, $4, $5, $6, $7, 'absent' from unnest($2::text[], $3::text[]) as r(kind, name)
   on conflict (kind, name) do update set intent = 'absent'
   returning ${PLACED}`,
);
const OF_DEPLOYMENT = statement(
  'cloud_resources.of_deployment',
  `select ${PLACED} from cloud_resources c where c.deployment_id = $1 order by c.kind, c.name`,
);
const FIND = statement(
  'cloud_resources.find',
  `select ${PLACED} from unnest($1::text[], $2::text[]) as r(kind, name)
     join cloud_resources c on c.kind = r.kind and c.name = r.name`,
);
// An answer that comes late belongs to an earlier incarnation.
const RECORD_ACCEPTANCE = statement(
  'cloud_resources.record_acceptance',
  `update cloud_resources set error = null, seen_at = now()
    where kind = $1 and name = $2 and incarnation = $3
      and (error is not null or seen_at is null or seen_at < now() - interval '1 minute')`,
);
const RECORD_REFUSAL = statement(
  'cloud_resources.record_refusal',
  `update cloud_resources set error = left($3, 1000) where kind = $1 and name = $2 and error is distinct from left($3, 1000)`,
);
const SEEN = statement(
  'cloud_resources.seen',
  `update cloud_resources set seen_at = now()
    where kind = $1 and name = any($2::text[]) and (seen_at is null or seen_at < now() - interval '1 minute')`,
);
const PLACES = statement(
  'cloud_resources.places',
  `select distinct coalesce(c.cloud, d.cloud) as cloud, coalesce(c.region, d.region) as region,
          case when c.cloud is null then a.account_id else c.account end as account
     from cloud_resources c join deployments d on d.id = c.deployment_id
     left join deployment_accounts a on a.deployment_id = d.id
    where c.driver = $1 and d.cell = $2`,
);
// Each backup and each restore has new names, so without a deletion the table grows with each of them. A call that comes late can need
// the row of the last day.
const FORGET_COPIES = statement(
  'cloud_resources.forget_copies',
  `delete from cloud_resources
    where deployment_id = $1 and kind in ('snapshot', 'restored_volume') and intent = 'absent'
      and (seen_at is null or seen_at < now() - interval '1 day')`,
);

/** The resources at the providers that Landlord wants or removes. */
@Injectable()
export class CloudResourcesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Records that the resource is wanted, with this driver and place unless the resource has a row. Returns its row; the intent
   * stays `absent` once its deletion has begun.
   */
  async want({ at, ...resource }: WantedResource): Promise<PlacedResource> {
    const { kind, name, deploymentId, nodeId, incarnation, driver } = resource;
    const values = [kind, name, deploymentId, nodeId, incarnation, driver, at.cloud, at.region, at.account];
    const [row] = await this.database.query<PlacedResource>(WANT, values);
    return row as PlacedResource;
  }

  /** Records that the provider accepted the call. Has no effect for an earlier incarnation. */
  async recordAcceptance({ kind, name }: NamedResource, incarnation: number): Promise<void> {
    await this.database.execute(RECORD_ACCEPTANCE, [kind, name, incarnation]);
  }

  async recordRefusal({ kind, name }: NamedResource, reason: string): Promise<void> {
    await this.database.execute(RECORD_REFUSAL, [kind, name, reason]);
  }

  /** Records that the provider has just returned these resources. */
  async recordSeen(kind: string, names: readonly string[]): Promise<void> {
    if (names.length > 0) await this.database.execute(SEEN, [kind, names]);
  }

  /** Records that the resources are to be removed, also those without a row. Returns their rows. */
  async markAbsent(
    deploymentId: DeploymentId,
    resources: readonly NamedResource[],
    { driver, at }: { driver: string; at: ResourcePlace },
  ): Promise<PlacedResource[]> {
    const kinds = resources.map(({ kind }) => kind);
    const names = resources.map(({ name }) => name);
    const place = [at.cloud, at.region, at.account];
    return this.database.query<PlacedResource>(MARK_ABSENT, [deploymentId, kinds, names, driver, ...place]);
  }

  async ofDeployment(deploymentId: DeploymentId): Promise<PlacedResource[]> {
    return this.database.query<PlacedResource>(OF_DEPLOYMENT, [deploymentId]);
  }

  /** Deletes the rows of snapshots and restored disks that were removed a day ago. */
  async forgetCopies(deploymentId: DeploymentId): Promise<void> {
    await this.database.execute(FORGET_COPIES, [deploymentId]);
  }

  /** The rows of the resources. A resource without a row is missing in the result. */
  async find(resources: readonly NamedResource[]): Promise<PlacedResource[]> {
    const values = [resources.map(({ kind }) => kind), resources.map(({ name }) => name)];
    return this.database.query<PlacedResource>(FIND, values);
  }

  /** The places of the cell's resources of one driver. */
  async places(driver: string, cell: string): Promise<ResourcePlace[]> {
    return this.database.query<ResourcePlace>(PLACES, [driver, cell]);
  }
}
