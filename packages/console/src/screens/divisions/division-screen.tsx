import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { readQuery } from '../../api/read.js';
import { RequestForm } from '../../request/request-form.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import { Problem } from '../../ui/problem.js';
import { Section } from '../../ui/section.js';
import { Health } from '../tenant/health.js';
import { CodeRequest } from '../../request/code-request.js';

/** One division: its settings, its environments, and what runs there. */
export function DivisionScreen() {
  const { tenantId, divisionId } = useParams({ from: '/signed-in/t/$tenantId/divisions/$divisionId' });
  const navigate = useNavigate();
  const ids = { division_id: divisionId };
  const division = useQuery(readQuery(tenantId, 'divisions.get', ids));
  return (
    <>
      <TenantHead
        above={
          <Link to="/t/$tenantId/divisions" params={{ tenantId }}>
            Divisions
          </Link>
        }
        title={<bdi>{division.data?.name ?? 'Division'}</bdi>}
      />
      {division.error && <Problem error={division.error} />}
      <Health tenantId={tenantId} divisionId={divisionId} />
      {division.data && (
        <Section title="Settings">
          <RequestForm
            {...{ tenantId, ids, scope: ids }}
            request="divisions.update"
            own={{ protected: { label: 'Protected from deletion' }, description: { isMultiline: true } }}
            record={{ ...division.data }}
            action="Save the division"
          />
        </Section>
      )}
      <Environments tenantId={tenantId} divisionId={divisionId} />
      {division.data && (
        <DeleteLevel
          {...{ tenantId, ids, level: 'division' as const }}
          name={division.data.name}
          isProtected={division.data.protected}
          onDone={() => navigate({ to: '/t/$tenantId/divisions', params: { tenantId } })}
        />
      )}
    </>
  );
}

function Environments({ tenantId, divisionId }: { tenantId: number; divisionId: number }) {
  const environments = useQuery(readQuery(tenantId, 'environments.list', { division_id: divisionId, results: 100 }));
  return (
    <Section title="Environments">
      {environments.error && <Problem error={environments.error} />}
      {environments.data?.items.map((one) => (
        <Environment key={one.id} tenantId={tenantId} divisionId={divisionId} environment={one} />
      ))}
    </Section>
  );
}

interface EnvironmentProps {
  tenantId: number;
  divisionId: number;
  environment: Main.EnvironmentView;
}

function Environment({ tenantId, divisionId, environment }: EnvironmentProps) {
  const { name } = environment;
  const ids = { division_id: divisionId, environment_id: environment.id };
  return (
    <Disclosure title={<bdi>{name}</bdi>}>
      <RequestForm
        {...{ tenantId, ids, scope: ids }}
        request="environments.update"
        own={{ protected: { label: 'Protected from deletion' }, description: { isMultiline: true } }}
        record={{ ...environment }}
        action={`Save ${name}`}
      />
      <DeleteLevel {...{ tenantId, ids, level: 'environment' as const, name }} isProtected={environment.protected} />
    </Disclosure>
  );
}

interface DeleteLevelProps {
  tenantId: number;
  ids: Readonly<Record<string, number>>;
  level: 'division' | 'environment';
  name: string;
  isProtected: boolean;
  onDone?: () => unknown;
}

/** Deletes a division or an environment. A protected one needs the code of a mail. */
const DeleteLevel = ({ tenantId, ids, level, name, isProtected, onDone }: DeleteLevelProps) => (
  <Section title={`Delete the ${level} ${name}`}>
    <p>Everything inside is deleted, too. Nobody can undo this.</p>
    {isProtected && <CodeRequest {...{ tenantId, ids }} action={`delete_${level}`} />}
    <RequestForm
      {...{ tenantId, ids, scope: ids }}
      request={level === 'division' ? 'divisions.delete' : 'environments.delete'}
      {...(!isProtected && { fields: [] })}
      own={{ code: { label: 'Code from the mail', hint: `The ${level} is protected.`, isRequired: true } }}
      kind="danger"
      question={`Delete the ${level} ${name} with everything in it?`}
      action={`Delete ${name}`}
      {...(onDone && { onDone })}
    />
  </Section>
);
