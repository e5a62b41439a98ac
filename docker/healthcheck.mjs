// Exits with 0 if the apps of this container are ready: both after `start`, or else the one that listens.
import { readFileSync } from 'node:fs';
import { get as getPlain } from 'node:http';
import { get as getTls } from 'node:https';

const { MAIN_API_PORT = '3000', SUPERVISOR_PORT = '4000', TLS_CERT } = process.env;

const answers = await Promise.all([MAIN_API_PORT, SUPERVISOR_PORT].map(statusOf));
const listening = answers.filter((status) => status !== null);
const least = readFileSync('/proc/1/cmdline', 'utf8').endsWith('\0start\0') ? answers.length : 1;
process.exit(listening.length >= least && listening.every((status) => status === 200) ? 0 : 1);

/** The status of the readiness probe on this port; null if no process listens. */
function statusOf(port) {
  const url = `${TLS_CERT ? 'https' : 'http'}://127.0.0.1:${port}/health/ready`;
  const get = TLS_CERT ? getTls : getPlain;
  return new Promise((settle) => {
    // The certificate names the public address, not this loopback.
    const request = get(url, { timeout: 4_000, rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      settle(response.statusCode);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', (error) => settle(error.code === 'ECONNREFUSED' ? null : 0));
  });
}
