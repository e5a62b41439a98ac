import type { Main } from '@landlord/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { structureQuery } from '../../api/queries.js';
import { RequestButton } from '../../request/request-button.js';
import { RequestForm } from '../../request/request-form.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import styles from './divisions.module.css';

/** The tree of an organization: divisions, their environments, and the deployments there. */
export function DivisionsScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/divisions' });
  const { data } = useSuspenseQuery(structureQuery(tenantId));
  return (
    <>
      <TenantHead title="Divisions and environments" />
      <ul className={styles['tree']}>
        {data.divisions.map((division) => (
          <Division key={division.id} tenantId={tenantId} division={division} />
        ))}
      </ul>
      <Disclosure title="New division">
        <RequestForm
          tenantId={tenantId}
          request="divisions.create"
          fields={['name', 'description', 'email']}
          action="Create the division"
        />
      </Disclosure>
    </>
  );
}

function Division({ tenantId, division }: { tenantId: number; division: Main.StructureDivisionView }) {
  const ids = { division_id: division.id };
  return (
    <li>
      <div className={styles['level']}>
        <h2>
          <Link to="/t/$tenantId/divisions/$divisionId" params={{ tenantId, divisionId: division.id }}>
            <bdi>{division.name}</bdi>
          </Link>
        </h2>
        <RequestButton
          {...{ tenantId, ids, scope: ids }}
          request="divisions.delete"
          action="Delete"
          question={`Delete the division ${division.name} with its environments and deployments?`}
        />
      </div>
      <ul className={styles['tree']}>
        {division.environments.map((environment) => (
          <Environment key={environment.id} tenantId={tenantId} divisionId={division.id} environment={environment} />
        ))}
      </ul>
      <Disclosure title={`New environment in ${division.name}`}>
        <RequestForm
          {...{ tenantId, ids, scope: ids }}
          request="environments.create"
          fields={['name', 'description']}
          action="Create the environment"
        />
      </Disclosure>
    </li>
  );
}

/** The tree shows so many deployments of an environment. The list of deployments has pages and a filter. */
const MOST_SHOWN = 20;

interface EnvironmentProps {
  tenantId: number;
  divisionId: number;
  environment: Main.StructureEnvironmentView;
}

function Environment({ tenantId, divisionId, environment }: EnvironmentProps) {
  const { deployments } = environment;
  const ids = { division_id: divisionId, environment_id: environment.id };
  return (
    <li>
      <div className={styles['level']}>
        <bdi>{environment.name}</bdi>
        <RequestButton
          {...{ tenantId, ids, scope: ids }}
          request="environments.delete"
          action="Delete"
          question={`Delete the environment ${environment.name} with its deployments?`}
        />
      </div>
      <ul className={styles['deployments']}>
        {deployments.slice(0, MOST_SHOWN).map(({ id, name }) => (
          <li key={id}>
            <Link to="/t/$tenantId/deployments/$deploymentId" params={{ tenantId, deploymentId: id }}>
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
        {deployments.length > MOST_SHOWN && (
          <li>
            <Link to="/t/$tenantId" params={{ tenantId }}>
              {deployments.length - MOST_SHOWN} more in the list of deployments
            </Link>
          </li>
        )}
      </ul>
    </li>
  );
}
