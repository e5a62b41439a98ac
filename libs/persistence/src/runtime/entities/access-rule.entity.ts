import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { AccessRuleId, DeploymentId } from '@libs/domain';

/** Whether an access rule opens each protocol of the broker. */
export type RuleFlags = Record<'broker_tcp' | 'broker_http' | 'broker_websocket' | 'broker_udp', boolean>;

/** A rule of a deployment: networks, and the protocols that they may use. */
@Entity('access_rules')
export class AccessRule {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: AccessRuleId;

  @Column('bigint')
  deployment_id: DeploymentId;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  remarks: string | null;

  @Column('text', { array: true })
  cidr_blocks: string[];

  @Column('jsonb')
  rules: RuleFlags;

  /** Null for no end. */
  @Column('timestamptz', { nullable: true })
  valid_to: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;
}
