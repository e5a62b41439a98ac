import { operationsOf, readGolden, type OpenApiDocument, type Parameter } from './sources/openapi-document.js';

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
});

const webhooksOf = (document: OpenApiDocument): { tags?: string[] }[] =>
  Object.values((document['webhooks'] ?? {}) as OpenApiDocument['paths']).flatMap((item) => Object.values(item));
