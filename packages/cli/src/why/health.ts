import type { CallOptions, Landlord, Main, Supervisor } from '@landlord/sdk';
import type { PlaceIds } from '../settings/places.js';
import { partsOf } from './parts.js';

const LAST_OPERATIONS = 5;
const LAST_LINES = 15;

interface Asked {
  landlord: Landlord;
  options: CallOptions;
}

/** What is wrong with a deployment, as sentences, and the parts that could be read. */
export type Health = { findings: string[] } & Read;

/** What is wrong with a deployment, as sentences, and what the sentences were made from. */
export async function healthOf(call: Asked, ids: Required<PlaceIds>): Promise<Health> {
  const { landlord, options } = call;
  const { deployment_id } = ids;
  const read: Read = await partsOf({
    deployment: landlord.deployments.get(ids, options),
    nodes: landlord.runtime.get({ deployment_id }, options).then(({ nodes }) => nodes),
    operations: landlord.operations.list({ deployment: deployment_id, results: LAST_OPERATIONS }, options),
    logs: lastProblems(call, deployment_id),
  });
  return { ...read, findings: findingsOf(read) };
}

/** The last lines of the levels that report problems. */
async function lastProblems({ landlord, options }: Asked, deployment_id: number): Promise<object> {
  const pages = await Promise.all(
    (['error', 'warn'] as const).map((level) =>
      landlord.logs.list({ deployment_id, level, results: LAST_LINES }, options),
    ),
  );
  const items = pages.flatMap((page) => page.items).sort((one, other) => (one.at < other.at ? 1 : -1));
  return { items: items.slice(0, LAST_LINES) };
}

interface Read {
  deployment?: Main.DeploymentView;
  nodes?: Supervisor.NodeView[];
  operations?: Main.OperationPage;
  logs?: { items: Supervisor.LogLineView[] };
  missing?: string[];
}

/** What is wrong, as sentences. */
function findingsOf(read: Read): string[] {
  const findings = [
    ...ofDeployment(read.deployment),
    ...(read.nodes ?? []).flatMap(ofNode),
    ...(read.operations?.items ?? []).flatMap(ofOperation),
    ...ofLogs(read.logs?.items ?? []),
    ...(read.missing ?? []).map((part) => `This part could not be read: ${part}`),
  ];
  return findings.length > 0 ? findings : ['Landlord reports no problem of this deployment.'];
}

const because = (reason: string | null): string => (reason === null ? '.' : `: ${reason}`);

function ofDeployment(deployment: Main.DeploymentView | undefined): string[] {
  if (deployment === undefined) return [];
  const open = deployment.clients === null ? [] : ['No access rule is in force, so no client can connect.'];
  if (deployment.status === 'initialized') return open;
  return [...open, `The deployment is "${deployment.status}"${because(deployment.status_reason)}`];
}

function ofNode({ name, status, status_reason, runtimes }: Supervisor.NodeView): string[] {
  if (status !== 'running') return [`Node ${name} is "${status}"${because(status_reason)}`];
  return runtimes
    .filter((one) => one.status !== 'running')
    .map((one) => `The ${one.runtime} of node ${name} is "${one.status}".`);
}

function ofOperation({ id, type, status, reason, incident }: Main.OperationView): string[] {
  if (incident !== null)
    return [`Operation ${id} (${type}) has an open incident "${incident.kind}": ${incident.detail}`];
  if (status === 'failed') return [`Operation ${id} (${type}) has failed${because(reason)}`];
  return status === 'succeeded' || status === 'cancelled' ? [] : [`Operation ${id} (${type}) is ${status}.`];
}

function ofLogs(lines: readonly Supervisor.LogLineView[]): string[] {
  const errors = lines.filter(({ level }) => level === 'error').length;
  return errors === 0 ? [] : [`The logs have errors: ${errors} of the last lines. See "logs".`];
}
