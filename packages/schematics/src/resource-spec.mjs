// The spec of a generated resource: its routes over HTTP, with PostgreSQL.

const SETUPS = {
  tenant: {
    ...{ app: 'TestMainApi', fixture: 'test-main-api', call: 'main', permission: `{ tenant: ['settings:read'] }` },
    opening: (table) => `path = \`\${cloud.tenant}/${table}\`;`,
    other: (table) => `
    const { tenantId } = await given.tenant(cloud);
    const elsewhere = \`/tenants/\${tenantId}/${table}\`;
    const other = cloud.main(await given.key(cloud, { tenantId }));`,
  },
  deployment: {
    ...{ app: 'TestSupervisor', fixture: 'test-supervisor', call: 'runtime' },
    permission: `{ environment: ['deployment:read'] }`,
    opening: (table) => `path = \`\${(await cloud.deployment()).path}/${table}\`;`,
    other: (table) => `
    const elsewhere = \`\${(await cloud.deployment()).path}/${table}\`;
    const other = cloud.runtime();`,
  },
};

export function specOf(names, { owner }) {
  const { table, words } = names;
  const { app, fixture, call, opening } = SETUPS[owner];
  return `import { given, type ApiAnswer } from '@libs/testing';
import { ${app} } from '../../test/${fixture}.fixture.js';

describe('${words[0].toUpperCase()}${words.slice(1)}', () => {
  let cloud: ${app};
  let path: string;

  beforeAll(async () => {
    cloud = await ${app}.open();
    ${opening(table)}
  });
  afterAll(() => cloud.close());

  const create = (name: string, headers = {}): Promise<ApiAnswer> =>
    cloud.${call}().post(path, { name, description: 'What for' }, headers);
  const entries = (id: number): Promise<object[]> =>
    cloud.rows(\`select type, data from audit_entries where data->>'${names.snake}_id' = $1 order by id\`, [id]);

${[lifeOf, listOf, roundTripOf, conditionOf, keyOf, nameOf, isolationOf, permissionOf].map((test) => test(names, SETUPS[owner])).join('\n')}});
`;
}

const lifeOf = (
  { singular, snake },
  { call },
) => `  it('are created, read, changed and deleted, and each write is audited', async () => {
    const created = await create('Life');
    const one = created.headers.get('location') ?? '';
    const read = await cloud.${call}().get(one);
    const { id } = created.body;

    expect(created.status).toBe(201);
    expect(created.headers.get('ld-${singular}')).toBe(String(id));
    expect(created.body).toMatchObject({ name: 'Life', description: 'What for' });
    expect(read.body).toEqual(created.body);
    expect((await cloud.${call}().put(one, { description: null })).status).toBe(204);
    expect((await cloud.${call}().get(one)).body).toMatchObject({ name: 'Life', description: null });
    expect((await cloud.${call}().put(one, { name: 'Second life' })).status).toBe(204);
    expect((await cloud.${call}().get(one)).body).toMatchObject({ name: 'Second life', description: null });
    expect((await cloud.${call}().delete(one)).status).toBe(204);
    expect(await cloud.${call}().get(one)).toBeProblem('${snake}_not_found', { status: 404 });
    expect(await cloud.${call}().delete(one)).toBeProblem('${snake}_not_found', { status: 404 });
    expect(await entries(id)).toEqual([
      { type: '${snake}_created', data: { ${snake}_id: id, name: 'Life', description: 'What for' } },
      { type: '${snake}_updated', data: { ${snake}_id: id, description: null, previous: { description: 'What for' } } },
      { type: '${snake}_updated', data: { ${snake}_id: id, name: 'Second life', previous: { name: 'Life' } } },
      { type: '${snake}_deleted', data: { ${snake}_id: id, name: 'Second life' } },
    ]);
  });
`;

const listOf = (_, { call }) => `  it('are listed newest first, and in pages', async () => {
    const [first, second] = [await create('First'), await create('Second')];

    const { body } = await cloud.${call}().get(\`\${path}?results=1\`);
    const next = await cloud.${call}().get(\`\${path}?results=1&page=2\`);
    const past = await cloud.${call}().get(\`\${path}?results=1&page=9\`);

    expect([body.items, next.body.items]).toEqual([[second.body], [first.body]]);
    expect(past.body).toMatchObject({ items: [], total_results: body.total_results });
  });
`;

const roundTripOf = (
  _,
  { call },
) => `  it('accept a PUT of the record that was read, which changes and records nothing', async () => {
    const { body } = await create('Same');
    const before = await entries(body.id);

    expect((await cloud.${call}().put(\`\${path}/\${body.id}\`, body)).status).toBe(204);
    expect(await cloud.${call}().put(\`\${path}/\${body.id}\`, { ...body, id: 99 })).toBeProblem('validation_failed');
    expect((await cloud.${call}().get(\`\${path}/\${body.id}\`)).body).toEqual(body);
    expect(await entries(body.id)).toEqual(before);
  });
`;

const conditionOf = (
  _,
  { call },
) => `  it('are not changed or deleted after a change that the caller has not read', async () => {
    const one = \`\${path}/\${(await create('Moving')).body.id}\`;
    const old = { 'if-match': (await cloud.${call}().get(one)).headers.get('etag') ?? '' };
    await cloud.${call}().put(one, { description: 'moved on' });
    const current = { 'if-match': (await cloud.${call}().get(one)).headers.get('etag') ?? '' };

    expect(old['if-match']).toMatch(/^"[\\w-]+"$/);
    expect(await cloud.${call}().put(one, { description: 'late' }, old)).toBeProblem('precondition_failed');
    expect(await cloud.${call}().delete(one, old)).toBeProblem('precondition_failed', { status: 412 });
    expect((await cloud.${call}().get(one)).body.description).toBe('moved on');
    expect((await cloud.${call}().delete(one, current)).status).toBe(204);
  });
`;

const keyOf = (_, { call }) => `  it('are created once under one idempotency key', async () => {
    const key = { 'idempotency-key': 'once' };

    const [first, repeated] = [await create('Once', key), await create('Once', key)];

    expect([first.status, repeated.status, repeated.body]).toEqual([201, 201, first.body]);
    const { items } = (await cloud.${call}().get(\`\${path}?results=100\`)).body;
    expect(items.filter(({ name }: { name: string }) => name === 'Once')).toHaveLength(1);
  });
`;

const nameOf = (
  { table },
  { call, other },
) => `  it('have unique names, ignoring case, and keep their own', async () => {
    const [{ body }, another] = [await create('Taken'), await create('Another')];${other(table)}

    expect(await create('TAKEN')).toBeProblem('name_taken', { status: 409, id: body.id });
    expect(await cloud.${call}().put(\`\${path}/\${another.body.id}\`, { name: 'taken' })).toBeProblem('name_taken');
    expect((await cloud.${call}().put(\`\${path}/\${body.id}\`, { name: 'TAKEN' })).status).toBe(204);
    expect((await other.post(elsewhere, { name: 'Taken' })).status).toBe(201);
  });

  it('with one name are created once by many requests at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('Race')));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) expect(answer).toBeProblem('name_taken');
  });
`;

const isolationOf = ({ snake, table }, { call, other }) => {
  const owner = call === 'main' ? 'tenant' : 'deployment';
  return `  it('are not found below another ${owner}', async () => {
    const { body } = await create('Ours');${other(table)}
    const one = \`\${elsewhere}/\${body.id}\`;

    expect((await other.get(elsewhere)).body).toMatchObject({ items: [], total_results: 0 });
    for (const answer of [await other.get(one), await other.put(one, { name: 'Theirs' }), await other.delete(one)])
      expect(answer).toBeProblem('${snake}_not_found', { status: 404 });
    expect((await cloud.${call}().get(\`\${path}/\${body.id}\`)).body).toEqual(body);
  });
`;
};

const permissionOf = (
  _,
  { call, permission },
) => `  it('are read, but not written, with the permission to read', async () => {
    const one = \`\${path}/\${(await create('Read')).body.id}\`;
    const reader = cloud.${call}(await given.key(cloud, { permissions: ${permission} }));

    expect([(await reader.get(path)).status, (await reader.get(one)).status]).toEqual([200, 200]);
    for (const answer of [
      await reader.post(path, { name: 'x' }),
      await reader.put(one, { name: 'x' }),
      await reader.delete(one),
    ])
      expect(answer).toBeProblem('insufficient_permissions', { status: 403 });
  });
`;
