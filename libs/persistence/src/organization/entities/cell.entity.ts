import type { BrokerDriver, FeatureLevels } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A broker that nodes of a cell can run. */
export interface CellBroker {
  /** Null: no new deployment gets this broker. */
  version: string | null;
  /** The kinds of new deployments that get this broker: `cluster`, `standalone`. */
  clusters: string[];
  /** What deployments with this broker can do, by cloud. */
  features: Record<string, FeatureLevels>;
  /** The libraries of iggy-connectors that its nodes may load, as `type:key`. Absent: there are none. */
  connectors?: string[];
}

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

  /** The broker of new clusters. Main APIs of earlier releases use it for every deployment. */
  @Column('text')
  broker_driver: BrokerDriver;

  @Column('text')
  broker_version: string;

  /** What deployments of each cloud can do here with this broker. Empty for a Supervisor of a still earlier release. */
  @Column('jsonb', { default: {} })
  features: Record<string, FeatureLevels>;

  /** All brokers that nodes can run, by driver. Empty for a Supervisor of an earlier release, which has one for all deployments. */
  @Column('jsonb', { default: {} })
  brokers: Partial<Record<BrokerDriver, CellBroker>>;

  @Column('text')
  version: string;

  /** The newest report of one of its processes. */
  @Column('timestamptz', { default: () => 'now()' })
  seen_at: Date;

  /** When its last process stopped in order. It counts as long as no process has reported after it. */
  @Column('timestamptz', { nullable: true })
  signed_off_at: Date | null;

  /** Set by an operator: the cell gets no new deployments. */
  @Column('timestamptz', { nullable: true })
  drained_at: Date | null;
}
