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
      ? {
          summary: 'Landlord sends the request to Google Cloud. Read these instructions again in a few seconds.',
          steps: [],
        }
      : {
          summary: `Landlord has created its side of the peering. The peering is inactive until you create your side in project ${peering.peer_project_id}.`,
          steps: [
            makeYours(peering, ours),
            firewall(peering, ours),
            letInStep(ours.deploymentUrl, peering.peer_vpc_cidr),
          ],
        },
  active: (peering, ours) => ({
    summary: 'The peering is active. Google Cloud has exchanged the routes of both networks automatically.',
    steps: [
      firewall(peering, ours),
      letInStep(ours.deploymentUrl, peering.peer_vpc_cidr),
      {
        title: 'Test the connection',
        description: `Connect from an instance in ${peering.peer_vpc_name} to a private address of a node. GET ${ours.deploymentUrl}/network/info returns the addresses and ports.`,
        command: 'nc -vz <private_ip of a node> <tcp port>',
      },
    ],
  }),
  deleted: (peering) => ({
    summary: 'Landlord deletes or has deleted its side of the peering. Your side stays inactive until you delete it.',
    steps: [
      {
        title: 'Delete your side of the peering',
        description: `Delete the peering in project ${peering.peer_project_id}: in the console under "VPC network peering", or with this command.`,
        command: `gcloud compute networks peerings delete ${yours(peering)} --project ${peering.peer_project_id} --network ${peering.peer_vpc_name}`,
      },
    ],
  }),
};

/** Returns the name of the reader's half in these commands. */
const yours = ({ id }: NetworkPeeringView): string => `landlord-${id}`;
const typed = (value: string | null, otherwise: string): string => value ?? `<${otherwise}>`;

const makeYours = (peering: NetworkPeeringView, ours: OurNetwork): InstructionStepView => ({
  title: 'Create your side of the peering',
  description: `Open "VPC network peering" in the console of project ${peering.peer_project_id}. Create a peering from ${peering.peer_vpc_name} to the network and project below, or use this command. Both sides become active within a minute.`,
  command: `gcloud compute networks peerings create ${yours(peering)} --project ${peering.peer_project_id} --network ${peering.peer_vpc_name} \\
  --peer-project ${typed(ours.projectId, 'our_project_id')} --peer-network ${typed(ours.network, 'our_network')}`,
});

const firewall = (peering: NetworkPeeringView, { cidr }: OurNetwork): InstructionStepView => ({
  title: 'Allow outgoing traffic of your clients',
  description: `Google Cloud allows egress by default. If a firewall rule of ${peering.peer_vpc_name} denies egress, add a rule that allows TCP to ${typed(cidr, 'our_cidr')}.`,
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
