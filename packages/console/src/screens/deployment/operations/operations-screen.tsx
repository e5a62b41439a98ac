import { useSuspenseQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { operationsQuery } from '../../../api/queries/operations.js';
import { commandLine } from '../../../lib/command-line.js';
import { Code } from '../../../ui/text/code.js';
import { Pages } from '../../../ui/list/pages.js';
import { Problem } from '../../../ui/problem.js';
import { TableFrame } from '../../../ui/list/table.js';
import { Section } from '../../../ui/section.js';
import { useDeployment } from '../use-deployment.js';
import { OperationRows } from './operation-rows.js';

const COLUMNS = ['Operation', 'Status', 'Progress', 'Requested', 'Ended'];

/** Everything that has happened to the deployment, and what happens now. */
export function OperationsScreen() {
  const { tenantId, deploymentId } = useDeployment();
  const { page = 1, operation: open } = useSearch({
    from: '/signed-in/t/$tenantId/deployments/$deploymentId/operations',
  });
  const { data, error } = useSuspenseQuery(operationsQuery(tenantId, deploymentId, page));
  return (
    <Section title="Operations">
      {error && <Problem error={error} />}
      <TableFrame label="Operations" titles={COLUMNS}>
        {data.items.map((operation) => (
          <OperationRows key={operation.id} tenantId={tenantId} listed={operation} isOpen={operation.id === open} />
        ))}
      </TableFrame>
      {data.total_results === 0 && <p>No operation yet.</p>}
      <Pages {...data} />
      <Code label="Command" text={commandLine({ command: 'operations list', options: { deployment: deploymentId } })} />
    </Section>
  );
}
