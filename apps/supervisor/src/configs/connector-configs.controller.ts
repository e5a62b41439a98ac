import { Body, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CONNECTOR_TYPES, Precondition, type Written, type ConfigId } from '@libs/domain';
import {
  Actor,
  Creates,
  FailsWith,
  IfMatch,
  LocatedAt,
  NoContent,
  PathId,
  Reads,
  Returns,
  Routes,
  TakesBodyOf,
  WithinPlan,
  Writes,
  WritesUnaudited,
  WritesWhenChanged,
  type ActingCaller,
} from '@libs/http';
import { ConfigsService } from './configs.service.js';
import { ConfigPreviewView } from './dto/config-diff.view.js';
import { SchemaSectionView } from './dto/config-schema.view.js';
import { ConfigView } from './dto/config.view.js';
import { CONFIG_KIB, CreateConnectorConfigDto, PreviewConnectorConfigDto } from './dto/create-config.dto.js';
import { PrimaryQuery } from './dto/primary.query.js';
import { NamedConnector, type ConnectorName } from './named-connector.decorator.js';

// A colon before a name is a parameter of the path. Literal colons are escaped.
@Routes('deployments/:deployment_id/configs/connector\\::type\\::key', 'Configuration', {
  config_id: 'The version.',
  config_name: 'Key of the instance.',
  version: { schema: { type: 'integer', minimum: 1 }, description: 'Number of the version.' },
  key: 'Key of the connector in the catalogue.',
  type: { enum: [...CONNECTOR_TYPES], description: 'Type of the connector.' },
})
export class ConnectorConfigsController {
  constructor(private readonly configs: ConfigsService) {}

  /**
   * Returns the schema of the configuration of the connector's instances: the section of its type, and `plugin_config`.
   */
  @Get('schema')
  @Reads('deployment:config:read', [SchemaSectionView])
  @FailsWith('connector_not_found')
  schema(@Actor() actor: ActingCaller, @NamedConnector() connector: ConnectorName): Promise<SchemaSectionView[]> {
    return this.configs.schema(actor, connector);
  }

  /** Reads the active configuration of an instance, secrets masked. */
  @Get('primary')
  @Reads('deployment:config:read', ConfigView)
  @FailsWith('connector_not_found', 'config_not_found')
  primary(
    @Actor() actor: ActingCaller,
    @NamedConnector() connector: ConnectorName,
    @Query() { name }: PrimaryQuery,
  ): Promise<ConfigView> {
    return this.configs.primary(actor, connector, name);
  }

  /** Lists the versions of the configuration of an instance, newest first. */
  @Get(':config_name/versions')
  @Reads('deployment:config:read', [ConfigView])
  @FailsWith('connector_not_found', 'config_not_found')
  versions(
    @Actor() actor: ActingCaller,
    @NamedConnector() connector: ConnectorName,
    @Param('config_name') name: string,
  ): Promise<ConfigView[]> {
    return this.configs.versions(actor, connector, name);
  }

  /**
   * Validates values as a creation does, and returns what they would change. The request saves nothing.
   */
  @Post('preview')
  @TakesBodyOf(CONFIG_KIB)
  @WritesUnaudited('deployment:config:manage', 'saves nothing')
  @Returns(ConfigPreviewView)
  @FailsWith('connector_not_found', 'connector_instance_not_found', 'secret_required', 'config_not_found')
  preview(
    @Actor() actor: ActingCaller,
    @NamedConnector() connector: ConnectorName,
    @Body() dto: PreviewConnectorConfigDto,
  ): Promise<ConfigPreviewView> {
    return this.configs.preview(actor, connector, dto);
  }

  /**
   * Saves the configuration of the instance with the key `name` as its next version. With `activate` the instance is
   * reconfigured at once. Otherwise the instance keeps its current configuration.
   */
  @Post()
  @TakesBodyOf(CONFIG_KIB)
  @Writes('deployment:config:manage', 'config_created', 'config_activated')
  @Creates(ConfigView, 'config', 'operation')
  @LocatedAt(':name/versions', 'name')
  @WithinPlan('deployment_configs_limit')
  @FailsWith('connector_not_found', 'connector_instance_not_found', 'secret_required', 'state_conflict')
  create(
    @Actor() actor: ActingCaller,
    @NamedConnector() connector: ConnectorName,
    @Body() dto: CreateConnectorConfigDto,
  ): Promise<Written<ConfigView>> {
    return this.configs.create(actor, connector, dto);
  }

  /** Makes a version of the instance the active one and reconfigures the instance. */
  @Put(':config_name/activate/:version')
  @WritesWhenChanged('deployment:config:manage', 'config_activated')
  @NoContent('operation')
  @FailsWith('connector_not_found', 'config_not_found', 'state_conflict')
  activate(
    @Actor() actor: ActingCaller,
    @NamedConnector() connector: ConnectorName,
    @Param('config_name') name: string,
    @Param('version') version: string,
  ): Promise<Written> {
    return this.configs.activate(actor, connector, name, version);
  }

  /** Deletes a version. The active version, and a version that the instance still runs with, cannot be deleted. */
  @Delete(':config_id')
  @Writes('deployment:config:manage', 'config_deleted')
  @FailsWith('connector_not_found', 'primary_config_undeletable', 'state_conflict')
  delete(
    @Actor() actor: ActingCaller,
    @NamedConnector() connector: ConnectorName,
    @PathId() id: ConfigId,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.configs.delete(actor, connector, id, precondition);
  }
}
