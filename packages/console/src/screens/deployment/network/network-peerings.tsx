import type { Supervisor } from '@landlord/sdk';
import { Explained } from '../../../ui/text/status.js';
import type { Column } from '../../../ui/list/table.js';
import { useLive } from '../use-deployment.js';
import { Instructions, OpenLink } from './instructions.js';
import { PrivateConnections } from './private-connections.js';

type Peering = Supervisor.NetworkPeeringView;

const REQUESTS = { create: 'networkPeerings.create', delete: 'networkPeerings.delete', id: 'peering_id' } as const;

/** Peerings with VPC networks of the customer on Google Cloud. */
export function NetworkPeerings({ open }: { open: number | undefined }) {
  const list = useLive('networkPeerings.list', {});
  return (
    <PrivateConnections
      title="VPC network peerings"
      list={list}
      columns={columnsOf(open)}
      requests={REQUESTS}
      warning="Your half of the peering stays."
    >
      {open !== undefined && <Steps key={open} peering={open} />}
    </PrivateConnections>
  );
}

function Steps({ peering }: { peering: number }) {
  return <Instructions answer={useLive('networkPeerings.getInstructions', { peering_id: peering })} />;
}

const columnsOf = (open: number | undefined): readonly Column<Peering>[] => [
  { title: 'State', cell: ({ state, state_details }) => <Explained of={state} reason={state_details} isWork /> },
  {
    title: 'Your network',
    cell: ({ peer_project_id, peer_vpc_name, peer_vpc_cidr }) => (
      <code>{`${peer_project_id}/${peer_vpc_name} ${peer_vpc_cidr}`}</code>
    ),
  },
  { title: 'Next steps', cell: ({ id }) => <OpenLink opened={{ peering: id }} isOpen={id === open} /> },
];
