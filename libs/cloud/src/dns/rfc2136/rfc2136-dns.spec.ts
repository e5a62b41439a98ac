import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { DnsListener, playing, type Answering, type Recording } from '../../../test/dns-packets.fixture.js';
import { dnsScenario, SCENARIO_ANSWERS, SCENARIO_ZONE } from '../../../test/dns-scenario.fixture.js';
import { CloudError } from '../../cloud-error.js';
import { decodeReply } from './dns-message.js';
import { Rfc2136Dns, type Rfc2136Options } from './rfc2136-dns.js';

const RECORDING = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../test/bind-packets.json'), 'utf8'),
) as Recording;
const OWNER = { installation: 'scenario', deployment_id: 7 };
const FQDN = `d-1.us-east-1.aws.${SCENARIO_ZONE}`;
const KEY = { name: 'landlord', secret: Buffer.alloc(32, 7) };

describe('the driver rfc2136', () => {
  const open: DnsListener[] = [];
  afterEach(async () => {
    for (const listener of open.splice(0)) await listener.stop();
  });

  /** A driver whose server answers so. */
  async function driverFor(answering: () => Answering): Promise<(over?: Partial<Rfc2136Options>) => Rfc2136Dns> {
    const listener = await DnsListener.open(answering);
    open.push(listener);
    const server = { host: '127.0.0.1', port: listener.port };
    return (over = {}) => new Rfc2136Dns({ server, zone: SCENARIO_ZONE, key: KEY, installation: 'scenario', ...over });
  }
  const answersOf = async (answer: Answering) => (await driverFor(() => answer))({ timeoutMs: 200 });
  const unavailable = (text: string) =>
    expect.objectContaining({ refusal: { code: 'unavailable' }, message: expect.stringContaining(text) });

  it('sends to BIND what BIND has accepted, and understands its recorded answers', async () => {
    const play = playing(RECORDING);
    let id = 0;
    const driverOf = await driverFor(() => play);

    const answers = await dnsScenario((over) => driverOf({ nextId: () => (id += 1), ...over }), RECORDING.at);

    expect(answers).toEqual(SCENARIO_ANSWERS);
  });

  it.each(Array.from({ length: 96 / 5 }, (_, index) => index * 5))(
    'believes no answer that was changed on its way: bit %i of the header',
    async (bit) => {
      let id = 0;
      const play = playing(RECORDING);
      const driverOf = await driverFor(() => async (request) => {
        const answer = Buffer.from((await play(request)) ?? []);
        answer.writeUInt8(answer.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        return answer;
      });
      const dns = driverOf({ ...scenarioOptions(), nextId: () => (id += 1), timeoutMs: 500 });

      await expect(dns.describe([FQDN])).rejects.toBeInstanceOf(CloudError);
    },
  );

  it.each([
    ['a success', 0x0000],
    ['a condition that is not true', 0x0008],
  ])('does not believe %s without a signature', async (_what, rcode) => {
    const dns = await answersOf((request) => answerTo(request, rcode));

    await expect(dns.destroy(FQDN)).rejects.toEqual(unavailable('has no valid signature'));
    await expect(dns.ensure(FQDN, '192.0.2.1', OWNER)).rejects.toEqual(unavailable('has no valid signature'));
  });

  it.each([
    ['SERVFAIL', 2, 'unavailable'],
    ['FORMERR', 1, 'invalid'],
    ['NOTIMP', 4, 'invalid'],
    ['REFUSED', 5, 'denied'],
    ['NOTAUTH', 9, 'invalid'],
    ['NOTZONE', 10, 'invalid'],
    ['error 11', 11, 'unavailable'],
  ])('gives each error its consequence, also without a signature: %s', async (name, rcode, code) => {
    const dns = await answersOf((request) => answerTo(request, rcode));

    await expect(dns.destroy(FQDN)).rejects.toMatchObject({ code, message: expect.stringContaining(name) });
  });

  it.each([
    ['does not answer', () => null, 'does not answer within 200 milliseconds'],
    ['sends another message', (request: Buffer) => answerTo(request, 0, 1), 'the answer to another message'],
    ['sends no message', () => Buffer.from('HTTP/1.1 400'), 'no message of DNS'],
    [
      'ends the connection',
      () => {
        throw new RangeError('ended');
      },
      'closed the connection',
    ],
  ])('is unavailable when the server %s', async (_what, answer: Answering, text) => {
    const dns = await answersOf(answer);

    await expect(dns.describe([FQDN])).rejects.toEqual(unavailable(text));
  });

  it('is unavailable when nobody listens', async () => {
    const listener = await DnsListener.open(() => () => null);
    const server = { host: '127.0.0.1', port: listener.port };
    await listener.stop();
    const dns = new Rfc2136Dns({ server, zone: SCENARIO_ZONE, key: KEY, installation: 'scenario' });

    await expect(dns.describe([FQDN])).rejects.toEqual(unavailable('cannot be reached (ECONNREFUSED)'));
  });

  it('rejects with the reason of the signal when the call is aborted', async () => {
    const abort = new AbortController();
    const reason = new CloudError({ code: 'unavailable' }, 'the lease was lost');
    const dns = (
      await driverFor(() => () => {
        abort.abort(reason);
        return null;
      })
    )();

    await expect(dns.destroy(FQDN, abort.signal)).rejects.toBe(reason);
  });

  it.each([
    ['a name outside of the zone', 'd-1.elsewhere.test', '192.0.2.1', 'is not in the zone'],
    ['a name that only ends like the zone', `d-1not${SCENARIO_ZONE}`, '192.0.2.1', 'is not in the zone'],
    ['an empty target', FQDN, '', 'an empty text is not a name of DNS'],
    ['an address for one machine only', FQDN, 'fe80::1%eth0', 'fe80::1%eth0 is not a name of DNS'],
    ['a target that is no name', FQDN, 'a name', 'a name is not a name of DNS'],
    ['a label that is too long', `${'a'.repeat(64)}.${SCENARIO_ZONE}`, '192.0.2.1', 'is not a name of DNS'],
  ])('refuses %s without a call', async (_what, fqdn, target, text) => {
    let calls = 0;
    const dns = await answersOf(() => {
      calls += 1;
      return null;
    });

    await expect(dns.ensure(fqdn, target, OWNER)).rejects.toMatchObject({
      refusal: { code: 'invalid' },
      message: expect.stringContaining(text),
    });
    expect(calls).toBe(0);
  });

  it('survives every message: it is an answer, or a CloudError', () => {
    const message = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .tuple(fc.constantFrom(...RECORDING.exchanges), fc.nat(), fc.nat(255), fc.nat())
        .map(([{ answer }, at, value, length]) => {
          const bytes = Buffer.from(answer, 'hex');
          bytes.writeUInt8(value, at % bytes.length);
          return bytes.subarray(0, (length % bytes.length) + 1);
        }),
    );
    fc.assert(
      fc.property(message, (bytes) => {
        try {
          decodeReply(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(CloudError);
        }
      }),
    );
  });
});

/** The options of the first driver in the scenario. */
const scenarioOptions = (): Partial<Rfc2136Options> => ({
  key: { name: 'landlord', secret: Buffer.from('c3RvcnkgYWJvdXQgdGhlIG5hbWVzIG9mIEJJTkQ=', 'base64') },
  now: () => RECORDING.at,
});

/** The header of the request as an answer, without any section. */
function answerTo(request: Buffer, rcode: number, idDifference = 0): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE((request.readUInt16BE(0) + idDifference) & 0xffff, 0);
  header.writeUInt16BE(0x8000 | (request.readUInt16BE(2) & 0x7800) | rcode, 2);
  return header;
}
