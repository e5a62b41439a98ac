import type { BrokerDriver, NodeId } from '@libs/domain';

/** The ranges of addresses that may reach a port of the nodes. The nodes of a firewall reach each other on all ports. The gate of each node filters more exactly. */
export interface FirewallIngress {
  protocol: 'tcp' | 'udp';
  port: number;
  cidrs: string[];
}

export interface NodeResourceSpec {
  node_id: NodeId;
  /** Counts the replacements of the node, from 1. A higher number is another machine with an empty disk. */
  incarnation: number;
  broker: BrokerDriver;
  region: string;
  zone: string;
  /** The catalog's name of the boot image. */
  image_id: string;
  /** Instance type, with the cloud's name. */
  variant: string;
  cpus: number;
  memory_mib: number;
  /** No node of another deployment may run on the machine of the node. */
  is_dedicated: boolean;
  storage: { type: string; size_gib: number };
  /** Names of its network and its firewall. */
  network: string;
  firewall: string;
  /** Memory, in MiB, that must be free before the node can start. */
  memory_floor_mib: number;
  /** Ports that the node's processes may listen on. After its deletion the driver verifies that they are closed. */
  ports: number[];
  /** One-time token for the agent's registration. It is delivered with the node and stored nowhere else. */
  token: string;
}

/** A port of a load balancer, and the nodes behind it. */
export interface BalancerListener {
  /** Unique in the balancer for its protocol. */
  port: number;
  /** The port of each target. */
  target_port: number;
  protocol: 'tcp' | 'udp';
  /** Names of nodes. */
  targets: string[];
  /** The port of each target that accepts TCP connections while the node serves. */
  health_check_port: number;
}

export interface LoadBalancerSpec {
  region: string;
  /** Name of its network. */
  network: string;
  /** `internal`: it has an address in the network only. */
  scheme: 'internal' | 'internet';
  listeners: BalancerListener[];
}

/** A peering of AWS that Landlord requests and the other side accepts. */
export interface VpcPeeringSpec {
  /** Name of Landlord's network. */
  network: string;
  region: string;
  peer_vpc_id: string;
  /** Account of the other side: 12 digits. */
  peer_owner_id: string;
  peer_region: string;
  peer_cidr: string;
}

/** Landlord's half of a peering of Google Cloud. The other side creates the other half. */
export interface NetworkPeeringSpec {
  /** Name of Landlord's network. */
  network: string;
  peer_network: string;
  peer_project_id: string;
  peer_cidr: string;
}

/** Allows consumers to reach the deployment through endpoints in their own VPCs (AWS). */
export interface EndpointServiceSpec {
  /** Name of Landlord's load balancer. */
  load_balancer: string;
  region: string;
  acceptance_required: boolean;
  /** ARNs. Empty: any account may request a connection. */
  allowed_principals: string[];
}

/** Allows consumers to reach the deployment through Private Service Connect (Google Cloud). */
export interface ServiceAttachmentSpec {
  /** Name of Landlord's load balancer. */
  load_balancer: string;
  region: string;
  connection_preference: 'accept_manual' | 'accept_automatic';
  /** Project ids. Empty: any project may connect. */
  consumer_accept_lists: string[];
  enable_proxy_protocol: boolean;
}

/**
 * Whose network it is, for a cloud with networks.
 * - `own`: of this deployment alone.
 * - `shared`: of all deployments in the place that ask for a shared one. Its range is the cloud's, not the one of the specification.
 * - `{ vpc_id, range }`: an existing network of the customer, which gets subnets. It is never created, deleted or opened to the
 *   internet. `given`: in the range of the specification. `free`: in a free range that the driver chooses once.
 */
export type NetworkLayout = 'own' | 'shared' | { vpc_id: string; range: 'given' | 'free' };

export interface NetworkSpec {
  region: string;
  /** A range for the subnets, with at least one for each zone. */
  cidr: string;
  zones: string[];
  /** Missing: `own`. An existing network keeps the layout of its first request. */
  layout?: NetworkLayout;
}

/**
 * A copy of the data disk of a node. Its moment is before the first answer with `is_taken`: what reached the disk before the request is in the copy. It
 * outlives the node. An active snapshot can become a disk.
 */
export interface SnapshotSpec {
  region: string;
  /** Name of the node. */
  node: string;
}

/** A new disk with the data of a snapshot, at a node besides its own disk. Active: the machine of the node has the disk. */
export interface RestoredVolumeSpec {
  region: string;
  /** Name of the snapshot, which may belong to another deployment of the same place. */
  snapshot: string;
  /** Name of the node. */
  node: string;
}

export interface AddressSpec {
  region: string;
  node: string | null;
  /**
   * The names of all addresses that the deployment needs. The driver may refuse the first one with `quota` when the provider has no
   * room for all of them. Missing: only this one.
   */
  together?: readonly string[];
}

/** The requested specifications. Names of other resources refer to resources of the same deployment. */
export interface ResourceSpecs {
  network: NetworkSpec;
  firewall: { network: string; ingress: FirewallIngress[] };
  node: NodeResourceSpec;
  address: AddressSpec;
  load_balancer: LoadBalancerSpec;
  vpc_peering: VpcPeeringSpec;
  network_peering: NetworkPeeringSpec;
  endpoint_service: EndpointServiceSpec;
  service_attachment: ServiceAttachmentSpec;
  restored_volume: RestoredVolumeSpec;
  snapshot: SnapshotSpec;
}
