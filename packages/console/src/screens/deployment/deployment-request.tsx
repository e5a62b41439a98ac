import { shapeOf, type RequestName } from '../../request/find-shape.js';
import { RequestButton, type RequestButtonProps } from '../../request/request-button.js';
import { RequestForm, type RequestFormProps } from '../../request/request-form.js';
import type { PathIds } from '../../request/shape.js';
import { useDeployment } from './use-deployment.js';

type OfDeployment<Props> = Omit<Props, 'tenantId' | 'scope'>;

/** A form for a request about the deployment of the address. */
export const DeploymentForm = <Answer = unknown,>(props: OfDeployment<RequestFormProps<Answer>>) => (
  <RequestForm<Answer> {...props} {...useCaller(props)} />
);

/** A button for a request about the deployment of the address. */
export const DeploymentButton = <Answer = unknown,>(props: OfDeployment<RequestButtonProps<Answer>>) => (
  <RequestButton<Answer> {...props} {...useCaller(props)} />
);

/** What every request about the deployment has. A path has only some of the ids. */
function useCaller({ request, ids }: { request: RequestName; ids?: PathIds }) {
  const { tenantId, deployment } = useDeployment();
  const { id: deployment_id, division_id, environment_id } = deployment;
  const { path } = shapeOf(request);
  const own = Object.entries({ division_id, environment_id, deployment_id }).filter(([name]) =>
    path.includes(`{${name}}`),
  );
  return { tenantId, scope: { division_id, environment_id }, ids: { ...Object.fromEntries(own), ...ids } };
}
