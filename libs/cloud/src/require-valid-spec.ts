import { canonicalRange } from '@libs/domain';
import { CloudError } from './cloud-error.js';
import type { ResourceKind } from './cloud-provider.js';
import type { BalancerListener, FirewallIngress, ResourceSpecs } from './resource-specs.js';

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535;

/**
 * Checks what every cloud checks, also for a driver that plays the resource: a caller that contradicts itself fails with each
 * driver. @throws CloudError `invalid`
 */
export function requireValidSpec<K extends ResourceKind>(kind: K, spec: ResourceSpecs[K]): void {
  const fault = FAULTS[kind]?.(spec) ?? null;
  if (fault !== null) throw new CloudError({ code: 'invalid' }, `${kind.replaceAll('_', ' ')}: ${fault}`);
}

type FaultOf = { [K in ResourceKind]?: (spec: ResourceSpecs[K]) => string | null };

const FAULTS: FaultOf = {
  firewall: ({ ingress }) => firstOf(ingress, ingressFault),
  load_balancer: ({ listeners }) => firstOf(listeners, listenerFault) ?? repeatedPort(listeners),
};

function ingressFault({ port, cidrs }: FirewallIngress): string | null {
  if (!isPort(port)) return `${port} is no port`;
  if (cidrs.length === 0) return `port ${port} is open for nobody`;
  const wrong = cidrs.find((cidr) => !cidr.includes('/') || canonicalRange(cidr) !== cidr);
  return wrong === undefined ? null : `${wrong} is no range of addresses`;
}

function listenerFault({ port, target_port, health_check_port, targets }: BalancerListener): string | null {
  const wrong = [port, target_port, health_check_port].find((one) => !isPort(one));
  if (wrong !== undefined) return `${wrong} is no port`;
  if (targets.length === 0) return `port ${port} leads to no node`;
  return new Set(targets).size === targets.length ? null : `port ${port} leads to a node twice`;
}

/** One port can have a listener for each protocol. */
function repeatedPort(listeners: readonly BalancerListener[]): string | null {
  const paths = new Set<string>();
  for (const { protocol, port } of listeners) {
    if (paths.has(`${protocol} ${port}`)) return `port ${port} has two listeners for ${protocol}`;
    paths.add(`${protocol} ${port}`);
  }
  return null;
}

function firstOf<T>(all: readonly T[], faultOf: (one: T) => string | null): string | null {
  for (const one of all) {
    const fault = faultOf(one);
    if (fault !== null) return fault;
  }
  return null;
}
