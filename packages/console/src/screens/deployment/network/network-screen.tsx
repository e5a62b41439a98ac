import { useSearch } from '@tanstack/react-router';
import { Section } from '../../../ui/section.js';
import { useDeployment, useLive } from '../use-deployment.js';
import { EndpointServices } from './endpoint-services.js';
import { NetworkPeerings } from './network-peerings.js';
import { ServiceAttachments } from './service-attachments.js';
import { VpcPeerings } from './vpc-peerings.js';
import type { Supervisor } from '@landlord/sdk';
import { Table, type Column } from '../../../ui/list/table.js';
import { Facts } from '../../../ui/text/facts.js';
import { ReadProblem } from '../../../ui/read-problem.js';
import { NodeName } from '../node-name.js';

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

const NODES: readonly Column<Supervisor.NodeAddressesView>[] = [
  { title: 'Node', cell: ({ node_id }) => <NodeName id={node_id} /> },
  { title: 'Private address', cell: ({ private_ip }) => <code>{private_ip ?? 'none'}</code> },
  { title: 'Public address', cell: ({ public_ip }) => <code>{public_ip ?? 'none'}</code> },
];

/** Addresses, ports and the network of the deployment. */
function NetworkInfo() {
  const info = useLive('network.getInfo', {});
  return (
    <Section title="Addresses">
      <ReadProblem of={info} />
      {info.data && <Info info={info.data} />}
    </Section>
  );
}

const Info = ({ info }: { info: Supervisor.NetworkInfoView }) => (
  <>
    <Facts
      values={{
        Mode: info.network_mode,
        Domain: info.domain ?? 'none',
        'Load balancer': info.load_balancer ?? 'none',
        Network: <code>{info.network_id ?? 'none'}</code>,
        CIDR: <code>{info.cidr ?? 'none'}</code>,
        Subnets: <code>{info.subnets.length === 0 ? 'none' : info.subnets.join(', ')}</code>,
        Ports: Object.entries(info.ports)
          .map(([protocol, port]) => `${protocol} ${port ?? 'closed'}`)
          .join(', '),
      }}
    />
    <Table label="Addresses of the nodes" columns={NODES} rows={info.nodes} keyOf={({ node_id }) => node_id} />
  </>
);
