import { Body, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import {
  Actor,
  Creates,
  FailsWith,
  IfMatch,
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
import { Precondition, type Written, type ConfigId } from '@libs/domain';
import { ConfigsService } from './configs.service.js';
import { ConfigDiffView, ConfigPreviewView } from './dto/config-diff.view.js';
import { SchemaSectionView } from './dto/config-schema.view.js';
import { ConfigView } from './dto/config.view.js';
import { CONFIG_KIB, CreateConfigDto, PreviewConfigDto } from './dto/create-config.dto.js';
import { DiffQuery } from './dto/diff.query.js';

// Express takes the first matching path, so literal paths must be above `:config_id`.
@Routes('deployments/:deployment_id/configs/broker', 'Configuration', {
  config_id: 'The version.',
  config_name: 'Name of the configuration.',
  version: { schema: { type: 'integer', minimum: 1 }, description: 'Number of the version.' },
})
export class ConfigsController {
  constructor(private readonly configs: ConfigsService) {}

  /** Returns the schema of the broker's configuration, by section. */
  @Get('schema')
  @Reads('deployment:config:read', [SchemaSectionView])
  schema(@Actor() actor: ActingCaller): Promise<SchemaSectionView[]> {
    return this.configs.schema(actor, 'broker');
  }

  /** Reads the active configuration. Nodes may still run by another: a task or an activity applies it. */
  @Get('primary')
  @Reads('deployment:config:read', ConfigView)
  @FailsWith('config_not_found')
  primary(@Actor() actor: ActingCaller): Promise<ConfigView> {
    return this.configs.primary(actor, 'broker');
  }

  /** Lists all versions of all named configurations, newest first. */
  @Get()
  @Reads('deployment:config:read', [ConfigView])
  list(@Actor() actor: ActingCaller): Promise<ConfigView[]> {
    return this.configs.list(actor, 'broker');
  }

  /** Reads one version by its id. */
  @Get(':config_id')
  @Reads('deployment:config:read', ConfigView)
  get(@Actor() actor: ActingCaller, @PathId() id: ConfigId): Promise<ConfigView> {
    return this.configs.get(actor, 'broker', id);
  }

  /** Lists the versions of one configuration, newest first. */
  @Get(':config_name/versions')
  @Reads('deployment:config:read', [ConfigView])
  @FailsWith('config_not_found')
  versions(@Actor() actor: ActingCaller, @Param('config_name') name: string): Promise<ConfigView[]> {
    return this.configs.versions(actor, 'broker', name);
  }

  /** Reads one version by name and number. */
  @Get(':config_name/versions/:version')
  @Reads('deployment:config:read', ConfigView)
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
  @Reads('deployment:config:read', ConfigDiffView)
  @FailsWith('config_not_found')
  diff(
    @Actor() actor: ActingCaller,
    @Param('config_name') name: string,
    @Param('version') version: string,
    @Query() { against }: DiffQuery,
  ): Promise<ConfigDiffView> {
    return this.configs.diff(actor, 'broker', [name, version], against);
  }

  /**
   * Validates values as a creation does, and returns what they would change. The request saves nothing.
   */
  @Post('preview')
  @TakesBodyOf(CONFIG_KIB)
  @WritesUnaudited('deployment:config:manage', 'saves nothing')
  @Returns(ConfigPreviewView)
  @FailsWith('config_not_found')
  preview(@Actor() actor: ActingCaller, @Body() dto: PreviewConfigDto): Promise<ConfigPreviewView> {
    return this.configs.preview(actor, 'broker', dto);
  }

  /**
   * Saves a configuration as the next version of its name. Nodes keep their current configuration until the new version
   * is applied.
   */
  @Post()
  @TakesBodyOf(CONFIG_KIB)
  @Writes('deployment:config:manage', 'config_created', 'config_activated')
  @Creates(ConfigView, 'config')
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
  @WritesWhenChanged('deployment:config:manage', 'config_activated')
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
  @Writes('deployment:config:manage', 'config_deleted')
  @FailsWith('primary_config_undeletable', 'state_conflict')
  delete(@Actor() actor: ActingCaller, @PathId() id: ConfigId, @IfMatch() precondition: Precondition): Promise<void> {
    return this.configs.delete(actor, 'broker', id, precondition);
  }
}
