import type { InventoryTags } from '../cloud-provider.js';
import type { Owner, Page, Observed } from '../driver/driver-kind.js';
import type { Remembered } from '../driver/driver-memory.js';
import type { ResourceSpecs } from '../resource-specs.js';
import type { GcpApi } from './gcp-api.js';
import { filterOfAll, ownedPage, resourcesOf, observedByName, observedState, type GcpKind } from './gcp-kind.js';
import { gcpName, pathOf } from './gcp-names.js';
import type { GcpAddress, GcpInstance } from './gcp-shapes.js';
import { numberOf, type GcpWork } from './gcp-work.js';

const KIND = 'address';
/** The part with Google's number of the instance that has the address. */
const HOLDER = 'holder';
/** The part with the number of the instance that is to have the address. */
const WANTED = 'wanted holder';
/** Stands for an instance that does not exist yet. */
const NEXT = 'the next one';
const CONFIG = 'External NAT';
const [UNASSIGN, ASSIGN] = ['removal of the earlier address', 'assignment'];

/** A static external address, which moves to the instance of its node. */
export class GcpAddresses implements GcpKind<typeof KIND> {
  readonly pollAfterMs = 2_000;
  readonly forgetsEnded = true;

  async build(work: GcpWork, { node }: ResourceSpecs['address']): Promise<void> {
    const { api } = work;
    const path = pathIn(api, work.tags.installation, work.key.name);
    const { instance, number } = await this.holderOf(work, node);
    // Before the creation: an address without its instance must not pass for a complete one.
    if (node !== null) await this.want(work, instance ? number : NEXT);
    const body = () => ({ addressType: 'EXTERNAL', networkTier: 'PREMIUM' });
    if (!(await work.bring({ part: KIND, path, body, hasLabels: true }))) return;
    if (instance && work.id(HOLDER) !== number) await this.assign(work, path, instance, number);
  }

  async look(api: GcpApi, memories: ReadonlyMap<string, Remembered>): Promise<Map<string, Observed<typeof KIND>>> {
    const resources = await resourcesOf<GcpAddress>(api, memories, KIND);
    return observedByName(resources, ({ owner, path, resource: address, memory }) =>
      observedAddress(owner, path, address, memory),
    );
  }

  async remove(work: GcpWork, installation: string): Promise<boolean> {
    const path = pathIn(work.api, installation, work.key.name);
    const address = await work.api.find<GcpAddress & { users?: string[] }>(path);
    await work.startDeletion();
    for (const user of address?.users ?? [])
      if (!(await this.unassign(work, pathOf(user), address?.address))) return false;
    return work.discard(KIND, path);
  }

  async list(api: GcpApi, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const page = await api.list<GcpAddress>(`${api.regional}/addresses`, filterOfAll(tags), cursor);
    return ownedPage(KIND, tags, page, (owner, one) =>
      observedAddress(owner, `${api.regional}/addresses/${one.name}`, one, undefined),
    );
  }

  notVisibleYet(): { ip: string } {
    return { ip: '' };
  }

  /** The path of the node's instance, and Google's number of the instance. */
  private async holderOf(work: GcpWork, node: string | null): Promise<{ instance: string | null; number: string }> {
    const nodeMemory = node === null ? null : await work.other('node', node);
    const id = (part: string) => nodeMemory?.parts.get(part)?.id ?? null;
    return { instance: id('node'), number: id(numberOf('node')) ?? '' };
  }

  private async want(work: GcpWork, holder: string): Promise<void> {
    if (work.id(WANTED) !== holder) await work.note(WANTED, holder);
  }

  /** Google gives an instance another address only after the earlier one is removed. */
  private async assign(work: GcpWork, path: string, instance: string, number: string): Promise<void> {
    const { api } = work;
    if (!(await this.isIdle(work))) return;
    const [address, machine] = [await api.find<GcpAddress>(path), await api.find<GcpInstance>(instance)];
    const natIP = address?.address;
    if (!natIP || !machine) return;
    const [current] = configsOf(machine);
    if (current?.natIP === natIP) return work.note(HOLDER, number);
    if (current && !(await this.removeConfig(work, instance, current.name ?? CONFIG))) return;
    const query = { networkInterface: 'nic0' };
    const body = { name: CONFIG, type: 'ONE_TO_ONE_NAT', natIP, networkTier: 'PREMIUM' };
    const isDone = await work.change(ASSIGN, instance, (requestId) =>
      api.post(`${instance}/addAccessConfig`, { query: { ...query, requestId }, body }),
    );
    if (isDone) await work.note(HOLDER, number);
  }

  private async unassign(work: GcpWork, instance: string, natIP: string | undefined): Promise<boolean> {
    if (!(await this.isIdle(work))) return false;
    const machine = await work.api.find<GcpInstance>(instance);
    const config = machine && configsOf(machine).find((one) => one.natIP === natIP);
    return config ? this.removeConfig(work, instance, config.name ?? CONFIG) : true;
  }

  /** Whether no change of an instance runs. Asked before a look at the instance, so that the look shows how the change has ended. */
  private async isIdle(work: GcpWork): Promise<boolean> {
    return (await work.settled(UNASSIGN)) && (await work.settled(ASSIGN));
  }

  private removeConfig(work: GcpWork, instance: string, accessConfig: string): Promise<boolean> {
    const query = { networkInterface: 'nic0', accessConfig };
    return work.change(UNASSIGN, instance, (requestId) =>
      work.api.post(`${instance}/deleteAccessConfig`, { query: { ...query, requestId } }),
    );
  }
}

const pathIn = (api: GcpApi, installation: string, name: string): string =>
  `${api.regional}/addresses/${gcpName(installation, KIND, name)}`;

const configsOf = ({ networkInterfaces = [] }: GcpInstance) => networkInterfaces[0]?.accessConfigs ?? [];

function observedAddress(
  owner: Owner,
  path: string,
  address: GcpAddress | null,
  memory: Remembered | undefined,
): Observed<typeof KIND> | null {
  const parts = memory?.parts;
  const isAssigned = parts?.get(WANTED)?.id === parts?.get(HOLDER)?.id;
  const state = observedState({ resource: address, memory }, address?.address && isAssigned ? 'active' : 'pending');
  return state && { ...owner, id: path, state, attributes: { ip: address?.address ?? '' } };
}
