import { BROKER_DRIVERS, DEPLOYMENT_STATES, NODE_STATUSES, RUNTIME_STATUSES } from '@libs/domain';
import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

const TIME = { type: 'string' as const, format: 'date-time' };
const ENDPOINT = {
  type: 'string' as const,
  nullable: true,
  description: '`host:port`; null: not offered by the driver.',
};

/** The credentials of clients of the broker. */
export class CredentialsView {
  username: string;

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

/** A process on a node. */
export class RuntimeView {
  @ApiProperty({ enum: ['broker', 'connectors'] })
  runtime: string;

  @ApiProperty({ enum: [...RUNTIME_STATUSES] })
  status: string;

  version: string;

  @ApiProperty({ ...TIME, nullable: true })
  started_at: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  pid: number | null;
}

/** The agent of a node. */
export class AgentView {
  @ApiProperty({ type: 'string', nullable: true })
  version: string | null;

  @ApiProperty({ ...TIME, nullable: true })
  last_heartbeat_at: string | null;
}

/** Storage of a node. */
export class NodeStorageView {
  type: string;

  @ApiProperty({ type: 'integer', description: 'GB.' })
  size: number;
}

/** A node of a deployment (C-12.23). */
export class NodeView {
  @ApiId('The node.')
  id: number;

  name: string;

  @ApiProperty({ enum: [...NODE_STATUSES] })
  status: string;

  /** Why the node is not running. */
  @ApiProperty({ type: 'string', nullable: true })
  status_reason: string | null;

  @ApiProperty({ enum: ['leader', 'follower'] })
  role: string;

  image_id: string;

  variant: string;

  @ApiProperty({ enum: [...BROKER_DRIVERS], description: 'The broker driver of the node.' })
  driver: string;

  @ApiProperty({
    enum: ['none', 'broker'],
    description: '`none`: one node keeps the messages, and the other nodes forward connections to that node.',
  })
  replication: string;

  @ApiProperty({ type: 'string', nullable: true })
  zone: string | null;

  @ApiProperty({ type: NodeStorageView })
  storage: NodeStorageView;

  @ApiProperty({ type: 'string', nullable: true })
  private_ip: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  public_ip: string | null;

  @ApiProperty({ type: EndpointsView })
  endpoints: EndpointsView;

  @ApiProperty({ type: [RuntimeView] })
  runtimes: RuntimeView[];

  @ApiProperty({ type: AgentView })
  agent: AgentView;

  @ApiProperty(TIME)
  created_at: string;
}

/** A configuration, without its values. */
export class ConfigSummaryView {
  @ApiId('The configuration.')
  id: number;

  kind: string;

  name: string;

  @ApiProperty({ type: 'integer' })
  version: number;

  /** True for the active version. */
  primary: boolean;

  /** The broker release that validated the configuration. */
  runtime_version: string;

  /** True when another broker release is installed now. */
  runtime_outdated: boolean;
}

/** Cloud network of a deployment. */
class CloudNetworkView {
  @ApiProperty({ type: 'string', nullable: true })
  network_id: string | null;

  @ApiProperty({ type: [String] })
  subnet_ids: string[];
}

/** Cloud network of a deployment on aws. */
export class AwsNetworkView extends CloudNetworkView {
  @ApiProperty({
    description: "The AWS account of the network. `local` for a network on this machine, in no customer's account.",
  })
  account_id: string;
}

/** Cloud network of a deployment on gcp. */
export class GcpNetworkView extends CloudNetworkView {
  @ApiProperty({
    description:
      "The Google Cloud project of the network. `local` for a network on this machine, in no customer's project.",
  })
  project_id: string;
}

/** The live state of a deployment (C-12.24). */
export class DeploymentRuntimeView {
  @ApiId('The deployment.')
  id: number;

  name: string;

  code: string;

  domain: string;

  @ApiProperty({ enum: ['managed', 'byoc', 'starter'] })
  variant: string;

  cloud: string;

  region: string;

  @ApiProperty({ enum: Object.keys(DEPLOYMENT_STATES) })
  status: string;

  /** Why the deployment has this status. */
  @ApiProperty({ type: 'string', nullable: true })
  status_reason: string | null;

  @ApiProperty(TIME)
  status_since: string;

  @ApiProperty({ enum: ['public', 'private'] })
  network_mode: string;

  @ApiProperty({ type: 'string', nullable: true })
  cidr: string | null;

  @ApiProperty({ type: [ConfigSummaryView] })
  configs: ConfigSummaryView[];

  @ApiProperty({ type: [NodeView] })
  nodes: NodeView[];

  @ApiProperty({ type: AwsNetworkView, required: false, description: 'Present for deployments on AWS.' })
  aws?: AwsNetworkView;

  @ApiProperty({ type: GcpNetworkView, required: false, description: 'Present for deployments on Google Cloud.' })
  gcp?: GcpNetworkView;
}
