import type { VpcPeeringStatus } from '@libs/cloud';
import type { InstructionStepView, InstructionsView } from '../dto/instructions.view.js';
import type { VpcPeeringView } from '../dto/vpc-peering.view.js';
import { letInStep } from './let-in-step.js';

/** Returns the steps for the reader's account to complete a requested peering, with one text for each status (C-22.3). */
export function vpcPeeringInstructions(peering: VpcPeeringView, deploymentUrl: string): InstructionsView {
  const { summary, steps } = TEXTS[peering.status](peering, deploymentUrl);
  return { status: peering.status, summary, steps, values: valuesOf(peering) };
}

interface Text {
  summary: string;
  steps: InstructionStepView[];
}

const TEXTS: Record<VpcPeeringStatus, (peering: VpcPeeringView, deploymentUrl: string) => Text> = {
  initiating_request: () => ({
    summary: 'The request is on its way to AWS. In some seconds it waits for you: read this once more then.',
    steps: [],
  }),
  pending_acceptance: (peering, deploymentUrl) => ({
    summary: `AWS has the request ${id(peering)}. Accept it within seven days, in account ${peering.accepter_owner_id}, region ${peering.accepter_region}; then lead routes to it.`,
    steps: [accept(peering), route(peering), openGroups(peering), letInStep(deploymentUrl, peering.accepter_cidr)],
  }),
  provisioning: (peering, deploymentUrl) => ({
    summary:
      'You have accepted, and AWS makes the connection: that takes less than a minute. Routes can be made meanwhile.',
    steps: [route(peering), openGroups(peering), letInStep(deploymentUrl, peering.accepter_cidr)],
  }),
  active: (peering, deploymentUrl) => ({
    summary: `The peering ${id(peering)} is active. Traffic goes through once your routes and security groups lead it there.`,
    steps: [
      route(peering),
      openGroups(peering),
      letInStep(deploymentUrl, peering.accepter_cidr),
      {
        title: 'Look whether it works',
        description: `From an instance in ${peering.accepter_vpc_id}, connect to a private address of the nodes; GET ${deploymentUrl}/network/info lists addresses and ports.`,
        command: 'nc -vz <private_ip of a node> <tcp port>',
      },
    ],
  }),
  rejected: () => ({
    summary: 'Your account has rejected the request; AWS lets nobody take that back.',
    steps: [startAgain('If it was a mistake, delete this peering and make it again under the same name.')],
  }),
  expired: () => ({
    summary: 'Nobody accepted the request within seven days, and AWS has dropped it.',
    steps: [startAgain('Delete this peering, make it again under the same name, and accept it within seven days.')],
  }),
  failed: ({ status_reason }) => ({
    summary: `AWS could not make the peering: ${status_reason ?? 'it does not say why'}.`,
    steps: [
      startAgain(
        'Check the ids below: the VPC must exist in that account and region, and its network must overlap neither that of the deployment nor any it is peered with. Then delete this peering and make it again.',
      ),
    ],
  }),
  deleting: (peering) => ({
    summary: 'AWS removes the peering. What leads to it in your account is yours to remove.',
    steps: cleanUp(peering),
  }),
  deleted: (peering) => ({
    summary: 'The peering is gone. What led to it in your account is yours to remove.',
    steps: cleanUp(peering),
  }),
};

const id = ({ peering_connection_id }: VpcPeeringView): string => peering_connection_id ?? 'without an id yet';
const typed = (value: string | null, otherwise: string): string => value ?? `<${otherwise}>`;

const accept = (peering: VpcPeeringView): InstructionStepView => ({
  title: 'Accept the request',
  description: `In the VPC console of region ${peering.accepter_region} under "Peering connections", choose ${id(peering)}, compare the ids with those below, and accept it; or by command, with credentials of account ${peering.accepter_owner_id}.`,
  command: `aws ec2 accept-vpc-peering-connection --region ${peering.accepter_region} \\
  --vpc-peering-connection-id ${typed(peering.peering_connection_id, 'peering_connection_id')}`,
});

const route = (peering: VpcPeeringView): InstructionStepView => ({
  title: 'Lead routes to the deployment',
  description: `In every route table of ${peering.accepter_vpc_id} whose subnets are to reach the deployment, send ${typed(peering.requester_cidr, 'requester_cidr')} to the peering.`,
  command: `aws ec2 create-route --region ${peering.accepter_region} --route-table-id <your route table> \\
  --destination-cidr-block ${typed(peering.requester_cidr, 'requester_cidr')} \\
  --vpc-peering-connection-id ${typed(peering.peering_connection_id, 'peering_connection_id')}`,
});

const openGroups = (peering: VpcPeeringView): InstructionStepView => ({
  title: 'Let your clients out',
  description: `Security groups and network ACLs of your clients must allow TCP to ${typed(peering.requester_cidr, 'requester_cidr')} on the ports of the deployment. A new security group allows it already.`,
});

const startAgain = (description: string): InstructionStepView => ({ title: 'Begin again', description });

const cleanUp = (peering: VpcPeeringView): InstructionStepView[] => [
  {
    title: 'Remove your routes',
    description: `Routes of ${peering.accepter_vpc_id} to ${typed(peering.requester_cidr, 'requester_cidr')} lead nowhere now ("blackhole").`,
    command: `aws ec2 delete-route --region ${peering.accepter_region} --route-table-id <your route table> \\
  --destination-cidr-block ${typed(peering.requester_cidr, 'requester_cidr')}`,
  },
  {
    title: 'Remove what let it through',
    description: `Rules of your security groups for ${typed(peering.requester_cidr, 'requester_cidr')}, and the access rule of the deployment for ${peering.accepter_cidr}.`,
  },
];

function valuesOf(peering: VpcPeeringView): Record<string, string> {
  const names = [
    'peering_connection_id',
    ...(['requester_vpc_id', 'requester_owner_id', 'requester_region', 'requester_cidr'] as const),
    ...(['accepter_vpc_id', 'accepter_owner_id', 'accepter_region', 'accepter_cidr'] as const),
  ] as const;
  return Object.fromEntries(
    names.map((name) => [name, peering[name]]).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}
