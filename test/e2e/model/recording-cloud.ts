import type { Resource, ResourceKind, ResourceRef, ResourceSpecs, ResourceTags } from '@libs/cloud';
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
    ref: ResourceRef,
    spec: ResourceSpecs[K],
    tags: ResourceTags,
  ): Promise<Resource<K>> {
    const made = await super.ensure(kind, ref, spec, tags);
    const { name } = ref;
    this.namesOf.set(tags.deployment_id, (this.namesOf.get(tags.deployment_id) ?? new Set()).add(name));
    if (kind === 'node') this.sizes.set(name, sizeOf(spec as ResourceSpecs['node']));
    return made.state === 'active' ? made : super.ensure(kind, ref, spec, tags);
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
