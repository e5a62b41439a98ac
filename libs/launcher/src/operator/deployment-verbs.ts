import type { DeploymentId } from '@libs/domain';
import { DeploymentCommands, type Explanation } from '@libs/operator';
import { isOpen, PROGRESS } from './operation-verbs.js';
import { REPORT } from './placement-verbs.js';
import { ago, fields, printFacts, printJson, printList, say, type Output } from './print.js';
import { withSession } from './with-session.js';

/** `landlord ops deployments explain <id>`: one screen that says why a deployment is as it is. */
export async function explainDeployment(id: DeploymentId, output: Output): Promise<void> {
  const explanation = await withSession((session) => new DeploymentCommands(session).explain(id));
  if (output.json) return printJson(explanation);
  printFacts(factsOf(explanation), explanation, output);
  printParts(explanation, output);
  const lines = nextSteps(explanation);
  if (lines.length > 0) say('');
  for (const line of lines) say(`-> ${line}`);
}

function factsOf({ deployment }: Explanation): Record<string, string | null> {
  const { id, name, tenant_id, tenant, division, environment, cloud, region, tier } = deployment;
  const contact = deployment.cell_seen_at === null ? 'never seen' : `seen ${ago(deployment.cell_seen_at)}`;
  return {
    deployment: `${id} ${name}`,
    of: `tenant ${tenant_id} (${tenant}), division ${division}, environment ${environment}`,
    place: `${cloud} ${region}, tier ${tier}`,
    status: `${deployment.status}, since ${ago(deployment.status_since).replace(' ago', '')}`,
    reason: deployment.status_reason,
    supervisor: `${deployment.cell}, ${deployment.cell_is_alive ? 'alive' : 'away'}, ${contact}`,
  };
}

function printParts({ operations, nodes, incidents, problems }: Explanation, output: Output): void {
  say('\nNewest operations');
  printList(operations, { ...fields('id', 'type'), ...PROGRESS }, output);
  say('\nNodes');
  printList(nodes, { ...fields('id', 'name', 'status'), ...REPORT }, output);
  say('\nOpen incidents');
  printList(incidents, { ...fields('id', 'kind', 'detail'), opened: (row) => ago(row.opened_at) }, output);
  say('\nProblems in the logs of the last day');
  printList(problems, { at: (row) => ago(row.at), ...fields('node', 'runtime', 'level', 'message') }, output);
}

/** What an operator does next about what the screen shows. */
function nextSteps({ deployment, operations, nodes, incidents }: Explanation): string[] {
  const open = operations.find(({ status }) => isOpen(status));
  const drained = nodes.find(({ drained_at: drainedAt }) => drainedAt !== null);
  return [
    !deployment.cell_is_alive && `Start the Supervisor of the cell ${deployment.cell}: nothing changes before.`,
    open && `See its steps: landlord ops operations show ${open.id}`,
    incidents[0] && `See the incident: landlord ops incidents show ${incidents[0].id}`,
    drained && `Allow the broker to run: landlord ops nodes resume ${drained.id}`,
  ].filter((line) => typeof line === 'string');
}
