import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BillingReportId, DeploymentId, DivisionId, EnvironmentId } from '@libs/domain';
import type { ChargedPeriod } from '../charge-line.js';

/** The charges of one deployment in the report of a month. */
@Entity('billing_report_lines')
export class BillingReportLine {
  @PrimaryColumn('bigint')
  report_id: BillingReportId;

  @PrimaryColumn('bigint')
  deployment_id: DeploymentId;

  @Column('text')
  deployment_name: string;

  @Column('text')
  deployment_code: string;

  @Column('bigint')
  division_id: DivisionId;

  @Column('text')
  division_name: string;

  @Column('bigint')
  environment_id: EnvironmentId;

  @Column('text')
  environment_name: string;

  @Column('numeric')
  compute_hours: string;

  @Column('numeric')
  storage_gb_hours: string;

  @Column('numeric')
  transfer_gb: string;

  @Column('numeric', { precision: 14, scale: 2 })
  compute_usd: string;

  @Column('numeric', { precision: 14, scale: 2 })
  storage_usd: string;

  @Column('numeric', { precision: 14, scale: 2 })
  transfer_usd: string;

  @Column('jsonb')
  periods: ChargedPeriod[];
}
