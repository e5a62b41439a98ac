// Loaded by Node before a program (failing-writes.ts). While the file `control` exists, every write of this process below the
// directory `below` fails with the code in that file. Each program of Node that this process starts loads it too.
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { constants } from 'node:os';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const { searchParams } = new URL(import.meta.url);
const below = `${searchParams.get('below')}/`;
const control = searchParams.get('control');
const real = { ...fs };

/** Functions with a path, and the positions of the paths that they change. `open` is apart, because it may only read. */
const CHANGED = {
  ...{ writeFile: [0], appendFile: [0], truncate: [0], rm: [0], unlink: [0], rmdir: [0], mkdir: [0], mkdtemp: [0] },
  ...{ chmod: [0], utimes: [0], symlink: [1], rename: [0, 1], link: [1], copyFile: [1], cp: [1] },
};
/** What they need to find. Without it, the file system answers first. */
const NEEDS = ['truncate', 'rm', 'unlink', 'rmdir', 'chmod', 'utimes', 'rename', 'link', 'copyFile', 'cp'];
const OF_DESCRIPTOR = ['write', 'writev', 'fsync', 'fdatasync', 'ftruncate', 'fchmod'];
const OF_HANDLE = ['write', 'writev', 'writeFile', 'appendFile', 'sync', 'datasync', 'truncate', 'chmod'];

const isBelow = (path) => `${path}/`.startsWith(below);

function pathOf(value) {
  if (value instanceof URL) return fileURLToPath(value);
  return resolve(Buffer.isBuffer(value) ? value.toString() : value);
}

/** Null for a socket, a pipe, and a file elsewhere. A log of this process is a file here, also as its standard output. */
function fileOf(descriptor) {
  try {
    const path = real.readlinkSync(`/proc/self/fd/${descriptor}`);
    return isBelow(path) ? path : null;
  } catch {
    return null;
  }
}

const isTarget = (value) =>
  typeof value === 'number' || typeof value === 'string' || Buffer.isBuffer(value) || value instanceof URL;

/** The file that a call would change, if the call must fail. */
function targetOf(name, [first, ...others]) {
  const values = [first, ...others];
  if (name === 'open') return opened(first, others[0]);
  if (OF_DESCRIPTOR.includes(name)) return fileOf(first);
  const targets = CHANGED[name].map((index) => values[index]).filter(isTarget);
  if (typeof first === 'number') return fileOf(first);
  if (NEEDS.includes(name) && !real.existsSync(first)) return null;
  if (name === 'mkdir' && real.existsSync(first)) return null;
  return targets.map(pathOf).find(isBelow) ?? null;
}

function opened(path, given = 'r') {
  const flags = typeof given === 'number' ? given : flagsOf(String(given));
  const { O_WRONLY, O_RDWR, O_CREAT, O_EXCL } = fs.constants;
  if ((flags & (O_WRONLY | O_RDWR | O_CREAT)) === 0 || !isBelow(pathOf(path))) return null;
  const exists = real.existsSync(path);
  if (exists ? (flags & O_EXCL) !== 0 : (flags & O_CREAT) === 0) return null;
  return pathOf(path);
}

function flagsOf(text) {
  const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL } = fs.constants;
  const access = text.includes('+') ? O_RDWR : text.startsWith('r') ? O_RDONLY : O_WRONLY;
  return access | (text.startsWith('r') ? 0 : O_CREAT) | (text.includes('x') ? O_EXCL : 0);
}

function codeNow() {
  try {
    return real.existsSync(control) ? real.readFileSync(control, 'utf8').trim() || null : null;
  } catch {
    return null;
  }
}

/** The error of this call, or null. Notes it outside the directory that takes no files. */
function refusal(name, args) {
  const code = codeNow();
  const path = code === null ? null : targetOf(name, args);
  if (path === null) return null;
  real.appendFileSync(`${control}.${process.pid}`, `${code} ${name} ${path}\n`);
  const facts = { errno: -constants.errno[code], code, syscall: name === 'writeFile' ? 'write' : name, path };
  return Object.assign(new Error(`${code}: refused by a test, ${name} '${path}'`), facts);
}

/** Replaces a function of an object, with everything that hangs on it (`util.promisify`). */
function patch(object, name, fail) {
  const original = object[name];
  function patched(...args) {
    const error = fail.call(this, args);
    return error === null ? original.apply(this, args) : error();
  }
  Object.defineProperties(patched, Object.getOwnPropertyDescriptors(original));
  object[name] = patched;
}

const rejection = (name, args) => {
  const error = refusal(name, args);
  return error && (() => Promise.reject(error));
};

for (const name of ['open', ...Object.keys(CHANGED), ...OF_DESCRIPTOR]) {
  patch(fs, name, (args) => {
    const error = refusal(name, args);
    const done = args.at(-1);
    return error && (() => process.nextTick(typeof done === 'function' ? done : () => undefined, error));
  });
  patch(fs, `${name}Sync`, (args) => {
    const error = refusal(name, args);
    return (
      error &&
      (() => {
        throw error;
      })
    );
  });
  if (name in fs.promises) patch(fs.promises, name, (args) => rejection(name, args));
}

const handle = await fs.promises.open(fileURLToPath(import.meta.url));
const handles = Object.getPrototypeOf(handle);
await handle.close();
for (const name of OF_HANDLE) {
  const like = { sync: 'fsync', datasync: 'fdatasync', truncate: 'ftruncate', chmod: 'fchmod' }[name] ?? name;
  patch(handles, name, function (args) {
    return rejection(like, [this.fd, ...args]);
  });
}

/** The environment of agents and of apps is clean. A test reaches them all the same. */
const spawn = childProcess.spawn;
childProcess.spawn = (command, args, options) => {
  const isNode = ['node', basename(process.execPath)].includes(basename(command));
  const { env } = options ?? {};
  if (!isNode || env === undefined) return spawn(command, args, options);
  return spawn(command, args, { ...options, env: { ...env, NODE_OPTIONS: process.env.NODE_OPTIONS } });
};

syncBuiltinESMExports();
