import { spawn } from 'node:child_process';

/** The program that opens a web page in the browser of the person, by operating system. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  // Not `start`, because the shell would read "&" in the address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const OPENER = ['xdg-open'];

/** Opens a web page, if this computer has a browser. The caller has printed the address, so a failure is no error. */
export function openPage(address: string): void {
  const [program = '', ...words] = OPENERS[process.platform] ?? OPENER;
  const child = spawn(program, [...words, address], { detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}
