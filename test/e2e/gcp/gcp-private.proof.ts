import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { eventually, TestDeployment } from '@libs/testing';
import { describeWithHosts } from '../machines/hosts/host-world.js';
import type { HostNetwork } from '../machines/hosts/bridge.js';
import { AT_GOOGLE, GCP_WORLD_WAIT_MS, GcpWorld } from './gcp-world.js';

const MINUTE_MS = 60_000;
/** Each lost answer can cost a minute. */
const AMID_FAULTS_MS = 4 * MINUTE_MS;
const PEER_CIDR = '172.20.0.0/16';
const THEIRS = 'projects/their-project/global/networks';
const ACCEPTED = '20020000';

jest.setTimeout(10 * MINUTE_MS);

/** Prints the first four bytes of the answer. Nothing: the connection ended without an answer. */
const CLIENT = `
  const [host, port, hex] = process.argv.slice(1);
  const socket = require('node:net').connect(Number(port), host, () => socket.write(Buffer.from(hex, 'hex')));
  const end = (text) => { console.log(text); process.exit(0); };
  socket.once('data', (data) => end(data.subarray(0, 4).toString('hex')));
  socket.on('error', () => end('')).on('close', () => end(''));
`;

const text = (value: string): Buffer => Buffer.concat([Buffer.from([0, value.length]), Buffer.from(value)]);

/** The packet that signs a client of MQTT 3.1.1 in. */
function signIn({ username, password }: { username: string; password: string }): Buffer {
  const flags = Buffer.from([4, 0b1100_0010, 0, 30]);
  const body = Buffer.concat([text('MQTT'), flags, text('consumer'), text(username), text(password)]);
  return Buffer.concat([Buffer.from([0x10, body.length]), body]);
}

/** The header of a connection over Private Service Connect, with the address of the client and the id of the connection. */
function headerOf(client: string): Buffer {
  const address = (ip: string): Buffer => Buffer.from(ip.split('.').map(Number));
  const connection = Buffer.from('e000080000000000000007', 'hex');
  const rest = Buffer.concat([address(client), address('10.0.0.2'), Buffer.from([0xc0, 0, 0x4e, 0x20]), connection]);
  return Buffer.concat([Buffer.from('0d0a0d0a000d0a515549540a2111', 'hex'), Buffer.from([0, rest.length]), rest]);
}

/** Compute Engine is the fake, which connects no networks. Hosts, agents, brokers and the headers of consumers are real. */
describeWithHosts('Private networking at Google Cloud', () => {
  let world: GcpWorld;
  beforeAll(async () => {
    world = await GcpWorld.start();
  }, GCP_WORLD_WAIT_MS);
  afterAll(() => world.stop(), GCP_WORLD_WAIT_MS);

  async function connect(from: HostNetwork, endpoint: string, bytes: Buffer): Promise<string> {
    const [host = '', port = ''] = endpoint.split(':');
    const args = [`--net=${from.path}`, process.execPath, '-e', CLIENT, host, port, bytes.toString('hex')];
    return (await promisify(execFile)('nsenter', args, { timeout: 20_000 })).stdout.trim();
  }

  it('exists once, and is gone once, over kill -9 of the Supervisor, and shows nodes the addresses of clients', async () => {
    const { cloud } = world.machines;
    await world.ask(THEIRS, { name: 'theirs', autoCreateSubnetworks: false });
    const deployment = await TestDeployment.paid(cloud, AT_GOOGLE);
    await world.machines.open(deployment);
    const post = (path: string, body: object) => cloud.runtime().post(`${deployment.live}/network/gcp/${path}`, body);
    const shown = async (path: string) => (await cloud.runtime().get(`${deployment.live}/network/gcp/${path}`)).body[0];

    const peer = { peer_vpc_name: 'theirs', peer_project_id: 'their-project', peer_vpc_cidr: PEER_CIDR };
    const peering = await post('vpc_peering', { name: 'theirs', ...peer });
    await world.amidFaults(deployment.succeeds(peering, AMID_FAULTS_MS));
    const [own] = world.compute.resources('networks').filter(({ name }) => name.startsWith('ld-'));
    const half = { name: 'back', network: own?.selfLink, exchangeSubnetRoutes: true };
    await world.ask(`${THEIRS}/theirs/addPeering`, { networkPeering: half });
    await eventually('an active peering', async () => (await shown('vpc_peering')).state === 'active', 2 * MINUTE_MS);

    const service = { name: 'orders', connection_preference: 'accept_automatic', enable_proxy_protocol: true };
    await world.amidFaults(deployment.succeeds(await post('psc', service), AMID_FAULTS_MS));
    const nat = world.compute.resources('subnetworks').find((one) => one['purpose'] === 'PRIVATE_SERVICE_CONNECT');
    const consumer = world.hosts.bridge.connectAt(
      String(nat?.['ipCidrRange']).replace(/\d+\/28$/, (end) => String(Number.parseInt(end, 10) + 5)),
    );
    try {
      await deployment.permit({ cidr_blocks: ['192.0.2.9/32'] });
      const [node] = await deployment.nodes();
      const endpoint = `${node?.private_ip}:${node?.endpoints.tcp?.split(':')[1]}`;
      const packet = signIn(await deployment.login());
      await eventually(
        'a consumer is let in',
        async () => (await connect(consumer, endpoint, Buffer.concat([headerOf('192.0.2.9'), packet]))) === ACCEPTED,
      );
      expect(await connect(consumer, endpoint, Buffer.concat([headerOf('192.0.2.10'), packet]))).not.toBe(ACCEPTED);
      expect(await connect(consumer, endpoint, packet)).not.toBe(ACCEPTED);
    } finally {
      consumer.close();
    }
    expect(await world.machines.exchange(deployment, 'private', ['one', 'two'])).toEqual(['one', 'two']);

    await world.amidFaults(deployment.delete(AMID_FAULTS_MS));

    expect(world.contents()).toEqual([]);
    const theirs = world.compute.resources('networks').find(({ name }) => name === 'theirs');
    expect(theirs?.['peerings']).toMatchObject([{ name: 'back', state: 'INACTIVE' }]);
  });
});
