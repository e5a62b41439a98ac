import { DEPLOYMENT_STATES } from '@libs/domain';
import { ApiNullableText, ApiId, CLIENTS, LAST_REPORT, PROTOCOLS, type ProtocolsView } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { AwsNetworkView, GcpNetworkView } from './cloud-network.view.js';
import { NodeView } from './node.view.js';

const TIME = { type: 'string' as const, format: 'date-time' };

/** The credentials of clients of the broker. */
export class CredentialsView {
  /** User name for connections to the broker. */
  username: string;

  /** Password for connections to the broker. */
  password: string;

  /** End of the password before the last rotation. Null when only the current password works. */
  @ApiProperty({ ...TIME, nullable: true })
  previous_until: string | null;
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

  /** Domain name of the deployment: short code, region, cloud, and the domain of the installation. Null without one. */
  @ApiNullableText()
  domain: string | null;

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

  /** Compute size of each node. */
  tier: string;

  /** `cluster`: at least three nodes. `standalone`: one node. */
  cluster: string;

  /** Address of this Supervisor. */
  supervisor_url: string;

  @ApiProperty(TIME)
  created_at: string;

  /** Live status of the deployment. */
  @ApiProperty({ enum: Object.keys(DEPLOYMENT_STATES) })
  status: string;

  /** Why the deployment has this status. */
  @ApiNullableText()
  status_reason: string | null;

  /** Time since which the deployment has this status. */
  @ApiProperty(TIME)
  status_since: string;

  @ApiProperty(LAST_REPORT)
  last_report_at: string | null;

  /** Whether clients reach the nodes by public addresses or by private addresses only. */
  @ApiProperty({ enum: ['public', 'private'] })
  network_mode: string;

  @ApiProperty(PROTOCOLS)
  protocols: ProtocolsView | null;

  @ApiProperty(CLIENTS)
  clients: 'none_allowed' | null;

  /** IPv4 network of the nodes. Null until the network exists. */
  @ApiNullableText()
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
