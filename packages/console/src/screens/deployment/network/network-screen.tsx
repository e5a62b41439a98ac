import { useSearch } from '@tanstack/react-router';
import { useDeployment } from '../use-deployment.js';
import { EndpointServices } from './endpoint-services.js';
import { NetworkInfo } from './network-info.js';
import { NetworkPeerings } from './network-peerings.js';
import { ServiceAttachments } from './service-attachments.js';
import { VpcPeerings } from './vpc-peerings.js';

/** The addresses of the deployment, and its private connections in its cloud. */
export function NetworkScreen() {
  const { deployment } = useDeployment();
  const search = useSearch({ from: '/signed-in/t/$tenantId/deployments/$deploymentId/network' });
  return (
    <>
      <NetworkInfo />
      {deployment.cloud === 'aws' ? (
        <>
          <VpcPeerings open={search.peering} />
          <EndpointServices />
        </>
      ) : (
        <>
          <NetworkPeerings open={search.peering} />
          <ServiceAttachments open={search.attachment} />
        </>
      )}
    </>
  );
}
