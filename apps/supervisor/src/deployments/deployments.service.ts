import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import {
  ConfigsRepository,
  CredentialsRepository,
  NodesRepository,
  RuntimesRepository,
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
    private readonly credentialRows: CredentialsRepository,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {}

  /** @throws DomainError deployment_not_found */
  async get({ deployment }: ActingCaller): Promise<DeploymentRuntimeView> {
    const [facts, runtime] = [await this.runtimes.facts(deployment.id), await this.runtimes.find(deployment.id)];
    if (!facts || !runtime) throw notFound();
    const [nodes, configs] = [await this.nodes.list(deployment.id), await this.configs.list(deployment.id)];
    return toRuntimeView({ facts, runtime, nodes, configs, baseDomain: this.config.BASE_DOMAIN });
  }

  /** @throws DomainError deployment_not_found */
  async credentials({ deployment }: ActingCaller): Promise<CredentialsView> {
    const found = await this.credentialRows.find(deployment.id);
    if (!found) throw notFound();
    return { username: found.username, password: found.password };
  }
}

const notFound = (): DomainError => new DomainError('deployment_not_found', 'No such deployment.');
