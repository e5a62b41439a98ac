import { createHash } from 'node:crypto';
import type { DeploymentId } from '@libs/domain';
import type { InventoryTags, ResourceKind, ResourceTags } from '../cloud-provider.js';
import type { Remembered } from '../driver/driver-memory.js';
import { INSTALLATION_TAG } from '../byoc/aws-policies.js';

const NAME_TAG = 'landlord:name';
const KIND_TAG = 'landlord:kind';
const DEPLOYMENT_TAG = 'landlord:deployment';
const NODE_TAG = 'landlord:node';
const PART_TAG = 'landlord:part';
export interface AwsTag {
  Key?: string | undefined;
  Value?: string | undefined;
}

/** The owner of a part. Without a deployment: all deployments of the installation use it. */
export type PartOwner = Pick<ResourceTags, 'installation'> & Partial<ResourceTags>;

/** A part of a resource with its owner. */
export interface Owned {
  kind: ResourceKind;
  name: string;
  part: string;
  tags: PartOwner;
}

/** The idempotency token of a creation. Another shape needs another token: AWS refuses a token with other parameters. */
export function clientToken(...words: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex');
}

/** The tags of a part. `Name` is what the console shows. */
export function tagsOf({ kind, name, part, tags }: Owned): { Key: string; Value: string }[] {
  const values: [string, string | undefined][] = [
    ['Name', part === kind ? name : `${name} ${part}`],
    [INSTALLATION_TAG, tags.installation],
    [KIND_TAG, kind],
    [NAME_TAG, name],
    [PART_TAG, part],
    [DEPLOYMENT_TAG, tags.deployment_id === undefined ? undefined : String(tags.deployment_id)],
    [NODE_TAG, tags.node_id === undefined ? undefined : String(tags.node_id)],
  ];
  return values.flatMap(([Key, Value]) => (Value === undefined ? [] : [{ Key, Value }]));
}

/** Filters for all parts of one resource. */
export const filtersOfParts = (installation: string, kind: ResourceKind, name: string) => [
  { Name: `tag:${INSTALLATION_TAG}`, Values: [installation] },
  { Name: `tag:${KIND_TAG}`, Values: [kind] },
  { Name: `tag:${NAME_TAG}`, Values: [name] },
];

/** Filters for one part of one resource. */
export const filtersOf = (installation: string, kind: ResourceKind, name: string, part: string) => [
  ...filtersOfParts(installation, kind, name),
  { Name: `tag:${PART_TAG}`, Values: [part] },
];

/** The tags by which a search finds one part of all resources: the name of their kind for the main part. */
export const tagsOfAll = (installation: string, part: string, deploymentId: DeploymentId | undefined) => [
  { Key: INSTALLATION_TAG, Values: [installation] },
  { Key: PART_TAG, Values: [part] },
  ...(deploymentId === undefined ? [] : [{ Key: DEPLOYMENT_TAG, Values: [String(deploymentId)] }]),
];

/** The same tags as filters of EC2. */
const filtersOfAll = (...which: Parameters<typeof tagsOfAll>) =>
  tagsOfAll(...which).map(({ Key, Values }) => ({ Name: `tag:${Key}`, Values }));

const ON_A_PAGE = 200;

/** The request for one page of what an installation, or one of its deployments, has of this part. */
export const pageRequest = (part: string, tags: InventoryTags, cursor: string | null) => ({
  Filters: filtersOfAll(tags.installation, part, tags.deployment_id),
  MaxResults: ON_A_PAGE,
  ...(cursor !== null && { NextToken: cursor }),
});

/** Whether the tags are those of the main part of a resource, by which a search finds it. */
export const isMainPart = (tags: readonly AwsTag[] | undefined, kind: ResourceKind): boolean =>
  (tags ?? []).some(({ Key, Value }) => Key === PART_TAG && Value === kind);

/** The owner that the tags name, and the name of the resource. Null for tags that Landlord did not write. */
export function ownerOf(tags: readonly AwsTag[] | undefined): { name: string; tags: ResourceTags } | null {
  const values = new Map((tags ?? []).map(({ Key, Value }) => [Key, Value]));
  const [installation, name, deployment] = [INSTALLATION_TAG, NAME_TAG, DEPLOYMENT_TAG].map((key) => values.get(key));
  if (installation === undefined || name === undefined || deployment === undefined) return null;
  const node = values.get(NODE_TAG);
  const owner = { installation, deployment_id: Number(deployment), ...(node && { node_id: Number(node) }) };
  return { name, tags: owner };
}

/** The owner that the driver remembers, also after somebody has removed the tags at AWS. Without a memory, the owner in the tags. */
export const ownerBy = (
  name: string | undefined,
  memory: Remembered | undefined,
  tags: readonly AwsTag[] | undefined,
): { name: string; tags: ResourceTags } | null =>
  name !== undefined && memory?.tags ? { name, tags: memory.tags } : ownerOf(tags);

/** The whole name of a zone. The catalog has the letter of a zone, or its whole name. */
export const zoneName = (region: string, zone: string): string => (zone.startsWith(region) ? zone : `${region}${zone}`);
