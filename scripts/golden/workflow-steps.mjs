import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DIST } from '../build-stamp.mjs';
import { built } from './apps.mjs';

const LIFECYCLE = 'apps/supervisor/src/lifecycle';
export const WORKFLOW_STEPS_FILE = 'workflow-steps.txt';

/** The step tables. Operations of the last release may be in any of these steps, so a release may only add steps. */
export async function workflowStepFiles() {
  const files = readdirSync(join(DIST, LIFECYCLE), { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.workflow.js'));
  const exported = await Promise.all(files.sort().map((name) => built(`${LIFECYCLE}/${name}`)));
  const tables = exported.flatMap(Object.entries).filter(([, value]) => isStepTable(value));
  const lines = tables
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, table]) => Object.entries(table).map(([step, spec]) => line(name.toLowerCase(), step, spec)));
  return { [WORKFLOW_STEPS_FILE]: `${lines.join('\n')}\n` };
}

function isStepTable(value) {
  if (typeof value !== 'object' || value === null) return false;
  const specs = Object.values(value);
  return specs.length > 0 && specs.every((spec) => Array.isArray(spec?.to));
}

function line(workflow, step, { to, undoneBy, isUndo }) {
  const where = to.length > 0 ? ` -> ${to.join(' | ')}` : isUndo ? ' (undo)' : ' (end)';
  return `${workflow}.${step}${where}${undoneBy ? `, undone by ${undoneBy}` : ''}`;
}
