// npm run artifacts [-- --node <archive> --nats <archive> --iggy <archive or folder>]: writes what a node needs into
// <data dir>/artifacts: each artifact under its sha256, and manifest.json. The same sources become the same artifacts.
// An option may occur once for each processor. The folder of --iggy contains iggy-server, and may contain iggy-connectors
// with its plugins. Exit code 2: bad arguments, or a refused archive or folder.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOT } from '../build-stamp.mjs';
import { ArtifactRefused, describeArchive, PROGRAMS } from './archives.mjs';
import { writeBundles } from './bundles.mjs';
import { describeIggyFolder } from './iggy-folder.mjs';
import { packFiles } from './pack-folder.mjs';

/** Of the agent with the gates, packed. A node in a private network gets it through the gateway. */
const AGENT_LIMIT_BYTES = 500_000;
const MANIFEST = 'manifest.json';
/** Earlier agents that stay, for machines that still run them. */
const AGENTS_BEFORE = 3;

/** The folder that the gateway serves. */
export function artifactsFolder(environment = process.env) {
  return resolve(ROOT, environment.LANDLORD_DATA_DIR || '.landlord', 'artifacts');
}

/**
 * Writes all artifacts and then the manifest, so that the manifest names only complete files. `archives` are pairs of
 * a name of PROGRAMS and a file, or a folder with iggy. Archives of an earlier call stay until the same name and processor is given again.
 * `pack` writes the bundles of Landlord, packed, into a folder; a test packs them once for several calls.
 * Returns the artifacts. Throws ArtifactRefused.
 */
export async function writeArtifacts(folder, archives = [], pack = packBundles) {
  const given = archives.map(([name, file]) => describeGiven(name, file));
  mkdirSync(folder, { recursive: true });
  // In the same folder, so that a rename completes each artifact.
  const work = mkdtempSync(join(folder, '.new-'));
  try {
    const bundles = await pack(work);
    const copies = given.map(({ file, files, ...artifact }) => ({
      ...artifact,
      ...(files ? packedFiles(files, work) : copied(file, work)),
    }));
    const earlier = artifactsIn(folder);
    const archivesBefore = earlier.filter(({ name }) => name in PROGRAMS);
    const kept = archivesBefore.filter((old) => !copies.some((one) => isSame(old, one)));
    const artifacts = [...bundles, ...superseded(earlier, bundles), ...kept, ...copies].sort(byName);
    for (const { sha256 } of [...bundles, ...copies])
      if (existsSync(join(work, sha256))) renameSync(join(work, sha256), join(folder, sha256));
    writeFileSync(join(work, MANIFEST), `${JSON.stringify({ artifacts }, null, 2)}\n`);
    renameSync(join(work, MANIFEST), join(folder, MANIFEST));
    removeUnnamed(folder, artifacts);
    return artifacts;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function packBundles(work) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const bundles = join(work, 'bundles');
  const artifacts = [];
  for (const { files, bring, over, ...part } of await writeBundles(bundles)) {
    bring?.();
    const content = packed(bundles, files, work);
    const base = over === null ? null : artifacts.find(({ name }) => name === over).sha256;
    artifacts.push({ ...part, version, ...content, over: base });
  }
  const agent = artifacts.find(({ name }) => name === 'agent');
  if (agent.bytes > AGENT_LIMIT_BYTES)
    throw new ArtifactRefused(`The agent has ${agent.bytes} bytes; its limit is ${AGENT_LIMIT_BYTES}.`);
  return artifacts;
}

function describeGiven(name, file) {
  const isFolder = name === 'iggy' && statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? describeIggyFolder(file) : { ...describeArchive(name, file), file };
}

function packedFiles(files, work) {
  const cwd = mkdtempSync(join(work, 'files-'));
  for (const { from, to } of files) {
    mkdirSync(dirname(join(cwd, to)), { recursive: true });
    copyFileSync(from, join(cwd, to));
  }
  const modes = new Map(files.map(({ to, mode }) => [to, mode]));
  return packed(cwd, [...modes.keys()].sort(), work, modes);
}

function packed(cwd, files, work, modes = new Map()) {
  const file = join(work, 'packed');
  packFiles(cwd, file, files, { modeOf: (path) => modes.get(path) ?? 0o644 });
  return stored(file, work);
}

function copied(file, work) {
  const copy = join(work, 'copy');
  copyFileSync(file, copy);
  chmodSync(copy, 0o644);
  return stored(copy, work);
}

function stored(file, work) {
  const content = readFileSync(file);
  const sha256 = createHash('sha256').update(content).digest('hex');
  renameSync(file, join(work, sha256));
  return { sha256, bytes: content.length };
}

/** The artifacts of the last manifest whose files exist. */
function artifactsIn(folder) {
  const file = join(folder, MANIFEST);
  if (!existsSync(file)) return [];
  const { artifacts } = JSON.parse(readFileSync(file, 'utf8'));
  return artifacts.filter(({ sha256 }) => existsSync(join(folder, sha256)));
}

/** The last agents before these bundles, with their parts, the newest first. Machines change to new agents one after the other. */
function superseded(earlier, bundles) {
  const isNew = ({ sha256 }) => bundles.some((one) => one.sha256 === sha256);
  const agents = earlier.filter((one) => one.name === 'agent' && !isNew(one)).slice(0, AGENTS_BEFORE);
  const hashes = new Set(agents.map(({ sha256 }) => sha256));
  // A part that is unchanged since lies over the new agent, too.
  const parts = earlier.filter((one) => hashes.has(one.over));
  return [...agents, ...parts].map((one) => ({ ...one, superseded: true }));
}

const isSame = (one, other) => one.name === other.name && one.arch === other.arch;
const byName = (one, other) => keyOf(one).localeCompare(keyOf(other), 'en');
const keyOf = ({ name, arch }) => `${name} ${arch}`;

function removeUnnamed(folder, artifacts) {
  const named = new Set(artifacts.map(({ sha256 }) => sha256));
  for (const file of readdirSync(folder))
    if (/^[0-9a-f]{64}$/.test(file) && !named.has(file)) rmSync(join(folder, file));
}

function archivesOf(args) {
  const options = Object.fromEntries(Object.keys(PROGRAMS).map((name) => [name, { type: 'string', multiple: true }]));
  try {
    const { values } = parseArgs({ args, options });
    return Object.entries(values).flatMap(([name, files]) => files.map((file) => [name, resolve(file)]));
  } catch (error) {
    throw new ArtifactRefused(
      `${error.message}. The options are --node, --nats and --iggy, each with an archive. --iggy also takes a folder.`,
    );
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const folder = artifactsFolder();
    for (const { name, arch, version, bytes, sha256 } of await writeArtifacts(
      folder,
      archivesOf(process.argv.slice(2)),
    ))
      console.log(`${sha256.slice(0, 12)}  ${String(bytes).padStart(9)}  ${name} ${version} ${arch}`);
    console.log(`The artifacts are in ${folder}.`);
  } catch (error) {
    if (!(error instanceof ArtifactRefused)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}
