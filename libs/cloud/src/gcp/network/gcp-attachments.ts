import { overlap, slicesOf } from '@libs/domain';
import { CloudError } from '../../cloud-error.js';
import type { InventoryTags } from '../../cloud-provider.js';
import type { Owner, Page, Observed } from '../../driver/driver-kind.js';
import type { Remembered } from '../../driver/driver-memory.js';
import type { ConsumerStatus, ResourceAttributes, ServiceConsumer } from '../../resource-attributes.js';
import type { ServiceAttachmentSpec } from '../../resource-specs.js';
import type { GcpApi } from '../gcp-api.js';
import { isInternalBalancer, networkOfBalancer, rulePart } from '../gcp-balancers.js';
import { filterOfAll, ownedPage, resourcesOf, observedByName, observedState, type GcpKind } from '../gcp-kind.js';
import { baseName, gcpName, linkOf } from '../gcp-names.js';
import type { GcpServiceAttachment, GcpSubnet } from '../gcp-shapes.js';
import { isRunning, type GcpWork } from '../gcp-work.js';
import { backendPart, GcpBackends, groupsOf } from './gcp-backends.js';
import { rangeOfNetwork } from './gcp-networks.js';
import { halvesOf } from './gcp-vpcs.js';

const KIND = 'service_attachment';
const ATTACHMENT = 'attachment';
const RULE = 'rule';
const RANGE = 'range';
const CHANGE = 'change of the attachment';
/** Google needs a subnet of its own for each attachment. It has room for some thousand connections of each of its addresses. */
const NAT_BITS = 28;
/** Connections that one project may have. */
const CONNECTIONS = 100;
const PROTOCOL = 'TCP';
const CONSUMERS: Record<string, ConsumerStatus> = {
  ...{ PENDING: 'pending', ACCEPTED: 'accepted', REJECTED: 'rejected', CLOSED: 'closed' },
};

/**
 * A service that consumers reach through Private Service Connect. Google needs a forwarding rule inside the network: the one of an
 * internal balancer, or an own one over the same instances. The subnet that Google takes the addresses of consumers from is the main part.
 */
export class GcpAttachments implements GcpKind<typeof KIND> {
  readonly pollAfterMs = 5_000;
  readonly forgetsEnded = true;
  private readonly backends = new GcpBackends();

  async build(work: GcpWork, spec: ServiceAttachmentSpec): Promise<void> {
    const { api } = work;
    const balancer = await work.other('load_balancer', spec.load_balancer);
    const network = balancer && networkOfBalancer(balancer);
    if (!balancer || !network)
      throw new CloudError({ code: 'unavailable' }, `the load balancer ${spec.load_balancer} does not exist yet`);
    const vpc = await work.pathOfOther('network', network, 'network');
    if (!(await this.natSubnet(work, network, vpc))) return;
    const rule = await this.ruleOf(work, balancer, { network, vpc });
    if (rule === null) return;
    const path = attachmentPath(api, work.tags.installation, work.key.name);
    const settings = settingsOf(spec);
    const fixed = {
      targetService: rule,
      natSubnets: [work.id(KIND) ?? ''],
      enableProxyProtocol: spec.enable_proxy_protocol,
    };
    if (await work.bring({ part: ATTACHMENT, path, body: () => ({ ...settings, ...fixed }) }))
      await this.update(work, path, settings);
  }

  async look(api: GcpApi, memories: ReadonlyMap<string, Remembered>): Promise<Map<string, Observed<typeof KIND>>> {
    const resources = await resourcesOf<GcpSubnet>(api, memories, KIND);
    const pathsOf = ({ parts }: Remembered) => parts.get(ATTACHMENT)?.id ?? '';
    const attachments = await api.findAll<GcpServiceAttachment>(
      resources.map((one) => pathsOf(one.memory)).filter(Boolean),
    );
    return observedByName(resources, ({ owner, path, resource: subnet, memory }) =>
      observedAttachment({ owner, path, subnet }, attachments.get(pathsOf(memory)) ?? null, memory),
    );
  }

  async remove(work: GcpWork, installation: string): Promise<boolean> {
    const { api, key } = work;
    await api.find(natPath(api, installation, key.name));
    await work.startDeletion();
    if (!(await work.discard(ATTACHMENT, attachmentPath(api, installation, key.name)))) return false;
    if (!(await work.discard(RULE, rulePath(api, installation, key.name)))) return false;
    if (!(await this.backends.removeServices(work, installation))) return false;
    return work.discard(KIND, natPath(api, installation, key.name));
  }

  async list(api: GcpApi, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const page = await api.list<GcpSubnet>(`${api.regional}/subnetworks`, filterOfAll(tags), cursor);
    return ownedPage(KIND, tags, page, (owner, subnet) =>
      observedAttachment({ owner, path: `${api.regional}/subnetworks/${subnet.name}`, subnet }, null, undefined),
    );
  }

  notVisibleYet(): ResourceAttributes[typeof KIND] {
    return { uri: '', consumers: [], nat_ranges: [] };
  }

  /** The subnet for the addresses of consumers, in the second half of the range of the network. */
  private async natSubnet(work: GcpWork, network: string, vpc: string): Promise<boolean> {
    const { api } = work;
    const path = natPath(api, work.tags.installation, work.key.name);
    if (work.id(KIND) === null && work.id(RANGE) === null)
      await work.note(RANGE, await this.freeRange(work, network, vpc));
    const { region } = api.at;
    const body = () => ({
      ...{ network: vpc, region, ipCidrRange: work.id(RANGE) ?? '', purpose: 'PRIVATE_SERVICE_CONNECT' },
    });
    try {
      return await work.bring({ part: KIND, path, body });
    } catch (error) {
      // Another attachment has taken the range at the same time. The next call takes another range.
      if (error instanceof CloudError && error.code === 'invalid') await work.drop(RANGE);
      throw error;
    }
  }

  private async freeRange(work: GcpWork, name: string, vpc: string): Promise<string> {
    const network = await work.other('network', name);
    const whole = (network && rangeOfNetwork(network)) ?? '';
    const { services } = halvesOf(whole);
    const count = 2 ** Math.max(0, NAT_BITS - Number(services.split('/')[1]));
    const slices = slicesOf(services, count);
    const { items = [] } = await work.api.list<GcpSubnet>(
      `${work.api.regional}/subnetworks`,
      `network = "${linkOf(vpc)}"`,
    );
    for (let index = 0; index < count; index += 1) {
      const range = slices[(work.tags.deployment_id + index) % count] ?? services;
      if (!items.some(({ ipCidrRange }) => ipCidrRange && overlap(ipCidrRange, range))) return range;
    }
    throw new CloudError(
      { code: 'invalid' },
      `the network ${baseName(vpc)} has no room for another service attachment`,
    );
  }

  /** The path of the forwarding rule inside the network. Null: it is not complete yet. */
  private async ruleOf(
    work: GcpWork,
    balancer: Remembered,
    { network, vpc }: { network: string; vpc: string },
  ): Promise<string | null> {
    const { api } = work;
    if (isInternalBalancer(balancer)) return balancer.parts.get(rulePart(PROTOCOL))?.id ?? null;
    const scheme = 'INTERNAL';
    const behind = { groups: groupsOf(balancer), healthCheck: balancer.parts.get('load_balancer')?.id ?? '' };
    if (!(await this.backends.service(work, { scheme, protocol: PROTOCOL, network: vpc, ...behind }))) return null;
    const path = rulePath(api, work.tags.installation, work.key.name);
    const subnetwork = await work.pathOfOther('network', network, 'subnet');
    const rule = () => ({
      ...{ IPProtocol: PROTOCOL, allPorts: true, loadBalancingScheme: scheme, network: vpc, subnetwork },
      backendService: work.id(backendPart(scheme, PROTOCOL)) ?? '',
    });
    return (await work.bring({ part: RULE, path, body: rule, hasLabels: true })) ? path : null;
  }

  private async update(work: GcpWork, path: string, settings: Settings): Promise<void> {
    if (!(await work.settled(CHANGE))) return;
    const attachment = await work.api.find<GcpServiceAttachment>(path);
    if (!attachment || sameSettings(attachment, settings)) return;
    const body = { ...settings, ...(attachment.fingerprint && { fingerprint: attachment.fingerprint }) };
    await work.change(CHANGE, path, (requestId) => work.api.patch(path, { query: { requestId }, body }));
  }
}

interface Settings {
  connectionPreference: string;
  consumerAcceptLists: { projectIdOrNum: string; connectionLimit: number }[];
  reconcileConnections: boolean;
}

const settingsOf = ({ connection_preference, consumer_accept_lists }: ServiceAttachmentSpec): Settings => ({
  connectionPreference: connection_preference === 'accept_automatic' ? 'ACCEPT_AUTOMATIC' : 'ACCEPT_MANUAL',
  consumerAcceptLists: consumer_accept_lists.map((projectIdOrNum) => ({
    projectIdOrNum,
    connectionLimit: CONNECTIONS,
  })),
  // A project that leaves the list loses its connections.
  reconcileConnections: true,
});

const projectsOf = (lists: GcpServiceAttachment['consumerAcceptLists'] = []): string =>
  lists
    .map(({ projectIdOrNum = '' }) => projectIdOrNum)
    .sort()
    .join(' ');

const sameSettings = (attachment: GcpServiceAttachment, settings: Settings): boolean =>
  attachment.connectionPreference === settings.connectionPreference &&
  projectsOf(attachment.consumerAcceptLists) === projectsOf(settings.consumerAcceptLists);

const attachmentPath = (api: GcpApi, installation: string, name: string): string =>
  `${api.regional}/serviceAttachments/${gcpName(installation, KIND, name)}`;

const natPath = (api: GcpApi, installation: string, name: string): string =>
  `${api.regional}/subnetworks/${gcpName(installation, KIND, name, 'nat')}`;

const rulePath = (api: GcpApi, installation: string, name: string): string =>
  `${api.regional}/forwardingRules/${gcpName(installation, KIND, name, RULE)}`;

function consumerOf({ endpoint = '', ...more }: NonNullable<GcpServiceAttachment['connectedEndpoints']>[number]) {
  const consumer: ServiceConsumer = {
    connection_id: more.pscConnectionId ?? '',
    owner: /projects\/([^/]+)\//.exec(endpoint)?.[1] ?? '',
    network: more.consumerNetwork ? baseName(more.consumerNetwork) : null,
    endpoint: endpoint ? baseName(endpoint) : null,
    status: CONSUMERS[more.status ?? ''] ?? 'needs_attention',
  };
  return consumer;
}

function observedAttachment(
  { owner, path, subnet }: { owner: Owner; path: string; subnet: GcpSubnet | null },
  attachment: GcpServiceAttachment | null,
  memory: Remembered | undefined,
): Observed<typeof KIND> | null {
  const isWhole = attachment !== null && memory !== undefined && !isRunning(memory);
  const state = observedState({ resource: subnet, memory }, isWhole ? 'active' : 'pending');
  return (
    state && {
      ...{ ...owner, id: path, state },
      attributes: {
        uri: memory?.parts.get(ATTACHMENT)?.id ?? '',
        consumers: (attachment?.connectedEndpoints ?? []).map(consumerOf),
        nat_ranges: subnet?.ipCidrRange ? [subnet.ipCidrRange] : [],
      },
    }
  );
}
