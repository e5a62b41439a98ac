import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  checkNodePorts,
  EXIT_CHANGE,
  EXIT_LATER,
  fileRefusal,
  lastWords,
  listenFailed,
  portsTaken,
  requireDataDirectory,
  requireListeners,
  START_CAUSES,
  StartRefused,
  startText,
  type StartCause,
} from './index.js';

const errorOf = (code: string, message = code): Error => Object.assign(new Error(message), { code });
const listener = { port: 1, host: '127.0.0.1', user: 'the main API', variable: 'PORT', hostVariable: 'HOST' };

describe('The causes of failed starts', () => {
  it.each(Object.entries<StartCause>(START_CAUSES))('%s is a sentence, and says what to do', (_, cause) => {
    expect(cause.says).toMatch(/[.}]$/);
    expect(cause.todo).toMatch(/[.;}]$/);
    expect([EXIT_LATER, EXIT_CHANGE, null]).toContain(cause.exit);
  });

  it('become a text with the facts of the case', () => {
    expect(startText('disk_full', { path: '/data' })).toBe(
      'The disk of /data is full. Free disk space, or set LANDLORD_DATA_DIR to a directory on another disk.',
    );
  });

  it('end a process without a stack, and a bug with one', () => {
    const refused = StartRefused.because('disk_full', { path: '/data' });

    expect(lastWords(refused)).toEqual({ text: refused.message, exitCode: EXIT_LATER });
    expect(lastWords(new TypeError('bug'))).toMatchObject({ text: expect.stringMatching(/bug\n +at /), exitCode: 1 });
  });
});

describe('Files that a start needs', () => {
  const directory = mkdtempSync(join(tmpdir(), 'landlord-starts-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each([
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['EROFS', 'data_directory_refused'],
    ['ENOTDIR', 'data_directory_impossible'],
    ['EIO', 'data_directory_refused'],
    ['EFBIG', 'disk_full'],
    ['EBUSY', undefined],
  ])('%s is %s', (code, cause) => {
    expect(fileRefusal(directory, errorOf(code))?.causeName).toBe(cause);
  });

  it('recognizes a full disk in the output of another program', () => {
    const error = new Error('initdb: could not write file: No space left on device');

    expect(fileRefusal(directory, error)?.causeName).toBe('disk_full');
    expect(fileRefusal(directory, undefined)).toBeNull();
  });

  it('creates a private data directory with its parents, leaves no file, and refuses a file in its place', () => {
    const path = join(directory, 'a/b');
    requireDataDirectory(path);
    writeFileSync(join(path, 'file'), '');

    expect([statSync(path).mode & 0o777, readdirSync(path)]).toEqual([0o700, ['file']]);
    expect(() => requireDataDirectory(join(path, 'file'))).toThrow('a file has this path');
  });
});

describe('Ports that a start needs', () => {
  it('are free, or refused by port with the process that has them', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const expected = { ...listener, port };

    const refused = requireListeners([expected, expected], () => 'process 1 (init)');
    await expect(refused).rejects.toThrow(
      `Port ${port} for the main API (PORT) is in use by process 1 (init). Free the port, or set another port: PORT=<port>.`,
    );
    await expect(checkNodePorts([port, port], '127.0.0.1')).resolves.toContain(`(${port}-${port}) is in use`);
    await once(server.close(), 'close');

    await expect(requireListeners([expected])).resolves.toBeUndefined();
    await expect(checkNodePorts([port, port], '127.0.0.1')).resolves.toBeNull();
    await expect(checkNodePorts([port, port], '192.0.2.1')).rejects.toThrow('Set LOCAL_BIND_ADDRESS');
  });

  it('have a sentence for each taken port', () => {
    expect(portsTaken([listener, { ...listener, port: 2 }]).message).toMatch(
      /^Port 1 .*\.\nPort 2 .*\.\nFree the port/,
    );
  });

  it('are refused when the system refuses the listener', () => {
    expect(() => listenFailed(listener, errorOf('EADDRINUSE'))).toThrow('Port 1 for the main API');
    expect(() => listenFailed(listener, errorOf('EACCES'))).toThrow('may not listen on port 1');
    expect(() => listenFailed(listener, errorOf('EADDRNOTAVAIL'))).toThrow('has no address 127.0.0.1');
    expect(() => listenFailed(listener, errorOf('EBUSY', 'busy'))).toThrow('busy');
  });
});
