import type { Supervisor } from '@landlord/sdk';
import { Explained } from '../../../ui/text/status.js';
import type { Column } from '../../../ui/list/table.js';
import { useLive } from '../use-deployment.js';
import { Instructions, OpenLink } from './instructions.js';
import { PrivateConnections } from './private-connections.js';

type Peering = Supervisor.VpcPeeringView;

const REQUESTS = { create: 'vpcPeerings.create', delete: 'vpcPeerings.delete', id: 'peering_id' } as const;

/** Peerings with VPCs of the customer on AWS. */
export function VpcPeerings({ open }: { open: number | undefined }) {
  const list = useLive('vpcPeerings.list', {});
  return (
    <PrivateConnections
      title="VPC peerings"
      list={list}
      columns={columnsOf(open)}
      requests={REQUESTS}
      warning="Routes and security groups in your VPC stay."
      own={{ peer_owner_id: { label: 'Account of your VPC' }, peer_region: { label: 'Region of your VPC' } }}
    >
      {open !== undefined && <Steps key={open} peering={open} />}
    </PrivateConnections>
  );
}

function Steps({ peering }: { peering: number }) {
  return <Instructions answer={useLive('vpcPeerings.getInstructions', { peering_id: peering })} />;
}

const columnsOf = (open: number | undefined): readonly Column<Peering>[] => [
  { title: 'Status', cell: ({ status, status_reason }) => <Explained of={status} reason={status_reason} isWork /> },
  { title: 'Peering', cell: ({ peering_connection_id }) => <code>{peering_connection_id ?? 'none yet'}</code> },
  {
    title: 'Your VPC',
    cell: ({ accepter_vpc_id, accepter_cidr }) => <code>{`${accepter_vpc_id} ${accepter_cidr}`}</code>,
  },
  { title: 'Next steps', cell: ({ id }) => <OpenLink opened={{ peering: id }} isOpen={id === open} /> },
];
