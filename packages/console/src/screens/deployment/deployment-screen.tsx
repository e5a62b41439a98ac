import { useQuery } from '@tanstack/react-query';
import { runtimeQuery } from '../../api/queries.js';
import { Connect } from './connect.js';
import { Nodes } from './nodes/nodes-table.js';
import { OperationSteps } from './operation-steps.js';
import { ReadProblem } from '../../ui/read-problem.js';
import { useDeployment, useLastOperation } from './use-deployment.js';

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
