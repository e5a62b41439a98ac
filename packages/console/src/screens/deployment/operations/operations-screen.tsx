import { useSuspenseQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { operationsQuery, type OperationsFilter } from '../../../api/queries/operations.js';
import { FILTERS } from '../../../generated/values.js';
import { commandLine } from '../../../lib/command-line.js';
import { Code } from '../../../ui/text/code.js';
import { choicesOf, Filters } from '../../../ui/list/filters.js';
import { Pages } from '../../../ui/list/pages.js';
import { Problem } from '../../../ui/problem.js';
import { TableFrame } from '../../../ui/list/table.js';
import { Section } from '../../../ui/section.js';
import { useDeployment } from '../use-deployment.js';
import { OperationRows } from './operation-rows.js';

const COLUMNS = ['Operation', 'Status', 'Progress', 'Requested', 'Ended'];

const { type, status } = FILTERS['operations.list'];
const FIELDS = [
  { name: 'type', label: 'Type', choices: choicesOf(type) },
  { name: 'status', label: 'Status', choices: choicesOf(status) },
];

/** Everything that has happened to the deployment, and what happens now. */
export function OperationsScreen() {
  const { tenantId, deploymentId } = useDeployment();
  const {
    page = 1,
    operation: open,
    ...filter
  } = useSearch({
    from: '/signed-in/t/$tenantId/deployments/$deploymentId/operations',
  });
  const { data, error } = useSuspenseQuery(operationsQuery(tenantId, deploymentId, page, filter as OperationsFilter));
  return (
    <Section title="Operations">
      <Filters fields={FIELDS} values={filter} />
      {error && <Problem error={error} />}
      <TableFrame label="Operations" titles={COLUMNS}>
        {data.items.map((operation) => (
          <OperationRows key={operation.id} tenantId={tenantId} listed={operation} isOpen={operation.id === open} />
        ))}
      </TableFrame>
      {data.total_results === 0 && <p>No operation fits.</p>}
      <Pages {...data} />
      <Code label="Command" text={commandLine({ command: 'operations list', options: { deployment: deploymentId } })} />
    </Section>
  );
}
