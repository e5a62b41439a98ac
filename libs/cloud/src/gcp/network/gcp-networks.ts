import { CloudError } from '../../cloud-error.js';
import type { InventoryTags } from '../../cloud-provider.js';
import type { Owner, Page, Observed } from '../../driver/driver-kind.js';
import type { DriverMemory, Remembered } from '../../driver/driver-memory.js';
import type { ResourceAttributes } from '../../resource-attributes.js';
import type { NetworkLayout, NetworkSpec } from '../../resource-specs.js';
import type { GcpApi } from '../gcp-api.js';
import { filterOfAll, ownedOf, observedState, type GcpKind } from '../gcp-kind.js';
import { baseName, pathOf } from '../gcp-names.js';
import type { GcpNetwork, GcpSubnet } from '../gcp-shapes.js';
import { isRunning, type GcpWork } from '../gcp-work.js';
import { GcpCustomerVpcs, TAKEN } from './gcp-customer-vpcs.js';
import { GcpSharedVpcs, SHARED_RANGE } from './gcp-shared-vpcs.js';
import { GcpVpcs, SUBNET } from './gcp-vpcs.js';

const KIND = 'network';
/** Remembered parts without a resource at Google: the layout, and the range of the deployment. */
const [LAYOUT, CIDR] = ['layout', 'cidr'];

const layoutOf = ({ parts }: Remembered): string => parts.get(LAYOUT)?.id ?? 'own';

/** Whether other deployments use the network too. */
export const isSharedNetwork = (network: Remembered): boolean => layoutOf(network) === 'shared';

/** The range of the network. Null: no call has created it yet. */
export const rangeOfNetwork = (network: Remembered): string | null =>
  isSharedNetwork(network) ? SHARED_RANGE : (network.parts.get(CIDR)?.id ?? null);

/** The network of a deployment: one of its own, a part in the shared one, or a subnet in the network of a customer. */
export class GcpNetworks implements GcpKind<typeof KIND> {
  readonly pollAfterMs = 2_000;
  readonly forgetsEnded = true;
  private readonly own = new GcpVpcs();
  private readonly customers = new GcpCustomerVpcs();
  private readonly shared: GcpSharedVpcs;

  constructor(memory: DriverMemory) {
    this.shared = new GcpSharedVpcs(memory);
  }

  async build(work: GcpWork, { layout = 'own', cidr }: NetworkSpec): Promise<void> {
    // A network that exists keeps its layout: its nodes cannot move to another one.
    const layoutName = work.id(LAYOUT) ?? nameOf(layout);
    if (work.id(LAYOUT) === null) await work.note(LAYOUT, layoutName);
    if (layoutName === 'shared') {
      await this.shared.join(work);
      return;
    }
    const isFree = typeof layout === 'object' && layout.range === 'free';
    const range = work.id(CIDR) ?? (isFree ? await this.customers.freeRange(work, layoutName) : cidr);
    if (work.id(CIDR) === null) await work.note(CIDR, range);
    if (layoutName === 'own') await this.own.build(work, { owner: work.tags, cidr: range });
    else if (isFree) await this.inFreeRange(work, range, layoutName);
    else await this.customers.build(work, range, layoutName);
  }

  async look(api: GcpApi, memories: ReadonlyMap<string, Remembered>): Promise<Map<string, Observed<typeof KIND>>> {
    const paths = new Set([...memories.values()].flatMap(({ parts }) => parts.get(KIND)?.id ?? []));
    const networks = await api.findAll<GcpNetwork>([...paths]);
    const observed = [...memories].flatMap(([name, one]) => {
      const path = one.parts.get(KIND)?.id;
      if (!path || one.tags === null) return [];
      return (
        observedNetwork(api, { name, tags: one.tags }, { path, network: networks.get(path) ?? null, memory: one }) ?? []
      );
    });
    return new Map(observed.map((one) => [one.name, one]));
  }

  async remove(work: GcpWork, installation: string): Promise<boolean> {
    const layout = work.id(LAYOUT) ?? 'own';
    if (layout === 'own') return this.own.remove(work, installation, () => work.startDeletion());
    return layout === 'shared' ? this.shared.leave(work, installation) : this.customers.remove(work, installation);
  }

  /** The users of the shared network have nothing of their own at Google: the memory has them. In a project of a customer, a subnet stands for the network. */
  async list(api: GcpApi, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    if (api.at.account !== null) {
      const page = await api.list<GcpSubnet>(`${api.regional}/subnetworks`, filterOfAll(tags), cursor);
      const observed = ownedOf(KIND, tags, page.items ?? [], SUBNET).map(({ owner, one }) =>
        listed(api, owner, pathOf(one.network)),
      );
      return { observed, next: page.nextPageToken ?? null };
    }
    const page = await api.list<GcpNetwork>(`${api.global}/networks`, filterOfAll(tags), cursor);
    const next = page.nextPageToken ?? null;
    const users = next === null ? await this.shared.users(tags.installation, api) : [];
    const shared = users.filter((user) => [undefined, user.tags.deployment_id].includes(tags.deployment_id));
    return {
      observed: [
        ...ownedOf(KIND, tags, page.items ?? []).map(({ owner, one }) =>
          listed(api, owner, `${api.global}/networks/${one.name}`),
        ),
        ...shared.map(({ name, tags: owner, path }) => listed(api, { name, tags: owner }, path)),
      ],
      next,
    };
  }

  notVisibleYet(): ResourceAttributes[typeof KIND] {
    return { cidr: '', network_id: '', subnet_ids: [] };
  }

  /** Another region or a peered network can have the range, and somebody can take it first. The next call takes another one. */
  private async inFreeRange(work: GcpWork, range: string, vpcName: string): Promise<void> {
    try {
      await this.customers.build(work, range, vpcName);
    } catch (error) {
      if (!isTaken(error)) throw error;
      await work.note(`${TAKEN}${range}`, range);
      await work.drop(CIDR);
      throw new CloudError({ code: 'unavailable' }, `another subnet has the range ${range}`, { cause: error });
    }
  }
}

const isTaken = (error: unknown): boolean =>
  error instanceof CloudError && error.code === 'invalid' && /conflicts with|overlap/.test(error.message);

const nameOf = (layout: NetworkLayout): string => (typeof layout === 'string' ? layout : layout.vpc_id);

const listed = ({ project }: GcpApi, owner: Owner, path: string): Observed<typeof KIND> => ({
  ...{ ...owner, id: path, state: 'pending' },
  attributes: { cidr: '', network_id: baseName(path), subnet_ids: [], account_id: project },
});

function observedNetwork(
  { project }: GcpApi,
  owner: Owner,
  { path, network, memory }: { path: string; network: GcpNetwork | null; memory: Remembered },
): Observed<typeof KIND> | null {
  const subnet = memory.parts.get(SUBNET)?.id;
  const state = observedState({ resource: network, memory }, subnet && !isRunning(memory) ? 'active' : 'pending');
  return (
    state && {
      ...{ ...owner, id: path, state },
      attributes: {
        ...{ cidr: rangeOfNetwork(memory) ?? '', network_id: baseName(path), account_id: project },
        subnet_ids: subnet ? [baseName(subnet)] : [],
      },
    }
  );
}
