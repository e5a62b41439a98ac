import type { DeploymentId, NodeId } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A resource at a provider. The row is committed before the first call for the resource. */
@Entity('cloud_resources')
export class CloudResource {
  @PrimaryColumn('text')
  kind: string;

  /** Unique for its kind within the installation. */
  @PrimaryColumn('text')
  name: string;

  @Column('bigint')
  deployment_id: DeploymentId;

  /** The driver that created it. A change of the setting has no effect on it. */
  @Column('text')
  driver: string;

  /** `absent` before the first call of its deletion. It never becomes `present` again. */
  @Column('text')
  intent: 'present' | 'absent';

  /** The node that the resource belongs to. Null: it belongs to the whole deployment. */
  @Column('bigint', { nullable: true })
  node_id: NodeId | null;

  /** Null in a row of a release without places: then the place is that of the deployment. */
  @Column('text', { nullable: true })
  cloud: string | null;

  @Column('text', { nullable: true })
  region: string | null;

  /** The account of the customer. Null: the operator's own. */
  @Column('text', { nullable: true })
  account: string | null;

  /** Of a node: counts its replacements. */
  @Column('integer', { default: 1 })
  incarnation: number;

  /** Nothing reads it: the drivers remember in tables of their own. The previous release still writes it. */
  @Column('jsonb', { default: {} })
  handle: Record<string, string>;

  /** The last refusal of the provider. Null: the last call was accepted. */
  @Column('text', { nullable: true })
  error: string | null;

  /** When a call last returned the resource. Updated at most once a minute. */
  @Column('timestamptz', { nullable: true })
  seen_at: Date | null;
}
