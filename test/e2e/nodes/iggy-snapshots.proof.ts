import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithIggy, IGGY_SERVER, IggyHttp, TestCloud, TestDeployment } from '@libs/testing';
import { unzipped } from './snapshot-archive.js';

/** Diagnostic snapshots of nodes with iggy (C-20.2). */
describeWithIggy('A diagnostic snapshot of a node with iggy', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { LOCAL_BROKER: 'iggy', IGGY_SERVER_BIN: IGGY_SERVER ?? '' } });
    deployment = await TestDeployment.free(cloud);
    await deployment.permit();
  });
  afterAll(() => cloud.stop());

  async function filesOf(more: object): Promise<{ files: Map<string, Buffer>; ofServer: Map<string, Buffer> }> {
    const path = `${deployment.live}/snapshots`;
    const answer = await cloud.runtime().post(path, more);
    await deployment.succeeds(answer);
    const { body } = await cloud.runtime().get(`${path}/${answer.headers.get('ld-snapshot')}/download`);
    const files = await unzipped(Buffer.from(await (await fetch(body.url)).arrayBuffer()));
    const data = files.get('broker-data-node-1.zip');
    return { files, ofServer: data ? await unzipped(data) : new Map() };
  }

  it("has the server's own snapshot and data, and no secret of the node", async () => {
    const [node] = await deployment.nodes();
    const login = await deployment.login();
    const client = await IggyHttp.signIn(Number(node?.endpoints.http?.split(':')[1]), login.password, login.username);
    await client.createTopic('orders');
    await client.send('orders', ['a message of a client']);

    const { files, ofServer } = await filesOf({});

    const names = [...ofServer.keys()];
    expect(names).toEqual(
      expect.arrayContaining(['server-snapshot/server_config.txt', 'server-snapshot/server_logs.txt']),
    );
    expect(names.filter((name) => name.startsWith('streams/')).length).toBeGreaterThan(0);
    expect(String(ofServer.get('server-snapshot/server_config.txt'))).toMatch(/messages_required_to_save = 1\n/);
    // Processes and files of the machine belong to other deployments too.
    expect(names.filter((name) => /process|resource|filesystem/.test(name))).toEqual([]);
    expect(JSON.parse(String(files.get('data/nodes.json')))[0].told.failures).toEqual([]);
    const environment = await readFile(join(cloud.directory, 'nodes', String(node?.id), 'iggy.env'), 'utf8');
    const [, root = ''] = /IGGY_ROOT_PASSWORD="(.+)"/.exec(environment) ?? [];
    expect(root.length).toBeGreaterThan(20);
    for (const [name, content] of [...files, ...ofServer])
      for (const secret of [root, login.password, client.token ?? ''])
        expect([name, content.includes(secret)]).toEqual([name, false]);
  });

  it('has neither of them without include_iggy', async () => {
    const { files } = await filesOf({ include_iggy: false });

    expect([...files.keys()].filter((name) => name.startsWith('broker-data'))).toEqual([]);
    expect([...files.keys()]).toContain('logs/node-1/broker.log');
  });
});
