import { connect } from 'node:net';
import { describeWithIggy, describeWithNats, IggyFrames, NATS_SERVER } from '@libs/testing';
import mqtt from 'mqtt';
import { aCertificate } from '../../../test/brokers/certificates.fixture.js';
import {
  aNodeSpec,
  BrokerUnderTest,
  EVERYONE,
  PASSWORD,
  until,
  type SpecChanges,
} from '../../../test/brokers/embedded.fixture.js';
import { closes, endAll, ends, HOST, watched } from '../../../test/brokers/gate-clients.fixture.js';
import { anIggyNode } from '../../../test/brokers/iggy.fixture.js';
import { aNatsNode } from '../../../test/brokers/nats.fixture.js';
import { PagePerson } from '../../../test/brokers/page-person.fixture.js';
import { aProxyHeader, LOCAL_HEADER } from '../../../test/brokers/proxy-headers.fixture.js';
import { aProxy, PROXY_ADDRESS, PROXY_RANGE } from '../../../test/brokers/proxy-server.fixture.js';
import { HTTP_PATIENCE_MS } from '../accepted-sockets.js';

const PROTOCOLS = ['tcp', 'websocket', 'http'] as const;
type Protocol = (typeof PROTOCOLS)[number];
const CLIENT = '10.1.2.3';
const STRANGER = '10.1.3.3';
/** Clients behind the proxy, and the test itself. The address of the proxy has no rule. */
const RULES = [{ ...EVERYONE, cidrs: ['10.1.2.0/24', '127.0.0.1/32'] }];
/** Far below the time limit of every port. */
const AT_ONCE_MS = 5_000;

const running: BrokerUnderTest[] = [];

afterEach(async () => {
  await endAll();
  await Promise.all(running.splice(0).map((node) => node.destroy()));
});

/** Signs in at a port. Resolves when the node has accepted or refused the password, and rejects when the connection is cut. */
type SignIn = (port: number, protocol: Protocol, password: string, ca?: string) => Promise<{ isIn: boolean }>;

async function byMqtt(port: number, protocol: 'tcp' | 'websocket', password: string, ca?: string) {
  const scheme = { tcp: ca ? 'mqtts' : 'mqtt', websocket: ca ? 'wss' : 'ws' }[protocol];
  const options = { username: 'admin', password, reconnectPeriod: 0, connectTimeout: 10_000, clientId: 'probe' };
  try {
    const trusted = ca === undefined ? {} : { ca, wsOptions: { ca } };
    const client = await mqtt.connectAsync(`${scheme}://${HOST}:${port}`, { ...options, ...trusted }, false);
    ends.push(() => client.endAsync(true));
    return { isIn: true };
  } catch (error) {
    if ([4, 5].includes((error as { code: number }).code)) return { isIn: false };
    throw error;
  }
}

const mqttSignIn: SignIn = async (port, protocol, password, ca) => {
  if (protocol !== 'http') return byMqtt(port, protocol, password, ca);
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  const answer = await fetch(`http://${HOST}:${port}/stats`, { headers: { authorization, connection: 'close' } });
  await answer.arrayBuffer();
  return { isIn: answer.ok };
};

const iggySignIn: SignIn = async (port, protocol, password, ca) => {
  if (protocol !== 'http') {
    const client = await IggyFrames.to({
      endpoint: `${HOST}:${port}`,
      over: protocol,
      ...(ca !== undefined && { ca }),
    });
    ends.push(() => client.close());
    return { isIn: (await client.signIn(password)).status === 0 };
  }
  const headers = { 'content-type': 'application/json', connection: 'close' };
  const body = JSON.stringify({ username: 'admin', password });
  const answer = await fetch(`http://${HOST}:${port}/users/login`, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  return { isIn: answer.ok };
};

const DRIVERS = [
  {
    ...{ driver: 'embedded', suite: describe, signIn: mqttSignIn, speaksMqtt: true },
    make: async (changes: SpecChanges) => BrokerUnderTest.of(await aNodeSpec(changes)),
  },
  {
    ...{ driver: 'nats', suite: describeWithNats, signIn: mqttSignIn, speaksMqtt: true },
    make: (changes: SpecChanges) => aNatsNode(NATS_SERVER, changes),
  },
  { ...{ driver: 'iggy', suite: describeWithIggy, signIn: iggySignIn, speaksMqtt: false }, make: anIggyNode },
];

const denied = async (node: BrokerUnderTest): Promise<number> =>
  (await node.runtime.stats(node.home))['gate_denied'] ?? 0;

for (const { driver, suite, signIn, speaksMqtt, make } of DRIVERS)
  suite(`A proxy in front of ${driver}`, () => {
    async function aNode(proxies: string[] = [PROXY_RANGE], changes: SpecChanges = {}): Promise<BrokerUnderTest> {
      const node = await make({ rules: RULES, ...changes });
      node.spec.proxies = proxies;
      running.push(node);
      await node.start();
      return node;
    }

    it('lets in clients by their own address, and reports refused sign-ins with this address, on every port', async () => {
      const node = await aNode();

      for (const protocol of PROTOCOLS) {
        const port = node.spec.listen.ports[protocol];
        const proxy = await aProxy(port, CLIENT);
        expect([protocol, await signIn(proxy, protocol, PASSWORD)]).toEqual([protocol, { isIn: true }]);
        expect([protocol, await signIn(proxy, protocol, 'guess')]).toEqual([protocol, { isIn: false }]);
        await expect(signIn(await aProxy(port, STRANGER), protocol, PASSWORD)).rejects.toThrow();
      }

      expect((await node.ready()).refusedLogins).toEqual([{ address: CLIENT, count: 3, at: expect.any(Number) }]);
      expect(await denied(node)).toBe(3);
    });

    it('closes connections without a header from the proxy, and with a header from elsewhere, on every port', async () => {
      const node = await aNode([PROXY_RANGE], { rules: [EVERYONE] });
      const closed = PROTOCOLS.flatMap((protocol) => {
        const port = node.spec.listen.ports[protocol] ?? 0;
        const bare = watched(connect({ port, host: HOST, localAddress: '127.9.0.9' }));
        bare.socket.write('GET /ping HTTP/1.1\r\nhost: a\r\n\r\n');
        const lying = watched(connect({ port, host: HOST }));
        lying.socket.write(aProxyHeader({ source: CLIENT }));
        return [bare, lying].map((client) =>
          until(`the end of a connection by ${protocol}`, () => client.isClosed(), AT_ONCE_MS),
        );
      });

      await Promise.all(closed);

      expect(await denied(node)).toBe(3);
      expect(await signIn(node.spec.listen.ports.tcp ?? 0, 'tcp', PASSWORD)).toEqual({ isIn: true });
    });

    it('reads the header before TLS', async () => {
      const certs = await aCertificate();
      const node = await aNode([PROXY_RANGE], { certs });

      for (const protocol of ['tcp', 'websocket'] as const) {
        const proxy = await aProxy(node.spec.listen.ports[protocol], CLIENT);
        expect(await signIn(proxy, protocol, 'guess', certs.ca)).toEqual({ isIn: false });
        expect(await signIn(proxy, protocol, PASSWORD, certs.ca)).toEqual({ isIn: true });
        const strange = await aProxy(node.spec.listen.ports[protocol], STRANGER);
        await expect(signIn(strange, protocol, PASSWORD, certs.ca)).rejects.toThrow();
      }

      expect((await node.ready()).refusedLogins).toEqual([{ address: CLIENT, count: 2, at: expect.any(Number) }]);
    });

    it('reads a header in single bytes, and takes a LOCAL header for the proxy itself', async () => {
      const node = await aNode([PROXY_RANGE], {
        rules: [{ ...EVERYONE, cidrs: ['10.1.2.0/24', `${PROXY_ADDRESS}/32`] }],
      });
      const { tcp } = node.spec.listen.ports;
      const bytes = [...aProxyHeader({ source: CLIENT })].map((byte) => Buffer.from([byte]));

      expect(await signIn(await aProxy(tcp, bytes), 'tcp', 'guess')).toEqual({ isIn: false });
      expect(await signIn(await aProxy(tcp, [LOCAL_HEADER]), 'tcp', 'guess')).toEqual({ isIn: false });

      const addresses = (await node.ready()).refusedLogins.map(({ address }) => address);
      expect([...addresses].sort()).toEqual([CLIENT, PROXY_ADDRESS].sort());
      await node.setRules(RULES);
      await expect(signIn(await aProxy(tcp, [LOCAL_HEADER]), 'tcp', PASSWORD)).rejects.toThrow();
    });

    it('closes a connection without a whole header, or with nothing after the header, after one time limit', async () => {
      const node = await aNode([PROXY_RANGE], { values: speaksMqtt ? { 'mqtt.connect_timeout': 1 } : {} });
      const { tcp, http } = node.spec.listen.ports;
      const limitMs = speaksMqtt ? 1_000 : HTTP_PATIENCE_MS;
      const header = aProxyHeader({ source: CLIENT });
      const begun = performance.now();
      const silent = [Buffer.alloc(0), header.subarray(0, 30), header].map((first) => {
        const client = watched(
          connect({ port: (speaksMqtt ? tcp : http) ?? 0, host: HOST, localAddress: PROXY_ADDRESS }),
        );
        client.socket.write(first);
        return client;
      });

      await Promise.all(silent.map(closes));

      expect(performance.now() - begun).toBeGreaterThan(limitMs - 100);
      expect(performance.now() - begun).toBeLessThan(limitMs + 5_000);
    });

    it('takes new networks of proxies without a restart, and has them after one', async () => {
      const node = await aNode([]);
      const { pid, configHash } = await node.ready();
      const proxy = await aProxy(node.spec.listen.ports.tcp, CLIENT);
      await expect(signIn(proxy, 'tcp', PASSWORD)).rejects.toThrow();
      await signIn(node.spec.listen.ports.tcp ?? 0, 'tcp', PASSWORD);

      await node.setProxies([PROXY_RANGE]);
      expect(await signIn(proxy, 'tcp', PASSWORD)).toEqual({ isIn: true });
      expect(await node.ready()).toMatchObject({ pid, configHash });
      await node.runtime.stop(node.home, 5_000);
      await node.start();
      expect(await signIn(proxy, 'tcp', PASSWORD)).toEqual({ isIn: true });

      const waiting = watched(connect({ port: proxy, host: HOST }));
      await until('a connection waits for its first byte', async () => {
        const { gate_clients: clients = 0 } = await node.runtime.stats(node.home);
        return clients > 1;
      });
      await node.setProxies([]);
      await closes(waiting);
      await expect(signIn(proxy, 'tcp', PASSWORD)).rejects.toThrow();
    });

    if (speaksMqtt) {
      it('counts failed sign-ins at the page for the address of the client', async () => {
        const node = await aNode();
        const attempt = async (source: string): Promise<number> => {
          const http = await aProxy(node.spec.listen.ports.http, source);
          const view = { spec: { listen: { ports: { http } } } } as unknown as BrokerUnderTest;
          return (await new PagePerson(view).signIn('guess')).status;
        };
        const failures: number[] = [];
        while (failures.length < 6) failures.push(await attempt(CLIENT));

        expect(failures).toEqual([401, 401, 401, 401, 401, 429]);
        expect(await attempt('10.1.2.4')).toBe(401);
      });

      it('lists clients with their own address', async () => {
        const certs = await aCertificate();
        const node = await aNode([PROXY_RANGE], { certs });
        const person = new PagePerson(node);
        await person.signIn();
        const { tcp, websocket } = node.spec.listen.ports;
        const addressesNow = async () => {
          const { items } = (await person.get('/ui/clients')).body;
          return items.map(({ address, protocol, tls }) => ({ address, protocol, tls }));
        };

        await byMqtt(await aProxy(tcp, CLIENT), 'tcp', PASSWORD);
        expect(await addressesNow()).toEqual([{ address: CLIENT, protocol: 'tcp', tls: false }]);
        await endAll();
        await until('the client is gone', async () => (await addressesNow()).length === 0);
        await byMqtt(await aProxy(websocket, '10.1.2.4'), 'websocket', PASSWORD, certs.ca);

        expect(await addressesNow()).toEqual([{ address: '10.1.2.4', protocol: 'websocket', tls: true }]);
      });
    }
  });

describe('A proxy in front of a follower of the embedded broker', () => {
  it('has the clients of the follower with their own address', async () => {
    const secret = 'cluster secret';
    const begun = async (nodeId: number, leader: { host: string; port: number } | null): Promise<BrokerUnderTest> => {
      const cluster = { size: 2, ordinal: nodeId, leader, secret };
      const node = await BrokerUnderTest.of(await aNodeSpec({ nodeId, rules: RULES, cluster }));
      node.spec.proxies = [PROXY_RANGE];
      running.push(node);
      await node.start();
      return node;
    };
    const leader = await begun(1, null);
    const follower = await begun(2, { host: HOST, port: leader.spec.listen.peer ?? 0 });
    const person = new PagePerson(follower);
    await person.signIn();
    const proxy = await aProxy(follower.spec.listen.ports.tcp, CLIENT);

    expect(await byMqtt(proxy, 'tcp', PASSWORD)).toEqual({ isIn: true });
    expect((await person.get('/ui/clients')).body.items).toMatchObject([{ address: CLIENT }]);
    expect(await byMqtt(proxy, 'tcp', 'guess')).toEqual({ isIn: false });
    expect((await follower.ready()).refusedLogins).toMatchObject([{ address: CLIENT, count: 1 }]);
  });
});
