import type { ResourceKind } from '../cloud-provider.js';
import type { ResourceAttributes } from '../resource-attributes.js';

type Spec = Record<string, unknown>;
type AddressOf = (node: string) => string;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Machines have the network of their operator: a network is only a name here. */
const ATTRIBUTES: { [K in ResourceKind]?: (spec: Spec, addressOf: AddressOf) => ResourceAttributes[K] } = {
  network: (spec) => ({ cidr: text(spec['cidr']), network_id: 'machines', subnet_ids: [] }),
  firewall: (spec) => ({ network: text(spec['network']) }),
  address: (spec, addressOf) => ({ ip: addressOf(text(spec['node'])) }),
  // Clients get the addresses of all nodes. The name of the deployment points to the first.
  load_balancer: (spec, addressOf) => ({ address: addressOf((spec['targets'] as string[] | undefined)?.[0] ?? '') }),
};

/** The attributes of a resource other than a node. `addressOf`: the address of the machine of a node; empty without one. */
export function attributesOf(kind: ResourceKind, spec: Spec, addressOf: AddressOf): ResourceAttributes[ResourceKind] {
  const attributes = ATTRIBUTES[kind]?.(spec, addressOf);
  if (!attributes) throw new TypeError(`machines have no ${kind}`);
  return attributes;
}
