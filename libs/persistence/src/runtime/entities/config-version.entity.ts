import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeploymentId } from '@libs/domain';

/** The number of the last version of a configuration. */
@Entity('config_versions')
export class ConfigVersion {
  @PrimaryColumn('bigint')
  deployment_id: DeploymentId;

  @PrimaryColumn('text')
  kind: string;

  @PrimaryColumn('text')
  name: string;

  @Column('integer')
  last_version: number;
}
