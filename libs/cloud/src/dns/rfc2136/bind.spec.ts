import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describeWithNamed, LANDLORD_TYPES, OwnNamed } from '@libs/testing';
import { publishesAsPromised } from '../../../test/dns.contract.fixture.js';
import { DnsListener, passingTo, type Exchange } from '../../../test/dns-packets.fixture.js';
import {
  CLOSED_ZONE,
  dnsScenario,
  SCENARIO_KEYS,
  SCENARIO_ANSWERS,
  SCENARIO_ZONE,
} from '../../../test/dns-scenario.fixture.js';
import { Rfc2136Dns, type Rfc2136Options } from './rfc2136-dns.js';

const ZONE = 'names.test';
const KEYS = { ...SCENARIO_KEYS, operator: 'dGhlIGtleSBvZiB0aGUgb3BlcmF0b3IgaGltc2VsZiE=' };
const OWNER = { installation: 'contract', deployment_id: 7 };
/** `RECORD_DNS=1` writes the packets that rfc2136-dns.spec.ts plays. */
const RECORDING = resolve(import.meta.dirname, '../../../test/bind-packets.json');

describeWithNamed('the driver rfc2136 with BIND', () => {
  let named: OwnNamed;
  let count = 0;
  beforeAll(async () => {
    const zones = [
      { name: ZONE, writers: { landlord: LANDLORD_TYPES, operator: 'ANY' } },
      { name: SCENARIO_ZONE, writers: { landlord: LANDLORD_TYPES } },
      { name: CLOSED_ZONE, writers: {} },
    ];
    named = await OwnNamed.start(zones, KEYS);
  });
  afterAll(() => named.stop());

  const fresh = (): string => `d-${(count += 1)}.us-east-1.aws.${ZONE}`;
  const driver = (over: Partial<Rfc2136Options> = {}): Rfc2136Dns =>
    new Rfc2136Dns({
      ...{ server: { host: '127.0.0.1', port: named.port }, zone: ZONE, installation: 'contract' },
      key: { name: 'landlord', secret: Buffer.from(KEYS.landlord, 'base64') },
      ...over,
    });
  const targetOf = async (fqdn: string): Promise<string | null> => {
    const answers = await Promise.all(['A', 'AAAA', 'CNAME'].map((type) => named.digAll(fqdn, type)));
    // A question for an address also returns the name that leads to it.
    return [...new Set(answers.flat())].join(' ').replace(/\.$/, '') || null;
  };

  describe('fulfils the contract of the port', () =>
    publishesAsPromised(async () => ({ driver: () => driver(), fresh, targetOf, stop: async () => undefined })));

  it('gets these answers to these calls, which other tests play from a recording', async () => {
    const exchanges: Exchange[] = [];
    const listener = await DnsListener.open(() =>
      passingTo(named.port, (request, answer) => {
        exchanges.push({ request: request.toString('hex'), answer: answer.toString('hex') });
        return answer;
      }),
    );
    let id = 0;
    const at = Date.now();
    const driverOf = (over: Partial<Rfc2136Options>) =>
      driver({ server: { host: '127.0.0.1', port: listener.port }, nextId: () => (id += 1), ...over });

    const answers = await dnsScenario(driverOf, at);

    await listener.stop();
    expect(answers).toEqual(SCENARIO_ANSWERS);
    if (process.env['RECORD_DNS'] !== '1') return;
    const { stderr, stdout } = await promisify(execFile)('/usr/sbin/named', ['-v']);
    const server = `${stdout}${stderr}`.trim();
    await writeFile(RECORDING, `${JSON.stringify({ server, at, exchanges }, null, 2)}\n`);
  });

  it('changes nothing of a name that somebody else has published', async () => {
    const fqdn = fresh();
    await named.nsupdate(ZONE, 'operator', `add ${fqdn} 60 A 198.51.100.1`);

    await expect(driver().ensure(fqdn, '192.0.2.1', OWNER)).rejects.toMatchObject({ refusal: { code: 'invalid' } });
    await driver().destroy(fqdn);

    expect(await targetOf(fqdn)).toBe('198.51.100.1');
    expect(await driver().describe([fqdn])).toEqual(new Map());
  });

  it('removes nothing after somebody else has taken the name over', async () => {
    const fqdn = fresh();
    await driver().ensure(fqdn, '192.0.2.1', OWNER);
    const mark = `_landlord.${fqdn}`;
    const other = '"heritage=landlord,installation=other"';
    await named.nsupdate(ZONE, 'operator', `delete ${mark} TXT`, `add ${mark} 60 TXT ${other}`);

    await driver().destroy(fqdn);

    expect(await targetOf(fqdn)).toBe('192.0.2.1');
    expect(await named.dig(mark, 'TXT')).toBe(other);
    expect([...(await driver({ installation: 'other' }).describe([fqdn])).keys()]).toEqual([fqdn]);
  });

  it('keeps the records of other types that the operator adds to a name', async () => {
    const fqdn = fresh();
    await driver().ensure(fqdn, '192.0.2.1', OWNER);
    await named.nsupdate(ZONE, 'operator', `add ${fqdn} 60 CAA 0 issue "ca.example.net"`);

    await driver().ensure(fqdn, '192.0.2.2', OWNER);
    const changed = await named.dig(fqdn, 'CAA');
    await driver().destroy(fqdn);

    expect([changed, await named.dig(fqdn, 'CAA')]).toEqual(Array(2).fill('0 issue "ca.example.net"'));
    expect(await targetOf(fqdn)).toBeNull();
    expect(await named.dig(`_landlord.${fqdn}`, 'TXT')).toBeNull();
  });

  it.each(['ensure', 'destroy'] as const)('does the work once when the answer to %s is lost', async (call) => {
    const fqdn = fresh();
    let lost = 0;
    const listener = await DnsListener.open(() =>
      passingTo(named.port, (_request, answer) => (isUpdateThatWorked(answer) && lost++ === 0 ? null : answer)),
    );
    const dns = driver({ server: { host: '127.0.0.1', port: listener.port }, timeoutMs: 300 });
    if (call === 'destroy') await driver().ensure(fqdn, '192.0.2.1', OWNER);
    const work = (): Promise<unknown> => (call === 'ensure' ? dns.ensure(fqdn, '192.0.2.1', OWNER) : dns.destroy(fqdn));

    await expect(work()).rejects.toMatchObject({ refusal: { code: 'unavailable' } });
    await work();

    await listener.stop();
    expect(lost).toBeGreaterThan(0);
    expect(await targetOf(fqdn)).toBe(call === 'ensure' ? '192.0.2.1' : null);
  });
});

/** The operation code and the result of a header. */
const isUpdateThatWorked = (answer: Buffer): boolean => (answer.readUInt16BE(2) & 0x780f) === 0x2800;
