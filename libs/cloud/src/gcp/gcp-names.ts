import type { DeploymentId, NodeId } from '@libs/domain';
import type { ResourceKind, ResourceTags } from '../cloud-provider.js';
import { PREFIX, shortName, wordOf } from '../driver/short-name.js';

/** The owner of a part. Without a deployment: all deployments of the installation use it. */
export type PartOwner = Pick<ResourceTags, 'installation'> & Partial<ResourceTags>;

/** A part of a resource with its owner. */
export interface OwnedPart {
  kind: ResourceKind;
  name: string;
  part: string;
  tags: PartOwner;
}

/** The owner in the description of a resource, as JSON. Networks, firewalls and balancers have no labels, and every kind has a description. */
interface Description {
  landlord: string;
  kind: ResourceKind;
  name: string;
  part: string;
  deployment?: DeploymentId;
  node?: NodeId;
}

const LABEL_LENGTH = 63;

/** The beginning of the names of all resources of the installation: the inventory searches by it. */
export const prefixOf = (installation: string): string => `${PREFIX}${wordOf([installation], 6)}-`;

/** The name of a part at Google: always the same for the same words, at most 63 characters. */
export const gcpName = (installation: string, ...words: string[]): string =>
  `${prefixOf(installation)}${shortName(...words).slice(PREFIX.length)}`;

export function descriptionOf({ kind, name, part, tags }: OwnedPart): string {
  const { installation: landlord, deployment_id: deployment, node_id: node } = tags;
  const description: Description = {
    ...{ landlord, kind, name, part },
    ...(deployment !== undefined && { deployment }),
    ...(node !== undefined && { node }),
  };
  return JSON.stringify(description);
}

/** Labels for people and bills. The driver reads the description. */
export function labelsOf({ tags }: OwnedPart): Record<string, string> {
  const values: [string, string | number | undefined][] = [
    ['landlord-installation', tags.installation],
    ['landlord-deployment', tags.deployment_id],
    ['landlord-node', tags.node_id],
  ];
  return Object.fromEntries(
    values.flatMap(([key, value]) => (value === undefined ? [] : [[key, labelOf(String(value))]])),
  );
}

/** Google accepts small letters, digits, dashes and underscores. */
const labelOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '-')
    .slice(0, LABEL_LENGTH);

/** A resource of Landlord, as its description names it. */
export interface NamedPart {
  kind: ResourceKind;
  name: string;
  part: string;
  tags: PartOwner;
}

/** What the description says. Null: Landlord did not write the description. */
export function namedPartOf(description: string | undefined): NamedPart | null {
  const read = readJson(description ?? '');
  if (typeof read?.landlord !== 'string' || typeof read.kind !== 'string' || typeof read.name !== 'string') return null;
  const { landlord: installation, kind, name, part = '', deployment, node } = read as Description;
  const tags: PartOwner = {
    installation,
    ...(typeof deployment === 'number' && { deployment_id: deployment }),
    ...(typeof node === 'number' && { node_id: node }),
  };
  return { kind, name, part, tags };
}

function readJson(text: string): Partial<Description> | null {
  try {
    return JSON.parse(text) as Partial<Description> | null;
  } catch {
    return null;
  }
}

/** The whole name of a zone. The catalog has the letter of a zone, or its whole name. */
export const zoneName = (region: string, zone: string): string =>
  zone.startsWith(region) ? zone : `${region}-${zone}`;

/** The path of a resource below the version of the API, from a link of Google. */
export const pathOf = (link: string): string => link.replace(/^https?:\/\/[^/]+\/compute\/[^/]+\//, '');

/** The link of Google to a resource, from its path. Filters compare links. */
export const linkOf = (path: string): string => `https://www.googleapis.com/compute/v1/${path}`;

/** The last part of a link or a path. */
export const baseName = (link: string): string => link.slice(link.lastIndexOf('/') + 1);

/** The path of the collection of a resource. */
export const collectionOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** The scope of a resource, which its operations share: `projects/p/zones/z`. */
export const scopeOf = (path: string): string => collectionOf(collectionOf(path));
