import { brokerProtocols, isInstalledVersion } from '@libs/broker-config';
import { deploymentDomain } from '@libs/domain';
import type { ConfigRow, ConfigSummary, DeploymentFacts, NodeRow, RuntimeRow } from '@libs/persistence/runtime';
import type { DeploymentRuntimeView } from './dto/deployment-runtime.view.js';
import { toNodeView } from './to-node-view.js';

/** The rows that the view is built from. */
export interface RuntimeParts {
  facts: DeploymentFacts;
  runtime: RuntimeRow;
  nodes: NodeRow[];
  configs: ConfigSummary[];
  /** The broker configurations that the nodes run with. */
  applied: ConfigRow[];
  /** Whether an access rule is in force. */
  hasRule: boolean;
  baseDomain: string;
  supervisorUrl: string;
}

/** Account id for networks of the local driver, which are in no customer's account. So the API shows no false account. */
const LOCAL_ACCOUNT = 'local';

export function toRuntimeView({
  facts,
  runtime,
  nodes,
  configs,
  applied,
  hasRule,
  baseDomain,
  supervisorUrl,
}: RuntimeParts): DeploymentRuntimeView {
  const network = { network_id: runtime.network_id, subnet_ids: runtime.subnet_ids };
  const account = facts.account_id ?? runtime.network_account ?? LOCAL_ACCOUNT;
  const installed = nodes[0] ?? null;
  return {
    id: facts.id,
    name: facts.name,
    code: facts.code,
    domain: deploymentDomain(facts, baseDomain),
    variant: facts.variant,
    cloud: facts.cloud,
    region: facts.region,
    tier: facts.tier,
    cluster: facts.cluster,
    supervisor_url: supervisorUrl,
    created_at: facts.created_at.toISOString(),
    status: runtime.status,
    status_reason: runtime.status_reason,
    status_since: runtime.status_since.toISOString(),
    last_report_at: runtime.last_report_at?.toISOString() ?? null,
    network_mode: runtime.network_mode,
    protocols: installed && brokerProtocols(installed.broker_driver, installed.broker_version),
    clients: hasRule ? null : 'none_allowed',
    cidr: runtime.cidr,
    configs: configs.map((config) => toConfigView(config, installed)),
    nodes: nodes.map((node) => toNodeView(node, { tier: facts.tier, nodesCount: nodes.length, applied })),
    ...(facts.cloud === 'aws'
      ? { aws: { ...network, account_id: account } }
      : { gcp: { ...network, project_id: account } }),
  };
}

const toConfigView = (config: ConfigSummary, installed: NodeRow | null) => ({
  ...config,
  runtime_outdated: installed !== null && !isInstalled(config, installed),
});

/** Whether the nodes have the release of the configuration: of the broker, or of the connector's plugin. */
function isInstalled(
  { kind, runtime_version: version }: ConfigSummary,
  { broker_driver: driver, broker_version: release }: NodeRow,
): boolean {
  const [, type = '', key = ''] = kind.split(':');
  return isInstalledVersion({ driver, release }, type, key, version);
}
