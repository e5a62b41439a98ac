import type { Address } from '@aws-sdk/client-ec2';
import type { InventoryTags } from '../cloud-provider.js';
import type { ResourceSpecs } from '../resource-specs.js';
import { isRemoved, type AwsClients } from './aws-clients.js';
import type { Page, Observed } from '../driver/driver-kind.js';
import type { AwsKind } from './aws-kind.js';
import { idsOf, type Remembered } from '../driver/driver-memory.js';
import { filtersOf, ownerBy, pageRequest, tagsOf } from './aws-names.js';
import type { AwsWork } from './aws-work.js';

const KIND = 'address';
const MADE_FOR_MS = 4_000;

export interface AddressQuotas {
  /** @throws CloudError `quota` when the account may not have so many more addresses */
  requireAddresses(ec2: AwsClients['ec2'], needed: number): Promise<void>;
}

/** An elastic address, which moves to the machine of its node. */
export class AwsAddresses implements AwsKind<typeof KIND> {
  readonly pollAfterMs = 2_000;
  /** The last answers to creations of this process, by id. Each serves one call. */
  private readonly made = new Map<string, { address: Address; at: number }>();

  /** @param quotasOf The quotas of the operator's account in a region */
  constructor(private readonly quotasOf: (region: string) => AddressQuotas) {}

  async build(work: AwsWork, { node, together = [work.key.name] }: ResourceSpecs['address']): Promise<void> {
    const { ec2 } = work.clients;
    const { name } = work.key;
    await this.requireRoom(work, together);
    const AllocationId = await work.part({
      part: KIND,
      find: async () => (await this.tagged(work.clients, work.tags.installation, name))[0]?.AllocationId ?? null,
      create: async () => {
        const Tags = tagsOf({ kind: KIND, name, part: KIND, tags: work.tags });
        const allocation = await ec2.allocateAddress({
          ...{ Domain: 'vpc', TagSpecifications: [{ ResourceType: 'elastic-ip', Tags }] },
        });
        const address = { ...allocation, Tags };
        this.made.set(allocation.AllocationId ?? '', { address, at: performance.now() });
        return allocation.AllocationId ?? '';
      },
    });
    const InstanceId = node === null ? null : ((await work.other('node', node))?.parts.get('node')?.id ?? null);
    if (InstanceId !== null && work.id('association') !== InstanceId) {
      await ec2.associateAddress({ AllocationId, InstanceId, AllowReassociation: true });
      await work.note('association', InstanceId);
    }
  }

  async look(
    { ec2 }: AwsClients,
    memories: ReadonlyMap<string, Remembered>,
  ): Promise<Map<string, Observed<typeof KIND>>> {
    const ids = idsOf(memories, KIND);
    if (ids.size === 0) return new Map();
    const Filters = [{ Name: 'allocation-id', Values: [...ids.keys()] }];
    const newAddresses = this.justMade([...ids.keys()]);
    const Addresses = newAddresses ?? (await ec2.describeAddresses({ Filters })).Addresses ?? [];
    const observed = Addresses.flatMap((one) => observedAddress(one, ids.get(one.AllocationId ?? ''), memories) ?? []);
    return new Map(observed.map((one) => [one.name, one]));
  }

  async remove(work: AwsWork, installation: string): Promise<boolean> {
    const { ec2 } = work.clients;
    const tagged = await this.tagged(work.clients, installation, work.key.name);
    await work.startDeletion();
    let isGone = true;
    for (const AllocationId of work.leftOf(
      KIND,
      tagged.map((one) => one.AllocationId),
    )) {
      const AssociationId = tagged.find((one) => one.AllocationId === AllocationId)?.AssociationId;
      if (AssociationId) await isRemoved(ec2.disassociateAddress({ AssociationId }));
      isGone = (await isRemoved(ec2.releaseAddress({ AllocationId }))) && isGone;
    }
    return isGone;
  }

  /** AWS has no pages for addresses: an account has a few. */
  async list({ ec2 }: AwsClients, tags: InventoryTags): Promise<Page<typeof KIND>> {
    const { Filters } = pageRequest(KIND, tags, null);
    const { Addresses = [] } = await ec2.describeAddresses({ Filters });
    return { observed: Addresses.flatMap((one) => observedAddress(one, undefined, new Map()) ?? []), next: null };
  }

  notVisibleYet(): { ip: string } {
    return { ip: '' };
  }

  /** Before the first address of a deployment. A role of a customer may not ask for quotas. */
  private async requireRoom(work: AwsWork, together: readonly string[]): Promise<void> {
    const { at, ec2 } = work.clients;
    const isBegun = work.partsOf(KIND).length > 0;
    if (at.account !== null || isBegun || (await work.idsOfAll(KIND, together)).length > 0) return;
    await this.quotasOf(at.region).requireAddresses(ec2, together.length);
  }

  /** The addresses, if the answers to their creations are all there is to know. Null: AWS is asked. */
  private justMade(ids: readonly string[]): Address[] | null {
    const now = performance.now();
    for (const [id, { at }] of this.made) if (now - at >= MADE_FOR_MS) this.made.delete(id);
    const newAddresses = ids.flatMap((id) => this.made.get(id)?.address ?? []);
    for (const id of ids) this.made.delete(id);
    return newAddresses.length === ids.length ? newAddresses : null;
  }

  private async tagged({ ec2 }: AwsClients, installation: string, name: string): Promise<Address[]> {
    return (await ec2.describeAddresses({ Filters: filtersOf(installation, KIND, name, KIND) })).Addresses ?? [];
  }
}

function observedAddress(
  { AllocationId = '', PublicIp = '', Tags }: Address,
  name: string | undefined,
  memories: ReadonlyMap<string, Remembered>,
): Observed<typeof KIND> | null {
  const memory = memories.get(name ?? '');
  const owner = ownerBy(name, memory, Tags);
  const state = memory?.isDeleting ? 'deleting' : 'active';
  return owner && { ...owner, id: AllocationId, state, attributes: { ip: PublicIp } };
}
