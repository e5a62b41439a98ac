import type {
  ConnectorInstanceStatus,
  ConnectorType,
  RuntimeStatus,
  ConfigId,
  ConnectorInstanceId,
  DeploymentId,
  UserId,
} from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A connector of a deployment, with the last report of the node that runs it. */
@Entity('connector_instances')
export class ConnectorInstance {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: ConnectorInstanceId;

  @Column('bigint')
  deployment_id: DeploymentId;

  @Column('text')
  type: ConnectorType;

  /** The key of the plugin in the catalogue. */
  @Column('text')
  plugin: string;

  /** SemVer of the plugin. */
  @Column('text')
  plugin_version: string;

  /** Instance key, unique within the deployment. */
  @Column('text')
  key: string;

  @Column('text')
  name: string;

  @Column('text', { default: 'pending' })
  status: ConnectorInstanceStatus;

  @Column('text', { nullable: true })
  status_reason: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  status_since: Date;

  /** The configuration that the instance runs with. */
  @Column('bigint')
  config_id: ConfigId;

  @Column('boolean', { default: false })
  is_configured: boolean;

  /** The last status that its node reported. Null before the first report. */
  @Column('text', { nullable: true })
  reported_status: RuntimeStatus | null;

  @Column('bigint', { nullable: true })
  reported_config_id: ConfigId | null;

  @Column('text', { nullable: true })
  reported_error: string | null;

  /** When the channels were told about its failure. Null: it has not failed, or they do not know. */
  @Column('timestamptz', { nullable: true })
  failure_announced_at: Date | null;

  @Column('bigint', { nullable: true })
  author_id: UserId | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;
}
