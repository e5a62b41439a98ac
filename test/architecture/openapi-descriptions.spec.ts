import { readGolden, type Schema } from './sources/openapi-document.js';

/** Members whose meaning, unit and format follow from their name. The list may only shrink. */
const EVIDENT = ['name', 'description', 'email', 'items', 'total_pages', 'created_at', 'updated_at'];
/** The limits of the plan. The description of `features` explains the endings of their names. */
const IS_LIMIT = /^TenantView\.features\.[a-z_]+_(limit|days|enabled)$/;
const MOST_WORDS = 60;

interface Member {
  /** Names from the schema down, such as `TenantView.features.members_limit`. */
  path: string;
  name: string;
  description: string | undefined;
}

/** The members of every object in `value`, at any depth. */
function membersIn(value: unknown, path: string): Member[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties, ...rest } = value as { properties?: Record<string, Schema> } & Record<string, unknown>;
  const own = Object.entries(properties ?? {}).flatMap(([name, schema]) => [
    { path: `${path}.${name}`, name, description: schema['description'] as string | undefined },
    ...membersIn(schema, `${path}.${name}`),
  ]);
  return [...own, ...Object.values(rest).flatMap((inner) => membersIn(inner, path))];
}

describe.each(['main-api', 'supervisor'])('The OpenAPI document of %s', (app) => {
  const { components, paths, webhooks } = readGolden(app);
  const schemas = Object.entries(components.schemas);
  const members = [
    ...schemas.flatMap(([name, schema]) => membersIn(schema, name)),
    ...membersIn(components.responses, 'responses'),
    ...Object.entries(paths).flatMap(([path, item]) => membersIn(item, path)),
    ...membersIn(webhooks, 'webhooks'),
  ];

  it('describes each schema with one or a few sentences: the comment of its class', () => {
    expect(schemas.length).toBeGreaterThan(60);
    expect(schemas.filter(([, { description }]) => !isSentence(description)).map(([name]) => name)).toEqual([]);
  });

  it('describes each member whose name does not explain it', () => {
    const unexplained = members.filter(({ name, path, description }) => {
      const mayGoWithout = EVIDENT.includes(name) || IS_LIMIT.test(path) || isRefusalCode(path);
      return !description?.trim() && !mayGoWithout;
    });

    expect(members.length).toBeGreaterThan(350);
    expect(unexplained.map(({ path }) => path)).toEqual([]);
  });
});

describe('The list of evident members', () => {
  it('contains only members that a document has without a description', () => {
    const bare = new Set(
      ['main-api', 'supervisor']
        .map(readGolden)
        .flatMap(({ components, paths }) => [...membersIn(components.schemas, ''), ...membersIn(paths, '')])
        .filter(({ description }) => !description)
        .map(({ name }) => name),
    );

    expect(EVIDENT.filter((name) => !bare.has(name))).toEqual([]);
  });
});

/** The member `code` of a refusal narrows the described member of `Problem`. */
const isRefusalCode = (path: string): boolean => path === 'responses.code';

const isSentence = (text: unknown): boolean =>
  typeof text === 'string' && /^[`A-Z].*\.$/.test(text) && text.split(' ').length <= MOST_WORDS;
