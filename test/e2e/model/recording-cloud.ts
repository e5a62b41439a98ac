import type { InventoryTags, Resource, ResourceKind, ResourceSpecs, ResourceTags } from '@libs/cloud';
import { FakeCloud } from '@libs/testing';

/** The size of a node in the last request to the provider. */
export interface NodeSize {
  variant: string;
  storage: { type: string; size: number };
}

/** A cloud that creates everything at once and stores the size of its nodes. */
export class RecordingCloud extends FakeCloud {
  private readonly sizes = new Map<string, NodeSize>();
  private readonly namesOf = new Map<number, Set<string>>();

  override async ensure<K extends ResourceKind>(
    kind: K,
    name: string,
    spec: ResourceSpecs[K],
    tags: ResourceTags,
  ): Promise<Resource<K>> {
    const made = await super.ensure(kind, name, spec, tags);
    this.namesOf.set(tags.deployment_id, (this.namesOf.get(tags.deployment_id) ?? new Set()).add(name));
    if (kind === 'node') this.sizes.set(name, sizeOf(spec as ResourceSpecs['node']));
    return made.state === 'active' ? made : super.ensure(kind, name, spec, tags);
  }

  /** Like the fake, but without a scan of the resources of other deployments: there are thousands. */
  override async inventory({ deployment_id }: InventoryTags): Promise<Resource[]> {
    return deployment_id === undefined ? [...this.resources.values()] : this.of(deployment_id);
  }

  /** The resources of the deployment. */
  of(deploymentId: number): Resource[] {
    const names = [...(this.namesOf.get(deploymentId) ?? [])];
    return names.flatMap((name) => this.resources.get(name) ?? []);
  }

  nodesOf(deploymentId: number): NodeSize[] {
    const nodes = this.of(deploymentId).filter(({ kind }) => kind === 'node');
    return nodes.flatMap(({ name }) => this.sizes.get(name) ?? []);
  }
}

const sizeOf = ({ variant, storage }: ResourceSpecs['node']): NodeSize => ({
  variant,
  storage: { type: storage.type, size: storage.size_gib },
});
