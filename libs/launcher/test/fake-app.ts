/**
 * A fake app: answers /health/ready, /environment and /pid, and records its events in `story.txt` of the data directory. Files
 * in the data directory control it: `<name>.broken` makes it exit at once, `<name>.refusing` makes it refuse its start, `<name>.deaf` makes it ignore SIGTERM, `<name>.slow`
 * makes its exit take a second.
 */
export function fakeApp(name: 'main-api' | 'supervisor'): string {
  return `
import { createServer as createPlain } from 'node:http';
import { createServer as createTls } from 'node:https';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

const { TLS_CERT, TLS_KEY } = process.env;
const createServer = (serve) =>
  TLS_CERT ? createTls({ cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) }, serve) : createPlain(serve);
const dataDir = process.env.LANDLORD_DATA_DIR;
const tell = (what) => appendFileSync(dataDir + '/story.txt', '${name} ' + what + '\\n');
const is = (what) => existsSync(dataDir + '/${name}.' + what);
const end = () => { tell('ended'); process.exit(0); };
if (is('refusing')) { console.log('{"level":30}'); console.error('The fake has no disk. Buy one.'); process.exit(78); }
if (is('broken')) { console.error('the fake is broken'); process.exit(3); }
process.on('SIGINT', () => tell('interrupted'));
process.on('SIGTERM', () => { if (is('deaf')) return; if (is('slow')) setTimeout(end, 1000); else end(); });
createServer((request, response) => {
  if (request.url === '/environment') return response.end(JSON.stringify({ argv: process.argv, env: process.env }));
  if (request.url === '/pid') return response.end(String(process.pid));
  response.end('ready');
}).listen(Number(process.env.${name === 'main-api' ? 'MAIN_API_PORT' : 'SUPERVISOR_PORT'}), '127.0.0.1');
console.log(JSON.stringify({ level: 30, msg: 'all is well' }));
console.log(JSON.stringify({ level: 40, msg: 'something is odd' }));
tell('started');
`;
}

/** A fake process of a node that records its exit. `role` sets its file name. */
export function fakeNodeProcess(role: string): string {
  return `
import { appendFileSync } from 'node:fs';
process.on('SIGTERM', () => { appendFileSync(process.argv[2], '${role} ended\\n'); process.exit(0); });
setInterval(() => {}, 1000);
process.stdout.write('up');
`;
}

/** A fake agent of this machine that records its start and its end. */
export function fakeMachineAgent(dataDir: string): string {
  return `
import { appendFileSync, existsSync } from 'node:fs';
const tell = (what) => appendFileSync(${JSON.stringify(`${dataDir}/story.txt`)}, 'machine agent ' + what + '\\n');
tell('started ' + process.pid);
if (existsSync(${JSON.stringify(`${dataDir}/machine.refusing`)})) process.exit(78);
process.on('SIGTERM', () => { tell('ended'); process.exit(0); });
setInterval(() => {}, 1000);
`;
}
