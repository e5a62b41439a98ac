import type { Addressed, Ancestry } from '@libs/http';
import type { AddressedRows, AncestryRow } from '@libs/persistence/platform';

/** The ids for the statement. An impossible id finds no row, like a missing one. */
export const rowsOf = ({ divisionId, environmentId, deploymentId }: Addressed): AddressedRows => ({
  divisionId: divisionId ?? null,
  environmentId: environmentId ?? null,
  deploymentId: deploymentId ?? null,
});

/** Only levels that belong together count. A deployment of another environment than the one in the path does not exist. */
export function ancestryOf(row: AncestryRow): Ancestry {
  const division = row.division_id === null ? null : { id: row.division_id, name: row.division_name ?? '' };
  const hasEnvironment = row.environment_id !== null && row.environment_division_id === division?.id;
  const environment = hasEnvironment ? { id: row.environment_id as number, name: row.environment_name ?? '' } : null;
  const hasDeployment = row.deployment_id !== null && row.deployment_environment_id === environment?.id;
  return { division, environment, deployment: hasDeployment ? deploymentOf(row) : null };
}

const deploymentOf = (row: AncestryRow): Ancestry['deployment'] => ({
  id: row.deployment_id as number,
  name: row.deployment_name ?? '',
  cell: row.cell ?? '',
  supervisorUrl: row.supervisor_url,
});
