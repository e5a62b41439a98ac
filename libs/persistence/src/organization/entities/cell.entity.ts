import type { BrokerDriver, FeatureLevels } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A cell: the part of a cloud that its Supervisor processes serve, and their addresses. */
@Entity('cells')
export class Cell {
  @PrimaryColumn('text')
  cell: string;

  @Column('text')
  url: string;

  @Column('text')
  agent_url: string;

  /** `<cloud>/<region>`, `<cloud>/*`, or `*` for all. */
  @Column('text', { array: true })
  regions: string[];

  /** The driver for each cloud. */
  @Column('jsonb')
  cloud_drivers: Record<string, string>;

  @Column('text')
  broker_driver: BrokerDriver;

  @Column('text')
  broker_version: string;

  /** What deployments of each cloud can do here. Empty for a Supervisor of an earlier release. */
  @Column('jsonb', { default: {} })
  features: Record<string, FeatureLevels>;

  @Column('text')
  version: string;

  @Column('timestamptz', { default: () => 'now()' })
  seen_at: Date;

  /** Set by an operator: the cell gets no new deployments. */
  @Column('timestamptz', { nullable: true })
  drained_at: Date | null;
}
