import type { InstructionStepView, InstructionsView } from '../dto/instructions.view.js';
import type { NetworkPeeringState, NetworkPeeringView } from '../dto/network-peering.view.js';
import { letInStep } from './let-in-step.js';

/** The operator's side of a peering, as the reader must type it. */
export interface OurNetwork {
  deploymentUrl: string;
  /** Null until Google Cloud has reported it. */
  projectId: string | null;
  network: string | null;
  cidr: string | null;
}

/** Returns the steps for the reader's project to complete a peering, with one text for each state (C-22.3). */
export function networkPeeringInstructions(peering: NetworkPeeringView, ours: OurNetwork): InstructionsView {
  const { summary, steps } = TEXTS[peering.state](peering, ours);
  return { status: peering.state, summary, steps, values: valuesOf(peering, ours) };
}

interface Text {
  summary: string;
  steps: InstructionStepView[];
}

const TEXTS: Record<NetworkPeeringState, (peering: NetworkPeeringView, ours: OurNetwork) => Text> = {
  inactive: (peering, ours) =>
    ours.network === null
      ? { summary: 'Our half is on its way to Google Cloud. Read this once more in some seconds.', steps: [] }
      : {
          summary: `Our half of the peering is there and inactive: a peering works once both networks have made theirs. Make yours in project ${peering.peer_project_id}.`,
          steps: [
            makeYours(peering, ours),
            firewall(peering, ours),
            letInStep(ours.deploymentUrl, peering.peer_vpc_cidr),
          ],
        },
  active: (peering, ours) => ({
    summary:
      'Both halves are there and the peering is active. Google Cloud has exchanged the routes of both networks by itself.',
    steps: [
      firewall(peering, ours),
      letInStep(ours.deploymentUrl, peering.peer_vpc_cidr),
      {
        title: 'Look whether it works',
        description: `From an instance in ${peering.peer_vpc_name}, connect to a private address of the nodes; GET ${ours.deploymentUrl}/network/info lists addresses and ports.`,
        command: 'nc -vz <private_ip of a node> <tcp port>',
      },
    ],
  }),
  deleted: (peering) => ({
    summary: 'Our half is being removed or gone. Yours stays inactive until you remove it.',
    steps: [
      {
        title: 'Remove your half',
        description: `In project ${peering.peer_project_id}, by the console under "VPC network peering" or by command.`,
        command: `gcloud compute networks peerings delete ${yours(peering)} --project ${peering.peer_project_id} --network ${peering.peer_vpc_name}`,
      },
    ],
  }),
};

/** Returns the name of the reader's half in these commands. */
const yours = ({ id }: NetworkPeeringView): string => `landlord-${id}`;
const typed = (value: string | null, otherwise: string): string => value ?? `<${otherwise}>`;

const makeYours = (peering: NetworkPeeringView, ours: OurNetwork): InstructionStepView => ({
  title: 'Make your half',
  description: `In the console of project ${peering.peer_project_id} under "VPC network peering", peer ${peering.peer_vpc_name} with the network and project below; or by command. Both halves turn active within a minute.`,
  command: `gcloud compute networks peerings create ${yours(peering)} --project ${peering.peer_project_id} --network ${peering.peer_vpc_name} \\
  --peer-project ${typed(ours.projectId, 'our_project_id')} --peer-network ${typed(ours.network, 'our_network')}`,
});

const firewall = (peering: NetworkPeeringView, { cidr }: OurNetwork): InstructionStepView => ({
  title: 'Let your clients out',
  description: `Egress is allowed unless a firewall rule of ${peering.peer_vpc_name} denies it; then one has to allow TCP to ${typed(cidr, 'our_cidr')}.`,
});

function valuesOf(peering: NetworkPeeringView, { projectId, network, cidr }: OurNetwork): Record<string, string> {
  const all: Record<string, string | null> = {
    our_project_id: projectId,
    our_network: network,
    our_cidr: cidr,
    peer_project_id: peering.peer_project_id,
    peer_vpc_name: peering.peer_vpc_name,
    peer_vpc_cidr: peering.peer_vpc_cidr,
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null));
}
