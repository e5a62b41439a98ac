import { Injectable } from '@nestjs/common';
import {
  DESCRIBED_AT_ONCE,
  describeOne,
  RESOURCE_KINDS,
  type CloudProvider,
  type Place,
  type Resource,
  type ResourceKind,
  type ResourceRef,
  type ResourceSpecs,
  type ResourceTags,
} from '@libs/cloud';
import type { DeploymentId } from '@libs/domain';
import { CloudResourcesRepository, type PlacedResource } from '@libs/persistence/runtime';
import { CloudProviders } from '../platform/index.js';
import { ensureAfterRow } from './ensure-after-row.js';

/** A resource by its kind and name. */
export interface NamedKind {
  kind: ResourceKind;
  name: string;
}

/** A resource with its driver, as its provider knows it. */
export interface DrivenRef extends ResourceRef {
  driver: string;
}

/** A resource that must exist. */
interface Wanted<K extends ResourceKind> {
  kind: K;
  name: string;
  spec: ResourceSpecs[K];
  tags: ResourceTags;
}

/**
 * The calls to the providers, each after its row: the row is committed before the first call for a resource, and says
 * `absent` before the first call of a deletion. So no crash leaves a resource that no row names, and no late call creates
 * a resource again. A resource keeps the driver and the place of its row; the setting decides only for new resources.
 */
@Injectable()
export class CloudResources {
  constructor(
    private readonly rows: CloudResourcesRepository,
    private readonly providers: CloudProviders,
  ) {}

  /** Creates the resource, or brings it to its specification. @throws ResourceIsRemoved */
  async ensure<K extends ResourceKind>(
    at: Place,
    { kind, name, spec, tags }: Wanted<K>,
    signal: AbortSignal,
  ): Promise<Resource<K>> {
    const incarnation = 'incarnation' in spec ? spec.incarnation : 1;
    const { driver } = this.providers.of(at.cloud);
    const owner = { deploymentId: tags.deployment_id, nodeId: tags.node_id ?? null, incarnation };
    return ensureAfterRow(this.rows, { kind, name, driver, at, ...owner }, (row) =>
      this.providers.driver(row.driver).ensure(kind, row, spec, tags, signal),
    );
  }

  /** The resources of one kind by name, as their providers report them now. A missing resource is missing in the result. */
  async describe<K extends ResourceKind>(
    at: Place,
    kind: K,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, Resource<K>>> {
    const placed = await this.placed(names.map((name) => ({ at, kind, name })));
    const resources = await this.describeBy(kind, placed, signal);
    await this.rows.recordSeen(kind, [...resources.keys()]);
    return resources;
  }

  /** Adds what the row of each resource says; without a row, the driver of the setting. One statement for all. */
  async placed<R extends NamedKind & { at: Place }>(resources: readonly R[]): Promise<(R & DrivenRef)[]> {
    if (resources.length === 0) return [];
    const rows = new Map((await this.rows.find(resources)).map((row) => [keyOf(row), row]));
    return resources.map((resource) => {
      const row = rows.get(keyOf(resource));
      const driver = row?.driver ?? this.providers.of(resource.at.cloud).driver;
      return { ...resource, driver, at: row?.at ?? resource.at };
    });
  }

  /** Which addresses the nodes of the resource's driver listen on. */
  async addressesBeside(resource: NamedKind & { at: Place }): Promise<CloudProvider['addresses']> {
    const [placed] = await this.placed([resource]);
    return (placed ? this.providers.driver(placed.driver) : this.providers.of(resource.at.cloud)).addresses;
  }

  /** The resource as its driver reports it now. Null: the resource no longer exists. */
  async describeOne<K extends ResourceKind>(
    { kind, ...ref }: DrivenRef & { kind: K },
    signal: AbortSignal,
  ): Promise<Resource<K> | null> {
    return describeOne(this.providers.driver(ref.driver), kind, ref, signal);
  }

  /** Starts the deletion of one resource. */
  async destroy(at: Place, { kind, name }: NamedKind, deploymentId: DeploymentId, signal: AbortSignal): Promise<void> {
    const { driver } = this.providers.of(at.cloud);
    for (const row of await this.rows.markAbsent(deploymentId, [{ kind, name }], { driver, at }))
      await this.providers.driver(row.driver).destroy(kind, row, signal);
  }

  /** Forgets snapshots and restored disks that were removed a day ago. */
  async forgetCopies(deploymentId: DeploymentId): Promise<void> {
    await this.rows.forgetCopies(deploymentId);
  }

  /** Starts the deletion of these resources, or continues it. Returns those that exist after that. */
  async destroyAll(
    at: Place,
    deploymentId: DeploymentId,
    resources: readonly NamedKind[],
    signal: AbortSignal,
  ): Promise<Resource[]> {
    const { driver } = this.providers.of(at.cloud);
    return this.destroyThese(await this.rows.markAbsent(deploymentId, resources, { driver, at }), signal);
  }

  /**
   * Records that the deployment is to have no more resources: those with rows, and `more`, which a release without rows may
   * have created. Returns all of them. Rows of kinds that no cloud has are names, and certificates of the previous release.
   */
  async markAllAbsent(at: Place, deploymentId: DeploymentId, more: readonly NamedKind[]): Promise<PlacedResource[]> {
    const { driver } = this.providers.of(at.cloud);
    const rows = (await this.rows.ofDeployment(deploymentId)).filter(({ kind }) => isCloudKind(kind));
    return this.rows.markAbsent(deploymentId, distinct([...rows, ...more]), { driver, at });
  }

  /** Starts the deletion of those among the resources that still exist. Returns those that exist after that. */
  async destroyThese(rows: readonly PlacedResource[], signal: AbortSignal): Promise<Resource[]> {
    for (const { kind, name } of await this.existing(rows, signal)) {
      const row = rows.find((one) => one.kind === kind && one.name === name);
      if (row) await this.providers.driver(row.driver).destroy(kind, row, signal);
    }
    return this.existing(rows, signal);
  }

  /** Those of the resources that their providers still have. */
  async existing(rows: readonly PlacedResource[], signal: AbortSignal): Promise<Resource[]> {
    const resources: Resource[] = [];
    for (const kind of new Set(rows.map((row) => row.kind as ResourceKind))) {
      const ofKind = rows.filter((row) => row.kind === kind);
      resources.push(...(await this.describeBy(kind, ofKind, signal)).values());
    }
    return resources;
  }

  private async describeBy<K extends ResourceKind>(
    kind: K,
    refs: readonly DrivenRef[],
    signal: AbortSignal,
  ): Promise<Map<string, Resource<K>>> {
    const entries: [string, Resource<K>][] = [];
    for (const driver of new Set(refs.map((ref) => ref.driver))) {
      const provider = this.providers.driver(driver);
      const ofDriver = refs.filter((ref) => ref.driver === driver);
      for (let at = 0; at < ofDriver.length; at += DESCRIBED_AT_ONCE)
        entries.push(...(await provider.describe(kind, ofDriver.slice(at, at + DESCRIBED_AT_ONCE), signal)));
    }
    return new Map(entries);
  }
}

const isCloudKind = (kind: string): boolean => (RESOURCE_KINDS as readonly string[]).includes(kind);

const keyOf = ({ kind, name }: { kind: string; name: string }): string => `${kind} ${name}`;

function distinct<R extends { kind: string; name: string }>(resources: readonly R[]): R[] {
  return [...new Map(resources.map((resource) => [keyOf(resource), resource])).values()];
}
