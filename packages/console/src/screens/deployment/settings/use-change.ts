import type { Main } from '@landlord/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { landlordOf } from '../../../api/client.js';
import { useDeployment } from '../use-deployment.js';

/** The ids in the path of the requests. */
export const pathOf = ({ id, division_id, environment_id }: Main.DeploymentView) => ({
  ...{ division_id, environment_id, deployment_id: id },
});

/** Changes members of the deployment, and reads everything again that shows them. */
export function useChange(changes: Main.UpdateDeploymentDto) {
  const { tenantId, deployment } = useDeployment();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => landlordOf(tenantId).deployments.update({ ...pathOf(deployment), ...changes }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tenant', tenantId] }),
  });
}
