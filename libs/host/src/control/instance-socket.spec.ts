import { createServer, type Server } from 'node:http';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './ask-instance.js';
import { PROOF_HEADER, Proofs } from './proofs.js';
import { claimInstance, contactInstance, InstanceTakenError, type InstanceRole } from './instance-socket.js';
import type { NodeHome } from './node-home.js';

const servers: Server[] = [];
const dirs: string[] = [];

async function aHome(name = ''): Promise<NodeHome> {
  const root = await mkdtemp(join(tmpdir(), 'landlord-instance-'));
  dirs.push(root);
  const dir = join(root, name);
  await mkdir(dir, { recursive: true });
  return { dir, installation: root.slice(-6), nodeId: 3 };
}

/** The listener of a process of a node, with its own token. */
class Instance {
  readonly proofs = new Proofs();
  readonly server = createServer(({ method = '', url: path = '', headers }, response) => {
    const nonce = this.proofs.accept(headers.authorization, 'control', { method, path, payload: '' });
    const proof = nonce && this.proofs.seal(nonce, { status: 200, payload: '{}' });
    response.writeHead(200, { [PROOF_HEADER]: proof ?? 'none' }).end('{}');
  });

  constructor() {
    servers.push(this.server);
  }

  claim(home: NodeHome, role: InstanceRole, platform: NodeJS.Platform): Promise<void> {
    return claimInstance(this.server, home, role, this.proofs.token, isAlive, platform);
  }

  /** Simulates a killed process: no listener any more, and no cleanup. */
  end(): Promise<unknown> {
    return new Promise((resolve) => this.server.close(resolve));
  }
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  await Promise.all(dirs.splice(0).map((dir) => rm(dir, { recursive: true, force: true })));
});

/** The implementation for systems without such sockets also runs on Linux. */
describe.each(['linux', 'darwin'] as const)('claimInstance on %s', (platform) => {
  it('gives the role to one instance, refuses the next, and is reachable at the contact', async () => {
    const home = await aHome();
    const first = new Instance();
    await first.claim(home, 'agent', platform);

    await expect(new Instance().claim(home, 'agent', platform)).rejects.toThrow(InstanceTakenError);

    const contact = await contactInstance(home, 'agent', platform);
    expect(contact?.token).toBe(first.proofs.token);
    expect(contact && (await isAlive(contact))).toBe(true);
  });

  it('separates roles and nodes', async () => {
    const home = await aHome();
    const other = { ...(await aHome()), installation: home.installation, nodeId: 4 };

    await new Instance().claim(home, 'agent', platform);
    await new Instance().claim(home, 'broker', platform);
    await new Instance().claim(other, 'agent', platform);
  });

  it('can be claimed again after the instance has ended, with another token', async () => {
    const home = await aHome();
    const [first, second] = [new Instance(), new Instance()];
    await first.claim(home, 'broker', platform);
    await first.end();
    const stale = await contactInstance(home, 'broker', platform);
    expect(stale && (await isAlive(stale))).toBe(false);

    await second.claim(home, 'broker', platform);

    const contact = await contactInstance(home, 'broker', platform);
    expect(contact?.token).toBe(second.proofs.token);
    expect(second.proofs.token).not.toBe(first.proofs.token);
  });

  it('stores its files for this user only', async () => {
    const home = await aHome();
    await mkdir(join(home.dir, 'run'), { mode: 0o777 });
    await new Instance().claim(home, 'agent', platform);

    const files = await readdir(join(home.dir, 'run'));
    const modes = await Promise.all(
      ['.', ...files].map(async (name) => (await stat(join(home.dir, 'run', name))).mode),
    );
    expect(modes.map((mode) => mode & 0o077)).toEqual(modes.map(() => 0));
  });
});

describe('claimInstance with socket files', () => {
  it('has one winner among many concurrent starts, also with files of a killed process', async () => {
    const home = await aHome();
    for (let round = 0; round < 10; round += 1) {
      const instances = Array.from({ length: 8 }, () => new Instance());
      const claims = await Promise.allSettled(instances.map((instance) => instance.claim(home, 'broker', 'linux')));
      const winners = instances.filter((_, index) => claims[index]?.status === 'fulfilled');

      expect(
        claims.filter(({ status }) => status === 'rejected').map((claim) => (claim as { reason: unknown }).reason),
      ).toEqual(Array.from({ length: 7 }, () => expect.any(InstanceTakenError)));
      const contact = await contactInstance(home, 'broker', 'linux');
      expect(contact?.token).toBe(winners[0]?.proofs.token);
      expect(contact && (await isAlive(contact))).toBe(true);
      await winners[0]?.end();
    }
    expect(await readdir(join(home.dir, 'run'))).toHaveLength(2);
  });

  it('works for a path that is longer than a socket address', async () => {
    const home = await aHome(`${'deep/'.repeat(30)}node`);
    await new Instance().claim(home, 'gate', 'linux');

    await expect(new Instance().claim(home, 'gate', 'linux')).rejects.toThrow(InstanceTakenError);
    const contact = await contactInstance(home, 'gate', 'linux');
    expect(contact && (await isAlive(contact))).toBe(true);
  });

  it('refuses a place that is not its own directory', async () => {
    const home = await aHome();
    await writeFile(join(home.dir, 'run'), '');

    await expect(new Instance().claim(home, 'broker', 'linux')).rejects.toThrow();
  });
});

describe('claimInstance with ports', () => {
  it('ignores another process on the port of a dead one, and does not send it the token', async () => {
    const home = await aHome();
    const dead = new Instance();
    await dead.claim(home, 'broker', 'darwin');
    const contact = await contactInstance(home, 'broker', 'darwin');
    await dead.end();
    const heard: string[] = [];
    const otherServer = createServer((request, response) => {
      heard.push(`${request.url} ${JSON.stringify(request.headers)}`);
      response.writeHead(200, { [PROOF_HEADER]: '0'.repeat(64) }).end('{}');
    });
    servers.push(otherServer);
    await new Promise<void>((resolve) => otherServer.listen({ ...contact?.at }, resolve));

    expect(contact && (await isAlive(contact))).toBe(false);
    await new Instance().claim(home, 'broker', 'darwin');

    expect(heard).not.toEqual([]);
    expect(heard.join()).not.toContain(dead.proofs.token);
  });
});
