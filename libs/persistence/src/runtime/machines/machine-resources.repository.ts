import type { DeploymentId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import { MachineResource } from './entities/machine-resource.entity.js';

const PUT = statement(
  'machine_resources.put',
  `insert into machine_resources (kind, name, deployment_id, node_id, spec) values ($1, $2, $3, $4, $5)
   on conflict (kind, name) do update set spec = excluded.spec where machine_resources.spec <> excluded.spec`,
);
const RESOURCES = statement(
  'machine_resources.find',
  'select kind, name, deployment_id, node_id, spec from machine_resources where kind = $1 and name = any($2::text[])',
);
const PAGE = statement(
  'machine_resources.page',
  `select kind, name, deployment_id, node_id, spec from machine_resources
    where ($1::bigint is null or deployment_id = $1) and (kind, name) > ($2, $3)
   union all
   select 'node', n.name, n.deployment_id, n.node_id, '{}'::jsonb from machine_nodes n
    where n.former_name is null and ($1::bigint is null or n.deployment_id = $1) and ('node', n.name) > ($2, $3)
    order by kind, name limit $4`,
);

/** A place in the list of resources. */
type MachineResourceKey = Pick<MachineResource, 'kind' | 'name'>;

/** The records of the driver `machines`: resources that have no effect on a machine. */
export class MachineResourcesRepository {
  constructor(private readonly database: Database) {}

  async put({ kind, name, deployment_id, node_id, spec }: MachineResource): Promise<void> {
    await this.database.execute(PUT, [kind, name, deployment_id, node_id, JSON.stringify(spec)]);
  }

  async find(kind: string, names: readonly string[]): Promise<MachineResource[]> {
    return this.database.query<MachineResource>(RESOURCES, [kind, names]);
  }

  async remove(kind: string, name: string): Promise<void> {
    await this.database.repository(MachineResource).delete({ kind, name });
  }

  /**
   * A page of the resources after `after`, with an empty specification for the nodes on machines, which have their own rows.
   * `next`: the last of a page that is full, else null.
   */
  async page(
    deploymentId: DeploymentId | null,
    after: MachineResourceKey | null,
    limit: number,
  ): Promise<{ resources: MachineResource[]; next: MachineResourceKey | null }> {
    const values = [deploymentId, after?.kind ?? '', after?.name ?? '', limit];
    const resources = await this.database.query<MachineResource>(PAGE, values);
    const last = resources.length < limit ? undefined : resources.at(-1);
    return { resources, next: last ? { kind: last.kind, name: last.name } : null };
  }
}
