// npm run golden: rewrites test/golden from the build. With --check: fails where it would change something.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build-stamp.mjs';
import { catalogueFiles } from './catalogues.mjs';
import { differences } from './differences.mjs';
import { instructionFiles } from './instructions.mjs';
import { lostSteps } from './lost-steps.mjs';
import { openApiFiles } from './openapi.mjs';
import { permissionFiles } from './permissions.mjs';
import { planFiles } from './plans.mjs';
import { schemaFiles } from './schema.mjs';
import { WORKFLOW_STEPS_FILE, workflowStepFiles } from './workflow-steps.mjs';

const GOLDEN = join(ROOT, 'test/golden');
const SOURCES = [
  openApiFiles,
  permissionFiles,
  planFiles,
  catalogueFiles,
  schemaFiles,
  workflowStepFiles,
  instructionFiles,
];

const [isCheck, mayLoseSteps] = ['--check', '--drop-steps'].map((flag) => process.argv.includes(flag));
const committed = (name) => (existsSync(join(GOLDEN, name)) ? readFileSync(join(GOLDEN, name), 'utf8') : '');

const files = Object.assign({}, ...(await Promise.all(SOURCES.map((source) => source()))));
const abandoned = existsSync(GOLDEN) ? readdirSync(GOLDEN).filter((name) => !(name in files)) : [];
process.exit(isCheck ? check() : rewrite());

function check() {
  const changed = Object.entries(files).filter(([name, text]) => committed(name) !== text);
  for (const [name, text] of changed)
    console.error(`test/golden/${name} differs:\n${differences(join(GOLDEN, name), text)}`);
  for (const name of abandoned) console.error(`test/golden/${name} is made by nothing.`);
  if (changed.length + abandoned.length === 0) return 0;
  console.error('When the change is meant: npm run golden, and commit the difference.');
  return 1;
}

function rewrite() {
  const lost = lostSteps(committed(WORKFLOW_STEPS_FILE), files[WORKFLOW_STEPS_FILE]);
  if (lost.length > 0 && !mayLoseSteps) {
    console.error(
      `These steps, or ways between them, are gone, and operations may still stand there:\n  ${lost.join('\n  ')}`,
    );
    console.error('A step that was never released may go: npm run golden -- --drop-steps');
    return 1;
  }
  mkdirSync(GOLDEN, { recursive: true });
  for (const name of abandoned) rmSync(join(GOLDEN, name));
  for (const [name, text] of Object.entries(files)) {
    if (committed(name) !== text) console.log(`test/golden/${name}`);
    writeFileSync(join(GOLDEN, name), text);
  }
  return 0;
}
