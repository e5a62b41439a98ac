import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { ConfigId, DeploymentId, UserId } from '@libs/domain';

/** One version of a configuration of the broker or of a connector. */
@Entity('configs')
export class Config {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: ConfigId;

  @Column('bigint')
  deployment_id: DeploymentId;

  /** `broker`, or the type and the key of a connector. */
  @Column('text')
  kind: string;

  @Column('text')
  name: string;

  @Column('integer')
  version: number;

  @Column('boolean', { default: false })
  is_primary: boolean;

  /** Sealed. */
  @Column('text')
  config_values: string;

  @Column('text')
  runtime_version: string;

  @Column('bigint', { nullable: true })
  author_id: UserId | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;
}
