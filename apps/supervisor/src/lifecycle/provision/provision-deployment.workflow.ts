import { Injectable } from '@nestjs/common';
import { inService, NodesRepository, RuntimesRepository } from '@libs/persistence/runtime';
import {
  done,
  hop,
  nap,
  stepTable,
  type Failure,
  type OperationRow,
  type StepContext,
  type StepsOf,
  type Workflow,
} from '@libs/workflow';
import type { DeploymentStatus } from '@libs/domain';
import { DeploymentLedger } from '../deployment-ledger.js';
import { DeploymentDestruction, DESTRUCTION_HELD } from '../deployment-destruction.js';
import { DeploymentNames } from '../deployment-names.js';
import { DeploymentResources } from '../deployment-resources.js';
import type { FullZones } from './next-zone.js';
import { ProvisionNodes } from './provision-nodes.js';
import { ProvisionSource } from './provision-source.js';
import { pollLater, withReason } from '../poll-later.js';
import { deploymentOf } from '../subject.js';

const UNDONE = { undoneBy: 'releasing_resources' } as const;
/** For calls that the provider answers at once, and for those that take some minutes. */
const SHORT = { deadline: '2m', giveUpAfter: '15m', ...UNDONE } as const;
const LONG = { deadline: '5m', giveUpAfter: '20m', ...UNDONE } as const;

/** The names of the steps are the statuses that the deployment shows while they run (C-14.10). */
export const PROVISION_DEPLOYMENT = stepTable({
  creating: { to: ['initializing'], deadline: '1m' },
  initializing: { to: ['creating_subnet'], deadline: '1m', giveUpAfter: '10m' },
  creating_subnet: { to: ['securing_network'], ...SHORT },
  securing_network: { to: ['deploying_nodes'], ...SHORT },
  deploying_nodes: { to: ['deploying_nodes', 'assigning_public_ip'], ...LONG },
  assigning_public_ip: { to: ['creating_load_balancer'], ...SHORT },
  creating_load_balancer: { to: ['configuring_load_balancer'], ...SHORT },
  configuring_load_balancer: { to: ['configuring_dns'], ...LONG },
  configuring_dns: { to: ['configuring_certificates'], ...SHORT },
  configuring_certificates: { to: ['waiting_for_nodes'], ...LONG },
  waiting_for_nodes: { to: ['restoring', 'bootstrapping_agent'], deadline: '3m', giveUpAfter: '15m', ...UNDONE },
  restoring: { to: ['restoring', 'bootstrapping_agent'], deadline: '30m', giveUpAfter: '6h', ...UNDONE },
  bootstrapping_agent: { to: ['initialized'], deadline: '3m', giveUpAfter: '15m', ...UNDONE },
  initialized: { to: [] },
  releasing_resources: { to: [], deadline: '5m', isUndo: true },
});

/**
 * Creates a deployment, from the accepted request to a broker that clients reach. A deployment that is created from a backup
 * gets the data before its brokers start for the first time. Every step may run twice.
 */
@Injectable()
export class ProvisionDeployment implements Workflow, StepsOf<typeof PROVISION_DEPLOYMENT, StepContext> {
  readonly type = 'provision_deployment';
  readonly table = PROVISION_DEPLOYMENT;
  readonly steps = this as unknown as Workflow['steps'];

  constructor(
    private readonly runtimes: RuntimesRepository,
    private readonly nodes: NodesRepository,
    private readonly provision: ProvisionNodes,
    private readonly source: ProvisionSource,
    private readonly resources: DeploymentResources,
    private readonly names: DeploymentNames,
    private readonly destruction: DeploymentDestruction,
    private readonly ledger: DeploymentLedger,
  ) {}

  async creating({ operation }: StepContext) {
    await this.source.requireReadable(operation);
    return hop('initializing');
  }

  async initializing({ operation }: StepContext) {
    const facts = await this.resources.facts(deploymentOf(operation));
    const claims = await this.provision.placement.choose(facts);
    return hop('creating_subnet', { write: () => this.provision.placement.claim(claims) });
  }

  async creating_subnet({ operation, signal }: StepContext) {
    const facts = await this.resources.facts(deploymentOf(operation));
    const network = await this.resources.ensureNetwork(facts, signal);
    if (network.state !== 'active') return pollLater([network], 'the provider creates the subnet');
    const { cidr, network_id, subnet_ids, account_id = null } = network.attributes;
    const record = { cidr, networkId: network_id, subnetIds: subnet_ids, account: account_id };
    return hop('securing_network', { write: () => this.runtimes.recordNetwork(facts.id, record) });
  }

  async securing_network({ operation, signal }: StepContext) {
    const facts = await this.resources.facts(deploymentOf(operation));
    const firewall = await this.resources.ensureFirewall(facts, await this.nodes.list(facts.id), signal);
    if (firewall.state !== 'active') return pollLater([firewall], 'the provider creates the firewall');
    return hop('deploying_nodes');
  }

  async deploying_nodes({ operation, signal }: StepContext) {
    const facts = await this.resources.facts(deploymentOf(operation));
    const index = Number(operation.memo['node_index'] ?? 0);
    const node = (await this.nodes.list(facts.id))[index];
    // The documents name the addresses of the other nodes, so they are published when all nodes have one.
    const publish = async () => void (await this.provision.documents.publishAll(facts.id, operation.trace_id));
    if (!node) return hop('assigning_public_ip', { write: publish });
    const placed = await this.provision.ensure(facts, node, fullZonesOf(operation), signal);
    if ('full' in placed) {
      const write = (): Promise<void> => this.nodes.changeZone(placed.nodes, placed.zone);
      return hop('deploying_nodes', { write, memo: { node_index: index, full_zones: placed.full } });
    }
    const { private_ip, public_ip, zone, image_id } = placed.attributes;
    if (private_ip === '') return pollLater([placed], 'the provider starts the node');
    const publicIp = facts.public_ip_enabled ? public_ip : null;
    const placement = { privateIp: private_ip, publicIp, zone, imageId: image_id };
    const write = (): Promise<void> => this.nodes.place(node.id, placement);
    return hop('deploying_nodes', { write, memo: { node_index: index + 1, full_zones: fullZonesOf(operation) } });
  }

  async assigning_public_ip({ operation, signal }: StepContext) {
    const facts = await this.resources.facts(deploymentOf(operation));
    if (!facts.public_ip_enabled) return hop('creating_load_balancer');
    const nodes = await this.nodes.list(facts.id);
    const addresses = await this.resources.ensureAddresses(facts, nodes, signal);
    const pending = addresses.filter(({ state }) => state !== 'active');
    if (pending.length > 0) return pollLater(pending, 'the provider assigns public addresses');
    const ips = addresses.map(({ attributes }) => attributes.ip);
    return hop('creating_load_balancer', { write: () => this.provision.setPublicIps(nodes, ips) });
  }

  async creating_load_balancer({ operation, signal }: StepContext) {
    const facts = await this.resources.facts(deploymentOf(operation));
    if (await this.resources.isReachedDirectly(facts)) return hop('configuring_load_balancer');
    await this.resources.ensureLoadBalancer(facts, await this.nodes.list(facts.id), signal);
    return hop('configuring_load_balancer');
  }

  async configuring_load_balancer({ operation, signal }: StepContext) {
    const facts = await this.resources.facts(deploymentOf(operation));
    if (await this.resources.isReachedDirectly(facts)) return hop('configuring_dns');
    const balancer = await this.resources.ensureLoadBalancer(facts, await this.nodes.list(facts.id), signal);
    if (balancer.state !== 'active') return pollLater([balancer], 'the provider creates the load balancer');
    return hop('configuring_dns', {
      write: () => this.runtimes.recordLoadBalancer(facts.id, balancer.attributes.address),
    });
  }

  async configuring_dns({ operation, signal }: StepContext) {
    const facts = await this.resources.facts(deploymentOf(operation));
    const pending = await this.names.ensure(facts, signal);
    return pending === null ? hop('configuring_certificates') : pollLater([pending], 'Landlord publishes the DNS name');
  }

  /** TLS ends in the gates of the nodes, which present a certificate of the installation. */
  async configuring_certificates({ operation }: StepContext) {
    return hop('waiting_for_nodes', { write: await this.provision.certificates.begin(operation) });
  }

  async waiting_for_nodes({ operation, signal }: StepContext) {
    const facts = await this.resources.facts(deploymentOf(operation));
    const { nodes, seen } = await this.provision.documents.convergence(facts.id);
    if (seen === nodes) return hop(this.source.isEmpty(operation) ? 'bootstrapping_agent' : 'restoring');
    const reason = await this.resources.ensureNodes(facts, await this.nodes.list(facts.id), signal);
    await this.runtimes.explain(facts.id, 'waiting_for_nodes', reason);
    return nap('5s', withReason(`${seen} of ${nodes} nodes have reported`, reason));
  }

  async restoring({ operation, signal }: StepContext) {
    const rest = await this.source.restore(operation, signal);
    return rest ?? hop('bootstrapping_agent', { write: () => this.source.letGo(operation) });
  }

  async bootstrapping_agent({ operation, signal }: StepContext) {
    const facts = await this.resources.facts(deploymentOf(operation));
    const convergence = await this.provision.documents.convergence(facts.id);
    if (convergence.serving === convergence.nodes)
      return hop('initialized', { write: () => this.ledger.initialized(operation, facts) });
    // Restarts a dead agent; a running agent is not affected.
    const reason = await this.resources.ensureNodes(facts, await this.nodes.list(facts.id), signal);
    return nap('5s', withReason(inService(convergence), reason));
  }

  async initialized() {
    return done();
  }

  async releasing_resources({ operation, signal }: StepContext) {
    if (await this.destruction.isHeld()) return nap('10s', DESTRUCTION_HELD);
    const left = await this.destruction.destroyAll(deploymentOf(operation), signal);
    return left.length === 0 ? done() : pollLater(left, `the provider deletes ${left.length} resources`);
  }

  async entered(operation: OperationRow, step: string): Promise<void> {
    await this.runtimes.move(deploymentOf(operation), step as DeploymentStatus);
  }

  /** The status is the step until the undoing begins. */
  async held(operation: OperationRow, reason: string): Promise<void> {
    const status = operation.undoing ? 'rolling_back' : (operation.step as DeploymentStatus);
    await this.runtimes.explain(deploymentOf(operation), status, reason);
  }

  async undoing(operation: OperationRow, { reason }: Failure): Promise<void> {
    await this.runtimes.move(deploymentOf(operation), 'rolling_back', reason);
  }

  async failed(operation: OperationRow, failure: Failure): Promise<void> {
    const id = deploymentOf(operation);
    await this.runtimes.move(id, 'failed', failure.reason);
    await this.nodes.moveAll(id, 'failed', failure.reason);
    await this.ledger.failed(operation, await this.resources.facts(id), failure);
  }
}

const fullZonesOf = ({ memo }: OperationRow): FullZones => (memo['full_zones'] ?? {}) as FullZones;
