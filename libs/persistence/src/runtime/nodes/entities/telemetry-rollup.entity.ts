import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The end of the metrics that are rolled up. The table has one row. */
@Entity('telemetry_rollup')
export class TelemetryRollup {
  @PrimaryColumn('boolean', { default: true })
  is_only: boolean;

  @Column('timestamptz')
  rolled_up_to: Date;
}
