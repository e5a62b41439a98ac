// npm run test:one -- <path> [option of Jest ...]: runs the tests of a file or a folder.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './build-stamp.mjs';

/**
 * The arguments of Node for Jest. Modules of the language need the first flag, which only the process of Jest and its
 * workers have. A test may leave a socket open: the run ends with the last test.
 */
export const JEST = [
  ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  ...[join(ROOT, 'node_modules/jest/bin/jest.js'), '--forceExit'],
];

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  spawn(process.execPath, [...JEST, ...process.argv.slice(2)], { stdio: 'inherit' }).on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
