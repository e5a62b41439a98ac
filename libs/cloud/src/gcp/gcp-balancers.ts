import { CloudError } from '../cloud-error.js';
import type { InventoryTags } from '../cloud-provider.js';
import type { Owner, Page, Observed } from '../driver/driver-kind.js';
import type { Remembered } from '../driver/driver-memory.js';
import type { BalancerListener, LoadBalancerSpec } from '../resource-specs.js';
import type { GcpApi } from './gcp-api.js';
import { filterOfAll, ownedPage, resourcesOf, observedByName, observedState, type GcpKind } from './gcp-kind.js';
import { gcpName } from './gcp-names.js';
import type { GcpAddress, GcpHealthCheck } from './gcp-shapes.js';
import { isRunning, type GcpWork } from './gcp-work.js';
import {
  backendPart,
  GcpBackends,
  GROUP,
  healthCheckPath,
  nodesOf,
  type Scheme,
  WAITING,
} from './network/gcp-backends.js';
import { SUBNET } from './network/gcp-vpcs.js';

const KIND = 'load_balancer';
const ADDRESS = 'address';
const RULE = 'rule ';
const SCHEME = 'scheme';
/** The part with the name of the network. */
const NETWORK = 'network of the balancer';

/** Whether the balancer has an address in its network only. */
export const isInternalBalancer = ({ parts }: Remembered): boolean => parts.get(SCHEME)?.id === 'INTERNAL';

/** The name of the network of a balancer. Null: no call has created the balancer yet. */
export const networkOfBalancer = ({ parts }: Remembered): string | null => parts.get(NETWORK)?.id ?? null;

/** The part with the forwarding rule of a protocol. */
export const rulePart = (protocol: string): string => `${RULE}${protocol}`;

/**
 * A balancer of packets: nodes see the addresses of their clients, and every port leads to the same port of a node. Its rules forward all
 * ports, because Google cannot change the ports of a rule; the firewall of the nodes admits those of the listeners.
 */
export class GcpBalancers implements GcpKind<typeof KIND> {
  readonly pollAfterMs = 3_000;
  readonly forgetsEnded = true;
  private readonly backends = new GcpBackends();

  async build(work: GcpWork, { listeners, network, scheme: schemeOfSpec }: LoadBalancerSpec): Promise<void> {
    requireSamePorts(listeners);
    const vpc = await work.pathOfOther('network', network, 'network');
    const subnetwork = await work.pathOfOther('network', network, SUBNET);
    const scheme: Scheme = schemeOfSpec === 'internet' ? 'EXTERNAL' : 'INTERNAL';
    if (!(await this.backends.healthCheck(work, listeners[0]?.health_check_port ?? 0))) return;
    if (work.id(SCHEME) === null) await work.note(SCHEME, scheme);
    if (work.id(NETWORK) === null) await work.note(NETWORK, network);
    if (!(await this.backends.groups(work, vpc, nodesOf(listeners)))) return;
    if (!(await this.address(work, scheme, subnetwork))) return;
    for (const protocol of protocolsOf(listeners))
      if (!(await this.forward(work, { scheme, protocol, vpc, subnetwork }))) return;
  }

  async look(api: GcpApi, memories: ReadonlyMap<string, Remembered>): Promise<Map<string, Observed<typeof KIND>>> {
    const resources = await resourcesOf<GcpHealthCheck>(api, memories, KIND);
    const addressOf = ({ parts }: Remembered): string => parts.get(ADDRESS)?.id ?? '';
    const paths = resources.map((one) => addressOf(one.memory)).filter(Boolean);
    const addresses = await api.findAll<GcpAddress>(paths);
    return observedByName(resources, ({ owner, path, resource: healthCheck, memory }) => {
      const address = addresses.get(addressOf(memory))?.address ?? '';
      return observedBalancer({ owner, path, address }, healthCheck, memory);
    });
  }

  async remove(work: GcpWork, installation: string): Promise<boolean> {
    const { api, key } = work;
    await api.find(healthCheckPath(api, installation, key.name));
    await work.startDeletion();
    let isGone = true;
    for (const part of work.partsOf(RULE)) {
      const path = rulePath(api, installation, key.name, part.slice(RULE.length));
      isGone = (await work.discard(part, path)) && isGone;
    }
    if (!isGone) return false;
    const address = addressPath(api, installation, key.name);
    if (work.partsOf(ADDRESS).length > 0 && !(await work.discard(ADDRESS, address))) return false;
    return this.backends.remove(work, installation);
  }

  async list(api: GcpApi, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const page = await api.list<GcpHealthCheck>(`${api.regional}/healthChecks`, filterOfAll(tags), cursor);
    return ownedPage(KIND, tags, page, (owner, one) =>
      observedBalancer({ owner, path: `${api.regional}/healthChecks/${one.name}`, address: '' }, one, undefined),
    );
  }

  notVisibleYet(): { address: string } {
    return { address: '' };
  }

  /** The backend service and the forwarding rule of a protocol. True: both exist. */
  private async forward(work: GcpWork, plan: RulePlan): Promise<boolean> {
    const { scheme, protocol, vpc, subnetwork } = plan;
    const behind = { groups: work.ids(GROUP).sort(), healthCheck: work.id(KIND) ?? '' };
    if (!(await this.backends.service(work, { scheme, protocol, network: vpc, ...behind }))) return false;
    const inside = { network: vpc, subnetwork, allowGlobalAccess: true };
    const rule = () => ({
      ...{ IPProtocol: protocol, allPorts: true, loadBalancingScheme: scheme, IPAddress: work.id(ADDRESS) ?? '' },
      ...(scheme === 'INTERNAL' ? inside : { networkTier: 'PREMIUM' }),
      backendService: work.id(backendPart(scheme, protocol)) ?? '',
    });
    const path = rulePath(work.api, work.tags.installation, work.key.name, protocol);
    return work.bring({ part: rulePart(protocol), path, body: rule, hasLabels: true });
  }

  /** The address of the rules of both protocols. */
  private address(work: GcpWork, scheme: Scheme, subnetwork: string): Promise<boolean> {
    const path = addressPath(work.api, work.tags.installation, work.key.name);
    const inside = { addressType: 'INTERNAL', purpose: 'SHARED_LOADBALANCER_VIP', subnetwork };
    const outside = { addressType: 'EXTERNAL', networkTier: 'PREMIUM' };
    const body = () => (scheme === 'INTERNAL' ? inside : outside);
    return work.bring({ part: ADDRESS, path, body, hasLabels: true });
  }
}

interface RulePlan {
  scheme: Scheme;
  protocol: string;
  /** The path of the network. */
  vpc: string;
  subnetwork: string;
}

const addressPath = (api: GcpApi, installation: string, name: string): string =>
  `${api.regional}/addresses/${gcpName(installation, KIND, name, ADDRESS)}`;

const rulePath = (api: GcpApi, installation: string, name: string, protocol: string): string =>
  `${api.regional}/forwardingRules/${gcpName(installation, KIND, name, protocol)}`;

const protocolsOf = (listeners: readonly BalancerListener[]): string[] => [
  ...new Set(listeners.map(({ protocol }) => protocol.toUpperCase())),
];

function requireSamePorts(listeners: readonly BalancerListener[]): void {
  const other = listeners.find(({ port, target_port }) => port !== target_port);
  if (other)
    throw new CloudError(
      { code: 'invalid' },
      `a balancer of Google Cloud cannot lead port ${other.port} to port ${other.target_port} of a node`,
    );
}

function observedBalancer(
  { owner, path, address }: { owner: Owner; path: string; address: string },
  healthCheck: GcpHealthCheck | null,
  memory: Remembered | undefined,
): Observed<typeof KIND> | null {
  const isReady = memory !== undefined && !isRunning(memory) && !memory.parts.has(WAITING);
  const isWhole = isReady && memory.parts.has(rulePart('TCP')) && address !== '';
  const state = observedState({ resource: healthCheck, memory }, isWhole ? 'active' : 'pending');
  return state && { ...owner, id: path, state, attributes: { address } };
}
