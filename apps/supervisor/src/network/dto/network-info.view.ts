import { ApiNullableText, ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

const port = (protocol: string) =>
  ApiProperty({
    type: 'integer',
    nullable: true,
    description: `${protocol} port. Null when the broker does not offer ${protocol}.`,
  });

/** Ports of the first node for clients. The detail of the deployment contains the `endpoints` of each node. */
export class NetworkPortsView {
  @port('TCP')
  tcp: number | null;

  @port('HTTP')
  http: number | null;

  @port('WebSocket')
  websocket: number | null;

  @port('UDP')
  udp: number | null;
}

/** Addresses of one node. */
export class NodeAddressesView {
  @ApiId('The node.')
  node_id: number;

  /** Private address. Null until the node has one. */
  @ApiNullableText()
  private_ip: string | null;

  @ApiNullableText('Public address. Null without a public IP.')
  public_ip: string | null;
}

/** The network of a deployment as it is now (C-22.2). */
export class NetworkInfoView {
  /** Whether clients reach the nodes by public addresses or by private addresses only. */
  @ApiProperty({ enum: ['public', 'private'] })
  network_mode: string;

  @ApiNullableText('IPv4 network. Null until the network exists.')
  cidr: string | null;

  /** Id of the network at the cloud. Null until the network exists. */
  @ApiNullableText()
  network_id: string | null;

  @ApiProperty({ type: [String], description: 'Ids of the subnets.' })
  subnets: string[];

  @ApiNullableText('Domain name. Null without a subdomain.')
  domain: string | null;

  /** Ports of the first node. */
  @ApiProperty({ type: NetworkPortsView })
  ports: NetworkPortsView;

  /** Addresses of each node. */
  @ApiProperty({ type: [NodeAddressesView] })
  nodes: NodeAddressesView[];

  @ApiNullableText('Address of the load balancer. Null if the deployment has none.')
  load_balancer: string | null;
}
