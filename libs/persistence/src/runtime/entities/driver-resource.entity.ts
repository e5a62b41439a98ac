import type { DeploymentId, NodeId } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * What the driver of a cloud remembers of a resource. A resource without parts has no row. The table has the name of its first driver:
 * apps of the previous release would stop at another name.
 */
@Entity('aws_resources')
export class DriverResource {
  @PrimaryColumn('text')
  kind: string;

  /** Unique for its kind within the installation. */
  @PrimaryColumn('text')
  name: string;

  /** By the name of the part: its id at the cloud, null while the answer to its creation is not known, and when it was begun. */
  @Column('jsonb', { default: {} })
  parts: Record<string, { id: string | null; begun_at: string }>;

  /** The owner. Null: only a deletion has asked for the resource. */
  @Column('jsonb', { nullable: true })
  tags: { installation: string; deployment_id: DeploymentId; node_id?: NodeId } | null;

  @Column('boolean', { default: false })
  is_deleting: boolean;

  /** The call that works on the resource. */
  @Column('uuid', { nullable: true })
  held_by: string | null;

  /** A holder that died loses the resource then. */
  @Column('timestamptz', { nullable: true })
  held_until: Date | null;
}
