import { Injectable } from '@nestjs/common';
import { brokerSchema, changedKeys, writtenValues } from '@libs/broker/schema';
import { requireRoom } from '@libs/catalog';
import { DomainError, parseId } from '@libs/domain';
import { answer, requireMatch, type ActingCaller, type Answer } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { Database, Secrets } from '@libs/persistence';
import { ConfigVersionsRepository, RuntimesRepository, type ConfigRow } from '@libs/persistence/runtime';
import { holdDeployment, requireAlive, TenantPlans } from '../platform/index.js';
import { ConfigViews } from './config-views.js';
import type { ConfigDiffView } from './dto/config-diff.view.js';
import type { SchemaSectionView } from './dto/config-schema.view.js';
import type { ConfigView } from './dto/config.view.js';
import type { CreateConfigDto } from './dto/create-config.dto.js';
import { readConfigValues } from './read-config-values.js';
import { requireAdminKeys } from './require-admin-keys.js';

const KIND = 'broker';

/**
 * Saved configurations of a deployment's broker. Saving and activating touches no node: a node goes on by the version that
 * it has until a task or an activity gives it another.
 */
@Injectable()
export class ConfigsService {
  private readonly configs: ConfigVersionsRepository;
  private readonly runtimes: RuntimesRepository;

  constructor(
    database: Database,
    secrets: Secrets,
    private readonly views: ConfigViews,
    private readonly plans: TenantPlans,
    private readonly ledger: Ledger,
  ) {
    this.configs = new ConfigVersionsRepository(database, secrets);
    this.runtimes = new RuntimesRepository(database);
  }

  async schema({ deployment }: ActingCaller): Promise<SchemaSectionView[]> {
    const { driver, release } = await this.views.ground(deployment.id);
    return brokerSchema(driver, release);
  }

  async list({ deployment }: ActingCaller): Promise<ConfigView[]> {
    return this.views.of(deployment.id, await this.configs.list(deployment.id, KIND));
  }

  /** @throws DomainError config_not_found */
  async primary({ deployment }: ActingCaller): Promise<ConfigView> {
    return this.views.ofOne(deployment.id, found(await this.configs.findPrimary(deployment.id, KIND)));
  }

  /** @throws DomainError config_not_found */
  async get({ deployment }: ActingCaller, id: number): Promise<ConfigView> {
    return this.views.ofOne(deployment.id, found(await this.configs.find(deployment.id, KIND, id)));
  }

  /** @throws DomainError config_not_found */
  async versions({ deployment }: ActingCaller, name: string): Promise<ConfigView[]> {
    const rows = await this.configs.listOfName(deployment.id, KIND, name);
    found(rows[0]);
    return this.views.of(deployment.id, rows);
  }

  /** @throws DomainError config_not_found */
  async version({ deployment }: ActingCaller, name: string, version: string): Promise<ConfigView> {
    return this.views.ofOne(deployment.id, await this.named(deployment.id, name, version));
  }

  /** @throws DomainError config_not_found */
  async diff({ deployment }: ActingCaller, name: string, version: string, against?: number): Promise<ConfigDiffView> {
    const { driver, release } = await this.views.ground(deployment.id);
    const config = await this.named(deployment.id, name, version);
    const other =
      against === undefined
        ? await this.configs.findPrimary(deployment.id, KIND)
        : await this.configs.findVersion(deployment.id, KIND, name, against);
    const { id, values } = found(other);
    return { config_id: config.id, against_id: id, changes: changedKeys(driver, release, values, config.values) };
  }

  /** @throws DomainError validation_failed, insufficient_permissions, plan_limit_reached, state_conflict */
  async create(actor: ActingCaller, dto: CreateConfigDto): Promise<Answer<ConfigView>> {
    const { id } = actor.deployment;
    const status = await holdDeployment(this.runtimes, id);
    const ground = await this.views.ground(id);
    const name = dto.name ?? KIND;
    const written = writtenValues(dto.values);
    requireAdminKeys(actor, ground, written);
    const kept = (await this.configs.findLatest(id, KIND, name))?.values ?? {};
    const values = readConfigValues(ground, written, kept);
    requireAlive(status);
    requireRoom(await this.plans.of(actor.tenantId), 'deployment_configs_limit', await this.configs.count(id));
    const author = { runtimeVersion: ground.release, authorId: actor.author.user.id };
    const config = await this.configs.insert(id, { kind: KIND, name, values, ...author });
    await this.record(actor, 'config_created', config);
    if (dto.activate) await this.promote(actor, config);
    const view = await this.views.ofOne(id, { ...config, primary: dto.activate === true });
    return answer(view, { config: config.id }, `/deployments/${id}/configs/${KIND}/${config.id}`);
  }

  /** @throws DomainError config_not_found, state_conflict */
  async activate(actor: ActingCaller, name: string, version: string): Promise<void> {
    const { id } = actor.deployment;
    const status = await holdDeployment(this.runtimes, id);
    const config = await this.named(id, name, version);
    requireAlive(status);
    if (!config.primary) await this.promote(actor, config);
  }

  /** @throws DomainError config_not_found, primary_config_undeletable, state_conflict, precondition_failed */
  async delete(actor: ActingCaller, configId: number, ifMatch: string | undefined): Promise<void> {
    const { id } = actor.deployment;
    requireAlive(await holdDeployment(this.runtimes, id));
    const config = found(await this.configs.find(id, KIND, configId));
    if (ifMatch !== undefined) requireMatch(ifMatch, await this.views.ofOne(id, config));
    if (config.primary) throw new DomainError('primary_config_undeletable', 'It is the active configuration.');
    await this.requireUnused(id, configId);
    await this.configs.delete(id, config);
    await this.record(actor, 'config_deleted', config);
  }

  /** A node that restarts reads what it runs by again, and so does one whose new configuration fails. */
  private async requireUnused(deploymentId: number, configId: number): Promise<void> {
    const { nodeIds, operationId } = await this.configs.use(deploymentId, configId);
    if (operationId !== null)
      throw new DomainError('state_conflict', 'An operation applies it, or may go back to it.', {
        members: { state: 'being_applied', operation_id: operationId },
      });
    if (nodeIds.length > 0)
      throw new DomainError('state_conflict', 'Nodes still run by it; apply the active configuration first.', {
        members: { state: 'applied', nodes: nodeIds },
      });
  }

  private async promote(actor: ActingCaller, config: ConfigRow): Promise<void> {
    await this.configs.activate(actor.deployment.id, config);
    await this.record(actor, 'config_activated', config);
  }

  private async named(deploymentId: number, name: string, version: string): Promise<ConfigRow> {
    const number = parseId(version);
    return found(number === null ? null : await this.configs.findVersion(deploymentId, KIND, name, number));
  }

  private async record(
    actor: ActingCaller,
    audit: 'config_created' | 'config_activated' | 'config_deleted',
    { id, kind, name, version }: ConfigRow,
  ): Promise<void> {
    const { author, place, traceId } = actor;
    await this.ledger.record({ audit, author, place, data: { config_id: id, kind, name, version }, traceId });
  }
}

function found(config: ConfigRow | null | undefined): ConfigRow {
  if (!config) throw new DomainError('config_not_found', 'The deployment has no such configuration of its broker.');
  return config;
}
