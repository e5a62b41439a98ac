import type { BrokerDriver } from '@libs/domain';
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

  /** `cloud/region`, or `*` for all. */
  @Column('text', { array: true })
  regions: string[];

  /** The driver for each cloud. */
  @Column('jsonb')
  cloud_drivers: Record<string, string>;

  @Column('text')
  broker_driver: BrokerDriver;

  @Column('text')
  broker_version: string;

  @Column('text')
  version: string;

  @Column('timestamptz', { default: () => 'now()' })
  seen_at: Date;

  /** Set by an operator: the cell gets no new deployments. */
  @Column('timestamptz', { nullable: true })
  drained_at: Date | null;
}
