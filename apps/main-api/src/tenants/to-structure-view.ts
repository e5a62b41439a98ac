import type { TenantId } from '@libs/domain';
import type { StructureRow } from '@libs/persistence/organization';
import type { StructureDivisionView, StructureEnvironmentView, StructureView } from './dto/structure.view.js';

/** Builds the tree from rows that are sorted by division, environment and deployment. */
export function toStructureView(tenant: { id: TenantId; name: string }, rows: readonly StructureRow[]): StructureView {
  const divisions = grouped(rows, ({ division_id }) => division_id).map(toDivision);
  return { id: tenant.id, name: tenant.name, divisions };
}

function toDivision(rows: StructureRow[]): StructureDivisionView {
  const [{ division_id: id, division_name: name }] = rows as [StructureRow];
  const environments = grouped(rows, ({ environment_id }) => environment_id).map(toEnvironment);
  const count = environments.reduce((sum, { deployments_count }) => sum + deployments_count, 0);
  return { id, name, deployments_count: count, environments };
}

function toEnvironment(rows: StructureRow[]): StructureEnvironmentView {
  const [first] = rows as [StructureRow];
  const deployments = rows.filter(({ deployment_id }) => deployment_id !== null);
  return {
    id: first.environment_id ?? 0,
    name: first.environment_name ?? '',
    deployments_count: deployments.length,
    deployments: deployments
      .filter(isReadable)
      .map(({ deployment_id, name, code, cloud, variant, region, tier, supervisor_url }) => ({
        id: deployment_id,
        name,
        code,
        cloud,
        variant,
        region,
        tier,
        supervisor_url,
      })),
  };
}

/** A row with a deployment. */
type DeploymentRow = StructureRow & {
  [Name in 'deployment_id' | 'name' | 'code' | 'cloud' | 'variant' | 'region' | 'tier']: NonNullable<
    StructureRow[Name]
  >;
};

const isReadable = (row: StructureRow): row is DeploymentRow => row.deployment_id !== null && row.is_readable === true;

/** Groups rows with the same id, in the order in which the ids first appear. Leaves out rows without an id. */
function grouped(rows: readonly StructureRow[], idOf: (row: StructureRow) => number | null): StructureRow[][] {
  const groups = new Map<number, StructureRow[]>();
  for (const row of rows) {
    const id = idOf(row);
    if (id === null) continue;
    const group = groups.get(id) ?? [];
    groups.set(id, group);
    group.push(row);
  }
  return [...groups.values()];
}
