import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../cloud/free-ports.js';
import { eventually } from '../basics/eventually.js';
import { skippedSuite, type Suite } from '../skips.js';

const run = promisify(execFile);

/** The folders of servers are in the PATH of root only. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
const find = (program: string): string | null =>
  FOLDERS.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null;
const [NAMED, DIG, NSUPDATE] = [find('named'), find('dig'), find('nsupdate')];

/** A suite that needs BIND, with the tools of its authors. On a machine without them, the suite is skipped. */
export const describeWithNamed: Suite =
  NAMED && DIG && NSUPDATE
    ? describe
    : skippedSuite('named, dig or nsupdate is missing', 'Install BIND 9: "apt-get install bind9 bind9-dnsutils"');

/** A zone of `OwnNamed`. */
export interface OwnZone {
  name: string;
  /** For each key that may change names of the zone: the types of records that it may change. */
  writers: Record<string, string>;
}

/** The types that the key of Landlord needs, as docs/operating.md says. */
export const LANDLORD_TYPES = 'A AAAA CNAME TXT';

/** A key of `OwnNamed`: its name and its secret in base64. */
export type OwnKeys = Record<string, string>;

/** A BIND of its own for one suite. */
export class OwnNamed {
  private constructor(
    private readonly directory: string,
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(zones: readonly OwnZone[], keys: OwnKeys): Promise<OwnNamed> {
    const directory = await mkdtemp(join(tmpdir(), 'landlord-named-'));
    const [port = 0] = await freePorts(1);
    for (const { name } of zones) await writeFile(join(directory, name), zoneFile(name));
    for (const [name, secret] of Object.entries(keys))
      await writeFile(join(directory, `${name}.key`), keyFile(name, secret));
    await writeFile(join(directory, 'named.conf'), configuration(directory, port, zones, keys));
    const args = ['-g', '-n', '1', '-c', join(directory, 'named.conf')];
    const child = spawn(NAMED ?? '', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    child.stderr.on('data', (chunk: Buffer) => (log = (log + String(chunk)).slice(-4000)));
    const named = new OwnNamed(directory, child, port);
    await eventually('named answers', async () => {
      if (child.exitCode !== null) throw new TypeError(`named ended: ${log}`);
      return (await named.dig(zones[0]?.name ?? '', 'SOA')) !== null;
    });
    return named;
  }

  /** The data of the only record, or of the first one. Null: there is none. */
  async dig(name: string, type: string): Promise<string | null> {
    return (await this.digAll(name, type))[0] ?? null;
  }

  /** The data of all records. */
  async digAll(name: string, type: string): Promise<string[]> {
    const { stdout } = await run(DIG ?? '', [
      ...['@127.0.0.1', '-p', String(this.port), '+tcp', '+short', '+norecurse', '+tries=1', '+time=2', name, type],
    ]).catch(() => ({ stdout: '' }));
    return stdout.split('\n').filter((line) => line !== '' && !line.startsWith(';'));
  }

  /** Changes the zone with the tool of the authors of BIND, as somebody else does. */
  async nsupdate(zone: string, key: string, ...changes: string[]): Promise<void> {
    const lines = [
      `server 127.0.0.1 ${this.port}`,
      `zone ${zone}`,
      ...changes.map((change) => `update ${change}`),
      'send',
    ];
    const file = join(this.directory, 'changes');
    await writeFile(file, `${lines.join('\n')}\n`);
    await run(NSUPDATE ?? '', ['-v', '-k', join(this.directory, `${key}.key`), file]);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
    await rm(this.directory, { recursive: true, force: true });
  }
}

const keyFile = (name: string, secret: string): string =>
  `key "${name}" { algorithm hmac-sha256; secret "${secret}"; };\n`;

const zoneFile = (zone: string): string =>
  [
    '$TTL 60',
    `@ IN SOA ns.${zone}. admin.${zone}. 1 3600 600 86400 60`,
    `@ IN NS ns.${zone}.`,
    'ns IN A 127.0.0.1',
    '',
  ].join('\n');

function configuration(directory: string, port: number, zones: readonly OwnZone[], keys: OwnKeys): string {
  const policyOf = ({ writers }: OwnZone): string => {
    const grants = Object.entries(writers).map(([key, types]) => `grant ${key} zonesub ${types};`);
    return grants.length === 0 ? '' : `update-policy { ${grants.join(' ')} };`;
  };
  return [
    `options { directory "${directory}"; pid-file none; listen-on port ${port} { 127.0.0.1; };`,
    '  listen-on-v6 { none; }; recursion no; dnssec-validation no; notify no; };',
    'controls { };',
    ...Object.entries(keys).map(([name, secret]) => keyFile(name, secret)),
    ...zones.map((zone) => `zone "${zone.name}" { type master; file "${zone.name}"; ${policyOf(zone)} };`),
    '',
  ].join('\n');
}
