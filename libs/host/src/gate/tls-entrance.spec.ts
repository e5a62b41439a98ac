import { connect, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { aCertificate } from '../../test/brokers/certificates.fixture.js';
import { TlsEntrance } from './tls-entrance.js';

const open: { close(): void }[] = [];

/** An entrance with a handler that answers in capital letters. */
async function anEntrance(patienceMs = 5_000): Promise<{ entrance: TlsEntrance; port: number; handled: Socket[] }> {
  const handled: Socket[] = [];
  const entrance = new TlsEntrance((socket) => {
    handled.push(socket);
    socket.on('data', (chunk: Buffer) => socket.write(chunk.toString().toUpperCase())).resume();
  }, patienceMs);
  const server: Server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    entrance.accept(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => server.close() });
  return { entrance, port: (server.address() as { port: number }).port, handled };
}

/** The response, until it is as long as the sent text. */
function echoOf(socket: Socket, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let got = '';
    socket.once('close', () => reject(new TypeError('closed'))).on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      got += chunk.toString();
      if (got.length >= text.length) resolve(got);
    });
    socket.write(text);
  });
}

function tls(port: number, options: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ port, host: '127.0.0.1', ...options });
    open.push({ close: () => socket.destroy() });
    socket.once('secureConnect', () => resolve(socket)).on('error', reject);
  });
}

function plain(port: number): Socket {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  open.push({ close: () => socket.destroy() });
  return socket;
}

const closed = (socket: Socket): Promise<number> => {
  const begun = Date.now();
  return new Promise((resolve) =>
    socket
      .on('error', () => undefined)
      .resume()
      .once('close', () => resolve(Date.now() - begun)),
  );
};

afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

describe('TlsEntrance', () => {
  it('serves plain and TLS on one port, and loses no byte', async () => {
    const { entrance, port } = await anEntrance();
    const certs = await aCertificate();
    entrance.show(certs);
    const long = 'a quarter of a megabyte '.repeat(10_000);

    expect(await echoOf(plain(port), 'hello')).toBe('HELLO');
    expect(await echoOf(await tls(port, { ca: certs.ca }), 'hello')).toBe('HELLO');
    expect(await echoOf(plain(port), long)).toBe(long.toUpperCase());
    expect(await echoOf(await tls(port, { ca: certs.ca }), long)).toBe(long.toUpperCase());
  });

  it('accepts a client that sends its first bytes one by one', async () => {
    const { entrance, port, handled } = await anEntrance();
    const certs = await aCertificate();
    entrance.show(certs);
    const proxy = createServer((near) => {
      const far = connect(port, '127.0.0.1').setNoDelay();
      near.on('data', (chunk: Buffer) => {
        for (const byte of chunk) far.write(Buffer.from([byte]));
      });
      far.pipe(near);
      near.once('close', () => far.destroy());
      for (const side of [near, far]) side.on('error', () => [near, far].forEach((socket) => socket.destroy()));
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => proxy.close() });

    const client = await tls((proxy.address() as { port: number }).port, { ca: certs.ca });

    expect(await echoOf(client, 'slowly')).toBe('SLOWLY');
    expect(handled).toHaveLength(1);
  });

  it.each(['16', '1600', '1603', '160300'])(
    'passes a frame of Apache Iggy with a length of 0x%s on as plain',
    async (length) => {
      const { entrance, port } = await anEntrance();
      entrance.show(await aCertificate());
      const frame = Buffer.concat([Buffer.from(length.padEnd(8, '0'), 'hex'), Buffer.from('frame')]).toString('latin1');

      expect(await echoOf(plain(port), frame)).toBe(frame.toUpperCase());
    },
  );

  it('resets a connection that begins with a header of the PROXY protocol, and serves what begins like one', async () => {
    const { port, handled } = await anEntrance(120_000);
    const header = plain(port);
    header.write('\r\n\r\n');
    header.write('\0\r\nQUIT\n');

    await closed(header);

    expect(handled).toEqual([]);
    const similar = '\r\n\r\n\0\r\nquit\n';
    expect(await echoOf(plain(port), similar)).toBe(similar.toUpperCase());
  });

  it('refuses TLS below 1.2, and a client refuses an untrusted certificate', async () => {
    const { entrance, port } = await anEntrance();
    const certs = await aCertificate();
    entrance.show(certs);

    const old = { ca: certs.ca, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(tls(port, old)).rejects.toThrow(/protocol/i);
    expect((await tls(port, { ca: certs.ca, maxVersion: 'TLSv1.2' })).getProtocol()).toBe('TLSv1.2');
    await expect(tls(port, { ca: (await aCertificate()).ca })).rejects.toThrow(/unable to|self.signed/i);
  });

  it('uses a new certificate for new clients, and cuts no connection', async () => {
    const { entrance, port } = await anEntrance();
    const [first, second] = [await aCertificate(), await aCertificate()];
    entrance.show(first);
    const before = await tls(port, { ca: first.ca });
    let session: Buffer | undefined;
    before.on('session', (ticket: Buffer) => (session = ticket));
    await echoOf(before, 'one');

    entrance.show(second);
    const after = await tls(port, { ca: second.ca });
    const resumed = await tls(port, { ca: second.ca, ...(session && { session }) });

    expect(await echoOf(before, 'two')).toBe('TWO');
    expect(session).toBeDefined();
    expect([before, after, resumed].map((socket) => socket.getPeerCertificate().serialNumber)).toEqual(
      [first, second, second].map(({ serial }) => serial),
    );
  });

  it('resets TLS while it has no certificate, before and after having one, and keeps plain connections', async () => {
    const { entrance, port } = await anEntrance();
    const certs = await aCertificate();

    await expect(tls(port, { ca: certs.ca })).rejects.toThrow();
    entrance.show(certs);
    await tls(port, { ca: certs.ca });
    entrance.show(null);
    await expect(tls(port, { ca: certs.ca })).rejects.toThrow();
    expect(await echoOf(plain(port), 'plain')).toBe('PLAIN');
  });

  it('keeps its certificate when the new pair does not match, and reports that without quoting it', async () => {
    const { entrance, port } = await anEntrance();
    const [certs, other] = [await aCertificate(), await aCertificate()];
    entrance.show(certs);

    const bad = [
      { ...certs, private_key: other.private_key },
      { certificate: 'nonsense', private_key: certs.private_key },
      { certificate: certs.certificate, private_key: 'nonsense' },
    ];
    for (const pair of bad)
      expect(() => entrance.show(pair)).toThrow(/^the certificate of the node cannot be used: \w+$/);

    expect(await echoOf(await tls(port, { ca: certs.ca }), 'still')).toBe('STILL');
  });

  it('keeps a connection after its first byte, also beyond the time limit of the first byte', async () => {
    const { entrance, port } = await anEntrance(200);
    const certs = await aCertificate();
    entrance.show(certs);
    const [one, other] = [plain(port), await tls(port, { ca: certs.ca })];
    await Promise.all([echoOf(one, 'first'), echoOf(other, 'first')]);
    await new Promise((resolve) => setTimeout(resolve, 400));

    expect(await echoOf(one, 'later')).toBe('LATER');
    expect(await echoOf(other, 'later')).toBe('LATER');
  });

  it('survives a TLS client whose connection is reset', async () => {
    const { entrance, port, handled } = await anEntrance();
    const certs = await aCertificate();
    entrance.show(certs);
    const raw = plain(port);
    const client = await tls(port, { ca: certs.ca, socket: raw });
    await echoOf(client, 'first');
    client.on('error', () => undefined);

    raw.resetAndDestroy();

    await closed(handled[0] as Socket);
    expect(await echoOf(await tls(port, { ca: certs.ca }), 'here')).toBe('HERE');
  });

  it('closes connections that stay silent or stop during a handshake', async () => {
    const { entrance, port, handled } = await anEntrance(300);
    entrance.show(await aCertificate());
    const [silent, half, partial] = [plain(port), plain(port), plain(port)];
    half.write(Buffer.from([0x16]));
    partial.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]));

    const ends = await Promise.all([silent, half, partial].map(closed));

    for (const end of ends) expect(end).toBeGreaterThan(200);
    expect(handled).toEqual([]);
  });

  it.each([
    ['a record that is no hello', Buffer.concat([Buffer.from([0x16, 0x03, 0x03]), Buffer.alloc(50_000, 0xf3)])],
    ['a hello of a version that never was', Buffer.from([0x16, 0x03, 0x09, 0x00, 0x04, 0x01, 0x00, 0x00, 0x00])],
    ['plain text after the first bytes', Buffer.from('\u0016\u0003\u0001GET / HTTP/1.1\r\n\r\n')],
  ])('closes only the connection with %s', async (_case, bytes) => {
    // The timeout is longer than this test, so it cannot be the cause.
    const { entrance, port, handled } = await anEntrance(120_000);
    const certs = await aCertificate();
    entrance.show(certs);
    const lives = await tls(port, { ca: certs.ca });
    const bad = plain(port);
    bad.write(bytes);

    await closed(bad);
    expect(await echoOf(lives, 'here')).toBe('HERE');
    expect(handled).toHaveLength(1);
  });

  it('survives clients that disconnect during the handshake', async () => {
    const { entrance, port } = await anEntrance();
    const certs = await aCertificate();
    entrance.show(certs);

    for (let round = 0; round < 20; round += 1) {
      const socket = plain(port);
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(Buffer.from([0x16, 0x03, 0x01]).subarray(0, round % 4));
      socket.resetAndDestroy();
      (await tls(port, { ca: certs.ca })).destroy();
    }

    expect(await echoOf(await tls(port, { ca: certs.ca }), 'well')).toBe('WELL');
  });
});
