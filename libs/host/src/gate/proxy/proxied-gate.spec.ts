import { limitsOfGate } from '@libs/domain/admission';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { setTimeout as delay } from 'node:timers/promises';
import type { GateRule } from '@libs/domain';
import { aCertificate } from '../../../test/brokers/certificates.fixture.js';
import { until } from '../../../test/brokers/embedded.fixture.js';
import {
  closes,
  endAll,
  ends,
  freePort,
  HOST,
  receives,
  watched,
  type Client,
} from '../../../test/brokers/gate-clients.fixture.js';
import { aProxyHeader, LOCAL_HEADER } from '../../../test/brokers/proxy-headers.fixture.js';
import { PROXY_ADDRESS as PROXY, PROXY_RANGE as RANGE, sendApart } from '../../../test/brokers/proxy-server.fixture.js';
import { Gate } from '../gate.js';

const CLIENT = '10.1.2.3';
const HEADER = aProxyHeader({ source: CLIENT });
const ruleFor = (...cidrs: string[]): GateRule => ({ id: 1, cidrs, protocols: ['tcp'], valid_to: null });
const OWN = ruleFor('10.1.2.0/24');

afterEach(endAll);

interface Running {
  gate: Gate;
  port: number;
  /** The addresses that the handler of the gate saw. */
  seen: (string | undefined)[];
}

/** A gate that echoes. Only clients in 10.1.2.0/24 may connect, and only a proxy has such clients. */
async function aGate({
  patienceMs = 5_000,
  most = 10,
  rules = [OWN],
  proxies = [RANGE],
  address = HOST,
} = {}): Promise<Running> {
  const gate = new Gate({ ...limitsOfGate(0, 60_000), places: most, unknown: most, reserve: 0, ofNetwork: most });
  const seen: (string | undefined)[] = [];
  gate.setRules(rules, 0, proxies);
  const port = await freePort();
  ends.push(
    () => gate.close(),
    () => gate.cutAll(),
  );
  await gate.open('tcp', { address, port, patienceMs }, (socket) => {
    seen.push(socket.remoteAddress);
    socket.pipe(socket);
  });
  return { gate, port, seen };
}

function from(localAddress: string, port: number, ...packets: Buffer[]): Client {
  const socket = connect({ port, host: HOST, localAddress, noDelay: true });
  for (const packet of packets) socket.write(packet);
  return watched(socket);
}

const proxied = (port: number, ...packets: Buffer[]): Client => from(PROXY, port, ...packets);

const HELLO = Buffer.from('hello');

describe('A gate behind a proxy', () => {
  it('applies the rules to the address in the header, and passes on the bytes after the header', async () => {
    const { gate, port, seen } = await aGate();

    await receives(proxied(port, Buffer.concat([HEADER, HELLO])), HELLO);
    await closes(proxied(port, Buffer.concat([aProxyHeader({ source: '10.1.3.3' }), HELLO])));
    await closes(proxied(port, Buffer.concat([aProxyHeader({ source: '2001:db8::1' }), HELLO])));
    await receives(proxied(port, Buffer.concat([aProxyHeader({ source: `::ffff:${CLIENT}` }), HELLO])), HELLO);

    expect(seen).toEqual([CLIENT, CLIENT]);
    expect([gate.clients, gate.denied]).toEqual([2, 2]);
  });

  it('closes at once what does not begin with a header, or with another header than one of TCP', async () => {
    const { gate, port, seen } = await aGate({ patienceMs: 120_000, rules: [ruleFor('0.0.0.0/0')] });
    const certs = await aCertificate();
    gate.setCertificate(certs);
    const plain = proxied(port, HELLO);
    const v1 = proxied(port, Buffer.from('PROXY TCP4 10.1.2.3 198.51.100.1 50000 443\r\n'));
    const datagram = proxied(port, aProxyHeader({ source: CLIENT, family: 0x12 }));
    const raw = connect({ port, host: HOST, localAddress: PROXY });
    const tls = watched(connectTls({ socket: raw, host: HOST, ca: certs.ca }));

    await Promise.all([plain, v1, datagram, tls].map(closes));

    expect(seen).toEqual([]);
    expect(gate.denied).toBe(4);
  });

  it('believes no header from another network, and no second one', async () => {
    const { gate, port, seen } = await aGate({ patienceMs: 120_000, rules: [ruleFor('127.0.0.1/32'), OWN] });

    await closes(from('127.0.0.1', port, HEADER));
    await closes(from('127.9.1.1', port, HEADER));
    await closes(proxied(port, Buffer.concat([HEADER, HEADER])));
    await receives(from('127.0.0.1', port, HELLO), HELLO);

    expect(seen).toEqual(['127.0.0.1']);
    expect(gate.denied).toBe(1);
  });

  it('reads a header in single bytes, and a header in two packets before TLS', async () => {
    const { gate, port, seen } = await aGate();
    const certs = await aCertificate();
    gate.setCertificate(certs);
    const slow = proxied(port);
    await sendApart(
      slow.socket,
      [...Buffer.concat([HEADER, HELLO])].map((byte) => Buffer.from([byte])),
    );
    await receives(slow, HELLO);

    const raw = connect({ port, host: HOST, localAddress: PROXY, noDelay: true });
    await sendApart(raw, [HEADER.subarray(0, 13), HEADER.subarray(13)]);
    const tls = connectTls({ socket: raw, host: HOST, ca: certs.ca });
    tls.write(HELLO);
    await receives(watched(tls), HELLO);

    expect(seen).toEqual([CLIENT, CLIENT]);
  });

  it('reads a header and the start of TLS in one packet', async () => {
    const { gate, port, seen } = await aGate();
    const certs = await aCertificate();
    gate.setCertificate(certs);
    const raw = connect({ port, host: HOST, localAddress: PROXY });
    raw.cork();
    raw.write(HEADER);
    const tls = connectTls({ socket: raw, host: HOST, ca: certs.ca });
    process.nextTick(() => raw.uncork());
    tls.write(HELLO);

    await receives(watched(tls), HELLO);

    expect(seen).toEqual([CLIENT]);
  });

  it('shows each TLS client its own address, with many handshakes at once', async () => {
    const { gate, port, seen } = await aGate({ most: 40 });
    const certs = await aCertificate();
    gate.setCertificate(certs);
    const addresses = Array.from({ length: 30 }, (_, index) => `10.1.2.${index + 1}`);

    await Promise.all(
      addresses.map(async (source) => {
        const raw = connect({ port, host: HOST, localAddress: PROXY });
        raw.write(aProxyHeader({ source }));
        const tls = connectTls({ socket: raw, host: HOST, ca: certs.ca });
        tls.write(HELLO);
        await receives(watched(tls), HELLO);
      }),
    );

    expect([...seen].sort()).toEqual([...addresses].sort());
  });

  it.each([
    ['no byte', Buffer.alloc(0)],
    ['a part of a header', HEADER.subarray(0, 20)],
    ['a header and no byte of the client', HEADER],
  ])('closes a connection that sends %s, within one time limit', async (_what, bytes) => {
    const { gate, port, seen } = await aGate({ patienceMs: 1_000 });
    const silent = proxied(port);
    const begun = performance.now();
    await delay(700);
    silent.socket.write(bytes);

    await closes(silent);

    expect(performance.now() - begun).toBeGreaterThan(900);
    expect(performance.now() - begun).toBeLessThan(1_500);
    expect(seen).toEqual([]);
    await until('the slot is free', () => gate.clients === 0);
  });

  it('counts a connection that waits for its header among its sockets', async () => {
    const { gate, port } = await aGate({ most: 1 });
    const silent = proxied(port);
    await until('the connection waits', () => gate.clients === 1);

    await receives(proxied(port, Buffer.concat([HEADER, HELLO])), HELLO);

    // The silent connection gave way.
    await closes(silent);
    expect([gate.clients, gate.cut]).toEqual([1, 1]);
  });

  it('applies the rules to the address of the proxy for a LOCAL header', async () => {
    const { gate, port, seen } = await aGate();
    await closes(proxied(port, Buffer.concat([LOCAL_HEADER, HELLO])));

    gate.setRules([ruleFor(`${PROXY}/32`)], 0, [RANGE]);
    await receives(proxied(port, Buffer.concat([LOCAL_HEADER, HELLO])), HELLO);

    expect(seen).toEqual([PROXY]);
  });

  it('cuts a client by its own address when its rule changes or ends', async () => {
    const { gate, port } = await aGate();
    const [changed, ended] = [proxied(port, Buffer.concat([HEADER, HELLO])), proxied(port)];
    ended.socket.write(Buffer.concat([aProxyHeader({ source: '10.1.2.4' }), HELLO]));
    await Promise.all([receives(changed, HELLO), receives(ended, HELLO)]);

    gate.setRules([{ ...ruleFor('10.1.2.4/32'), valid_to: new Date(Date.now() + 600).toISOString() }], 0, [RANGE]);

    await closes(changed);
    expect(ended.isClosed()).toBe(false);
    await closes(ended);
  });

  it('cuts exactly the connections whose network became or stopped being one of a proxy', async () => {
    const rules = [ruleFor('10.1.2.0/24', '127.0.0.0/8')];
    const { gate, port, seen } = await aGate({ rules, proxies: [] });
    const [direct, other] = [proxied(port, HELLO), from('127.0.0.1', port, HELLO)];
    await Promise.all([receives(direct, HELLO), receives(other, HELLO)]);

    gate.setRules(rules, 0, [RANGE]);
    await closes(direct);
    const [headed, waiting] = [proxied(port, Buffer.concat([HEADER, HELLO])), proxied(port)];
    await receives(headed, HELLO);
    await until('both and the other are connected', () => gate.clients === 3);
    gate.setRules(rules, 0, [RANGE, '127.8.0.0/24']);
    await until('the change is over', () => gate.clients === 3);
    gate.setRules(rules, 0, ['127.8.0.0/24']);

    await Promise.all([closes(headed), closes(waiting)]);
    expect([other.isClosed(), gate.clients]).toEqual([false, 1]);
    await receives(proxied(port, HELLO), HELLO);
    expect(seen).toEqual([PROXY, '127.0.0.1', CLIENT, PROXY]);
  });

  it('knows a proxy on a listener of IPv6, also where IPv4 is mapped', async () => {
    const { port, seen } = await aGate({ address: '::', proxies: [RANGE, '::1/128', 'nonsense', '10.0.0.0/33'] });
    const six = connect({ port, host: '::1' });
    six.write(Buffer.concat([HEADER, HELLO]));

    await receives(watched(six), HELLO);
    await receives(proxied(port, Buffer.concat([HEADER, HELLO])), HELLO);

    expect(seen).toEqual([CLIENT, CLIENT]);
  });
});
