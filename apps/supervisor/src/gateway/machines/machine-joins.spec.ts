import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayUnderTest } from '../../../test/gateway.fixture.js';
import { FACTS, machineToken, PlayedMachine, publishArtifacts } from '../../../test/machines.fixture.js';

const UNLIMITED = { aSecond: 1e6, atOnce: 1e6 };
const LIMITS = { status: UNLIMITED, reads: UNLIMITED, joins: UNLIMITED };
const PROGRAMS = ['agent any', 'node x64', 'node arm64', 'nats x64', 'nats arm64'];

describe('The gateway', () => {
  let gateway: GatewayUnderTest;
  let artifacts: Record<string, string>;

  beforeAll(async () => {
    gateway = await GatewayUnderTest.open({ limits: LIMITS });
    const named = PROGRAMS.map((program) => program.split(' ') as [string, string]);
    artifacts = await publishArtifacts(gateway, ...named.map(([name, arch]) => ({ name, arch })));
  });
  afterAll(() => gateway.close());

  const machinesNow = async (): Promise<number> =>
    Number((await gateway.bench.rows<{ n: number }>('select count(*) as n from machines'))[0]?.n);

  describe('with a host that joins,', () => {
    it('makes it a machine of the place of its token, and stores only hashes', async () => {
      const token = await machineToken(gateway);
      const machine = new PlayedMachine(gateway);
      const answer = await machine.join(token);

      const { machine_id, installation, region, zone } = (await answer.json()) as Record<string, unknown>;
      expect([answer.status, installation, region, zone]).toEqual([200, 'test', 'us-east-1', 'us-east-1a']);
      expect(await machine.row()).toMatchObject({ ...FACTS, cell: 'local', status: 'active' });
      const rows = await gateway.bench.rows<object>(
        'select m::text as machine, t::text as token from machines m join machine_tokens t on t.machine_id = m.id where m.id = $1',
        [machine_id],
      );
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(rows)).not.toContain(machine.secret);
      expect(JSON.stringify(rows)).not.toContain(token.split('.')[1]);
    });

    it('repeats the answer to the same host until its first call, and refuses every other host', async () => {
      const token = await machineToken(gateway);
      const [machine, other] = [new PlayedMachine(gateway), new PlayedMachine(gateway)];
      await machine.join(token);
      const { id } = machine;
      const before = await machinesNow();

      expect([(await machine.join(token)).status, machine.id]).toEqual([200, id]);
      expect((await other.join(token)).status).toBe(401);
      expect((await machine.status()).status).toBe(200);
      expect((await machine.join(token)).status).toBe(401);
      expect(await machinesNow()).toBe(before);
    });

    it('makes one machine when ten hosts use one token at once', async () => {
      const before = await machinesNow();
      const ROUNDS = 5;
      for (let round = 0; round < ROUNDS; round += 1) {
        const token = await machineToken(gateway);
        const hosts = Array.from({ length: 10 }, () => new PlayedMachine(gateway));
        const answers = await Promise.all(hosts.map((host) => host.join(token)));
        expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 401)]);
      }

      expect(await machinesNow()).toBe(before + ROUNDS);
    });

    it('makes 200 machines of 200 hosts that join at once', async () => {
      const tokens = await Promise.all(Array.from({ length: 200 }, () => machineToken(gateway)));
      const hosts = tokens.map(() => new PlayedMachine(gateway));
      const answers = await Promise.all(hosts.map((host, place) => host.join(tokens[place] ?? '')));

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(hosts.map(({ id }) => id)).size).toBe(200);
    });

    it('refuses a token that is expired, of another cell or installation, or wrong', async () => {
      const valid = await machineToken(gateway);
      const [id = '', secret = ''] = valid.split('.');
      const expired = await machineToken(gateway, { validFor: '-1 second' });
      const ofOtherCell = await machineToken(gateway, { cell: 'far' });
      const before = await machinesNow();

      for (const token of [expired, ofOtherCell, `${id}.${'x'.repeat(43)}`, `${Number(id) + 1e6}.${secret}`])
        expect([token, (await new PlayedMachine(gateway).join(token)).status]).toEqual([token, 401]);
      for (const token of ['', '1', `${id}.`, `0.${secret}`, `${id}.${secret}.`, ` ${valid}`])
        expect([token, (await new PlayedMachine(gateway).join(token)).status]).toEqual([token, 400]);
      expect(await machinesNow()).toBe(before);
      expect((await new PlayedMachine(gateway).join(valid)).status).toBe(200);
    });

    it('refuses a repeated join after the token has expired, and after the machine was removed', async () => {
      const [first, second] = [await machineToken(gateway), await machineToken(gateway)];
      const [late, removed] = [new PlayedMachine(gateway), new PlayedMachine(gateway)];
      await late.join(first);
      await removed.join(second);
      await gateway.bench.rows('update machine_tokens set expires_at = now() where id = $1', [first.split('.')[0]]);
      await removed.remove();

      expect((await late.join(first)).status).toBe(401);
      expect((await removed.join(second)).status).toBe(401);
    });

    it.each([
      ['more memory than any host', { memory_mib: 1e9 }],
      ['negative memory', { memory_mib: -1 }],
      ['a part of a processor', { cpus: 1.5 }],
      ['more disk than any host', { disk_gib: 1e9 }],
      ['a hostname with a command', { hostname: 'a;rm -rf /' }],
      ['a hostname with an escape sequence', { hostname: 'a\u001b[2J' }],
      ['an address with a path', { address: '192.0.2.7/x' }],
      ['an unknown processor', { processor: 'mips' as 'x64' }],
    ])('refuses %s', async (_, changes) => {
      const host = new PlayedMachine(gateway, { ...FACTS, ...changes });
      expect((await host.join(await machineToken(gateway))).status).toBe(400);

      const machine = await PlayedMachine.joined(gateway);
      expect((await machine.status([], { machine: { ...FACTS, ...changes } })).status).toBe(400);
      expect(await machine.row()).toMatchObject(FACTS);
    });
  });

  it('sends artifacts to machines, and to hosts with an unused token', async () => {
    const token = await machineToken(gateway);
    const machine = new PlayedMachine(gateway);
    const path = `artifacts/${artifacts['node x64']}`;
    const statusFor = async (credential: string) => (await machine.send('GET', path, undefined, credential)).status;

    expect(await statusFor(`Bearer join ${token}`)).toBe(200);
    expect(await statusFor(`Bearer join ${token}x`)).toBe(401);
    expect(await statusFor(`Bearer join ${await machineToken(gateway, { validFor: '-1 second' })}`)).toBe(401);
    expect(await statusFor(`Bearer join ${await machineToken(gateway, { cell: 'far' })}`)).toBe(401);
    await machine.join(token);
    expect(await statusFor(`Bearer join ${token}`)).toBe(401);
    expect(await statusFor(machine.credential)).toBe(200);
  });

  it('names the programs of a processor to machines, and to hosts with an unused token', async () => {
    const token = await machineToken(gateway);
    const host = new PlayedMachine(gateway);
    const ask = (query: string, credential = `Bearer join ${token}`): Promise<Response> =>
      host.send('GET', `machines/programs${query}`, undefined, credential);

    expect(await (await ask('?processor=arm64')).text()).toBe(
      ['agent any', 'node arm64', 'nats arm64']
        .map((name) => `${name.split(' ')[0]} ${artifacts[name]} ${name}.js\n`)
        .join(''),
    );
    expect((await ask('?processor=mips')).status).toBe(400);
    expect((await ask('?processor=x64', 'Bearer join 1.short')).status).toBe(401);
    await host.join(token);
    expect((await ask('?processor=x64')).status).toBe(401);
    expect((await ask('?processor=x64', host.credential)).status).toBe(200);
  });

  it('sends the script without a credential, and no certificate without TLS', async () => {
    const script = await fetch(`${gateway.url}/agent/v1/machines/join.sh`);

    expect([script.status, (await script.text()).startsWith('#!/bin/sh\n')]).toEqual([200, true]);
    expect((await fetch(`${gateway.url}/agent/v1/machines/ca.pem`)).status).toBe(404);
  });
});

describe('The gateway with AGENT_CA', () => {
  it('sends the certificates of the file, and not the private key beside them', async () => {
    const certificate = (text: string): string => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
    const directory = await mkdtemp(join(tmpdir(), 'landlord-ca-'));
    const file = join(directory, 'ca.pem');
    const key = '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n';
    await writeFile(file, `${certificate('AAAA')}${key}${certificate('BBBB')}`);
    const gateway = await GatewayUnderTest.open({ config: { AGENT_CA: file } });
    try {
      const answer = await fetch(`${gateway.url}/agent/v1/machines/ca.pem`);

      expect([answer.status, await answer.text()]).toEqual([200, `${certificate('AAAA')}${certificate('BBBB')}`]);
    } finally {
      await gateway.close();
      await rm(directory, { recursive: true });
    }
  });
});
