import type { Main } from '@landlord/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { landlordOf } from '../../api/client.js';
import { structureQuery } from '../../api/queries.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import styles from './divisions.module.css';
import { NewLevel } from './new-level.js';
import { useChange, useDeletion } from './use-change.js';

/** The tree of an organization: divisions, their environments, and the deployments there. */
export function DivisionsScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/divisions' });
  const { data } = useSuspenseQuery(structureQuery(tenantId));
  const add = useChange(tenantId, (name: string) => landlordOf(tenantId).divisions.create({ name }));
  return (
    <>
      <TenantHead title="Divisions and environments" />
      <ul className={styles['tree']}>
        {data.divisions.map((division) => (
          <Division key={division.id} tenantId={tenantId} division={division} />
        ))}
      </ul>
      <NewLevel label="New division" add={add} />
    </>
  );
}

function Division({ tenantId, division }: { tenantId: number; division: Main.StructureDivisionView }) {
  const { environments, divisions } = landlordOf(tenantId);
  const division_id = division.id;
  const add = useChange(tenantId, (name: string) => environments.create({ division_id, name }));
  const remove = useDeletion(tenantId, () => divisions.delete({ division_id }));
  return (
    <li>
      <div className={styles['level']}>
        <h2>
          <bdi>{division.name}</bdi>
        </h2>
        <ConfirmButton
          action="Delete"
          question={`Delete the division ${division.name} with its environments and deployments?`}
          send={remove}
        />
      </div>
      <ul className={styles['tree']}>
        {division.environments.map((environment) => (
          <Environment key={environment.id} tenantId={tenantId} divisionId={division_id} environment={environment} />
        ))}
      </ul>
      <NewLevel label={`New environment in ${division.name}`} add={add} />
    </li>
  );
}

interface EnvironmentProps {
  tenantId: number;
  divisionId: number;
  environment: Main.StructureEnvironmentView;
}

function Environment({ tenantId, divisionId, environment }: EnvironmentProps) {
  const remove = useDeletion(tenantId, () =>
    landlordOf(tenantId).environments.delete({ division_id: divisionId, environment_id: environment.id }),
  );
  return (
    <li>
      <div className={styles['level']}>
        <bdi>{environment.name}</bdi>
        <ConfirmButton
          action="Delete"
          question={`Delete the environment ${environment.name} with its deployments?`}
          send={remove}
        />
      </div>
      <ul className={styles['deployments']}>
        {environment.deployments.map(({ id, name }) => (
          <li key={id}>
            <Link to="/t/$tenantId/deployments/$deploymentId" params={{ tenantId, deploymentId: id }}>
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </li>
  );
}
