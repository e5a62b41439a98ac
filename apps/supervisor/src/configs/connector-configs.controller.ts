import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { CONNECTOR_TYPES, Precondition, type Written, type ConfigId } from '@libs/domain';
import {
  Actor,
  Audited,
  AuditedWhenChanged,
  Creates,
  FailsWith,
  HonoursIfMatch,
  Idempotent,
  IfMatch,
  InTransaction,
  LocatedAt,
  NoContent,
  OfDeployment,
  OfTheDeployment,
  PathId,
  RequirePermission,
  TakesBodyOf,
  Returns,
  WithinPlan,
  type ActingCaller,
} from '@libs/http';
import { ConfigsService } from './configs.service.js';
import { SchemaSectionView } from './dto/config-schema.view.js';
import { ConfigView } from './dto/config.view.js';

import { CONFIG_KIB, CreateConnectorConfigDto } from './dto/create-config.dto.js';
import { PrimaryQuery } from './dto/primary.query.js';
import { NamedConnector, type ConnectorName } from './named-connector.decorator.js';

const TYPE = { name: 'type', enum: [...CONNECTOR_TYPES], description: 'Type of the connector.' };
const KEY = { name: 'key', schema: { type: 'string' }, description: 'Key of the connector in the catalogue.' };
const NAME = { name: 'config_name', schema: { type: 'string' }, description: 'Key of the instance.' };
const VERSION = { name: 'version', schema: { type: 'integer', minimum: 1 }, description: 'Number of the version.' };

// A colon before a name is a parameter of the path. Literal colons are escaped.
@ApiTags('Configuration')
@Controller('deployments/:deployment_id/configs/connector\\::type\\::key')
export class ConnectorConfigsController {
  constructor(private readonly configs: ConfigsService) {}

  /**
   * Returns the schema of the configuration of the connector's instances: the section of its type, and `plugin_config`.
   */
  @Get('schema')
  @RequirePermission('deployment:config:read')
  @OfDeployment()
  @ApiParam(TYPE)
  @ApiParam(KEY)
  @Returns([SchemaSectionView])
  @FailsWith('connector_not_found')
  schema(@Actor() actor: ActingCaller, @NamedConnector() connector: ConnectorName): Promise<SchemaSectionView[]> {
    return this.configs.schema(actor, connector);
  }

  /** Reads the active configuration of an instance, secrets masked. */
  @Get('primary')
  @RequirePermission('deployment:config:read')
  @OfDeployment()
  @ApiParam(TYPE)
  @ApiParam(KEY)
  @Returns(ConfigView)
  @FailsWith('connector_not_found', 'config_not_found', 'validation_failed')
  primary(
    @Actor() actor: ActingCaller,
    @NamedConnector() connector: ConnectorName,
    @Query() { name }: PrimaryQuery,
  ): Promise<ConfigView> {
    return this.configs.primary(actor, connector, name);
  }

  /** Lists the versions of the configuration of an instance, newest first. */
  @Get(':config_name/versions')
  @RequirePermission('deployment:config:read')
  @OfDeployment()
  @ApiParam(TYPE)
  @ApiParam(KEY)
  @ApiParam(NAME)
  @Returns([ConfigView])
  @FailsWith('connector_not_found', 'config_not_found')
  versions(
    @Actor() actor: ActingCaller,
    @NamedConnector() connector: ConnectorName,
    @Param('config_name') name: string,
  ): Promise<ConfigView[]> {
    return this.configs.versions(actor, connector, name);
  }

  /**
   * Saves the configuration of the instance with the key `name` as its next version. With `activate` the instance is
   * reconfigured at once. Otherwise the instance keeps its current configuration.
   */
  @Post()
  @TakesBodyOf(CONFIG_KIB)
  @RequirePermission('deployment:config:manage')
  @Idempotent()
  @Audited('config_created', 'config_activated')
  @OfDeployment()
  @ApiParam(TYPE)
  @ApiParam(KEY)
  @Creates(ConfigView, 'config', 'operation')
  @LocatedAt(':name/versions')
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
  @RequirePermission('deployment:config:manage')
  @Idempotent()
  @AuditedWhenChanged('config_activated')
  @OfDeployment()
  @ApiParam(TYPE)
  @ApiParam(KEY)
  @ApiParam(NAME)
  @ApiParam(VERSION)
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
  @RequirePermission('deployment:config:manage')
  @InTransaction()
  @Audited('config_deleted')
  @OfTheDeployment('config', 'The version.')
  @ApiParam(TYPE)
  @ApiParam(KEY)
  @HonoursIfMatch()
  @NoContent()
  @FailsWith('connector_not_found', 'primary_config_undeletable', 'state_conflict')
  delete(
    @Actor() actor: ActingCaller,
    @NamedConnector() connector: ConnectorName,
    @PathId('config_id') id: ConfigId,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.configs.delete(actor, connector, id, precondition);
  }
}
