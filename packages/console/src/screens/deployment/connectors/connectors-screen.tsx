import { useSearch, useNavigate } from '@tanstack/react-router';
import { Tasks } from '../tasks.js';
import { Catalogue } from './catalogue.js';
import { Instances } from './instances.js';
import type { Main } from '@landlord/sdk';
import { DeploymentForm } from '../deployment-request.js';
import { Section } from '../../../ui/section.js';
import { useDeployment } from '../use-deployment.js';

/** The connectors of the deployment, and those that it can have. */
export function ConnectorsScreen() {
  const search = useSearch({ from: '/signed-in/t/$tenantId/deployments/$deploymentId/connectors' });
  return (
    <>
      <Instances />
      {search.activate !== undefined && <ActivateConnector key={search.activate} connector={search.activate} />}
      <Catalogue search={search} />
      <Tasks type="connectors:reconfigure" />
    </>
  );
}

type Activated = Main.ConnectorsActivateResponses[202];

/** Activates a connector. The page of the new instance has its configuration. */
function ActivateConnector({ connector }: { connector: string }) {
  const { tenantId, deploymentId } = useDeployment();
  const navigate = useNavigate();
  const [connector_type, connector_key] = connector.split(':');
  return (
    <Section title={`Activate ${connector}`}>
      <p>The connector is disabled at first. Its configuration enables it.</p>
      <DeploymentForm<Activated>
        request="connectors.activate"
        fields={['instance_name', 'instance_key']}
        fixed={{ connector_type, connector_key }}
        action="Activate the connector"
        onDone={({ id }) =>
          navigate({
            to: '/t/$tenantId/deployments/$deploymentId/connectors/$instanceId',
            params: { tenantId, deploymentId, instanceId: id },
          })
        }
      />
    </Section>
  );
}
