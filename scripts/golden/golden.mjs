// npm run golden: rewrites contract/, docs/configuration.md, docs/failed-starts.md and a table of docs/architecture.md from the build. With --check: fails if a file would
// change.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build-stamp.mjs';
import { backgroundLoopFiles } from './background-loops.mjs';
import { catalogueFiles } from './catalogues.mjs';
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

const GOLDEN = 'contract';
/** Files of the folder that other commands write. */
const OTHERS = ['README.md', 'cli-help.txt', 'mcp-tools.txt'];
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
const inGolden = (named) =>
  Object.fromEntries(Object.entries(named).map(([name, text]) => [`${GOLDEN}/${name}`, text]));

/**
 * Maps each path in the repository to its text. The page of settings is a golden file, too: a stale page fails the
 * check.
 */
const files = Object.assign(
  await configurationFiles(),
  await driverFeatureFiles(),
  await failedStartFiles(),
  ...(await Promise.all(SOURCES.map(async (source) => inGolden(await source())))),
);
const present = existsSync(absolute(GOLDEN)) ? readdirSync(absolute(GOLDEN)).map((name) => `${GOLDEN}/${name}`) : [];
const abandoned = present.filter((path) => !(path in files) && !OTHERS.includes(path.slice(GOLDEN.length + 1)));
process.exit(isCheck ? check() : rewrite());

function check() {
  const changed = Object.entries(files).filter(([path, text]) => committed(path) !== text);
  for (const [path, text] of changed) console.error(`${path} differs:\n${differences(absolute(path), text)}`);
  for (const path of abandoned) console.error(`${path} is made by nothing.`);
  if (changed.length + abandoned.length === 0) return 0;
  console.error('When the change is meant: npm run golden, and commit the difference.');
  return 1;
}

function rewrite() {
  const steps = `${GOLDEN}/${WORKFLOW_STEPS_FILE}`;
  const lost = lostSteps(committed(steps), files[steps]);
  if (lost.length > 0 && !mayLoseSteps) {
    console.error(
      `These steps, or ways between them, are gone, and operations may still stand there:\n  ${lost.join('\n  ')}`,
    );
    console.error('A step that was never released may go: npm run golden -- --drop-steps');
    return 1;
  }
  mkdirSync(absolute(GOLDEN), { recursive: true });
  for (const path of abandoned) rmSync(absolute(path));
  for (const [path, text] of Object.entries(files)) {
    if (committed(path) !== text) console.log(path);
    writeFileSync(absolute(path), text);
  }
  return 0;
}
