import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serverRootPassword } from '@libs/domain/server-root';
import { describeWithIggy, IggyHttp } from '@libs/testing';
import { gateOf, until, type BrokerUnderTest } from '../../../test/brokers/embedded.fixture.js';
import { anIggyNode, IGGY_PROGRAM } from '../../../test/brokers/iggy.fixture.js';
import { nodeFlag } from '../../control/node-home.js';
import { endProcesses } from '../../os/end-processes.js';
import { pidsWith } from '../../os/process-table.js';
import { IGGY_ROOT } from './config/iggy-config.js';
import { IGGY_FILES } from './iggy-files.js';
import { startServer } from './server/iggy-process.js';
import { addressIn, reportedConfig } from './server/iggy-server.js';
import { tryConfig } from './server/iggy-trial.js';

const nodes: BrokerUnderTest[] = [];
const others: string[] = [];

async function aNode(): Promise<BrokerUnderTest> {
  const node = await anIggyNode();
  nodes.push(node);
  await node.start();
  return node;
}

const rootOf = ({ spec }: BrokerUnderTest) => ({
  username: IGGY_ROOT,
  password: serverRootPassword(spec.cluster.secret),
});
const ENVIRONMENT = 'IGGY_ROOT_USERNAME="landlord-root"\nIGGY_ROOT_PASSWORD="of-the-other"\n';

afterEach(async () => {
  for (const name of others.splice(0)) await endProcesses({ name }, { graceMs: 0 });
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

describeWithIggy('a start of iggy-server that lies', () => {
  it('is refused with a reason although the server exits with 0, and the running server stays', async () => {
    const node = await aNode();
    const { pid } = await node.ready();
    const data = JSON.stringify(IGGY_FILES.data(node.home));
    const config = `[system]\npath = ${data}\n[system.runtime]\npath = "runtime/server"\n[http]\nenabled = true\naddress = "127.0.0.1:0"\n[http.cors]\nenabled = true\nallowed_methods = ["PROPFIND"]\n`;

    const trial = tryConfig(node.home, {
      program: IGGY_PROGRAM,
      files: { config, environment: ENVIRONMENT },
      root: rootOf(node),
    });

    await expect(trial).rejects.toThrow(/^iggy-server refuses the configuration: (?!the server gives no reason)./);
    expect(await pidsWith({ name: `${nodeFlag(node.home)}/trial` })).toEqual([]);
    expect((await node.ready()).pid).toBe(pid);
  });

  it('is refused when the server hangs and ignores SIGTERM, and the node keeps its configuration', async () => {
    const node = await aNode();
    const { pid, configHash } = await node.ready();
    const { content } = node.runtime.render(node.home, node.spec, gateOf(node.spec));
    // The validation refuses the value. Another value that nobody knows yet may do the same.
    const config = `${content}\n[heartbeat]\nenabled = true\ninterval = "1 ns"\n`;
    const files = { config, environment: await readFile(IGGY_FILES.environment(node.home), 'utf8') };
    const before = await readFile(IGGY_FILES.config(node.home), 'utf8');

    const trial = tryConfig(node.home, { program: IGGY_PROGRAM, files, root: rootOf(node) });

    await expect(trial).rejects.toThrow('iggy-server refuses the configuration: the server is not ready in time');
    expect(await pidsWith({ name: `${nodeFlag(node.home)}/trial` })).toEqual([]);
    expect(await readFile(IGGY_FILES.config(node.home), 'utf8')).toBe(before);
    await node.runtime.start(node.home, node.spec, gateOf(node.spec));
    expect(await node.ready()).toMatchObject({ pid, configHash });
  });

  it('is not taken for the server of the node when another server has the same port', async () => {
    const node = await aNode();
    const { pid } = await node.ready();
    const http = addressIn(await reportedConfig(IGGY_FILES.data(node.home)), 'http');
    const dir = join(node.home.dir, 'other');
    const name = `--landlord-other=${node.home.installation}`;
    others.push(name);
    await mkdir(dir);
    const place = {
      ...{ name, dir, data: join(dir, 'data'), config: join(dir, 'iggy.toml'), environment: join(dir, 'iggy.env') },
      ...{ output: join(dir, 'output.log'), memory: '', replica: null },
    };
    const config = `[system]\npath = ${JSON.stringify(place.data)}\n[system.runtime]\npath = "runtime/server"\n[tcp]\naddress = "127.0.0.1:0"\n[quic]\nenabled = false\n[websocket]\nenabled = false\n[http]\nenabled = true\naddress = "127.0.0.1:${http?.port}"\n`;
    // The system gives both servers the port.
    await startServer(IGGY_PROGRAM, place, { config, environment: ENVIRONMENT });
    await until('the other server listens', async () => (await reportedConfig(place.data)) !== null);

    process.kill(pid, 'SIGKILL');
    await node.exited;

    expect((await node.runtime.contact(node.home))?.ready).not.toBe(true);
    await expect(IggyHttp.signIn(node.spec.listen.ports.http)).rejects.toThrow('503');
    await endProcesses({ name }, { graceMs: 0 });
    await node.start();
    await expect(IggyHttp.signIn(node.spec.listen.ports.http)).resolves.toBeDefined();
  });
});
