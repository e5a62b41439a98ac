import type { ResourceKind } from '../src/cloud-provider.js';
import type { BalancerListener, ResourceSpecs } from '../src/resource-specs.js';

/** The kinds with a contract: all. */
export const CONTRACT_KINDS = [
  'network',
  'firewall',
  'node',
  'address',
  'load_balancer',
  'vpc_peering',
  'network_peering',
  'endpoint_service',
  'service_attachment',
  'restored_volume',
  'snapshot',
] as const satisfies readonly ResourceKind[];
export type ContractKind = (typeof CONTRACT_KINDS)[number];

type ContractSpecs = Pick<ResourceSpecs, ContractKind>;

export const NETWORK = 'contract-network';
const FIREWALL = 'contract-firewall';
const NODE = 'contract-node';
const SNAPSHOT = 'contract-snapshot';
export const BALANCER = 'contract-load-balancer';

const REGION = 'us-east-1';
const service = { load_balancer: BALANCER, region: REGION };
const peer = { network: NETWORK, peer_cidr: '172.16.0.0/16' };

const LISTENER: BalancerListener = {
  ...{ port: 1883, target_port: 1883, protocol: 'tcp', targets: ['contract-node'], health_check_port: 1883 },
};

const SPECS: ContractSpecs = {
  network: { region: REGION, cidr: '10.1.0.0/24', zones: ['a', 'b'] },
  firewall: { network: NETWORK, ingress: [] },
  node: {
    ...{
      node_id: 1,
      incarnation: 1,
      broker: 'embedded',
      variant: 'small',
      cpus: 1,
      memory_mib: 512,
      is_dedicated: false,
    },
    ...{ region: REGION, zone: 'a', image_id: 'image', network: NETWORK, firewall: FIREWALL, memory_floor_mib: 16 },
    ...{ storage: { type: 'ssd', size_gib: 1 }, ports: [], token: 'one-time-token' },
  },
  address: { region: REGION, node: null },
  load_balancer: { region: REGION, network: NETWORK, scheme: 'internet', listeners: [LISTENER] },
  vpc_peering: {
    ...{ ...peer, region: REGION, peer_region: REGION },
    ...{ peer_vpc_id: 'vpc-0123456789abcdef0', peer_owner_id: '111122223333' },
  },
  network_peering: { ...peer, peer_network: 'theirs', peer_project_id: 'their-project' },
  endpoint_service: { ...service, acceptance_required: true, allowed_principals: [] },
  service_attachment: {
    ...{ ...service, connection_preference: 'accept_manual', consumer_accept_lists: [], enable_proxy_protocol: false },
  },
  restored_volume: { region: REGION, snapshot: SNAPSHOT, node: NODE },
  snapshot: { region: REGION, node: NODE },
};

const TWO_PORTS = [LISTENER, { ...LISTENER, port: 8883, target_port: 8883 }];

/** Changed specifications of the kinds that can change in place. */
const CHANGED: Partial<ContractSpecs> = {
  firewall: { network: NETWORK, ingress: [{ protocol: 'tcp', port: 1883, cidrs: ['192.0.2.0/24'] }] },
  load_balancer: { ...SPECS.load_balancer, listeners: [LISTENER, { ...LISTENER, port: 8883 }] },
  endpoint_service: { ...SPECS.endpoint_service, allowed_principals: ['arn:aws:iam::111122223333:root'] },
  service_attachment: { ...SPECS.service_attachment, consumer_accept_lists: ['their-project'] },
};

const rule = { protocol: 'tcp', port: 1883, cidrs: ['192.0.2.0/24'] } as const;
const open = (over: object): ContractSpecs['firewall'] => ({
  network: NETWORK,
  ingress: [{ ...rule, ...over }] as never,
});
const balance = (...listeners: object[]): ContractSpecs['load_balancer'] => ({
  ...{ ...SPECS.load_balancer, listeners: listeners.map((over) => ({ ...LISTENER, ...over })) },
});

/** Specifications that contradict themselves, with a part of the reason. */
export const CONTRADICTIONS: [ContractKind, ContractSpecs[ContractKind], string][] = [
  ['firewall', open({ port: 0 }), '0 is no port'],
  ['firewall', open({ port: 65_536 }), '65536 is no port'],
  ['firewall', open({ cidrs: [] }), 'open for nobody'],
  ['firewall', open({ cidrs: ['192.0.2.0/33'] }), 'no range'],
  ['firewall', open({ cidrs: ['192.0.2.1/24'] }), 'no range'],
  ['firewall', open({ cidrs: ['192.0.2.1'] }), 'no range'],
  ['load_balancer', balance({ port: 0 }), '0 is no port'],
  ['load_balancer', balance({ target_port: 1.5 }), '1.5 is no port'],
  ['load_balancer', balance({ health_check_port: -1 }), '-1 is no port'],
  ['load_balancer', balance({ targets: [] }), 'leads to no node'],
  ['load_balancer', balance({ targets: ['one', 'one'] }), 'twice'],
  ['load_balancer', balance({}, { targets: ['two'] }), 'two listeners for tcp'],
];

/** The first specification. */
export const specOf = <K extends ContractKind>(kind: K): ResourceSpecs[K] => SPECS[kind];

/** The changed specification where the kind supports changes. `leadsToSamePort`: each port of a balancer leads to the same port of a node. */
export function otherSpecOf<K extends ContractKind>(kind: K, leadsToSamePort = false): ResourceSpecs[K] {
  if (kind === 'load_balancer' && leadsToSamePort)
    return { ...SPECS.load_balancer, listeners: TWO_PORTS } as ResourceSpecs[K];
  return CHANGED[kind] ?? SPECS[kind];
}

/** The resources that a kind requires, in order. */
export const NEEDED: { [K in ContractKind]: { kind: ContractKind; name: string }[] } = {
  ...{ network: [], address: [] },
  node: [...onNetwork(), { kind: 'firewall', name: FIREWALL }],
  ...{ firewall: onNetwork(), load_balancer: onNetwork(), vpc_peering: onNetwork(), network_peering: onNetwork() },
  ...{ endpoint_service: onBalancer(), service_attachment: onBalancer() },
  snapshot: onNode(),
  restored_volume: [...onNode(), { kind: 'snapshot', name: SNAPSHOT }],
};

function onNode(): { kind: ContractKind; name: string }[] {
  return [...onNetwork(), { kind: 'firewall', name: FIREWALL }, { kind: 'node', name: NODE }];
}

function onNetwork(): { kind: ContractKind; name: string }[] {
  return [{ kind: 'network', name: NETWORK }];
}

function onBalancer(): { kind: ContractKind; name: string }[] {
  return [...onNetwork(), { kind: 'load_balancer', name: BALANCER }];
}
