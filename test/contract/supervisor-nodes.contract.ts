import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSocket, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { eventually, TestCloud, TestDeployment, type SeenNode } from '@libs/testing';
import { row } from './row.js';

const MARK = 'a-message-that-must-not-be-found';
const RATE = 100_000;
const PATIENCE_MS = 240_000;

/** The rows of the Supervisor's audit that happen on nodes. `supervisor.contract.ts` has the others. */
describe('The nodes', () => {
  let cloud: TestCloud;
  /** Three nodes, encrypted. */
  let cluster: TestDeployment;
  let free: TestDeployment;

  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
    [cluster, free] = await Promise.all([TestDeployment.paid(cloud, { encrypted: true }), TestDeployment.free(cloud)]);
    await cluster.openToClients();
  }, PATIENCE_MS);
  afterAll(() => cloud.stop());

  const metricsOf = async (deployment: TestDeployment): Promise<any[]> =>
    (await cloud.runtime().get(`${deployment.live}/metrics`)).body;
  const connector = async (key: string, instance: string, type: string, values: object): Promise<number> => {
    const body = { connector_type: type, connector_key: key, instance_key: instance };
    const accepted = await cloud.main().post(`${cluster.path}/connectors/activate`, body);
    await cluster.succeeds(accepted);
    const path = `${cluster.live}/configs/connector:${type}:${key}`;
    const saved = await cloud.runtime().post(path, { name: instance, values, activate: true });
    if (saved.status === 201) await cluster.succeeds(saved);
    return saved.status;
  };
  /** Changes settings of the broker of the Free deployment. */
  const reconfigure = async (values: object): Promise<SeenNode | undefined> => {
    await cloud.runtime().post(`${free.live}/configs/broker`, { values, activate: true });
    await free.succeeds(await cloud.runtime().post(`${free.live}/tasks`, { type: 'broker:reconfigure' }));
    return (await free.nodes())[0];
  };
  const act = async (action: string): Promise<{ status: string; reason: string | null }> =>
    free.outcome(await cloud.runtime().post(`${free.live}/activities/broker/${action}`, {}));

  row(
    '1',
    'the data of an encrypted deployment does not contain its messages',
    async () => {
      const client = await cluster.connect();
      await client.publishAsync('secret/1', Buffer.from(MARK.repeat(200)), { qos: 1, retain: true });
      await client.endAsync();
      const { features, encrypted } = (await cloud.main().get(cluster.path)).body;
      return { expected: [true, 'real', false], got: [encrypted, features.encryption, await isStored(cluster, MARK)] };
    },
    PATIENCE_MS,
  );

  const isStored = async (deployment: TestDeployment, text: string): Promise<boolean> => {
    const directories = (await deployment.nodes()).map(({ id }) => join(cloud.directory, 'nodes', String(id)));
    const entries = await Promise.all(directories.map((at) => readdir(at, { withFileTypes: true, recursive: true })));
    const files = entries.flat().filter((entry) => entry.isFile());
    const contents = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))));
    return contents.some((content) => content.includes(text));
  };

  row(
    '2',
    'a Free deployment takes no more than 100 KB in a second',
    async () => {
      const client = await free.letsIn();
      const payload = Buffer.alloc(RATE / 2);
      const began = Date.now();
      for (let sent = 0; sent < 8; sent += 1) await client.publishAsync('load', payload, { qos: 1 });
      const seconds = (Date.now() - began) / 1_000;
      await client.endAsync();
      // A quarter of a second passes at once. A slow machine takes longer, never less.
      return { expected: [true, '100 KB/s'], got: [seconds > 3.5, await shownLimit()] };
    },
    PATIENCE_MS,
  );

  const shownLimit = async (): Promise<string | null> => {
    const tiers = (await cloud.main().get(`${cloud.tenant}/clouds/aws/regions/us-east-1/tiers`)).body;
    return tiers.find(({ key }: { key: string }) => key === 'free').rate_limit;
  };

  row(
    '8',
    'a client of a cluster is counted once',
    async () => {
      const clients = await Promise.all([0, 0, 0, 1, 1, 2, 2].map((index) => cluster.connect(index)));
      const sum = await eventually(
        'all clients are counted',
        async () => {
          const brokers = (await metricsOf(cluster)).filter(({ runtime }) => runtime === 'broker');
          const total = brokers.reduce((all, { metrics }) => all + Number(metrics.clients ?? 0), 0);
          return total >= 7 ? total : null;
        },
        60_000,
      );
      await Promise.all(clients.map((client) => client.endAsync()));
      return { expected: 7, got: sum };
    },
    PATIENCE_MS,
  );

  row(
    '7, 29',
    'connectors count what they move, and each stream of a sink has its own length of a batch',
    async () => {
      const received: { url: string; rows: number }[] = [];
      const server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const body = JSON.parse(Buffer.concat(chunks).toString()) as unknown[];
          received.push({ url: request.url ?? '', rows: body.length });
          response.writeHead(200).end();
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const stream = (name: string, batch_length: number) => ({
        ...{ stream: name, topics: ['in'], schema: 'json', batch_length, poll_interval: '1s' },
      });
      await connector('http', 'batches', 'sink', {
        enabled: true,
        streams: [stream('many', 10), stream('one', 1)],
        plugin_config: { url, batch_mode: 'json_array', retry_delay: '50ms' },
      });
      const client = await cluster.connect();
      const topics = ['many/in', 'one/in'].flatMap((topic) => Array<string>(10).fill(topic));
      await Promise.all(
        topics.map((topic, at) => client.publishAsync(topic, JSON.stringify({ topic, at }), { qos: 1 })),
      );
      await client.endAsync();
      await eventually('all are received', () => received.reduce((sum, { rows }) => sum + rows, 0) >= 20, 30_000);
      const moved = await eventually('the metrics have them', async () => {
        const { body } = await cloud.runtime().get(`${cluster.live}/metrics`);
        const own = body.find(({ runtime }: { runtime: string }) => runtime === 'connectors');
        return own?.metrics.messages_moved >= 20 ? own.metrics.messages_moved : null;
      });
      server.closeAllConnections();
      server.close();
      const lengths = received.map(({ rows }) => rows);
      return {
        expected: [20, 10, true],
        got: [moved, lengths.filter((rows) => rows === 1).length, Math.max(...lengths) > 1],
      };
    },
    PATIENCE_MS,
  );

  row('9', 'a consumer group of a sink is taken, and the schema says what ignores it', async () => {
    const values = {
      ...{ enabled: true, streams: [{ stream: 's', topics: ['t'], consumer_group: 'shared' }] },
      plugin_config: { url: 'https://hooks.example.com/' },
    };
    const path = `${cluster.live}/configs/connector:sink:http`;
    const { status, body } = await cloud.runtime().post(path, { name: 'batches', values });
    const { body: sections } = await cloud.runtime().get(`${path}/schema`);
    const entries = sections.flatMap(({ schema }: { schema: object[] }) => schema);
    const group = entries.find(({ key }: { key: string }) => key === 'streams[].consumer_group');
    return {
      expected: [201, 'shared', [{ rule: 'ignored_by', value: 'landlord' }]],
      got: [
        ...[status, body.values?.streams[0].consumer_group],
        group?.rules.filter(({ rule }: { rule: string }) => rule === 'ignored_by'),
      ],
    };
  });

  row('12', 'the HTTP port serves a page of the broker, which needs the credentials', async () => {
    const endpoint = (await free.nodes())[0]?.endpoints.http ?? '';
    const page = await fetch(`http://${endpoint}/`);
    const list = await fetch(`http://${endpoint}/ui/api/topics`);
    return {
      expected: [200, true, 401],
      got: [page.status, /html/.test(page.headers.get('content-type') ?? ''), list.status],
    };
  });

  row(
    '13',
    'a region without its cloud stops the start of a Supervisor',
    async () => {
      const start = TestCloud.start({ env: { SUPERVISOR_REGIONS: 'eu-central-1' } }).then(
        async (other) => other.stop().then(() => 'started'),
        (error: unknown) => String(error),
      );
      return { expected: true, got: /SUPERVISOR_REGIONS/.test(await start) };
    },
    PATIENCE_MS,
  );

  row(
    '24, 28',
    'a closed port is no endpoint, and gauges know retained topics after a restart',
    async () => {
      const client = await free.letsIn();
      await client.publishAsync('kept/1', 'retained', { qos: 1, retain: true });
      await client.endAsync();
      const closed = await reconfigure({ websocket: { enabled: false } });
      const gauges = await eventually('the gauges are reported', async () => {
        const { metrics } = (await metricsOf(free)).find(({ runtime }) => runtime === 'broker') ?? {};
        return metrics?.topics >= 1 && metrics.messages >= 1 ? metrics : null;
      });
      const opened = await reconfigure({ websocket: { enabled: true } });
      return {
        expected: [null, 1, true],
        got: [closed?.endpoints.websocket, gauges.topics, typeof opened?.endpoints.websocket === 'string'],
      };
    },
    PATIENCE_MS,
  );

  row(
    '17, 27',
    'a broker that cannot start says why at the level error, and the activity says it too',
    async () => {
      const [, port] = ((await free.nodes())[0]?.endpoints.tcp ?? '').split(':');
      await act('stop');
      const taken: Server = createSocket();
      await new Promise<void>((resolve) => taken.listen(Number(port), '127.0.0.1', resolve));
      const started = cloud.runtime().post(`${free.live}/activities/broker/start`, {});
      const lines = await eventually(
        'the logs name the port',
        async () => {
          const { body } = await cloud.runtime().get(`${free.live}/logs?level=error`);
          const texts = body.items.map(({ message }: { message: string }) => message);
          return texts.some((text: string) => text.includes('already in use')) ? texts : null;
        },
        60_000,
      );
      const outcome = await free.outcome(await started);
      await new Promise((resolve) => taken.close(resolve));
      return {
        expected: [true, false],
        got: [
          lines.some((text: string) => text.includes(`port ${port} is already in use`)),
          /step /.test(outcome.reason ?? ''),
        ],
      };
    },
    PATIENCE_MS,
  );

  row(
    '19',
    'several instances have several active configurations, and a name chooses one',
    async () => {
      for (const instance of ['first', 'second']) await connector('random', instance, 'source', { enabled: false });
      const path = `${cluster.live}/configs/connector:source:random/primary`;
      const [unnamed, named] = [await cloud.runtime().get(path), await cloud.runtime().get(`${path}?name=first`)];
      return { expected: ['second', 'first'], got: [unnamed.body.name, named.body.name] };
    },
    PATIENCE_MS,
  );

  row('23', 'the role of a node follows its number', async () => {
    const roles = (await cluster.detail()).nodes.map((node) => (node as unknown as { role: string }).role);
    return { expected: ['leader', 'follower', 'follower'], got: roles };
  });

  row('30', 'an account of Google Cloud is validated by the members that exist there', async () => {
    const gcp = { cloud: 'gcp', region: 'us-central1' };
    const validate = (body: object) => cloud.runtime().post(`${cloud.environment}/byoc/validate`, { ...gcp, ...body });
    const own = await validate({
      project_id: 'my-project',
      service_account_email: 'landlord-byoc@my-project.iam.gserviceaccount.com',
      vpc_name: 'default',
    });
    const other = await validate({ identity_arn: 'arn:aws:iam::123456789012:role/x', vpc_id: 'vpc-1' });
    return { expected: [200, 400], got: [own.status, other.status] };
  });
});
