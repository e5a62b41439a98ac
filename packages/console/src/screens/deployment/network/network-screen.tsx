import { useSearch } from '@tanstack/react-router';
import { Section } from '../../../ui/section.js';
import { useDeployment } from '../use-deployment.js';
import { EndpointServices } from './endpoint-services.js';
import { NetworkInfo } from './network-info.js';
import { NetworkPeerings } from './network-peerings.js';
import { ServiceAttachments } from './service-attachments.js';
import { VpcPeerings } from './vpc-peerings.js';

/** The addresses of the deployment, and its private connections in its cloud. */
export const NetworkScreen = () => (
  <>
    <NetworkInfo />
    <PrivateNetworking />
  </>
);

function PrivateNetworking() {
  const { deployment } = useDeployment();
  const { peering, attachment } = useSearch({ from: '/signed-in/t/$tenantId/deployments/$deploymentId/network' });
  if (deployment.variant !== 'managed')
    return (
      <Section title="Private connections">
        <p>Only managed deployments have private connections.</p>
      </Section>
    );
  return deployment.cloud === 'aws' ? (
    <>
      <VpcPeerings open={peering} />
      <EndpointServices />
    </>
  ) : (
    <>
      <NetworkPeerings open={peering} />
      <ServiceAttachments open={attachment} />
    </>
  );
}
