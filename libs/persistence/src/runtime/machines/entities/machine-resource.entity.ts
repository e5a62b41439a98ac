import type { DeploymentId, NodeId } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A resource of the driver `machines` other than a node: it has no effect on a machine. */
@Entity('machine_resources')
export class MachineResource {
  @PrimaryColumn('text')
  kind: string;

  @PrimaryColumn('text')
  name: string;

  @Column('bigint')
  deployment_id: DeploymentId;

  @Column('bigint', { nullable: true })
  node_id: NodeId | null;

  @Column('jsonb')
  spec: Record<string, unknown>;
}
