import { Inject, Injectable } from '@nestjs/common';
import { isPortFree } from '@libs/host/os';
import { BROKER_PROTOCOLS, EVERY_ADDRESS, OFFERED_PROTOCOLS, type NodeId } from '@libs/domain';
import {
  NodeAgentsRepository,
  NodePortsRepository,
  NodesRepository,
  type DeploymentFacts,
  type NodeRow,
  type PortPurpose,
} from '@libs/persistence/runtime';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { CloudProviders } from '../platform/index.js';
import { DeploymentResources } from './deployment-resources.js';

/** An address that several nodes share. */
interface SharedAddress {
  address: string;
  /** Two nodes with the same key have different ports. */
  key: string;
  /** The ports must also be free on this machine. */
  isHere: boolean;
}

/** Address, zone and ports of one node. */
export interface NodeClaim extends SharedAddress {
  nodeId: NodeId;
  zone: string;
  ports: [PortPurpose, number][];
}

const PURPOSES: readonly PortPurpose[] = [...BROKER_PROTOCOLS, 'peer'];
const PORTS_OF_A_NODE = PURPOSES.length;

/** All ports of the range are taken. The step is retried, because other deployments may be deleted. */
class PortsExhausted extends Error {}

/** Another worker took a port between the check and the claim. The step runs again and selects other ports. */
class PortLost extends Error {}

/**
 * Selects addresses and ports of the nodes of a deployment. The database assigns the ports of nodes that share an address, and a
 * node keeps its ports until its deletion. A port of the local driver must also be free on this machine. Nodes with their own
 * addresses have the same ports.
 */
@Injectable()
export class NodePlacement {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly ports: NodePortsRepository,
    private readonly agents: NodeAgentsRepository,
    private readonly resources: DeploymentResources,
    private readonly providers: CloudProviders,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {}

  /** Selects ports for every node. A node keeps the ports that it has. @throws PortsExhausted */
  async choose(facts: DeploymentFacts): Promise<NodeClaim[]> {
    if (this.providers.of(facts.cloud).addresses === 'own')
      return (await this.nodes.list(facts.id)).map((node) => this.ownAddress(facts, node));
    const shared = this.sharedAddress(facts);
    const [first, last] = this.config.LOCAL_PORT_RANGE;
    const taken = await this.ports.held(shared.key, first, last);
    const claims: NodeClaim[] = [];
    for (const node of await this.nodes.list(facts.id)) {
      const ports: [PortPurpose, number][] = [];
      for (const purpose of purposesOf(node, facts))
        ports.push([purpose, await this.port(node, purpose, taken, shared)]);
      claims.push({ nodeId: node.id, ...shared, zone: this.resources.zoneOf(facts, node.ordinal), ports });
    }
    return claims;
  }

  /**
   * The address that the nodes listen on, and the key that makes their ports unique. A node on a machine gets its ports before
   * its machine is known, so its ports are unique within the region.
   */
  private sharedAddress({ cloud, region }: DeploymentFacts): SharedAddress {
    const address = this.config.LOCAL_BIND_ADDRESS;
    if (this.providers.of(cloud).addresses === 'this_machine') return { address, key: address, isHere: true };
    // The gate of a node outside of this machine listens on every address of its machine.
    return { address: EVERY_ADDRESS, key: `machines ${this.config.SUPERVISOR_CELL} ${region}`, isHere: false };
  }

  /** The same ports for all nodes, so that a port of a load balancer leads to all of them: the first of the range. */
  private ownAddress(facts: DeploymentFacts, node: NodeRow): NodeClaim {
    const [first] = this.config.LOCAL_PORT_RANGE;
    const ports = purposesOf(node, facts).map((purpose): [PortPurpose, number] => [
      purpose,
      node.ports[purpose] ?? first + PURPOSES.indexOf(purpose),
    ]);
    const shared = { address: EVERY_ADDRESS, key: `node ${node.id}`, isHere: false };
    return { nodeId: node.id, ...shared, zone: this.resources.zoneOf(facts, node.ordinal), ports };
  }

  /** Writes the selection and creates the one-time tokens, in the transaction of the step. @throws PortLost */
  async claim(claims: NodeClaim[]): Promise<void> {
    for (const { nodeId, address, key, zone, ports } of claims) {
      const held = await this.ports.ofNode(nodeId);
      for (const [purpose, port] of ports)
        if (!held.has(purpose) && !(await this.ports.claim(key, port, nodeId, purpose)))
          throw new PortLost(`port ${port} was taken meanwhile`);
      await this.nodes.listenOn(nodeId, address, zone);
      await this.agents.issueToken(nodeId);
    }
  }

  private async port(
    node: NodeRow,
    purpose: PortPurpose,
    taken: Set<number>,
    { address, isHere }: SharedAddress,
  ): Promise<number> {
    const held = node.ports[purpose];
    if (held !== undefined) return held;
    const [first, last] = this.config.LOCAL_PORT_RANGE;
    const size = last - first + 1;
    // Concurrent workers start at different ports. Otherwise all would claim the same port, and all but one would fail.
    const begin = (node.id * PORTS_OF_A_NODE) % size;
    for (let tried = 0; tried < size; tried += 1) {
      const port = first + ((begin + tried) % size);
      if (taken.has(port) || (isHere && !(await isPortFree(address, port)))) continue;
      taken.add(port);
      return port;
    }
    throw new PortsExhausted(`no port of ${first}-${last} is free`);
  }
}

/**
 * The ports for the protocols of the broker, and a peer port if needed. In a cluster of nats or iggy every node takes
 * connections from the others. In an embedded cluster only the leader takes forwarded connections.
 */
function purposesOf(node: NodeRow, facts: DeploymentFacts): PortPurpose[] {
  const offered: PortPurpose[] = [...OFFERED_PROTOCOLS[node.broker_driver]];
  const takesPeers = node.broker_driver !== 'embedded' || node.ordinal === 1;
  return takesPeers && facts.nodes_count > 1 ? [...offered, 'peer'] : offered;
}
