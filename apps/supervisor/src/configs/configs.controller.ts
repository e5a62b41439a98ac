import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
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
import { Precondition, type Written, type ConfigId } from '@libs/domain';
import { ConfigsService } from './configs.service.js';
import { ConfigDiffView } from './dto/config-diff.view.js';
import { SchemaSectionView } from './dto/config-schema.view.js';
import { ConfigView } from './dto/config.view.js';
import { CONFIG_KIB, CreateConfigDto } from './dto/create-config.dto.js';
import { DiffQuery } from './dto/diff.query.js';

const NAME = { name: 'config_name', schema: { type: 'string' }, description: 'Name of the configuration.' };
const VERSION = { name: 'version', schema: { type: 'integer', minimum: 1 }, description: 'Number of the version.' };

// Express takes the first matching path, so literal paths must be above `:config_id`.
@ApiTags('Configuration')
@Controller('deployments/:deployment_id/configs/broker')
export class ConfigsController {
  constructor(private readonly configs: ConfigsService) {}

  /** Returns the schema of the broker's configuration, by section. */
  @Get('schema')
  @RequirePermission('deployment:config:read')
  @OfDeployment()
  @Returns([SchemaSectionView])
  schema(@Actor() actor: ActingCaller): Promise<SchemaSectionView[]> {
    return this.configs.schema(actor, 'broker');
  }

  /** Reads the active configuration. Nodes may still run by another: a task or an activity applies it. */
  @Get('primary')
  @RequirePermission('deployment:config:read')
  @OfDeployment()
  @Returns(ConfigView)
  @FailsWith('config_not_found')
  primary(@Actor() actor: ActingCaller): Promise<ConfigView> {
    return this.configs.primary(actor, 'broker');
  }

  /** Lists all versions of all named configurations, newest first. */
  @Get()
  @RequirePermission('deployment:config:read')
  @OfDeployment()
  @Returns([ConfigView])
  list(@Actor() actor: ActingCaller): Promise<ConfigView[]> {
    return this.configs.list(actor, 'broker');
  }

  /** Reads one version by its id. */
  @Get(':config_id')
  @RequirePermission('deployment:config:read')
  @OfTheDeployment('config', 'The version.')
  @Returns(ConfigView)
  get(@Actor() actor: ActingCaller, @PathId('config_id') id: ConfigId): Promise<ConfigView> {
    return this.configs.get(actor, 'broker', id);
  }

  /** Lists the versions of one configuration, newest first. */
  @Get(':config_name/versions')
  @RequirePermission('deployment:config:read')
  @OfDeployment()
  @ApiParam(NAME)
  @Returns([ConfigView])
  @FailsWith('config_not_found')
  versions(@Actor() actor: ActingCaller, @Param('config_name') name: string): Promise<ConfigView[]> {
    return this.configs.versions(actor, 'broker', name);
  }

  /** Reads one version by name and number. */
  @Get(':config_name/versions/:version')
  @RequirePermission('deployment:config:read')
  @OfDeployment()
  @ApiParam(NAME)
  @ApiParam(VERSION)
  @Returns(ConfigView)
  @FailsWith('config_not_found')
  version(
    @Actor() actor: ActingCaller,
    @Param('config_name') name: string,
    @Param('version') version: string,
  ): Promise<ConfigView> {
    return this.configs.version(actor, 'broker', name, version);
  }

  /**
   * Compares two versions and returns the changed keys, defaults included. For secrets the response shows only that
   * they changed.
   */
  @Get(':config_name/versions/:version/diff')
  @RequirePermission('deployment:config:read')
  @OfDeployment()
  @ApiParam(NAME)
  @ApiParam(VERSION)
  @Returns(ConfigDiffView)
  @FailsWith('config_not_found', 'validation_failed')
  diff(
    @Actor() actor: ActingCaller,
    @Param('config_name') name: string,
    @Param('version') version: string,
    @Query() { against }: DiffQuery,
  ): Promise<ConfigDiffView> {
    return this.configs.diff(actor, 'broker', [name, version], against);
  }

  /**
   * Saves a configuration as the next version of its name. Nodes keep their current configuration until the new version
   * is applied.
   */
  @Post()
  @TakesBodyOf(CONFIG_KIB)
  @RequirePermission('deployment:config:manage')
  @Idempotent()
  @Audited('config_created', 'config_activated')
  @OfDeployment()
  @Creates(ConfigView, 'config')
  @LocatedAt('/deployments/:deployment_id/configs/broker/:config')
  @WithinPlan('deployment_configs_limit')
  @FailsWith('state_conflict')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateConfigDto): Promise<Written<ConfigView>> {
    return this.configs.create(actor, 'broker', dto);
  }

  /**
   * Makes a version the active one. Nodes keep their configuration until a task of type `broker:reconfigure` applies
   * the active version.
   */
  @Put(':config_name/activate/:version')
  @RequirePermission('deployment:config:manage')
  @Idempotent()
  @AuditedWhenChanged('config_activated')
  @OfDeployment()
  @ApiParam(NAME)
  @ApiParam(VERSION)
  @NoContent()
  @FailsWith('config_not_found', 'state_conflict')
  activate(
    @Actor() actor: ActingCaller,
    @Param('config_name') name: string,
    @Param('version') version: string,
  ): Promise<Written> {
    return this.configs.activate(actor, 'broker', name, version);
  }

  /** Deletes a version that is not the active one and that no node runs by. */
  @Delete(':config_id')
  @RequirePermission('deployment:config:manage')
  @InTransaction()
  @Audited('config_deleted')
  @OfTheDeployment('config', 'The version.')
  @HonoursIfMatch()
  @NoContent()
  @FailsWith('primary_config_undeletable', 'state_conflict')
  delete(
    @Actor() actor: ActingCaller,
    @PathId('config_id') id: ConfigId,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.configs.delete(actor, 'broker', id, precondition);
  }
}
