import type { DeploymentId } from '@libs/domain';
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
}
