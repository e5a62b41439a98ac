import { useQuery } from '@tanstack/react-query';
import { runtimeQuery } from '../../api/queries.js';
import { Connect } from './connect.js';
import { OperationSteps } from './operation-steps.js';
import { ReadProblem } from '../../ui/read-problem.js';
import { useDeployment, useLastOperation } from './use-deployment.js';
import type { Supervisor } from '@landlord/sdk';
import { Explained } from '../../ui/text/status.js';
import { Table, type Column } from '../../ui/list/table.js';
import { Section } from '../../ui/section.js';

/** What happens to the deployment now, how clients connect, and the nodes. */
export function DeploymentScreen() {
  const { tenantId, deploymentId, deployment } = useDeployment();
  const operation = useLastOperation();
  const runtime = useQuery({ ...runtimeQuery(tenantId, deploymentId), enabled: deployment.supervisor_url !== null });
  return (
    <>
      {operation && <OperationSteps operation={operation} />}
      <ReadProblem of={runtime} />
      {runtime.data && (
        <>
          <Connect tenantId={tenantId} runtime={runtime.data} />
          <Nodes nodes={runtime.data.nodes} />
        </>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Supervisor.NodeView>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Status', cell: ({ status, status_reason }) => <Explained of={status} reason={status_reason} /> },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'Broker', cell: ({ driver }) => driver },
  { title: 'Address', cell: ({ endpoints }) => <code>{endpoints.tcp ?? 'none yet'}</code> },
];

const Nodes = ({ nodes }: { nodes: readonly Supervisor.NodeView[] }) => (
  <Section title="Nodes">
    <Table label="Nodes" columns={COLUMNS} rows={nodes} keyOf={({ id }) => id} />
  </Section>
);
