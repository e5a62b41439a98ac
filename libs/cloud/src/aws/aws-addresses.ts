import type { Address } from '@aws-sdk/client-ec2';
import type { ResourceTags } from '../cloud-provider.js';
import type { ResourceSpecs } from '../resource-specs.js';
import { isRemoved, type AwsClients } from './aws-clients.js';
import type { AwsKind, Page, Shown } from './aws-kind.js';
import { idsOf, type Remembered } from './aws-memory.js';
import { filtersOf, filtersOfAll, ownerBy, tagsOf } from './aws-names.js';
import type { AwsWork } from './aws-work.js';

const KIND = 'address';

/** An elastic address, which moves to the machine of its node. */
export class AwsAddresses implements AwsKind<typeof KIND> {
  readonly lookAgainMs = 2_000;

  async build(work: AwsWork, { node }: ResourceSpecs['address']): Promise<void> {
    const { ec2 } = work.clients;
    const { name } = work.key;
    const AllocationId = await work.part({
      part: KIND,
      find: async () => (await this.tagged(work.clients, work.tags.installation, name))[0]?.AllocationId ?? null,
      create: async () => {
        const Tags = tagsOf({ kind: KIND, name, part: KIND, tags: work.tags });
        const made = await ec2.allocateAddress({
          ...{ Domain: 'vpc', TagSpecifications: [{ ResourceType: 'elastic-ip', Tags }] },
        });
        return made.AllocationId ?? '';
      },
    });
    const InstanceId = node === null ? null : ((await work.other('node', node))?.parts.get('node')?.id ?? null);
    if (InstanceId !== null && work.id('association') !== InstanceId) {
      await ec2.associateAddress({ AllocationId, InstanceId, AllowReassociation: true });
      await work.note('association', InstanceId);
    }
  }

  async look({ ec2 }: AwsClients, known: ReadonlyMap<string, Remembered>): Promise<Map<string, Shown<typeof KIND>>> {
    const ids = idsOf(known, KIND);
    if (ids.size === 0) return new Map();
    const Filters = [{ Name: 'allocation-id', Values: [...ids.keys()] }];
    const { Addresses = [] } = await ec2.describeAddresses({ Filters });
    const shown = Addresses.flatMap((one) => shownAddress(one, ids.get(one.AllocationId ?? ''), known) ?? []);
    return new Map(shown.map((one) => [one.name, one]));
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
  async list(
    { ec2 }: AwsClients,
    { installation, deployment_id }: Partial<ResourceTags> & { installation: string },
  ): Promise<Page<typeof KIND>> {
    const { Addresses = [] } = await ec2.describeAddresses({
      Filters: filtersOfAll(installation, KIND, deployment_id),
    });
    return { shown: Addresses.flatMap((one) => shownAddress(one, undefined, new Map()) ?? []), next: null };
  }

  unseen(): { ip: string } {
    return { ip: '' };
  }

  private async tagged({ ec2 }: AwsClients, installation: string, name: string): Promise<Address[]> {
    return (await ec2.describeAddresses({ Filters: filtersOf(installation, KIND, name, KIND) })).Addresses ?? [];
  }
}

function shownAddress(
  { AllocationId = '', PublicIp = '', Tags }: Address,
  name: string | undefined,
  known: ReadonlyMap<string, Remembered>,
): Shown<typeof KIND> | null {
  const memory = known.get(name ?? '');
  const owner = ownerBy(name, memory, Tags);
  const state = memory?.isDeleting ? 'deleting' : 'active';
  return owner && { ...owner, id: AllocationId, state, attributes: { ip: PublicIp } };
}
