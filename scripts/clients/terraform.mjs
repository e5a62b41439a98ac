// npm run terraform: writes the generated files of packages/terraform-provider-landlord: the Go models, requests and texts of the
// API descriptions, schema.json, and the documentation for the registry. With --check: fails if a file would change. Exit code 3: there
// is no Go, or modules of the generators or of the provider are neither in the module cache nor at the module proxy.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { readDocuments } from './documents.mjs';
import { PROVIDER, slimDocument, TEXTS, textsFile, usedOperations } from './terraform-files.mjs';
import { requestsFile } from './terraform-requests.mjs';

const UNAVAILABLE = 3;
const APPS = ['main', 'supervisor'];
const SCHEMA = 'schema.json';
const DOCS = 'docs';
const TOOLS = join(PROVIDER, 'tools/generate');

/** Runs a program, which must succeed. Returns what it prints. */
function run(program, args, { cwd = PROVIDER, env = {}, input } = {}) {
  const options = { cwd, input, encoding: 'utf8', env: { ...process.env, ...env }, maxBuffer: 64 << 20 };
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? ''}${stdout}${stderr}`);
  return stdout;
}

const lastLine = (text) => text.trim().split('\n').at(-1);

/** Why nothing can be generated here. Null: everything can. */
function missing() {
  if (spawnSync('go', ['version']).status !== 0) return 'there is no Go';
  for (const tool of ['oapi-codegen', 'tfplugindocs']) {
    const { status, stderr } = spawnSync('go', ['tool', '-n', tool], { cwd: TOOLS, encoding: 'utf8' });
    if (status !== 0) return `${tool} cannot be built: ${lastLine(stderr)}`;
  }
  // The schema is written by a test of the provider.
  const { status, stderr } = spawnSync('go', ['mod', 'download'], { cwd: PROVIDER, encoding: 'utf8' });
  if (status !== 0) return `the modules of the provider cannot be fetched: ${lastLine(stderr)}`;
  return null;
}

/** The Go files of an API. The generator knows the schemas alone, and so makes no client. */
function filesOf(app, folder) {
  const document = slimDocument(readDocuments()[app], usedOperations());
  const [input, config, output] = ['document.json', 'config.json', 'models.go'].map((name) =>
    join(folder, `${app}-${name}`),
  );
  writeFileSync(input, JSON.stringify({ ...document, paths: {} }));
  const settings = {
    package: `${app}api`,
    output,
    generate: { models: true },
    'output-options': { 'nullable-type': true, 'skip-prune': true },
  };
  writeFileSync(config, JSON.stringify(settings));
  run('go', ['tool', 'oapi-codegen', '-config', config, input], { cwd: TOOLS });
  const target = `internal/api/${app}api`;
  return {
    [`${target}/models.go`]: readFileSync(output, 'utf8'),
    [`${target}/requests.go`]: run('gofmt', [], { input: requestsFile(app, document) }),
  };
}

/** The schema in the form of `terraform providers schema`. So the documentation is made without terraform. */
function schemaIn(file) {
  run('go', ['test', '-count=1', '-run', 'TestSchema', './internal/provider'], { env: { WRITE_SCHEMA: file } });
  return readFileSync(file, 'utf8');
}

function docsOf(schemas, folder) {
  const rendered = join(folder, DOCS);
  const names = ['--provider-dir', PROVIDER, '--provider-name', 'landlord', '--rendered-provider-name', 'Landlord'];
  const places = ['--providers-schema', schemas, '--rendered-website-dir', relative(PROVIDER, rendered)];
  run('go', ['tool', 'tfplugindocs', 'generate', ...names, ...places], { cwd: TOOLS });
  return Object.fromEntries(
    filesBelow(rendered).map((path) => [join(DOCS, path), readFileSync(join(rendered, path), 'utf8')]),
  );
}

const filesBelow = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    : [];

const committed = (path) => (existsSync(join(PROVIDER, path)) ? readFileSync(join(PROVIDER, path), 'utf8') : '');

/** Writes the files that are different, and removes those that nothing makes. With --check it only names them. */
function settle(files, abandoned = []) {
  const changed = Object.entries(files).filter(([path, text]) => committed(path) !== text);
  for (const path of [...changed.map(([one]) => one), ...abandoned])
    console.log(`${isCheck ? 'differs: ' : ''}${path}`);
  if (!isCheck) {
    for (const [path, text] of changed) {
      mkdirSync(dirname(join(PROVIDER, path)), { recursive: true });
      writeFileSync(join(PROVIDER, path), text);
    }
    for (const path of abandoned) rmSync(join(PROVIDER, path));
  }
  return changed.length + abandoned.length;
}

function generate(folder) {
  const apis = Object.assign({}, ...APPS.map((app) => filesOf(app, folder)));
  // The schema and the documentation are made by the provider, so its own files come first.
  const first = settle({ ...apis, [TEXTS]: run('gofmt', [], { input: textsFile() }) });
  const schemas = join(folder, SCHEMA);
  const schema = schemaIn(schemas);
  const docs = docsOf(schemas, folder);
  const abandoned = filesBelow(join(PROVIDER, DOCS))
    .map((path) => join(DOCS, path))
    .filter((path) => !(path in docs));
  return first + settle({ [SCHEMA]: schema, ...docs }, abandoned);
}

const isCheck = process.argv.includes('--check');
const reason = missing();
if (reason !== null) {
  console.error(`The files of the Terraform provider are not generated: ${reason}.`);
  process.exit(UNAVAILABLE);
}
const folder = mkdtempSync(join(tmpdir(), 'landlord-terraform-'));
try {
  const changes = generate(folder);
  if (isCheck && changes > 0) console.error('When the change is meant: npm run terraform, and commit the difference.');
  process.exitCode = isCheck && changes > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
