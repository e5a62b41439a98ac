import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, given, MailFolder, TestCloud, TestDeployment, type ApiAnswer } from '@libs/testing';
import {
  operationsOf,
  readGolden,
  resolve,
  valuesOf,
  type OpenApiDocument,
  type Schema,
} from '../architecture/sources/openapi-document.js';
import { row } from './row.js';

const ROOT = join(import.meta.dirname, '../..');
const FREE = { cloud: 'aws', region: 'us-east-1' };
const PAID = { ...FREE, tier: 'small', managed_tier: 'standard', cluster: 'cluster' };
const PATIENCE_MS = 240_000;

/** The refusal without its texts, and the feature that it names. */
const refusal = ({ status, body }: ApiAnswer) => [status, body?.code, body?.feature];

const hasCode = ({ text }: { text: string }): boolean => /^[A-Z2-9]{8}\r?$/m.test(text);

/** The third audit of the contract: its ten deviations (D), its four of the packages (C), and the open parts that were closed. */
describe('The third audit', () => {
  let cloud: TestCloud;
  let free: TestDeployment;
  beforeAll(async () => {
    cloud = await TestCloud.start();
    free = await TestDeployment.free(cloud);
  }, PATIENCE_MS);
  afterAll(() => cloud.stop());

  row('D2', 'each body of both documents has an example', () => {
    const bodies = (['main-api', 'supervisor'] as const).flatMap((app) => bodiesOf(readGolden(app)));
    const missing = bodies.filter(({ example }) => example === undefined).map(({ title }) => title);
    return Promise.resolve({ expected: [[], true], got: [missing, bodies.length > 70] });
  });

  row('D4', 'a dedicated deployment is refused by the feature that is missing', async () => {
    const accepted = await cloud
      .main()
      .post(`${cloud.environment}/deployments/managed`, { ...PAID, name: 'own', dedicated: true });
    return { expected: [409, 'feature_unavailable', 'dedicated'], got: refusal(accepted) };
  });

  row('D5', 'the PROXY protocol of a service attachment is refused by the feature that is missing', async () => {
    const gcp = { name: 'on-gcp', cloud: 'gcp', region: 'us-central1', managed_tier: 'enterprise' };
    const { id, live } = await TestDeployment.paid(cloud, gcp);
    const attachment = { name: 'ours', enable_proxy_protocol: true };
    const answer = await cloud.runtime().post(`${live}/network/gcp/psc`, attachment);
    return { expected: [true, 409, 'feature_unavailable', 'proxy_protocol'], got: [id > 0, ...refusal(answer)] };
  });

  row(
    'D6',
    'the right of an environment is enough for a Free deployment there, and for nothing beside it',
    async () => {
      const { tenantId, divisionId, environmentId } = await given.tenant(cloud, 'pro');
      const key = await given.key(cloud, { tenantId, permissions: { environment: ['deployment:manage'] } });
      const path = `/tenants/${tenantId}/divisions/${divisionId}/deployments/starter`;
      const there = await cloud.main(key).post(path, { ...FREE, environment_id: environmentId });
      const elsewhere = await cloud.main(key).post(path, FREE);
      return { expected: [202, 403], got: [there.status, elsewhere.status] };
    },
  );

  row('D8', 'the description of valid_to says what null means', () => {
    const texts = valuesOf(readGolden('main-api'), 'valid_to').map((member) => (member as Schema)['description']);
    return Promise.resolve({ expected: true, got: texts.some((text) => /\bnull\b/i.test(String(text))) });
  });

  row('D9', 'codes go to the address before for a day (decision 0018), and the new address gets none', async () => {
    const mails = new MailFolder(cloud.directory);
    const { email: before } = (await cloud.main().get(cloud.tenant)).body;
    await cloud.main().put(cloud.tenant, { email: 'new-address@example.test' });
    await cloud.main().put(free.path, { protected: true });
    const { tenant_id, division_id, environment_id } = cloud.installation;
    const payload = { tenant_id, division_id, environment_id, deployment_id: free.id };
    const code = { action: { action_type: 'delete_deployment', payload } };
    const mail = await mails.after(before, () => cloud.main().put(`${cloud.tenant}/request_code`, code), hasCode);
    const toNew = (await mails.to('new-address@example.test')).filter(hasCode);
    await cloud.main().put(free.path, { protected: false });
    return { expected: [true, []], got: [mail.text.length > 0, toNew] };
  });

  row(
    'D10',
    'the reconfiguration after an activation is a task',
    async () => {
      const body = { connector_type: 'source', connector_key: 'random', instance_key: 'dice' };
      await free.succeeds(await cloud.main().post(`${free.path}/connectors/activate`, body));
      const config = {
        name: 'dice',
        values: { enabled: true, streams: [{ stream: 's', topics: ['t'] }] },
        activate: true,
      };
      const path = `${free.live}/configs/connector:source:random`;
      await free.succeeds(await cloud.runtime().post(path, config));
      const tasks = (await cloud.runtime().get(`${free.live}/tasks`)).body as { type: string; status: string }[];
      const reconfiguration = { type: 'connectors:reconfigure', status: 'completed' };
      return {
        expected: tasks.map(() => expect.objectContaining(reconfiguration)),
        got: tasks.length > 0 ? tasks : null,
      };
    },
    PATIENCE_MS,
  );

  row('C1, C2, C3', 'the packages of the card are dependencies of the product', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const needed = ['passport', 'passport-headerapikey', '@nestjs/passport', 'typeorm', 'pg', 'bullmq'];
    return Promise.resolve({
      expected: [[], true],
      got: [needed.filter((name) => !(name in dependencies)), 'jest' in devDependencies],
    });
  });

  row('C4', 'the generators of Nest are those of @nestjs/schematics, with our own before them', () => {
    const collection = JSON.parse(readFileSync(join(ROOT, 'packages/schematics/collection.json'), 'utf8'));
    return Promise.resolve({ expected: ['@nestjs/schematics'], got: collection.extends });
  });

  row('open parts: sort', 'a list takes an order, in both directions', async () => {
    for (const name of ['bbb', 'aaa']) await cloud.main().post(`${cloud.tenant}/divisions`, { name });
    const names = async (sort: string): Promise<string[]> =>
      (await cloud.main().get(`${cloud.tenant}/divisions?sort=${sort}`)).body.items.map(
        ({ name }: { name: string }) => name,
      );
    const [up, down] = [await names('name'), await names('-name')];
    return { expected: [['aaa', 'bbb', 'Default'], [...up].reverse()], got: [up, down] };
  });

  row('open parts: filters', 'divisions by name, and members by email', async () => {
    const divisions = (await cloud.main().get(`${cloud.tenant}/divisions?name=aaa`)).body.items;
    const members = (await cloud.main().get(`${cloud.tenant}/members?email=no-such@example.test`)).body.items;
    return { expected: [['aaa'], []], got: [divisions.map(({ name }: { name: string }) => name), members] };
  });

  row(
    'open parts: activate, then configure',
    'a configuration right after an activation is taken',
    async () => {
      const body = { connector_type: 'source', connector_key: 'random', instance_key: 'second' };
      const activated = await cloud.main().post(`${free.path}/connectors/activate`, body);
      const values = { enabled: true, streams: [{ stream: 's', topics: ['t'] }] };
      const path = `${free.live}/configs/connector:source:random`;
      const saved = await cloud.runtime().post(path, { name: 'second', values, activate: true });
      return { expected: [202, 201], got: [activated.status, saved.status] };
    },
    PATIENCE_MS,
  );

  // Last: its Supervisor does not come back.
  row(
    'D1',
    'no order goes to a Supervisor that is gone, and the region says so',
    async () => {
      await cloud.supervisor.kill();
      const region = async () =>
        (await cloud.main().get(`${cloud.tenant}/clouds/aws/regions`)).body.find(
          ({ key }: { key: string }) => key === 'us-east-1',
        );
      await eventually('the region is away', async () => (await region()).available === false, PATIENCE_MS / 2);
      const order = await cloud.main().post(`${cloud.environment}/deployments/managed`, { ...PAID, name: 'late' });
      return {
        expected: [503, 'provider_unavailable', true],
        got: [order.status, order.body.code, order.headers.has('retry-after')],
      };
    },
    PATIENCE_MS,
  );
});

/** The bodies of JSON that an API takes, each with its example. */
function bodiesOf(document: OpenApiDocument): { title: string; example: unknown }[] {
  return operationsOf(document).flatMap(({ title, requestBody }) => {
    const schema = requestBody?.content['application/json']?.schema;
    if (!schema) return [];
    const { examples } = (schema.$ref ? resolve(document, schema.$ref) : schema) as { examples?: unknown[] };
    return [{ title, example: examples?.[0] }];
  });
}
