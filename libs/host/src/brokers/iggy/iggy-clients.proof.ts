import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describeWithIggy, IGGY_SERVER, numbered, pythonWithIggy, skippedSuite } from '@libs/testing';
import { gateOf, PASSWORD, type BrokerUnderTest } from '../../../test/brokers/embedded.fixture.js';
import { anIggyNode } from '../../../test/brokers/iggy.fixture.js';
import { frozenDirectory } from '../../control/node-home.js';
import { IGGY_FILES } from './iggy-files.js';

const run = promisify(execFile);
const SCRIPT = resolve('libs/host/test/brokers/iggy_client.py');
const CLI = join(dirname(IGGY_SERVER ?? ''), 'iggy');
const PYTHON = IGGY_SERVER === null ? null : await pythonWithIggy();

/** A client that nobody of this project wrote. */
interface ForeignClient {
  create(node: BrokerUnderTest, password: string): Promise<void>;
  send(node: BrokerUnderTest, password: string, start: number, count: number): Promise<void>;
  read(node: BrokerUnderTest, password: string, count: number): Promise<string[]>;
}

const portOf = ({ spec }: BrokerUnderTest): string => `127.0.0.1:${spec.listen.ports.tcp}`;

async function cli(node: BrokerUnderTest, password: string, args: string[]): Promise<string> {
  const access = ['--tcp-server-address', portOf(node), '-u', 'admin', '-p', password];
  return (await run(CLI, [...access, ...args], { env: {}, maxBuffer: 64 * 1024 * 1024 })).stdout;
}

const COMMAND_LINE: ForeignClient = {
  async create(node, password) {
    await cli(node, password, ['stream', 'create', 'orders']);
    await cli(node, password, ['topic', 'create', 'orders', 'orders', '1', 'none']);
  },
  async send(node, password, start, count) {
    for (let next = start; next < start + count; next += 100)
      await cli(node, password, ['message', 'send', '-p', '0', 'orders', 'orders', ...numbered(100, next)]);
  },
  async read(node, password, count) {
    const args = ['message', 'poll', '--offset', '0', '-m', String(count), 'orders', 'orders', '0'];
    return (await cli(node, password, args)).match(/message \d+/g) ?? [];
  },
};

async function python(node: BrokerUnderTest, password: string, what: string, start = 0, count = 0): Promise<string> {
  const args = [SCRIPT, what, portOf(node), 'admin', 'orders', String(start), String(count)];
  const { stdout } = await run(PYTHON ?? '', args, { env: { IGGY_PASSWORD: password } }).catch((error: Error) => {
    throw new TypeError(`${error.message}\n${(error as Error & { stderr?: string }).stderr}`);
  });
  return stdout;
}

const PYTHON_SDK: ForeignClient = {
  async create(node, password) {
    await python(node, password, 'create');
  },
  async send(node, password, start, count) {
    await python(node, password, 'send', start, count);
  },
  async read(node, password, count) {
    return (await python(node, password, 'read', 0, count)).trim().split('\n');
  },
};

const nodes: BrokerUnderTest[] = [];

/** Sends and reads before and after everything that an operator does with a deployment. */
async function story(client: ForeignClient): Promise<void> {
  const node = await anIggyNode();
  nodes.push(node);
  await node.start();
  await client.create(node, PASSWORD);
  await client.send(node, PASSWORD, 0, 1_000);
  expect(await client.read(node, PASSWORD, 1_000)).toEqual(numbered(1_000));

  node.spec.broker.restart += 1;
  await restarted(node);
  expect(await client.read(node, PASSWORD, 1_000)).toEqual(numbered(1_000));

  await node.rotate('rotated', { password: PASSWORD, valid_to: null });
  await client.send(node, 'rotated', 1_000, 100);
  await client.send(node, PASSWORD, 1_100, 100);
  await node.rotate('rotated', null);
  await expect(client.read(node, PASSWORD, 1)).rejects.toThrow(/.+/);

  node.spec.broker.config.values = { 'http.max_request_size': '4 MB' };
  await node.runtime.check(node.home, node.spec, gateOf(node.spec));
  await restarted(node);
  expect(await client.read(node, 'rotated', 1_200)).toEqual(numbered(1_200));

  await node.runtime.freeze(node.home);
  await client.send(node, 'rotated', 1_200, 100);
  await node.runtime.stop(node.home, 5_000);
  await rm(IGGY_FILES.data(node.home), { recursive: true });
  await cp(frozenDirectory(node.home), IGGY_FILES.data(node.home), { recursive: true });
  await node.start();
  expect(await client.read(node, 'rotated', 2_000)).toEqual(numbered(1_200));
  await client.send(node, 'rotated', 1_200, 100);
  expect(await client.read(node, 'rotated', 2_000)).toEqual(numbered(1_300));
}

async function restarted(node: BrokerUnderTest): Promise<void> {
  await node.runtime.stop(node.home, 5_000);
  await node.start();
}

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

const describeWithCli = existsSync(CLI)
  ? describeWithIggy
  : skippedSuite('the command line of iggy is missing', 'Put the program iggy beside IGGY_SERVER_BIN');
const describeWithPython =
  PYTHON === null
    ? skippedSuite('the Python SDK of iggy is missing', 'Install Python 3 with venv, and allow pypi.org')
    : describeWithIggy;

describeWithCli('the command line of Apache Iggy', () => {
  it('has every message across restart, rotation, reconfiguration, backup and restore', () => story(COMMAND_LINE));
});

describeWithPython('the Python SDK of Apache Iggy', () => {
  it('has every message across restart, rotation, reconfiguration, backup and restore', () => story(PYTHON_SDK));
});
