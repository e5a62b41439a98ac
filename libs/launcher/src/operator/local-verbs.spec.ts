import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describeOne, LocalProvider } from '@libs/cloud';
import { refTo } from '@libs/testing';
import { LauncherError } from '../launcher-error.js';

const MAIN = resolve('dist/libs/launcher/src/main.js');
const TAGS = { installation: 'here', deployment_id: 9 };
const NO_PACKET = 'The local cloud stores only states and transfers no packets.';

describe('landlord ops local', () => {
  let dataDir: string;
  let cloud: LocalProvider;
  beforeEach(async () => {
    if (!existsSync(MAIN)) throw new LauncherError(`${MAIN} is missing: run "npm run build" first.`);
    dataDir = await mkdtemp(join(tmpdir(), 'landlord-ops-local-'));
    cloud = new LocalProvider({
      ...{
        dataDir,
        installation: TAGS.installation,
        bindAddress: '127.0.0.1',
        publicAddress: '127.0.0.1',
        settleMs: 0,
      },
      ...{ agentEntry: '/nowhere', agentUrl: 'http://127.0.0.1:1' },
    });
    await cloud.ensure('network', refTo('net'), { region: 'us-east-1', cidr: '10.1.0.0/24', zones: ['a'] }, TAGS);
    await cloud.ensure(
      'load_balancer',
      refTo('lb'),
      { region: 'us-east-1', network: 'net', scheme: 'internet', listeners: [] },
      TAGS,
    );
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  /** Its environment contains only the data directory. */
  const landlord = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      const env = { LANDLORD_DATA_DIR: dataDir };
      const child = execFile(process.execPath, [MAIN, 'ops', 'local', ...args], { env }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });

  it('answers a peering request of the driver, and reports that no packet travels', async () => {
    const spec = {
      ...{ network: 'net', region: 'us-east-1', peer_vpc_id: 'vpc-0123456789abcdef0', peer_owner_id: '111122223333' },
      ...{ peer_region: 'us-east-1', peer_cidr: '172.16.0.0/16' },
    };
    await cloud.ensure('vpc_peering', refTo('peer'), spec, TAGS);
    await cloud.ensure('vpc_peering', refTo('late'), spec, TAGS);

    const list = await landlord('list');
    const accepted = await landlord('accept', 'peer');
    const again = await landlord('reject', 'peer');
    const expired = await landlord('expire', 'late');

    expect(list.stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['NAME', 'KIND', 'DEPLOYMENT', 'STATE', 'CONNECTION', 'OWNER'],
      ['late', 'vpc_peering', '9', 'pending_acceptance', '-', '-'],
      ['peer', 'vpc_peering', '9', 'pending_acceptance', '-', '-'],
      [NO_PACKET],
      [''],
    ]);
    expect(accepted).toEqual({ code: 0, stdout: `peer is active. ${NO_PACKET}\n`, stderr: '' });
    expect(again).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^peer is active\. Only a peering .*\n$/),
    });
    expect(expired.stdout).toBe(`late is expired. ${NO_PACKET}\n`);
    expect((await describeOne(cloud, 'vpc_peering', refTo('peer')))?.attributes.status).toBe('active');
    expect((await describeOne(cloud, 'vpc_peering', refTo('late')))?.attributes.status).toBe('expired');
  });

  it('connects to a service, and changes the connection by the printed id', async () => {
    const spec = { load_balancer: 'lb', region: 'us-east-1', acceptance_required: true, allowed_principals: [] };
    await cloud.ensure('endpoint_service', refTo('service'), spec, TAGS);

    const caller = ['--owner', '111122223333', '--network', 'vpc-1', '--endpoint', 'vpce-1'];
    const output = await landlord('connect', 'service', ...caller);
    const id = /vpce-con-[0-9a-f]{17}/.exec(output.stdout)?.[0] ?? '';
    const accepted = await landlord('accept', 'service', '--connection', id);
    const list = JSON.parse((await landlord('list', '--json')).stdout);
    const closed = await landlord('close', 'service', '--connection', id);

    expect(output.stdout).toBe(`Connection ${id} of 111122223333 to service is pending. ${NO_PACKET}\n`);
    expect(accepted.stdout).toBe(`Connection ${id} of 111122223333 to service is accepted. ${NO_PACKET}\n`);
    const consumer = { connection_id: id, owner: '111122223333', network: 'vpc-1', endpoint: 'vpce-1' };
    expect(list).toEqual([
      expect.objectContaining({ name: 'service', consumers: [{ ...consumer, status: 'accepted' }] }),
    ]);
    expect(closed.stdout).toContain('is closed.');
    const service = await describeOne(cloud, 'endpoint_service', refTo('service'));
    expect(service?.attributes.consumers).toEqual([{ ...consumer, status: 'closed' }]);
  });

  it('refuses an unknown name in one sentence', async () => {
    const refused = await landlord('accept', 'nothing');

    expect(refused).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'There is no peering, service or attachment nothing in the local cloud.\n',
    });
  });
});
