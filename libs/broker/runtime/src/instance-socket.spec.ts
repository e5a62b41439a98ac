import { createServer, type Server } from 'node:http';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimInstance, contactInstance, InstanceTakenError } from './instance-socket.js';
import type { NodePlace } from './node-place.js';
import { requestJson } from './socket-request.js';

const servers: Server[] = [];
const dirs: string[] = [];

async function aPlace(): Promise<NodePlace> {
  const dir = await mkdtemp(join(tmpdir(), 'landlord-instance-'));
  dirs.push(dir);
  return { dir, installation: dir.slice(-6), nodeId: 3 };
}

function aServer(): Server {
  const server = createServer((_request, response) => response.end('{"node":3}'));
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
  await Promise.all(dirs.splice(0).map((dir) => rm(dir, { recursive: true, force: true })));
});

/** The way without abstract sockets runs on Linux just as well. */
describe.each(['linux', 'darwin'] as const)('claimInstance on %s', (platform) => {
  it('lets one instance have the role, tells the next, and is asked where contactInstance says', async () => {
    const place = await aPlace();
    await claimInstance(aServer(), place, 'agent', platform);

    await expect(claimInstance(aServer(), place, 'agent', platform)).rejects.toThrow(InstanceTakenError);

    const contact = await contactInstance(place, 'agent', platform);
    const answer = await requestJson(contact ?? {}, { method: 'GET', path: '/ping', timeoutMs: 1_000 });
    expect(answer).toEqual({ status: 200, body: { node: 3 } });
  });

  it('keeps roles and nodes apart', async () => {
    const place = await aPlace();
    const other = { ...(await aPlace()), installation: place.installation, nodeId: 4 };

    await claimInstance(aServer(), place, 'agent', platform);
    await claimInstance(aServer(), place, 'broker', platform);
    await claimInstance(aServer(), other, 'agent', platform);
  });

  it('is free again once the instance has ended', async () => {
    const place = await aPlace();
    const first = aServer();
    await claimInstance(first, place, 'broker', platform);
    await new Promise((done) => first.close(done));

    await claimInstance(aServer(), place, 'broker', platform);
  });
});

it('notes the loopback port for the owner only where there are no abstract sockets', async () => {
  const place = await aPlace();
  await claimInstance(aServer(), place, 'agent', 'darwin');

  expect((await stat(join(place.dir, 'agent.port'))).mode & 0o077).toBe(0);
});
