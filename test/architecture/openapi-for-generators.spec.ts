import {
  operationsOf,
  readGolden,
  valuesOf,
  type OpenApiDocument,
  type Parameter,
  type Schema,
} from './sources/openapi-document.js';

/** What generators of clients need beyond a valid document. `npm run proofs:generators` runs the generators themselves. */
describe.each(['main-api', 'supervisor'])('The OpenAPI document of %s', (app) => {
  const document = readGolden(app);
  const operations = operationsOf(document);

  it('lists the parameters of a path in its order, then the required, then the optional ones', () => {
    const rankOf = (title: string, { in: place, name, required }: Parameter): number =>
      place === 'path' ? title.indexOf(`{${name}}`) : title.length + (required ? 0 : 1);
    const wrong = operations.filter(({ title, parameters = [] }) => {
      const ranks = parameters.map((parameter) => rankOf(title, parameter));
      return ranks.some((rank, index) => rank < (ranks[index - 1] ?? 0));
    });

    expect(operations.filter(({ title }) => title.split('{').length > 2).length).toBeGreaterThan(30);
    expect(wrong.map(({ title }) => title)).toEqual([]);
  });

  it('names its licence as SPDX does', () => {
    expect(document['info']).toMatchObject({ license: { name: 'Apache-2.0' } });
  });

  it('describes each tag that it uses, and no other', () => {
    const tags = document['tags'] as { name: string; description: string }[];
    const used = new Set([...operations, ...webhooksOf(document)].flatMap((operation) => operation.tags ?? []));

    expect(tags.map(({ name }) => name).sort()).toEqual([...used].sort());
    expect(tags.filter(({ description }) => !/^[A-Z].*\.$/.test(description))).toEqual([]);
  });

  it('has no webhook in a tag of its own operations: generators put a tag into one class', () => {
    const tags = new Set(operations.flatMap((operation) => operation.tags ?? []));

    expect(webhooksOf(document).filter((webhook) => webhook.tags?.some((tag) => tags.has(tag)))).toEqual([]);
  });

  it('has one type for each set of values, and no type without a name for the entries of a list', () => {
    const ofMembers = { ...document, components: { ...document.components, responses: {} } };
    const sets = valuesOf(ofMembers, 'enum').map((values) => JSON.stringify([...(values as unknown[])].sort()));
    const lists = valuesOf(ofMembers, 'items').filter((items) => 'enum' in (items as object));

    expect(sets.length).toBeGreaterThan(10);
    expect(sets.filter((set, index) => sets.indexOf(set) !== index)).toEqual([]);
    expect(lists).toEqual([]);
  });

  it('names each enum for several members, for a list, or for a parameter of many requests: a name of another is not needed', () => {
    const uses = valuesOf(document, '$ref').filter((reference) => reference !== undefined);
    const enums = Object.entries(document.components.schemas).filter(([, schema]) => 'enum' in schema);
    const inLists = valuesOf(document, 'items').map((items) => (items as { $ref?: string }).$ref);
    const inParameters = valuesOf(document.components.parameters, '$ref');
    const needless = enums.filter(([name]) => {
      const reference = `#/components/schemas/${name}`;
      return uses.filter((one) => one === reference).length < 2 && ![...inLists, ...inParameters].includes(reference);
    });

    expect(needless.map(([name]) => name)).toEqual([]);
  });

  it('gives each value of an enum a constant of its own: generated Go has all of them in one namespace', () => {
    const constants = valuesOf(document, 'x-enum-varnames').flat() as string[];

    expect(constants.length).toBeGreaterThan(30);
    expect(
      constants.filter((one, index) => constants.indexOf(one) !== index || !/^[A-Z][A-Z0-9_]+$/.test(one)),
    ).toEqual([]);
  });

  it('has no schema with the name of a parameter: Go has both in one namespace', () => {
    const { parameters, schemas } = document.components;

    expect(Object.keys(parameters).filter((name) => name in schemas)).toEqual([]);
  });

  it('names the type of each refusal', () => {
    const titles = Object.entries(document.components.responses).flatMap(([name, { content }]) => {
      const schema = content?.['application/problem+json']?.schema;
      return schema ? [{ name, title: schema['title'] }] : [];
    });

    expect(titles.length).toBeGreaterThan(20);
    expect(titles.filter(({ name, title }) => title !== `${name.replace(/Uncounted$/, '')}Problem`)).toEqual([]);
  });

  it('has no list in a choice: generated Java does not compile', () => {
    const choices = ['anyOf', 'oneOf'].flatMap((key) => valuesOf(document, key) as Schema[][]);

    expect(choices.length).toBeGreaterThan(2);
    expect(choices.filter((choice) => choice.some(({ type }) => type === 'array'))).toEqual([]);
  });

  it('has no byte order mark: generators copy texts into sources, and Go refuses it there', () => {
    expect(JSON.stringify(document)).not.toContain('\ufeff');
  });

  it('says how Go names a parameter of a path that has the name of a package', () => {
    const shadows = operations
      .flatMap(({ parameters = [] }) => parameters)
      .filter((one) => one.in === 'path' && PACKAGES_OF_GO.includes(one.name));

    expect(shadows.filter((one) => !('x-go-name' in one))).toEqual([]);
  });
});

/** What generated clients import in Go. */
const PACKAGES_OF_GO = ['bytes', 'context', 'errors', 'fmt', 'http', 'io', 'json', 'runtime', 'strings', 'time', 'url'];

const webhooksOf = (document: OpenApiDocument): { tags?: string[] }[] =>
  Object.values((document['webhooks'] ?? {}) as OpenApiDocument['paths']).flatMap((item) => Object.values(item));
