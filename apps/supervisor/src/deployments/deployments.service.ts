import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type DeploymentId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import {
  AccessRulesRepository,
  ConfigsRepository,
  ConfigVersionsRepository,
  CredentialsRepository,
  NodesRepository,
  RuntimesRepository,
  type ConfigRow,
  type ConfigSummary,
  type NodeRow,
} from '@libs/persistence/runtime';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import type { CredentialsView, DeploymentRuntimeView } from './dto/deployment-runtime.view.js';
import { toRuntimeView } from './to-runtime-view.js';

@Injectable()
export class DeploymentsService {
  constructor(
    private readonly runtimes: RuntimesRepository,
    private readonly nodes: NodesRepository,
    private readonly configs: ConfigsRepository,
    private readonly configVersions: ConfigVersionsRepository,
    private readonly accessRules: AccessRulesRepository,
    private readonly credentialRows: CredentialsRepository,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {}

  /** @throws DomainError deployment_not_found */
  async get({ deployment }: ActingCaller): Promise<DeploymentRuntimeView> {
    const [facts, runtime] = [await this.runtimes.facts(deployment.id), await this.runtimes.find(deployment.id)];
    if (!facts || !runtime) throw notFound();
    const [nodes, configs] = [await this.nodes.list(deployment.id), await this.configs.list(deployment.id)];
    const applied = await this.applied(deployment.id, nodes, configs);
    const hasRule = await this.accessRules.isAnyInForce(deployment.id);
    const { BASE_DOMAIN: baseDomain, SUPERVISOR_PUBLIC_URL: supervisorUrl } = this.config;
    return toRuntimeView({ facts, runtime, nodes, configs, applied, hasRule, baseDomain, supervisorUrl });
  }

  /** The configurations of the broker that the nodes run with. */
  private async applied(deploymentId: DeploymentId, nodes: NodeRow[], configs: ConfigSummary[]): Promise<ConfigRow[]> {
    const active = configs.find(({ kind, primary }) => kind === 'broker' && primary)?.id;
    const ids = nodes.map((node) => node.config_id ?? active).filter((id) => id !== undefined);
    return this.configVersions.findAll(deploymentId, 'broker', [...new Set(ids)]);
  }

  /** @throws DomainError deployment_not_found */
  async credentials({ deployment }: ActingCaller): Promise<CredentialsView> {
    const row = await this.credentialRows.find(deployment.id);
    if (!row) throw notFound();
    const { username, password, previous_until } = row;
    return { username, password, previous_until: previous_until?.toISOString() ?? null };
  }
}

const notFound = (): DomainError => new DomainError('deployment_not_found', 'No such deployment.');
