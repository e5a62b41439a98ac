import { randomBytes } from 'node:crypto';
import { BASE, FACTS, linkOf, notFound, Refusal, regionOf, type Call, type Resource } from './compute-places.js';

export interface Entry {
  link: string;
  collection: string;
  resource: Resource;
  /** Whether reads show it: after its operation began. */
  isShown: boolean;
  /** Whether an operation creates or deletes it now. */
  isBusy: boolean;
  /** A subnetwork that Google made for a network in auto mode. */
  isAutomatic?: boolean;
  /** The links of the instances of a group. */
  members: Set<string>;
}

/** A resource may go while one of these members names it. */
const NOT_USES = ['selfLink', 'sourceDisk', 'sourceSnapshot', 'sourceImage', 'peerings', 'connectedEndpoints'];

let lastId = 7_000_000_000_000_000_000n;
export const newId = (): string => String((lastId += 1n));
export const now = (): string => new Date().toISOString().replace('Z', '-00:00');
export const fingerprint = (): string => randomBytes(8).toString('base64');

/** The resources of all projects. */
export class ComputeStore {
  readonly entries = new Map<string, Entry>();
  /** `<collection> <name>` of every insert that ended well. */
  readonly creations: string[] = [];

  of(...collections: string[]): Entry[] {
    return [...this.entries.values()].filter(({ collection }) => collections.includes(collection));
  }

  /** Throws 404 when there is none, and 400 while an operation creates or deletes it. */
  get(link: string): Entry {
    const entry = this.entries.get(link);
    if (!entry) throw notFound(link);
    if (entry.isBusy) throw new Refusal(400, 'resourceNotReady', `The resource '${link}' is not ready`);
    return entry;
  }

  /** As reads show it. Throws 404. */
  shown(link: string): Resource {
    const entry = this.entries.get(link);
    if (!entry?.isShown) throw notFound(link);
    return this.view(entry);
  }

  /** With what others say about it. */
  view(entry: Entry): Resource {
    const { collection, resource, members } = entry;
    const copy = structuredClone(resource);
    if (collection === 'networks') return { ...copy, ...this.seenNetwork(resource) };
    if (collection === 'serviceAttachments') return { ...copy, ...seenAttachment(resource) };
    if (collection === 'instanceGroups') return { ...copy, size: members.size };
    const users = /^(disks|addresses)$/.test(collection) ? this.usersOf(entry).map((user) => BASE + user) : [];
    if (collection === 'addresses') copy.status = users.length > 0 ? 'IN_USE' : 'RESERVED';
    return users.length > 0 ? { ...copy, users } : copy;
  }

  private seenNetwork({ selfLink, peerings, creationTimestamp }: Resource): Resource {
    const own = this.of('subnetworks').filter(({ isShown, resource }) => isShown && resource.network === selfLink);
    const judged = peerings?.map((one: Resource) => {
      const isActive = this.peersOf(one.network).includes(selfLink);
      const details = isActive ? 'Connected.' : 'Waiting for peer network to connect.';
      return { ...one, state: isActive ? 'ACTIVE' : 'INACTIVE', stateDetails: `[${creationTimestamp}]: ${details}` };
    });
    const subnetworks = own.map(({ resource }) => resource.selfLink);
    return { ...(own.length > 0 && { subnetworks }), ...(judged && { peerings: judged }) };
  }

  /** The networks that a network names in its peerings. */
  peersOf(network: string): string[] {
    return (this.entries.get(linkOf(network))?.resource.peerings ?? []).map((one: Resource) => one.network);
  }

  /** The links of the resources that keep this one in use. */
  usersOf({ link, collection, resource }: Entry): string[] {
    if (collection === 'networks' && this.peersOf(resource.selfLink).length > 0)
      return this.peersOf(resource.selfLink).map((one) => linkOf(one));
    const uses = (other: Entry): boolean =>
      collection === 'addresses'
        ? addressesOf(other.resource).includes(resource.address) && regionOf(other.link) === regionOf(link)
        : other.link !== link && !other.isAutomatic && namesOf(other.resource).has(resource.selfLink);
    return [...this.entries.values()].filter(uses).map((other) => other.link);
  }

  /** What a list shows of the scope: of the whole project for `aggregated`. */
  listed({ project, scope, collection }: Call): Resource[] {
    const within = `projects/${project}/${scope === 'aggregated' ? '' : `${scope}/`}`;
    const entries = this.of(collection).filter(({ link, isShown }) => isShown && link.startsWith(within));
    return entries.map((entry) => this.view(entry)).sort((one, other) => (one.selfLink < other.selfLink ? -1 : 1));
  }

  /** Shows the state of a new resource: 0 when its operation runs, 1 halfway, 2 when it is done. */
  advance(entry: Entry, step: 0 | 1 | 2): void {
    const state = FACTS.states[entry.collection]?.[step];
    if (state !== undefined) entry.resource.status = state;
    Object.assign(entry, { isShown: true, isBusy: step < 2 });
    if (step === 2) this.creations.push(`${entry.collection} ${entry.resource.name}`);
  }
}

/** The addresses that an instance or a forwarding rule has. */
export function addressesOf({ IPAddress, networkInterfaces = [] }: Resource): string[] {
  const ofInterfaces = networkInterfaces.flatMap((one: Resource) => [
    one.networkIP,
    ...(one.accessConfigs ?? []).map(({ natIP }: Resource) => natIP),
  ]);
  return [IPAddress, ...ofInterfaces].filter((one) => one !== undefined);
}

/** Google judges each consumer by the lists, whenever it shows them. */
function seenAttachment({ connectedEndpoints, connectionPreference, ...lists }: Resource): Resource {
  const accepted = (lists.consumerAcceptLists ?? []).map((one: Resource) => one.projectIdOrNum ?? one.networkUrl);
  const judged = connectedEndpoints?.map((one: Resource) => {
    const isIn = (list: string[]): boolean =>
      list.some((listed) => listed === linkOf(one.endpoint).split('/')[1] || listed === one.consumerNetwork);
    const isAccepted = connectionPreference === 'ACCEPT_AUTOMATIC' || isIn(accepted);
    const status = isIn(lists.consumerRejectLists ?? []) ? 'REJECTED' : isAccepted ? 'ACCEPTED' : 'PENDING';
    return one.status === 'CLOSED' ? one : { ...one, status };
  });
  return judged ? { connectedEndpoints: judged } : {};
}

/** The links that a resource names and so keeps in use. */
function namesOf(value: unknown, names = new Set<string>()): Set<string> {
  if (typeof value === 'string') names.add(value);
  else if (value !== null && typeof value === 'object')
    for (const [key, one] of Object.entries(value)) if (!NOT_USES.includes(key)) namesOf(one, names);
  return names;
}
