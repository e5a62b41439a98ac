import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { eventually, given, TestCloud, TestDeployment, type BrokerClient, type ClientTarget } from '@libs/testing';

interface Certificate {
  serial: string;
  names: string[];
  not_before: string;
  not_after: string;
  issued_at: string;
  status: string;
  ca_certificate: string;
}

/** TLS on real nodes, tested with clients of the broker. */
describe('The certificate of a deployment', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { NODE_UNREACHABLE_SECONDS: '8' } });
    deployment = await TestDeployment.free(cloud);
  });
  afterAll(() => cloud.stop());

  const shown = async (of = deployment): Promise<Certificate> =>
    (await cloud.runtime().get(`${of.live}/certificates`)).body;
  const endpoint = async (protocol: 'tcp' | 'http' | 'websocket'): Promise<string> =>
    (await deployment.nodes())[0]?.endpoints[protocol] ?? '';
  const rotate = () => cloud.runtime().post(`${deployment.live}/certificates/rotate`);
  const recorded = (table: string, type: string) =>
    cloud.rows(`select * from ${table} where deployment_id = $1 and type = $2`, [deployment.id, type]);

  /** A client that verifies the node only with the certificate authority from the API. */
  const connect = async (over: 'tcp' | 'websocket', more: Partial<ClientTarget> = {}): Promise<BrokerClient> =>
    deployment.client(0, { over, ca: (await shown()).ca_certificate, ...more });
  const threeClients = async (): Promise<BrokerClient[]> => [
    ...[await connect('tcp'), await connect('websocket'), await deployment.client()],
  ];

  /** The serial number that a new, verified connection receives. */
  const serialOn = async (protocol: 'tcp' | 'http' | 'websocket'): Promise<string> => {
    const [host, port] = (await endpoint(protocol)).split(':');
    const { ca_certificate: ca } = await shown();
    const socket = connectTls({ host, port: Number(port), ca });
    await once(socket, 'secureConnect');
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  };

  /** All text files in the directory of the node. */
  const nodeFiles = async (): Promise<{ name: string; mode: number; text: string }[]> => {
    const directory = join(cloud.directory, 'nodes', String((await deployment.nodes())[0]?.id));
    const names = (await readdir(directory)).filter((name) => /\.(json|conf|log)$/.test(name));
    return Promise.all(
      names.map(async (name) => {
        const path = join(directory, name);
        return { name, mode: (await stat(path)).mode & 0o777, text: await readFile(path, 'utf8') };
      }),
    );
  };

  it('lets clients verify the broker with the authority from the API, on each port, next to plain connections', async () => {
    const certificate = await shown();
    const [host] = (await endpoint('tcp')).split(':');
    const clients = await threeClients();

    for (const [index, client] of clients.entries()) await client.write('over/tls', `yes ${index}`);

    const days = (Date.parse(certificate.not_after) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89);
    expect(days).toBeLessThanOrEqual(90.01);
    expect(certificate).toMatchObject({ status: 'valid', names: expect.arrayContaining([host]) });
    expect(await Promise.all((['tcp', 'http', 'websocket'] as const).map(serialOn))).toEqual(
      Array.from({ length: 3 }, () => certificate.serial),
    );
    await Promise.all(clients.map((client) => client.close()));
  });

  it('is refused by a client that does not trust the authority', async () => {
    await expect(connect('tcp', { ca: [] })).rejects.toThrow(/self.signed|unable to (verify|get)/i);
    await expect(connect('websocket', { ca: [] })).rejects.toThrow(/self.signed|unable to (verify|get)/i);
  });

  it('is replaced without a disconnect of clients, and new connections receive the new certificate', async () => {
    const before = await shown();
    const clients = await threeClients();

    const accepted = await rotate();
    await deployment.succeeds(accepted);

    const after = await shown();
    for (const [index, client] of clients.entries()) await client.write('still/here', `yes ${index}`);
    expect(clients.filter(({ isCut }) => isCut)).toEqual([]);
    expect(accepted.status).toBe(202);
    expect(accepted.body).toEqual({
      deployment_id: deployment.id,
      operation_id: Number(accepted.headers.get('ld-operation')),
    });
    expect(after.serial).not.toBe(before.serial);
    // A client that trusts the authority also trusts the next certificate.
    expect(after.ca_certificate).toBe(before.ca_certificate);
    expect(await Promise.all((['tcp', 'http', 'websocket'] as const).map(serialOn))).toEqual(
      Array.from({ length: 3 }, () => after.serial),
    );
    await Promise.all(clients.map((client) => client.close()));
    expect(await recorded('audit_entries', 'deployment_certificates_rotated')).toHaveLength(1);
    expect(await recorded('outbox', 'deployment_certificates_rotated')).toMatchObject([
      {
        event_key: `deployment_certificates_rotated:${accepted.headers.get('ld-operation')}`,
        data: { serial: after.serial, not_after: after.not_after },
      },
    ]);
  });

  it('stays the same after a kill of agent and broker', async () => {
    const { serial } = await shown();
    const found = await cloud.nodeProcesses();

    for (const { pid } of found) process.kill(pid, 'SIGKILL');
    await eventually('others run', async () => {
      const pids = (await cloud.nodeProcesses()).map(({ pid }) => pid);
      return pids.length >= found.length && found.every(({ pid }) => !pids.includes(pid));
    });

    expect(await eventually('TLS is back', () => serialOn('tcp').catch(() => null))).toBe(serial);
    // The gate of iggy answers before its server does.
    await (await eventually('a client is let in', () => connect('tcp').catch(() => null))).close();
  });

  it('is stored sealed, and its key is in no log, command line or environment of the node', async () => {
    const keys = await cloud.rows<{ status: string; private_key: string | null }>(
      'select status, private_key from deployment_certificates where deployment_id = $1 order by id',
      [deployment.id],
    );
    const files = await nodeFiles();
    const held = files.filter(({ text }) => text.includes('PRIVATE KEY'));
    const lines = new Set(held.flatMap(({ text }) => keyLines(text)));
    const running = await Promise.all((await cloud.nodeProcesses()).map(({ pid }) => wordsOf(pid)));

    expect(keys).toEqual([
      { status: 'replaced', private_key: null },
      { status: 'active', private_key: expect.stringMatching(/^\w+\.[A-Za-z0-9+/=]+$/) },
    ]);
    // The document, and the file of the process that runs the gate.
    const ofGate = (await deployment.nodes())[0]?.driver === 'embedded' ? 'broker.json' : 'gate.json';
    expect(held.map(({ name }) => name).sort()).toEqual([ofGate, 'document.json'].sort());
    expect(held.map(({ mode }) => mode)).toEqual([0o600, 0o600]);
    expect(lines.size).toBeGreaterThan(1);
    for (const line of lines) {
      expect(files.filter(({ name, text }) => name.endsWith('.log') && text.includes(line))).toEqual([]);
      expect(running.filter((words) => words.includes(line))).toEqual([]);
    }
  });

  it('is read with deployment:read, replaced only with the permission to manage, and one rotation at a time', async () => {
    const first = await rotate();
    const second = await rotate();

    expect(second).toBeProblem('state_conflict', { operation_id: Number(first.headers.get('ld-operation')) });
    await deployment.succeeds(first);
    const reader = await given.key(cloud, { permissions: { environment: ['deployment:read'] } });
    expect((await cloud.runtime(reader).get(`${deployment.live}/certificates`)).status).toBe(200);
    expect(await cloud.runtime(reader).post(`${deployment.live}/certificates/rotate`)).toBeProblem(
      'insufficient_permissions',
    );
    await cloud.rows('delete from deployment_certificates where deployment_id = $1', [deployment.id]);
    expect(await cloud.runtime().get(`${deployment.live}/certificates`)).toBeProblem('certificate_not_found');
  });
});

function once(socket: TLSSocket, event: string): Promise<void> {
  return new Promise((resolve, reject) => socket.once(event, () => resolve()).once('error', reject));
}

/** The lines between the markers of private keys, as JSON escapes them. */
function keyLines(text: string): string[] {
  const keys = [...text.matchAll(/BEGIN PRIVATE KEY-----(.*?)-----END/gs)].map(([, body = '']) => body);
  return keys.flatMap((key) => key.split('\\n').filter((line) => line !== ''));
}

/** Command line and environment of a process. Only Linux lets other processes read them. */
async function wordsOf(pid: number): Promise<string> {
  const parts = await Promise.all(
    ['cmdline', 'environ'].map((part) => readFile(`/proc/${pid}/${part}`, 'utf8').catch(() => '')),
  );
  return parts.join();
}
