// npm run golden: rewrites contract/, docs/configuration.md, docs/failed-starts.md and a table of libs/cloud/README.md from the build, and builds the
// clients from the API descriptions. With --check: fails if a file would change.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build-stamp.mjs';
import { backgroundLoopFiles } from './background-loops.mjs';
import { catalogueFiles } from './catalogues.mjs';
import { commandLineFiles } from './command-line.mjs';
import { configurationFiles } from './configuration-docs.mjs';
import { driverFeatureFiles } from './driver-features.mjs';
import { differences } from './differences.mjs';
import { failedStartFiles } from './failed-starts.mjs';
import { instructionFiles } from './instructions.mjs';
import { lostSteps } from './lost-steps.mjs';
import { openApiFiles } from './openapi.mjs';
import { permissionFiles } from './permissions.mjs';
import { planFiles } from './plans.mjs';
import { schemaFiles } from './schema.mjs';
import { WORKFLOW_STEPS_FILE, workflowStepFiles } from './workflow-steps.mjs';

const CONTRACT = 'contract';
const SOURCES = [
  openApiFiles,
  permissionFiles,
  planFiles,
  catalogueFiles,
  schemaFiles,
  workflowStepFiles,
  backgroundLoopFiles,
  instructionFiles,
];

const [isCheck, mayLoseSteps] = ['--check', '--drop-steps'].map((flag) => process.argv.includes(flag));
const absolute = (path) => join(ROOT, path);
const committed = (path) => (existsSync(absolute(path)) ? readFileSync(absolute(path), 'utf8') : '');
const inContract = (named) =>
  Object.fromEntries(Object.entries(named).map(([name, text]) => [`${CONTRACT}/${name}`, text]));
const abandonedBy = (all) =>
  readdirSync(absolute(CONTRACT))
    .map((name) => `${CONTRACT}/${name}`)
    .filter((path) => !(path in all) && path !== `${CONTRACT}/README.md`);

/** Maps each path in the repository to its text. */
const files = Object.assign(
  await configurationFiles(),
  await driverFeatureFiles(),
  await failedStartFiles(),
  ...(await Promise.all(SOURCES.map(async (source) => inContract(await source())))),
);
process.exit(await (isCheck ? check() : rewrite()));

async function check() {
  const all = await withCommandLine();
  const changed = Object.entries(all).filter(([path, text]) => committed(path) !== text);
  const abandoned = abandonedBy(all);
  for (const [path, text] of changed) console.error(`${path} differs:\n${differences(absolute(path), text)}`);
  for (const path of abandoned) console.error(`${path} is made by nothing.`);
  if (changed.length + abandoned.length === 0) return 0;
  console.error('When the change is meant: npm run golden, and commit the difference.');
  return 1;
}

async function rewrite() {
  const steps = `${CONTRACT}/${WORKFLOW_STEPS_FILE}`;
  const lost = lostSteps(committed(steps), files[steps]);
  if (lost.length > 0 && !mayLoseSteps) {
    console.error(
      `These steps, or ways between them, are gone, and operations may still stand there:\n  ${lost.join('\n  ')}`,
    );
    console.error('A step that was never released may go: npm run golden -- --drop-steps');
    return 1;
  }
  mkdirSync(absolute(CONTRACT), { recursive: true });
  write(files);
  const all = await withCommandLine();
  write(all);
  for (const path of abandonedBy(all)) rmSync(absolute(path));
  return 0;
}

/** The command line is built from the API descriptions that the folder has now. */
async function withCommandLine() {
  return { ...files, ...inContract(await commandLineFiles()) };
}

function write(all) {
  for (const [path, text] of Object.entries(all)) {
    if (committed(path) === text) continue;
    console.log(path);
    writeFileSync(absolute(path), text);
  }
}
