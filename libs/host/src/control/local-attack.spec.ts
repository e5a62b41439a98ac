import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { noteSkip } from '@libs/testing';
import { aNodeSpec, BrokerUnderTest, until } from '../../test/brokers/embedded.fixture.js';
import { contactInstance } from './instance-socket.js';
import { nodeFlag } from './node-home.js';
import { pidsWith } from '../os/process-table.js';
import { askInstance } from './ask-instance.js';

const ENTRY = resolve('dist/libs/host/src/brokers/embedded/embedded.main.js');
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
if (!isRoot) noteSkip('attacks by another user of the machine need root', 'Run the tests as root');
const asRoot = isRoot ? it : it.skip;

/** Takes the abstract names of the previous release, tries to bind and to open the new sockets, and prints each result. */
const ATTACK = `
  const net = require('node:net');
  const [names, places] = JSON.parse(process.argv[1]);
  const say = (what) => process.stdout.write(JSON.stringify(what) + '\\n');
  for (const name of names) {
    const server = net.createServer((socket) => socket.on('data', (data) => say({ heard: String(data) })));
    server.on('error', (error) => say({ squat: error.code })).listen({ path: '\\0' + name }, () => say({ squat: 'ok' }));
  }
  for (const place of places) {
    net.createServer().on('error', (error) => say({ bind: error.code })).listen(place, () => say({ bind: 'ok' }));
    net.connect(place, () => say({ open: 'ok' })).on('error', (error) => say({ open: error.code }));
  }
`;

describe('Another user of the machine', () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  const aBroker = async (): Promise<BrokerUnderTest> => {
    const broker = await BrokerUnderTest.of(await aNodeSpec());
    ends.push(() => broker.destroy());
    // The directory of the sockets is closed, even if the directory of the node is open.
    await chmod(broker.home.dir, 0o755);
    return broker;
  };

  /** The results of the attack, in the order of their arrival. */
  const attack = ({ home }: BrokerUnderTest, sockets: string[]): Record<string, string>[] => {
    const roles = ['agent', 'broker', 'gate', 'connectors'];
    const names = roles.map((role) => `landlord-${home.installation}-${home.nodeId}-${role}`);
    const args = ['-e', ATTACK, JSON.stringify([names, sockets])];
    const child = spawn(process.execPath, args, { uid: NOBODY, gid: NOBODY, stdio: ['ignore', 'pipe', 'inherit'] });
    ends.push(() => ended(child));
    const answers: Record<string, string>[] = [];
    child.stdout.on('data', (data) => {
      for (const line of String(data).trim().split('\n')) answers.push(JSON.parse(line) as Record<string, string>);
    });
    return answers;
  };

  asRoot('learns nothing by the names of the release before, and does not keep the broker from starting', async () => {
    const broker = await aBroker();
    const answers = attack(broker, [join(broker.home.dir, 'run', 'broker.1.sock')]);
    await until('the names are taken', () => answers.filter(({ squat }) => squat === 'ok').length === 4);

    await broker.start();
    await broker.setRules(broker.spec.access_rules);
    const first = await contactInstance(broker.home, 'broker');
    await broker.runtime.stop(broker.home, 5_000);
    await broker.start();

    expect(answers.filter(({ heard }) => heard)).toEqual([]);
    expect(answers.filter(({ bind }) => bind)).toEqual([{ bind: 'EACCES' }]);
    expect((await contactInstance(broker.home, 'broker'))?.token).not.toBe(first?.token);
  });

  asRoot('does not open the control socket, and puts none beside it', async () => {
    const broker = await aBroker();
    await broker.start();
    const run = join(broker.home.dir, 'run');
    const [socket = ''] = (await readdir(run)).filter((name) => name.endsWith('.sock'));
    // Clients use the socket with the highest number.
    const answers = attack(broker, [join(run, socket), join(run, 'broker.999.sock')]);

    const ofPlaces = () => answers.filter(({ open, bind }) => open ?? bind);
    await until('both places were tried', () => ofPlaces().length === 4);
    expect(ofPlaces().filter(({ open, bind }) => (open ?? bind) === 'ok')).toEqual([]);
    expect((await readdir(run)).filter((name) => name.endsWith('.sock'))).toEqual([socket]);
  });

  asRoot('is not taken for the broker by an argv, and not in its way', async () => {
    const broker = await aBroker();
    const args = ['-e', 'setInterval(() => 0, 1e6)', '--', '--config', join(broker.home.dir, 'broker.json')];
    const child = spawn(process.execPath, [...args, nodeFlag(broker.home)], { uid: NOBODY, gid: NOBODY });
    ends.push(() => ended(child));

    await broker.start();
    await broker.runtime.kill(broker.home);

    expect(child.exitCode ?? child.signalCode).toBeNull();
  });
});

describe('A process of a node', () => {
  let broker: BrokerUnderTest;
  beforeEach(async () => {
    broker = await BrokerUnderTest.of(await aNodeSpec());
  });
  afterEach(() => broker.destroy());
  const flags = (): string[] => ['--config', join(broker.home.dir, 'broker.json'), nodeFlag(broker.home)];

  it('writes a frozen copy only into its own directory', async () => {
    await broker.start();
    const victim = join(broker.home.dir, 'victim');
    await mkdir(victim);
    await writeFile(join(victim, 'kept'), '');

    const order = { method: 'POST', path: '/freeze', body: { to: victim } } as const;
    await expect(askInstance(broker.home, 'broker', order)).rejects.toThrow('the broker returned 400');
    await broker.runtime.freeze(broker.home);

    expect(await readdir(victim)).toEqual(['kept']);
    expect(await readdir(join(broker.home.dir, 'frozen'))).toContain('CURRENT');
  });

  it('refuses further starts while it is running', async () => {
    const { pid } = await broker.start();
    const others = [1, 2, 3].map(() => spawn(process.execPath, [ENTRY, ...flags()], { stdio: 'ignore' }));
    const codes = await Promise.all(others.map((other) => new Promise((resolve) => other.once('exit', resolve))));

    expect(codes).toEqual([1, 1, 1]);
    expect((await broker.ready()).pid).toBe(pid);
    expect(await pidsWith(flags())).toEqual([pid]);
  });

  it('starts again after kill -9, over the remaining socket', async () => {
    const { pid } = await broker.start();
    await broker.kill();
    expect(await broker.runtime.contact(broker.home)).toBeNull();

    expect((await broker.start()).pid).not.toBe(pid);
  });

  it('replaces a process of the previous release, after that process has ended', async () => {
    const name = `landlord-${broker.home.installation}-${broker.home.nodeId}-broker`;
    const old = spawn(
      process.execPath,
      ['-e', OLD_BROKER, '--', name, String(broker.spec.listen.ports.tcp), ...flags()],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const end = new Promise((resolve) => old.once('exit', (code, signal) => resolve(code ?? signal)));
    await new Promise((resolve) => old.stdout.once('data', resolve));

    const { pid } = await broker.start();

    expect(await end).toBe(0);
    expect(await pidsWith(flags())).toEqual([pid]);
  });
});

/** Has the old name and a port of the node, and stops on SIGTERM. */
const OLD_BROKER = `
  const net = require('node:net');
  const [name, port] = process.argv.slice(1);
  const servers = [net.createServer().listen({ path: '\\0' + name }), net.createServer().listen(Number(port), '127.0.0.1')];
  process.once('SIGTERM', () => { for (const server of servers) server.close(); });
  servers[1].once('listening', () => process.stdout.write('listening'));
`;

const ended = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(null);
    child.once('exit', resolve);
    child.kill('SIGKILL');
  });
