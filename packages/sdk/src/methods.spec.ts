import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from './index.js';

const CONTRACT = join(import.meta.dirname, '../../../contract');
const URLS = { 'main-api': 'https://main.example.com/base', supervisor: 'https://supervisor.example.com' };

interface Operation {
  operationId: string;
  parameters?: { $ref: string }[];
  requestBody?: object;
}
interface Parameter {
  name: string;
  in: string;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
}

/** Pages have numbers. */
const valueOf = (member: string): string | number => (member === 'page' ? 7 : `v-${member}`);

/** What the document says about a request: read here in another way than the generator does. */
function expectedOf(app: keyof typeof URLS) {
  const document = JSON.parse(readFileSync(join(CONTRACT, `openapi.${app}.json`), 'utf8')) as Document;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, parameters = [], requestBody }]) => {
      const all = parameters.map(
        (one) => document.components.parameters[one.$ref?.split('/').at(-1) ?? ''] ?? (one as unknown as Parameter),
      );
      const named = (place: string) => all.filter((one) => one.in === place).map(({ name }) => name);
      const query = named('query')
        .sort()
        .map((name) => `${name}=${valueOf(name)}`)
        .join('&');
      return {
        operationId,
        line: `${method.toUpperCase()} ${URLS[app]}${path.replaceAll(/\{(\w+)\}/g, 'v-$1')}${query === '' ? '' : `?${query}`}`,
        body: requestBody === undefined ? null : { in_the_body: 1 },
        isKeyed: named('header').includes('idempotency-key'),
        members: [...named('path'), ...named('query')],
      };
    }),
  );
}

const EXPECTED = [...expectedOf('main-api'), ...expectedOf('supervisor')];

describe('The methods', () => {
  it('are those of both documents, and each sends the request of its document', async () => {
    const sent: unknown[] = [];
    const fetch = async (
      url: string | URL | Request,
      { method, body, headers }: RequestInit = {},
    ): Promise<Response> => {
      const asked = new URL(url instanceof Request ? url.url : url);
      asked.searchParams.sort();
      const named = headers as Record<string, string>;
      expect(named).toMatchObject({ 'ld-api-key': 'key' });
      sent.push({
        line: `${method} ${asked.href}`,
        body: typeof body === 'string' ? JSON.parse(body) : null,
        isKeyed: named['idempotency-key'] !== undefined,
      });
      return new Response(null, { status: 204, headers: { 'ld-operation': '1' } });
    };
    const client = createClient({ url: `${URLS['main-api']}/`, apiKey: 'key', supervisorUrl: URLS.supervisor, fetch });
    type Loose = Record<
      string,
      Record<string, (input: object, options: object) => PromiseLike<unknown> & AsyncIterable<unknown>>
    >;
    for (const { operationId, members, body } of EXPECTED) {
      const [group = '', name = ''] = operationId.split('.');
      const input = { ...Object.fromEntries(members.map((one) => [one, valueOf(one)])), ...body };
      const answer = (client as unknown as Loose)[group]?.[name]?.(input, { retries: 0 });
      // A page and other JSON need a body, which this answer has not.
      if (answer && 'then' in answer)
        await Promise.resolve(answer).catch((error: unknown) =>
          expect(String(error)).toContain('the answer is not JSON'),
        );
      else
        for await (const event of (answer as AsyncIterable<unknown> | undefined) ?? [])
          throw new Error(`The answer has an event: ${String(event)}`);
    }

    expect(sent).toEqual(EXPECTED.map(({ line, body, isKeyed }) => ({ line, body, isKeyed })));
    const groups = Object.entries(client).filter(([, group]) => typeof group === 'object');
    const methods = groups.flatMap(([group, some]) => Object.keys(some).map((name) => `${group}.${name}`));
    expect(methods.sort()).toEqual(EXPECTED.map(({ operationId }) => operationId).sort());
  });

  it('refuse members that would change the path, and members that the request does not have', async () => {
    const client = createClient({
      url: 'https://main.example.com',
      supervisorUrl: 'https://s.example.com',
      tenantId: 1,
    });
    const asTold = async (call: () => PromiseLike<unknown>): Promise<string> => {
      try {
        await call();
        return 'nothing';
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
        return (error as Error).message;
      }
    };

    expect(await asTold(() => client.downloads.fetch({ token: '..' }))).toBe('token is "..".');
    expect(await asTold(() => client.downloads.fetch({ token: '' }))).toBe('token is "".');
    expect(await asTold(() => client.accessRules.list({ deployment_id: 2 ** 53 }))).toBe(
      'deployment_id must be a whole number.',
    );
    expect(await asTold(() => client.accessRules.list({} as never))).toBe('deployment_id is missing.');
    const wrong = { deployment_id: 1, nmae: 'x' } as never;
    expect(await asTold(() => client.accessRules.list(wrong))).toBe('The request has no member nmae.');
  });
});
