import type { ResourceKind } from '../cloud-provider.js';
import type { DriverKind, Owner, Page, Observed } from '../driver/driver-kind.js';
import type { AwsClients } from './aws-clients.js';
import { ownerOf, type AwsTag } from './aws-names.js';
import type { AwsWork } from './aws-work.js';

/** How the driver of AWS treats one kind of resource. */
export type AwsKind<K extends ResourceKind> = DriverKind<K, AwsClients, AwsWork>;

/** A page of resources that AWS lists with their tags. Those without the tags of Landlord are left out. */
export function ownedPage<T extends { Tags?: AwsTag[] | undefined }, K extends ResourceKind>(
  listed: readonly T[],
  nextToken: string | undefined,
  observedOf: (owner: Owner, one: T) => Observed<K>,
): Page<K> {
  const observed = listed.flatMap((one) => {
    const owner = ownerOf(one.Tags);
    return owner === null ? [] : [observedOf(owner, one)];
  });
  return { observed, next: nextToken ? nextToken : null };
}
