import { built } from './apps.mjs';

const AT = '2026-11-22T08:00:00.000Z';
const URL_OF_IT = 'https://us.cloud.example/deployments/5';
const ROOM = 'apps/supervisor/src/network';
const VPC = {
  ...{ id: 7, name: 'orders', peering_connection_id: 'pcx-0123456789abcdef0' },
  ...{ requester_vpc_id: 'vpc-0fedcba9876543210', requester_owner_id: '210987654321' },
  ...{ requester_region: 'us-east-1', requester_cidr: '10.0.1.0/24' },
  ...{ accepter_vpc_id: 'vpc-0123456789abcdef0', accepter_owner_id: '123456789012' },
  ...{ accepter_region: 'eu-west-1', accepter_cidr: '172.20.0.0/16' },
  ...{ status_reason: null, remarks: '', created_at: AT },
};
const NETWORK = {
  ...{
    id: 8,
    name: 'orders',
    peer_vpc_name: 'default',
    peer_project_id: 'their-project',
    peer_vpc_cidr: '172.20.0.0/16',
  },
  ...{ state_details: null, remarks: '', created_at: AT },
};
const OURS = {
  deploymentUrl: URL_OF_IT,
  projectId: 'landlord-cloud',
  network: 'ld-a1b2c3-5-network',
  cidr: '10.0.1.0/24',
};
const ATTACHMENT = {
  ...{ id: 9, name: 'orders', connection_preference: 'accept_manual', consumer_accept_lists: ['their-project'] },
  service_attachment_uri: 'projects/landlord-cloud/regions/us-central1/serviceAttachments/ld-a1b2c3-5',
  ...{ enable_proxy_protocol: false, state_reason: null, remarks: '', created_at: AT },
};
const PLACE = { deploymentUrl: URL_OF_IT, region: 'us-central1', cidr: '10.0.1.0/24' };

/** The instructions for users, by kind and status. As a golden file, each change of the text is reviewed. */
export async function instructionFiles() {
  const { VPC_PEERING_STATUSES } = await built('libs/cloud/src/index.js');
  const { vpcPeeringInstructions } = await built(`${ROOM}/instructions/vpc-peering-instructions.js`);
  const { networkPeeringInstructions } = await built(`${ROOM}/instructions/network-peering-instructions.js`);
  const { serviceAttachmentInstructions } = await built(`${ROOM}/instructions/service-attachment-instructions.js`);
  const { NETWORK_PEERING_STATES } = await built(`${ROOM}/dto/network-peering.view.js`);
  const { ATTACHMENT_STATES } = await built(`${ROOM}/dto/service-attachment.view.js`);
  const failure = 'invalid CIDR: it overlaps that of the requester';
  const texts = [
    ...VPC_PEERING_STATUSES.map((status) => {
      const told = { ...VPC, status, ...(status === 'failed' && { status_reason: failure }) };
      const early = status === 'initiating_request' && { peering_connection_id: null, requester_owner_id: null };
      return ['AWS VPC peering', vpcPeeringInstructions({ ...told, ...early }, URL_OF_IT)];
    }),
    [
      'GCP VPC peering (not yet made)',
      networkPeeringInstructions({ ...NETWORK, state: 'inactive' }, { ...OURS, projectId: null, network: null }),
    ],
    ...NETWORK_PEERING_STATES.map((state) => [
      'GCP VPC peering',
      networkPeeringInstructions({ ...NETWORK, state }, OURS),
    ]),
    ...ATTACHMENT_STATES.map((state) => {
      const uri = state === 'pending' && { service_attachment_uri: null };
      return ['GCP service attachment', serviceAttachmentInstructions({ ...ATTACHMENT, state, ...uri }, PLACE)];
    }),
    [
      'GCP service attachment (automatic, PROXY protocol)',
      serviceAttachmentInstructions(
        {
          ...ATTACHMENT,
          state: 'active',
          connection_preference: 'accept_automatic',
          consumer_accept_lists: [],
          enable_proxy_protocol: true,
        },
        PLACE,
      ),
    ],
  ];
  return { 'instructions.txt': texts.map(toText).join('\n') };
}

function toText([kind, { status, summary, steps, values }]) {
  const lines = [`# ${kind}: ${status}`, '', summary, ''];
  for (const [index, { title, description, command }] of steps.entries())
    lines.push(
      `${index + 1}. ${title}. ${description}`,
      ...(command ? command.split('\n').map((line) => `       ${line}`) : []),
      '',
    );
  for (const [name, value] of Object.entries(values)) lines.push(`   ${name}: ${value}`);
  return `${lines.join('\n')}\n`;
}
