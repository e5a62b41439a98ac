import { Injectable } from '@nestjs/common';
import {
  DESCRIBED_AT_ONCE,
  describeOne,
  type CloudProvider,
  type Resource,
  type ResourceKind,
  type ResourceSpecs,
  type ResourceTags,
} from '@libs/cloud';
import type { DeploymentId } from '@libs/domain';
import { CloudResourcesRepository, type CloudResource } from '@libs/persistence/runtime';
import { CloudProviders } from '../platform/index.js';

/** A resource by its kind and name. */
export interface ResourceRef {
  kind: ResourceKind;
  name: string;
}

/** The deletion of the resource has begun. A late caller, such as a worker that was paused, must not create it again. */
class ResourceIsRemoved extends Error {}

/**
 * The calls to the providers, each after its row: the row is committed before the first call for a resource, and says
 * `absent` before the first call of a deletion. So no crash leaves a resource that no row names, and no late call creates
 * a resource again. A resource keeps the driver of its row; the setting decides only for new resources.
 */
@Injectable()
export class CloudResources {
  constructor(
    private readonly rows: CloudResourcesRepository,
    private readonly providers: CloudProviders,
  ) {}

  /** Creates the resource, or brings it to its specification. @throws ResourceIsRemoved */
  async ensure<K extends ResourceKind>(
    cloud: string,
    { kind, name, spec, tags }: { kind: K; name: string; spec: ResourceSpecs[K]; tags: ResourceTags },
    signal: AbortSignal,
  ): Promise<Resource<K>> {
    const { driver } = this.providers.of(cloud);
    const row = await this.rows.want(kind, name, tags.deployment_id, driver);
    if (row.intent === 'absent') throw new ResourceIsRemoved(`${kind} ${name} is being removed`);
    return this.providers.driver(row.driver).ensure(kind, name, spec, tags, signal);
  }

  /** The resources of one kind by name, as their providers report them now. A missing resource is missing in the result. */
  async describe<K extends ResourceKind>(
    cloud: string,
    kind: K,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, Resource<K>>> {
    const placed = await this.placed(names.map((name) => ({ cloud, kind, name })));
    return this.describeBy(kind, placed, signal);
  }

  /** Adds the driver of each resource: that of its row, or that of the setting without a row. One statement for all. */
  async placed<R extends ResourceRef & { cloud: string }>(
    resources: readonly R[],
  ): Promise<(R & { driver: string })[]> {
    const drivers = new Map((await this.rows.drivers(resources)).map((row) => [keyOf(row), row.driver]));
    return resources.map((resource) => ({
      ...resource,
      driver: drivers.get(keyOf(resource)) ?? this.providers.of(resource.cloud).driver,
    }));
  }

  /** The resource as its driver reports it now. Null: the resource no longer exists. */
  async describeOne<K extends ResourceKind>(
    { driver, kind, name }: { driver: string; kind: K; name: string },
    signal: AbortSignal,
  ): Promise<Resource<K> | null> {
    return describeOne(this.providers.driver(driver), kind, name, signal);
  }

  /** Starts the deletion of one resource. */
  async destroy(cloud: string, { kind, name }: ResourceRef, deploymentId: DeploymentId, signal: AbortSignal) {
    const [row] = await this.rows.markAbsent(deploymentId, [{ kind, name }], this.providers.of(cloud).driver);
    await this.providers.driver(row?.driver ?? '').destroy(kind, name, signal);
  }

  /**
   * Records that the deployment is to have no more resources: those with rows, and `more`, which a release without rows may
   * have created. Returns all of them.
   */
  async markAllAbsent(
    cloud: string,
    deploymentId: DeploymentId,
    more: readonly ResourceRef[],
  ): Promise<CloudResource[]> {
    const { driver } = this.providers.of(cloud);
    const known = await this.rows.ofDeployment(deploymentId);
    return this.rows.markAbsent(deploymentId, distinct([...known, ...more]), driver);
  }

  /** Starts the deletion of those among the resources that still exist. Returns those that exist after that. */
  async destroyThese(rows: readonly CloudResource[], signal: AbortSignal): Promise<Resource[]> {
    for (const { kind, name } of await this.existing(rows, signal)) {
      const driver = rows.find((row) => row.kind === kind && row.name === name)?.driver ?? '';
      await this.providers.driver(driver).destroy(kind, name, signal);
    }
    return this.existing(rows, signal);
  }

  /** Those of the resources that their providers still have. */
  async existing(rows: readonly CloudResource[], signal: AbortSignal): Promise<Resource[]> {
    const found: Resource[] = [];
    for (const kind of new Set(rows.map((row) => row.kind as ResourceKind))) {
      const ofKind = rows.filter((row) => row.kind === kind);
      found.push(...(await this.describeBy(kind, ofKind, signal)).values());
    }
    return found;
  }

  private async describeBy<K extends ResourceKind>(
    kind: K,
    resources: readonly Pick<CloudResource, 'name' | 'driver'>[],
    signal: AbortSignal,
  ): Promise<Map<string, Resource<K>>> {
    const found: [string, Resource<K>][] = [];
    for (const driver of new Set(resources.map((resource) => resource.driver))) {
      const provider: CloudProvider = this.providers.driver(driver);
      const names = resources.filter((resource) => resource.driver === driver).map(({ name }) => name);
      for (let at = 0; at < names.length; at += DESCRIBED_AT_ONCE)
        found.push(...(await provider.describe(kind, names.slice(at, at + DESCRIBED_AT_ONCE), signal)));
    }
    return new Map(found);
  }
}

const keyOf = ({ kind, name }: { kind: string; name: string }): string => `${kind} ${name}`;

function distinct<R extends { kind: string; name: string }>(resources: readonly R[]): R[] {
  return [...new Map(resources.map((resource) => [keyOf(resource), resource])).values()];
}
