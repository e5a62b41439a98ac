import { Injectable } from '@nestjs/common';
import { requireBelowLimit } from '@libs/catalog';
import {
  DomainError,
  parseId,
  type Precondition,
  Written,
  type ConfigId,
  type DeploymentId,
  type OperationId,
} from '@libs/domain';
import { type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import {
  ConfigVersionsRepository,
  RuntimesRepository,
  TasksRepository,
  type ConfigRow,
} from '@libs/persistence/runtime';
import { lockDeployment, requireAlive, TenantPlans } from '../platform/index.js';
import { ConfigViews } from './config-views.js';
import type { ConfigDiffView, ConfigPreviewView } from './dto/config-diff.view.js';
import type { SchemaSectionView } from './dto/config-schema.view.js';
import type { ConfigView } from './dto/config.view.js';
import type { CreateConnectorConfigDto, PreviewConnectorConfigDto } from './dto/create-config.dto.js';
import type { ConfigKind, NamedKind, Values } from './kinds/config-kind.js';
import { ConfigKinds } from './kinds/config-kinds.js';

/**
 * Saved configurations of a deployment, for its broker and its connectors. Saving changes no node. The kind of the
 * configuration defines the effect of activation.
 */
@Injectable()
export class ConfigsService {
  private readonly views: ConfigViews;

  constructor(
    private readonly configs: ConfigVersionsRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly kinds: ConfigKinds,
    private readonly plans: TenantPlans,
    private readonly tasks: TasksRepository,
    private readonly ledger: Ledger,
  ) {
    this.views = new ConfigViews(this.configs);
  }

  /** @throws DomainError connector_not_found */
  async schema({ deployment }: ActingCaller, named: NamedKind): Promise<SchemaSectionView[]> {
    return (await this.kinds.find(deployment.id, named)).sections();
  }

  async list({ deployment }: ActingCaller, named: NamedKind): Promise<ConfigView[]> {
    const kind = await this.kinds.find(deployment.id, named);
    return this.views.of(deployment.id, kind, await this.configs.list(deployment.id, kind.key));
  }

  /** Of several instances: the configuration that was saved last. @throws DomainError config_not_found, connector_not_found */
  async primary({ deployment }: ActingCaller, named: NamedKind, name: string | null = null): Promise<ConfigView> {
    const kind = await this.kinds.find(deployment.id, named);
    return this.views.ofOne(deployment.id, kind, found(await this.configs.findPrimary(deployment.id, kind.key, name)));
  }

  /** @throws DomainError config_not_found */
  async get({ deployment }: ActingCaller, named: NamedKind, id: ConfigId): Promise<ConfigView> {
    const kind = await this.kinds.find(deployment.id, named);
    return this.views.ofOne(deployment.id, kind, found(await this.configs.find(deployment.id, kind.key, id)));
  }

  /** @throws DomainError config_not_found, connector_not_found */
  async versions({ deployment }: ActingCaller, named: NamedKind, name: string): Promise<ConfigView[]> {
    const kind = await this.kinds.find(deployment.id, named);
    const rows = await this.configs.listOfName(deployment.id, kind.key, name);
    found(rows[0]);
    return this.views.of(deployment.id, kind, rows);
  }

  /** @throws DomainError config_not_found */
  async version({ deployment }: ActingCaller, named: NamedKind, name: string, version: string): Promise<ConfigView> {
    const kind = await this.kinds.find(deployment.id, named);
    return this.views.ofOne(deployment.id, kind, await this.named(deployment.id, kind, name, version));
  }

  /** @throws DomainError config_not_found */
  async diff(
    { deployment }: ActingCaller,
    named: NamedKind,
    [name, version]: [string, string],
    against?: number,
  ): Promise<ConfigDiffView> {
    const kind = await this.kinds.find(deployment.id, named);
    const config = await this.named(deployment.id, kind, name, version);
    const other =
      against === undefined
        ? await this.configs.findPrimary(deployment.id, kind.key, null)
        : await this.configs.findVersion(deployment.id, kind.key, name, against);
    const { id, values } = found(other);
    return { config_id: config.id, against_id: id, changes: kind.changes(values, config.values) };
  }

  /** @throws DomainError validation_failed, connector_not_found, connector_instance_not_found, insufficient_permissions */
  async preview(actor: ActingCaller, named: NamedKind, dto: PreviewConnectorConfigDto): Promise<ConfigPreviewView> {
    const { id } = actor.deployment;
    const kind = await this.kinds.find(id, named);
    const { name, values } = await this.validated(actor, kind, dto);
    const primary = found(await this.configs.findPrimary(id, kind.key, name));
    const changes = kind.changes(primary.values, values);
    return { changes, restart_required: changes.some((change) => change.restart_required) };
  }

  /**
   * @throws DomainError validation_failed, connector_not_found, connector_instance_not_found, insufficient_permissions,
   *   plan_limit_reached, state_conflict
   */
  async create(actor: ActingCaller, named: NamedKind, dto: CreateConnectorConfigDto): Promise<Written<ConfigView>> {
    const { id } = actor.deployment;
    const status = await lockDeployment(this.runtimes, id);
    const kind = await this.kinds.find(id, named);
    const { name, values } = await this.validated(actor, kind, dto);
    requireAlive(status);
    requireBelowLimit(await this.plans.of(actor.tenantId), 'deployment_configs_limit', await this.configs.count(id));
    const author = { runtimeVersion: kind.release, authorId: actor.author.user.id };
    const config = await this.configs.insert(id, { kind: kind.key, name, values, ...author });
    await this.record(actor, 'config_created', config);
    const applied = dto.activate ? await this.promote(actor, kind, config) : {};
    const view = await this.views.ofOne(id, kind, { ...config, primary: dto.activate === true });
    return new Written(view, { config: config.id, ...applied });
  }

  /** @throws DomainError config_not_found, connector_not_found, state_conflict */
  async activate(actor: ActingCaller, named: NamedKind, name: string, version: string): Promise<Written> {
    const { id } = actor.deployment;
    const status = await lockDeployment(this.runtimes, id);
    const kind = await this.kinds.find(id, named);
    const config = await this.named(id, kind, name, version);
    requireAlive(status);
    return new Written(undefined, config.primary ? {} : await this.promote(actor, kind, config));
  }

  /** @throws DomainError config_not_found, primary_config_undeletable, state_conflict, precondition_failed */
  async delete(actor: ActingCaller, named: NamedKind, configId: ConfigId, precondition: Precondition): Promise<void> {
    const { id } = actor.deployment;
    requireAlive(await lockDeployment(this.runtimes, id));
    const kind = await this.kinds.find(id, named);
    const config = found(await this.configs.find(id, kind.key, configId));
    if (precondition.isGiven) precondition.require(await this.views.ofOne(id, kind, config));
    if (config.primary) throw new DomainError('primary_config_undeletable', 'The configuration is the active one.');
    await this.requireUnused(id, configId);
    await this.configs.delete(id, config);
    await this.record(actor, 'config_deleted', config);
  }

  /** A node that restarts reads its applied configuration again. A node whose new configuration fails goes back to it. */
  private async requireUnused(deploymentId: DeploymentId, configId: ConfigId): Promise<void> {
    const { nodeIds, operationId } = await this.configs.use(deploymentId, configId);
    if (operationId !== null)
      throw new DomainError(
        'state_conflict',
        'A running operation applies this configuration or may roll back to it.',
        {
          members: { state: 'being_applied', operation_id: operationId },
        },
      );
    if (nodeIds.length > 0)
      throw new DomainError(
        'state_conflict',
        'Nodes still run with this configuration. Apply the active configuration first.',
        {
          members: { state: 'applied', nodes: nodeIds },
        },
      );
  }

  /** Returns the id of the operation that applies the configuration, if there is one. */
  private async promote(
    actor: ActingCaller,
    kind: ConfigKind,
    config: ConfigRow,
  ): Promise<{ operation?: OperationId }> {
    await this.configs.activate(actor.deployment.id, config);
    await this.record(actor, 'config_activated', config);
    const operation = await kind.promoted(actor, config);
    if (operation === null) return {};
    const task = { deploymentId: actor.deployment.id, operationId: operation, configId: config.id };
    await this.tasks.record({ ...task, authorId: actor.author.user.id });
    return { operation };
  }

  /** The name and the values as they would be stored, with the stored secrets in the place of masks. */
  private async validated(
    actor: ActingCaller,
    kind: ConfigKind,
    dto: PreviewConnectorConfigDto,
  ): Promise<{ name: string; values: Values }> {
    const name = kind.nameOf(dto.name);
    const stored = (await this.configs.findLatest(actor.deployment.id, kind.key, name))?.values ?? {};
    return { name, values: kind.read(actor, dto.values, stored) };
  }

  private async named(
    deploymentId: DeploymentId,
    { key }: ConfigKind,
    name: string,
    version: string,
  ): Promise<ConfigRow> {
    const number = parseId(version);
    return found(number === null ? null : await this.configs.findVersion(deploymentId, key, name, number));
  }

  private async record(
    actor: ActingCaller,
    audit: 'config_created' | 'config_activated' | 'config_deleted',
    { id, kind, name, version }: ConfigRow,
  ): Promise<void> {
    const { author, context, traceId } = actor;
    await this.ledger.record({ audit, author, context, data: { config_id: id, kind, name, version }, traceId });
  }
}

function found(config: ConfigRow | null | undefined): ConfigRow {
  if (!config) throw new DomainError('config_not_found', 'The deployment has no such configuration.');
  return config;
}
