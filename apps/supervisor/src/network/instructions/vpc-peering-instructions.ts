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
    summary: 'Landlord sends the request to AWS. Read these instructions again in a few seconds.',
    steps: [],
  }),
  pending_acceptance: (peering, deploymentUrl) => ({
    summary: `AWS has the request ${id(peering)}. Accept the request within seven days in account ${peering.accepter_owner_id}, region ${peering.accepter_region}. Then add routes.`,
    steps: [accept(peering), route(peering), openGroups(peering), letInStep(deploymentUrl, peering.accepter_cidr)],
  }),
  provisioning: (peering, deploymentUrl) => ({
    summary:
      'You have accepted the request. AWS creates the connection in less than a minute. You can already add routes.',
    steps: [route(peering), openGroups(peering), letInStep(deploymentUrl, peering.accepter_cidr)],
  }),
  active: (peering, deploymentUrl) => ({
    summary: `The peering ${id(peering)} is active. Clients can connect when your routes and security groups allow it.`,
    steps: [
      route(peering),
      openGroups(peering),
      letInStep(deploymentUrl, peering.accepter_cidr),
      {
        title: 'Test the connection',
        description: `Connect from an instance in ${peering.accepter_vpc_id} to a private address of a node. GET ${deploymentUrl}/network/info returns the addresses and ports.`,
        command: 'nc -vz <private_ip of a node> <tcp port>',
      },
    ],
  }),
  rejected: () => ({
    summary: 'Your account has rejected the request. AWS does not allow you to accept a rejected request.',
    steps: [
      startAgain('If the rejection was a mistake, delete this peering. Then create it again with the same name.'),
    ],
  }),
  expired: () => ({
    summary: 'Your account did not accept the request within seven days. The request has expired.',
    steps: [
      startAgain(
        'Delete this peering and create it again with the same name. Then accept the request within seven days.',
      ),
    ],
  }),
  failed: ({ status_reason }) => ({
    summary: `AWS could not create the peering: ${status_reason ?? 'AWS gave no reason'}.`,
    steps: [
      startAgain(
        'Check the ids below. The VPC must exist in this account and region. Its network must not overlap the network of the deployment or a peered network. Then delete this peering and create it again.',
      ),
    ],
  }),
  deleting: (peering) => ({
    summary: 'AWS deletes the peering. Delete the routes and rules for the peering in your account.',
    steps: cleanUp(peering),
  }),
  deleted: (peering) => ({
    summary: 'The peering is deleted. Delete the routes and rules for the peering in your account.',
    steps: cleanUp(peering),
  }),
};

const id = ({ peering_connection_id }: VpcPeeringView): string => peering_connection_id ?? 'without an id yet';
const typed = (value: string | null, otherwise: string): string => value ?? `<${otherwise}>`;

const accept = (peering: VpcPeeringView): InstructionStepView => ({
  title: 'Accept the request',
  description: `Open "Peering connections" in the VPC console of region ${peering.accepter_region} and select ${id(peering)}. Compare the ids with the ids below, then accept the request. Or use this command with credentials of account ${peering.accepter_owner_id}.`,
  command: `aws ec2 accept-vpc-peering-connection --region ${peering.accepter_region} \\
  --vpc-peering-connection-id ${typed(peering.peering_connection_id, 'peering_connection_id')}`,
});

const route = (peering: VpcPeeringView): InstructionStepView => ({
  title: 'Add routes to the deployment',
  description: `Add a route for ${typed(peering.requester_cidr, 'requester_cidr')} to the peering. Do this in every route table of ${peering.accepter_vpc_id} whose subnets need access to the deployment.`,
  command: `aws ec2 create-route --region ${peering.accepter_region} --route-table-id <your route table> \\
  --destination-cidr-block ${typed(peering.requester_cidr, 'requester_cidr')} \\
  --vpc-peering-connection-id ${typed(peering.peering_connection_id, 'peering_connection_id')}`,
});

const openGroups = (peering: VpcPeeringView): InstructionStepView => ({
  title: 'Allow outgoing traffic of your clients',
  description: `Security groups and network ACLs of your clients must allow TCP to ${typed(peering.requester_cidr, 'requester_cidr')} on the ports of the deployment. A new security group allows all outgoing traffic.`,
});

const startAgain = (description: string): InstructionStepView => ({ title: 'Start again', description });

const cleanUp = (peering: VpcPeeringView): InstructionStepView[] => [
  {
    title: 'Delete your routes',
    description: `Delete the routes of ${peering.accepter_vpc_id} to ${typed(peering.requester_cidr, 'requester_cidr')}. AWS shows these routes as "blackhole".`,
    command: `aws ec2 delete-route --region ${peering.accepter_region} --route-table-id <your route table> \\
  --destination-cidr-block ${typed(peering.requester_cidr, 'requester_cidr')}`,
  },
  {
    title: 'Delete your rules',
    description: `Delete the rules of your security groups for ${typed(peering.requester_cidr, 'requester_cidr')}. Delete the access rule of the deployment for ${peering.accepter_cidr}.`,
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
