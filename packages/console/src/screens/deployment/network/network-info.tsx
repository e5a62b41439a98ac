import type { Supervisor } from '@landlord/sdk';
import { Table, type Column } from '../../../ui/list/table.js';
import { Facts } from '../../../ui/text/facts.js';
import { ReadProblem } from '../../../ui/read-problem.js';
import { Section } from '../../../ui/section.js';
import { NodeName } from '../node-name.js';
import { useLive } from '../use-deployment.js';

const NODES: readonly Column<Supervisor.NodeAddressesView>[] = [
  { title: 'Node', cell: ({ node_id }) => <NodeName id={node_id} /> },
  { title: 'Private address', cell: ({ private_ip }) => <code>{private_ip ?? 'none'}</code> },
  { title: 'Public address', cell: ({ public_ip }) => <code>{public_ip ?? 'none'}</code> },
];

/** Addresses, ports and the network of the deployment. */
export function NetworkInfo() {
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
