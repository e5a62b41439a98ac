import { CloudError } from '../../cloud-error.js';
import type { InventoryTags } from '../../cloud-provider.js';
import { isRefusal } from '../../driver/driver-work.js';
import type { Owner, Page, Observed } from '../../driver/driver-kind.js';
import type { MemoryKey, Remembered } from '../../driver/driver-memory.js';
import { requireFree } from '../../peering-conditions.js';
import type { ResourceAttributes } from '../../resource-attributes.js';
import type { NetworkPeeringSpec } from '../../resource-specs.js';
import { unlessInUse, type GcpApi } from '../gcp-api.js';
import { filterOfAll, ownedOf, type GcpKind } from '../gcp-kind.js';
import { baseName, collectionOf, scopeOf } from '../gcp-names.js';
import type { GcpNetwork, GcpPeering } from '../gcp-shapes.js';
import type { GcpWork } from '../gcp-work.js';
import { isSharedNetwork, rangeOfNetwork } from './gcp-networks.js';

const KIND = 'network_peering';
/** The operation that changes the peerings of a network. */
const TURN = 'peering';
const NAME = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
type Attributes = ResourceAttributes[typeof KIND];

/** Landlord's half of a peering. Google keeps it inside the network, and changes the peerings of a network one after the other. */
export class GcpPeerings implements GcpKind<typeof KIND> {
  readonly pollAfterMs = 5_000;
  readonly forgetsEnded = true;

  /** @throws CloudError `invalid` when the network is shared or overlaps the other one */
  async build(work: GcpWork, spec: NetworkPeeringSpec): Promise<void> {
    const vpc = await work.pathOfOther('network', spec.network, 'network');
    const network = await work.other('network', spec.network);
    if (network) requireFree({ isShared: isSharedNetwork(network), range: rangeOfNetwork(network) }, spec);
    const name = peeringName(work.key.name);
    const path = `${vpc}/peerings/${name}`;
    const body = {
      networkPeering: {
        ...{ name, network: `projects/${spec.peer_project_id}/global/networks/${spec.peer_network}` },
        ...{ exchangeSubnetRoutes: true, exportCustomRoutes: false, importCustomRoutes: false },
      },
    };
    await this.inTurn(work, vpc, async (turn) => {
      if (await this.isNoted(work, path)) return true;
      const send = (requestId: string) => work.api.post(`${vpc}/addPeering`, { query: { requestId }, body });
      try {
        return await work.create(KIND, path, () => turn.change(TURN, vpc, send));
      } catch (error) {
        // A change whose answer was lost can end between the look and the call.
        if (isRefusal(error) && (await this.isNoted(work, path))) return true;
        throw error;
      }
    });
  }

  async look(api: GcpApi, memories: ReadonlyMap<string, Remembered>): Promise<Map<string, Observed<typeof KIND>>> {
    const paths = [...memories].flatMap(([name, { parts }]) => {
      const path = parts.get(KIND)?.id;
      return path ? [[name, path] as const] : [];
    });
    const networks = await api.findAll<GcpNetwork>([...new Set(paths.map(([, path]) => scopeOf(path)))]);
    const observed = paths.flatMap(([name, path]) => {
      const memory = memories.get(name);
      const found = peeringIn(networks.get(scopeOf(path)), baseName(path));
      const tags = memory?.tags;
      return tags ? (observedPeering(api, { name, tags }, { path, peering: found, memory }) ?? []) : [];
    });
    return new Map(observed.map((one) => [one.name, one]));
  }

  async remove(work: GcpWork): Promise<boolean> {
    const path = work.id(KIND) ?? (await this.search(work));
    const isThere = path !== null && (await this.find(work.api, path)) !== null;
    if (path === null) await work.api.get(`projects/${work.api.project}`);
    await work.startDeletion();
    if (path === null) return true;
    if (!isThere) return this.inTurn(work, scopeOf(path), async () => (await this.find(work.api, path)) === null);
    const vpc = scopeOf(path);
    const body = { name: baseName(path) };
    return this.inTurn(work, vpc, async (turn) => {
      // An earlier removal can have ended since the look.
      if ((await this.find(work.api, path)) === null) return true;
      const send = (requestId: string) => work.api.post(`${vpc}/removePeering`, { query: { requestId }, body });
      return turn.change(TURN, vpc, send);
    });
  }

  async list(api: GcpApi, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const page = await api.list<GcpNetwork>(`${api.global}/networks`, filterOfAll(tags), cursor);
    const observed = ownedOf('network', tags, page.items ?? []).flatMap(({ owner, one }) =>
      (one.peerings ?? []).flatMap((peering) => {
        const path = `${api.global}/networks/${one.name}/peerings/${peering.name}`;
        return observedPeering(api, { ...owner, name: peering.name }, { path, peering, memory: undefined }) ?? [];
      }),
    );
    return { observed, next: page.nextPageToken ?? null };
  }

  notVisibleYet(): Attributes {
    return { status: 'inactive', details: '', project_id: '', network: '' };
  }

  /** Runs the change while no other one of the network runs. False: another change runs, or this one has not ended. */
  private async inTurn(work: GcpWork, vpc: string, change: (turn: GcpWork) => Promise<boolean>): Promise<boolean> {
    const key: MemoryKey = { kind: KIND, name: `peerings of ${vpc}` };
    const changed = work.beside(key, async (turn) => ((await turn.settled(TURN)) ? change(turn) : false));
    // A change whose answer was lost, or one of the other side.
    return (await unlessInUse(changed)) ?? false;
  }

  /** Whether the peering exists. The memory has one that exists. */
  private async isNoted(work: GcpWork, path: string): Promise<boolean> {
    if ((await this.find(work.api, path)) === null) return false;
    if (work.id(KIND) !== path) await work.note(KIND, path);
    return true;
  }

  private async find(api: GcpApi, path: string): Promise<GcpPeering | null> {
    return peeringIn(await api.find<GcpNetwork>(scopeOf(path)), baseName(path));
  }

  /** Where the peering is, when the memory does not know. */
  private async search({ api, key }: GcpWork): Promise<string | null> {
    const name = peeringName(key.name);
    const { items = [] } = await api.list<GcpNetwork>(`${api.global}/networks`, 'name eq "ld-.*"');
    const network = items.find((one) => peeringIn(one, name));
    return network ? `${api.global}/networks/${network.name}/peerings/${name}` : null;
  }
}

const peeringIn = (network: GcpNetwork | null | undefined, name: string): GcpPeering | null =>
  (network?.peerings ?? []).find((one) => one.name === name) ?? null;

/** Google keeps nothing but the name, so the name of the resource is the name of the peering. */
function peeringName(name: string): string {
  if (NAME.test(name)) return name;
  throw new CloudError({ code: 'invalid' }, `Google Cloud does not accept ${name} as the name of a peering`);
}

function observedPeering(
  { project }: GcpApi,
  owner: Owner,
  { path, peering, memory }: { path: string; peering: GcpPeering | null; memory: Remembered | undefined },
): Observed<typeof KIND> | null {
  if (peering === null) return null;
  return {
    ...{ ...owner, id: path, state: memory?.isDeleting ? 'deleting' : 'active' },
    attributes: {
      status: peering.state === 'ACTIVE' ? 'active' : 'inactive',
      details: peering.stateDetails ?? '',
      ...{ project_id: project, network: baseName(collectionOf(collectionOf(path))) },
    },
  };
}
