import type { ResourceKind } from '../cloud-provider.js';
import type { ResourceAttributes } from '../resource-attributes.js';
import type { LoadBalancerSpec } from '../resource-specs.js';

type Spec = Record<string, unknown>;
/** In the rows of the previous release. */
interface OldBalancer {
  targets: string[];
}
type AddressOf = (node: string) => string;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The nodes behind a load balancer. The row of the previous release has no listeners until its deployment is changed. */
export function balancerTargets(spec: Spec): string[] {
  const { listeners, targets = [] } = spec as Partial<LoadBalancerSpec & OldBalancer>;
  return listeners?.flatMap((listener) => listener.targets) ?? targets;
}

/** Machines have the network of their operator: a network is only a name here. */
const ATTRIBUTES: { [K in ResourceKind]?: (spec: Spec, addressOf: AddressOf) => ResourceAttributes[K] } = {
  network: (spec) => ({ cidr: text(spec['cidr']), network_id: 'machines', subnet_ids: [] }),
  firewall: (spec) => ({ network: text(spec['network']) }),
  address: (spec, addressOf) => ({ ip: addressOf(text(spec['node'])) }),
  // Clients get the addresses of all nodes. The name of the deployment points to the first.
  load_balancer: (spec, addressOf) => ({ address: addressOf(balancerTargets(spec)[0] ?? '') }),
};

/** The attributes of a resource other than a node. `addressOf`: the address of the machine of a node; empty without one. */
export function attributesOf(kind: ResourceKind, spec: Spec, addressOf: AddressOf): ResourceAttributes[ResourceKind] {
  const attributes = ATTRIBUTES[kind]?.(spec, addressOf);
  if (!attributes) throw new TypeError(`machines have no ${kind}`);
  return attributes;
}
