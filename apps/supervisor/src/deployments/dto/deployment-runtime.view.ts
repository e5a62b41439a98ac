import { BROKER_DRIVERS, DEPLOYMENT_STATES, NODE_STATUSES, RUNTIME_STATUSES } from '@libs/domain';
import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { AwsNetworkView, GcpNetworkView } from './cloud-network.view.js';

const TIME = { type: 'string' as const, format: 'date-time' };
const ENDPOINT = {
  type: 'string' as const,
  nullable: true,
  description: '`host:port`; null: not offered by the driver.',
};

/** The credentials of clients of the broker. */
export class CredentialsView {
  /** User name for connections to the broker. */
  username: string;

  /** Password for connections to the broker. */
  password: string;
}

/** The addresses of a node for clients. */
export class EndpointsView {
  @ApiProperty(ENDPOINT)
  tcp: string | null;

  @ApiProperty(ENDPOINT)
  http: string | null;

  @ApiProperty(ENDPOINT)
  websocket: string | null;

  @ApiProperty(ENDPOINT)
  udp: string | null;
}

/** A process on a node: the broker, or the runner of connectors. */
export class RuntimeView {
  /** Which process this is. */
  @ApiProperty({ enum: ['broker', 'connectors'] })
  runtime: string;

  /** Status in the last report of the node. */
  @ApiProperty({ enum: [...RUNTIME_STATUSES] })
  status: string;

  /** Release of the process. */
  version: string;

  /** Time at which the process started. Null unless the process runs. */
  @ApiProperty({ ...TIME, nullable: true })
  started_at: string | null;

  /** Process id on the node. Null unless the process runs. */
  @ApiProperty({ type: 'integer', nullable: true })
  pid: number | null;
}

/** The agent of a node: the process that keeps the node in order. */
export class AgentView {
  /** Release of the agent. Null before its first report. */
  @ApiProperty({ type: 'string', nullable: true })
  version: string | null;

  /** Time of the last heartbeat. Null before the first heartbeat. */
  @ApiProperty({ ...TIME, nullable: true })
  last_heartbeat_at: string | null;
}

/** Storage of a node. */
export class NodeStorageView {
  /** Type of storage. */
  type: string;

  @ApiProperty({ type: 'integer', description: 'GB.' })
  size: number;
}

/** A node of a deployment, with its live state (C-12.23). */
export class NodeView {
  @ApiId('The node.')
  id: number;

  name: string;

  /** Status of the node. */
  @ApiProperty({ enum: [...NODE_STATUSES] })
  status: string;

  /** Why the node is not running. */
  @ApiProperty({ type: 'string', nullable: true })
  status_reason: string | null;

  /** `leader`: the first node of the deployment. `follower`: every other node. */
  @ApiProperty({ enum: ['leader', 'follower'] })
  role: string;

  /** Id of the machine image at the cloud. */
  image_id: string;

  /** Compute size of the node. */
  variant: string;

  @ApiProperty({ enum: [...BROKER_DRIVERS], description: 'The broker driver of the node.' })
  driver: string;

  @ApiProperty({
    enum: ['none', 'broker'],
    description: '`none`: one node keeps the messages, and the other nodes forward connections to that node.',
  })
  replication: string;

  /** Availability zone. Null until the node is placed. */
  @ApiProperty({ type: 'string', nullable: true })
  zone: string | null;

  /** Storage of the node. */
  @ApiProperty({ type: NodeStorageView })
  storage: NodeStorageView;

  /** Private address. Null until the node has one. */
  @ApiProperty({ type: 'string', nullable: true })
  private_ip: string | null;

  /** Public address. Null without a public IP. */
  @ApiProperty({ type: 'string', nullable: true })
  public_ip: string | null;

  /** Addresses for clients. */
  @ApiProperty({ type: EndpointsView })
  endpoints: EndpointsView;

  /** Processes of the node. */
  @ApiProperty({ type: [RuntimeView] })
  runtimes: RuntimeView[];

  /** The agent of the node. */
  @ApiProperty({ type: AgentView })
  agent: AgentView;

  @ApiProperty(TIME)
  created_at: string;
}

/** A version of a configuration, without its values. */
export class ConfigSummaryView {
  @ApiId('The configuration.')
  id: number;

  /** `broker`, or `connector:{type}:{key}`. */
  kind: string;

  name: string;

  /** Number of the version within the name, from 1. */
  @ApiProperty({ type: 'integer' })
  version: number;

  /** True for the active version. */
  primary: boolean;

  /** The broker release that validated the configuration. */
  runtime_version: string;

  /** True when another broker release is installed now. */
  runtime_outdated: boolean;
}

/** A deployment with its live state (C-12.24). */
export class DeploymentRuntimeView {
  @ApiId('The deployment.')
  id: number;

  name: string;

  /** Short code of the deployment, part of its domain name. */
  code: string;

  /** Domain name of the deployment: short code, region, cloud, and the domain of the installation. */
  domain: string;

  /**
   * `managed`: Landlord runs the deployment. `byoc`: in the cloud account of the customer. `starter`: a Free
   * deployment.
   */
  @ApiProperty({ enum: ['managed', 'byoc', 'starter'] })
  variant: string;

  /** Key of the cloud. */
  cloud: string;

  /** Key of the region. */
  region: string;

  /** Live status of the deployment. */
  @ApiProperty({ enum: Object.keys(DEPLOYMENT_STATES) })
  status: string;

  /** Why the deployment has this status. */
  @ApiProperty({ type: 'string', nullable: true })
  status_reason: string | null;

  /** Time since which the deployment has this status. */
  @ApiProperty(TIME)
  status_since: string;

  /** Whether clients reach the nodes by public addresses or by private addresses only. */
  @ApiProperty({ enum: ['public', 'private'] })
  network_mode: string;

  /** IPv4 network of the nodes. Null until the network exists. */
  @ApiProperty({ type: 'string', nullable: true })
  cidr: string | null;

  /** Configurations of the deployment, without their values. */
  @ApiProperty({ type: [ConfigSummaryView] })
  configs: ConfigSummaryView[];

  /** Nodes of the deployment. */
  @ApiProperty({ type: [NodeView] })
  nodes: NodeView[];

  @ApiProperty({ type: AwsNetworkView, required: false, description: 'Present for deployments on AWS.' })
  aws?: AwsNetworkView;

  @ApiProperty({ type: GcpNetworkView, required: false, description: 'Present for deployments on Google Cloud.' })
  gcp?: GcpNetworkView;
}
