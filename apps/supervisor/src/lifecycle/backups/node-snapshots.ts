import { Injectable } from '@nestjs/common';
import type { Resource, ResourceSpecs } from '@libs/cloud';
import type { BackupId, DeploymentId, NodeId } from '@libs/domain';
import type { BackupSnapshot, DeploymentFacts } from '@libs/persistence/runtime';
import { StepImpossible, type OperationRow } from '@libs/workflow';
import { CloudProviders, Installation } from '../../platform/index.js';
import { CloudResources, type NamedKind } from '../cloud-resources.js';
import { DeploymentResources } from '../deployment-resources.js';
import { placeOf, resourceName } from '../resource-names.js';
import { deploymentOf } from '../subject.js';
import type { DataOnDisk } from './restore-nodes.js';

/** The snapshot of one node, and the node that gets the data: the same node, or one of a new deployment. */
export interface DiskSource {
  /** The deployment of the snapshot. */
  deploymentId: DeploymentId;
  backupId: BackupId;
  snapshot: BackupSnapshot;
  to: NodeId;
}

/** Snapshots of nodes' disks at their providers, and the disks that are made of them for a restore. Every call is safe to repeat. */
@Injectable()
export class NodeSnapshots {
  constructor(
    private readonly cloud: CloudResources,
    private readonly resources: DeploymentResources,
    private readonly providers: CloudProviders,
    private readonly installation: Installation,
  ) {}

  /** Whether the provider of the nodes takes snapshots of their disks. */
  async areTakenBy(deploymentId: DeploymentId, nodes: readonly NodeId[]): Promise<boolean> {
    const at = placeOf(await this.resources.facts(deploymentId));
    const named = nodes.map((id) => ({ at, kind: 'node' as const, name: this.nodeName(deploymentId, id) }));
    const placed = await this.cloud.placed(named);
    return placed.every(({ driver }) => this.providers.driver(driver).hasSnapshots);
  }

  /** Takes the snapshots. The moment of each has passed when its attributes say `is_taken`. */
  async take(operation: OperationRow, backupId: BackupId, nodes: readonly NodeId[], signal: AbortSignal) {
    const facts = await this.resources.facts(deploymentOf(operation));
    await this.cloud.forgetCopies(facts.id);
    const snapshots: Resource<'snapshot'>[] = [];
    for (const id of nodes) {
      const spec = { region: facts.region, node: this.nodeName(facts.id, id) };
      const name = this.snapshotName(facts.id, backupId, id);
      snapshots.push(await this.ensure(facts, 'snapshot', { name, spec, node: id }, signal));
    }
    return snapshots;
  }

  /** The snapshots of a backup by node, as the provider reports them now. A missing snapshot is missing in the result. */
  async find(
    deploymentId: DeploymentId,
    backupId: BackupId,
    nodes: readonly NodeId[],
    signal: AbortSignal,
  ): Promise<Map<NodeId, Resource<'snapshot'>>> {
    const facts = await this.resources.facts(deploymentId);
    const names = new Map(nodes.map((id) => [this.snapshotName(deploymentId, backupId, id), id]));
    const snapshots = await this.cloud.describe(placeOf(facts), 'snapshot', [...names.keys()], signal);
    return new Map([...snapshots].map(([name, snapshot]) => [names.get(name) as NodeId, snapshot]));
  }

  /** @throws StepImpossible when a snapshot no longer exists, or the provider could not complete the snapshot */
  async requireComplete(sources: readonly DiskSource[], signal: AbortSignal): Promise<void> {
    const [first] = sources;
    if (!first) return;
    const nodes = sources.map(({ snapshot }) => snapshot.node_id);
    const snapshots = await this.find(first.deploymentId, first.backupId, nodes, signal);
    const damaged = nodes.find((id) => snapshots.get(id)?.state !== 'active');
    if (damaged !== undefined)
      throw new StepImpossible(`the backup is damaged: the snapshot of node ${damaged} no longer exists`);
  }

  /** Starts the deletion of the snapshots. Returns those that still exist. */
  async destroy(deploymentId: DeploymentId, backupId: BackupId, nodes: readonly NodeId[], signal: AbortSignal) {
    const names = nodes.map((id) => ({
      kind: 'snapshot' as const,
      name: this.snapshotName(deploymentId, backupId, id),
    }));
    return this.destroyThese(deploymentId, names, signal);
  }

  /** Makes a disk of each snapshot, at the machine of its node. */
  async attach(operation: OperationRow, sources: readonly DiskSource[], signal: AbortSignal) {
    const facts = await this.resources.facts(deploymentOf(operation));
    const disks: Resource<'restored_volume'>[] = [];
    for (const { deploymentId, backupId, snapshot, to } of sources) {
      const spec = {
        region: facts.region,
        snapshot: this.snapshotName(deploymentId, backupId, snapshot.node_id),
        node: this.nodeName(facts.id, to),
      };
      const name = this.diskName(operation, to);
      disks.push(await this.ensure(facts, 'restored_volume', { name, spec, node: to }, signal));
    }
    const failed = disks.find(({ state }) => state === 'failed');
    if (failed) throw new StepImpossible(failed.reason ?? 'the provider could not make a disk of the snapshot');
    return disks;
  }

  /** Starts the deletion of the disks that were made for the operation. Returns those that still exist. */
  async detach(operation: OperationRow, nodes: readonly NodeId[], signal: AbortSignal): Promise<Resource[]> {
    const names = nodes.map((id) => ({ kind: 'restored_volume' as const, name: this.diskName(operation, id) }));
    return this.destroyThese(deploymentOf(operation), names, signal);
  }

  private async destroyThese(deploymentId: DeploymentId, names: readonly NamedKind[], signal: AbortSignal) {
    if (names.length === 0) return [];
    const facts = await this.resources.facts(deploymentId);
    return this.cloud.destroyAll(placeOf(facts), deploymentId, names, signal);
  }

  private ensure<K extends 'snapshot' | 'restored_volume'>(
    facts: DeploymentFacts,
    kind: K,
    { name, spec, node }: { name: string; spec: ResourceSpecs[K]; node: NodeId },
    signal: AbortSignal,
  ): Promise<Resource<K>> {
    const tags = { installation: this.installation.name, deployment_id: facts.id, node_id: node };
    return this.cloud.ensure(placeOf(facts), { kind, name, spec, tags }, signal);
  }

  private nodeName(deploymentId: DeploymentId, id: NodeId): string {
    return resourceName(this.installation.name, deploymentId, 'node', id);
  }

  private snapshotName(deploymentId: DeploymentId, backupId: BackupId, id: NodeId): string {
    return resourceName(this.installation.name, deploymentId, 'snapshot', backupId, id);
  }

  private diskName(operation: OperationRow, id: NodeId): string {
    return resourceName(this.installation.name, deploymentOf(operation), 'restored_volume', operation.id, id);
  }
}

/** What each node finds on its disk. The disks are in the order of their sources. */
export const dataOnDisks = (
  sources: readonly DiskSource[],
  disks: readonly Resource<'restored_volume'>[],
): DataOnDisk[] =>
  sources.map(({ snapshot: { node_id, sha256, size_bytes }, to }, index) => {
    const device = disks[index]?.attributes.device ?? '';
    return { node_id: to, disk: { device, node_id }, sha256, size_bytes };
  });
