import { Inject, Injectable } from '@nestjs/common';
import { deploymentDomain, DomainError } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { NodesRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import type { NetworkInfoView } from './dto/network-info.view.js';

/** The networks of deployments. */
@Injectable()
export class NetworkService {
  constructor(
    private readonly runtimes: RuntimesRepository,
    private readonly nodes: NodesRepository,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {}

  /** @throws DomainError deployment_not_found */
  async info({ deployment: { id } }: ActingCaller): Promise<NetworkInfoView> {
    const [facts, runtime] = [await this.runtimes.facts(id), await this.runtimes.find(id)];
    if (!facts || !runtime) throw new DomainError('deployment_not_found', 'No such deployment.');
    const nodes = await this.nodes.list(id);
    const { tcp = null, http = null, websocket = null, udp = null } = nodes[0]?.ports ?? {};
    return {
      network_mode: runtime.network_mode,
      cidr: runtime.cidr,
      network_id: runtime.network_id,
      subnets: runtime.subnet_ids,
      domain: deploymentDomain(facts, this.config.BASE_DOMAIN),
      ports: { tcp, http, websocket, udp },
      nodes: nodes.map((node) => ({ node_id: node.id, private_ip: node.private_ip, public_ip: node.public_ip })),
      load_balancer: runtime.load_balancer,
    };
  }
}
