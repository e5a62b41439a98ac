import { BROKER_DRIVERS, NODE_STATUSES, RUNTIME_STATUSES } from '@libs/domain';
import { ApiNullableInteger, ApiNullableText, ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

const TIME = { type: 'string' as const, format: 'date-time' };
const ENDPOINT = {
  type: 'string' as const,
  nullable: true,
  description:
    '`host:port`. Null: the driver does not offer the protocol, or the configuration of the node closes its port.',
};

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
  @ApiNullableText()
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
  @ApiNullableText()
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

  /** Whether the tests of Landlord include the release of the broker. False: the operator has allowed another release. */
  proven: boolean;

  @ApiProperty({
    enum: ['none', 'broker'],
    description: '`none`: one node keeps the messages, and the other nodes forward connections to that node.',
  })
  replication: string;

  @ApiNullableInteger(
    'The configuration of the broker on this node. Another one is active after an activation without a task.',
  )
  config_id: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The version of this configuration.' })
  config_version: number | null;

  /** Availability zone. Null until the node is placed. */
  @ApiNullableText()
  zone: string | null;

  /** Storage of the node. */
  @ApiProperty({ type: NodeStorageView })
  storage: NodeStorageView;

  /** Private address. Null until the node has one. */
  @ApiNullableText()
  private_ip: string | null;

  /** Public address. Null without a public IP. */
  @ApiNullableText()
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
