import { execFileSync } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { createProgram } from '../../../cli/src/program.js';
import { REQUESTS } from '../generated/requests.js';
import type { RequestName } from './find-shape.js';
import { shapeOf } from './find-shape.js';
import type { Input, MemberShape } from './shape.js';
import { inputOf, type Value } from './values.js';
import { written } from './written.js';

const TENANT = 1;
const IDS = { division_id: 2, environment_id: 3, deployment_id: 4 };
const NAMES = Object.entries(REQUESTS).flatMap(([group, methods]) =>
  Object.keys(methods).map((method) => `${group}.${method}` as RequestName),
);

interface Sent {
  line: string;
  body: unknown;
}

/** Commands that the console shows, run by the command line itself against a server that notes what comes. */
describe('The command beside a form', () => {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    void answer(request).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json', 'ld-operation': '9' }).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  let url: string;

  async function answer(request: IncomingMessage): Promise<string> {
    if (request.url === `/tenants/${TENANT}/structure`) return JSON.stringify(structureAt(url));
    const body = await text(request);
    if (request.method !== 'GET')
      sent.push({ line: `${request.method} ${request.url}`, body: body === '' ? null : JSON.parse(body) });
    return '{"operation_id":9,"items":[],"page":1,"total_pages":1,"total_results":0}';
  }

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const variables = {
      LANDLORD_URL: url,
      LANDLORD_API_KEY: `ld_${'k'.repeat(55)}`,
      LANDLORD_TENANT_ID: String(TENANT),
    };
    jest.replaceProperty(process, 'env', { ...process.env, ...variables });
    jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterAll(() => {
    jest.restoreAllMocks();
    server.close();
  });

  it.each(NAMES)('%s sends the same request', async (name) => {
    const shape = shapeOf(name);
    const members = shape.members.map((one) => ({ ...one, required: true, secret: false }));
    const input = inputOf(members, Object.fromEntries(members.map((one) => [one.member, exampleOf(one)])));
    const isNumber = (member: string): boolean => /_id$|^version$/.test(member);
    const ids = {
      ...IDS,
      ...Object.fromEntries(
        shape.arguments.map((one) => [one, IDS[one as keyof typeof IDS] ?? (isNumber(one) ? 7 : 'x7')]),
      ),
      // The configurations of a broker have this name only.
      ...(name.startsWith('configs.') && { config_name: 'broker' }),
    };
    const { command, request } = written({ ...shape, members, waits: false }, TENANT, ids, input);
    sent.length = 0;

    const words = wordsOf(command).slice(1);
    await (await createProgram(words)).parseAsync(words, { from: 'user' });

    const [line = '', ...body] = request.split('\n');
    expect(sent).toEqual([{ line, body: body.length === 0 ? null : (JSON.parse(body.join('\n')) as Input) }]);
  });
});

/** The words that a shell reads. */
const wordsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

function exampleOf({ kind, choices, member }: MemberShape): Value {
  const choice = choices?.[0];
  // The command line knows which places there are.
  const level = member
    .replace(/^.*\./, '')
    .replace(/^scope_/, '')
    .replace(/s$/, '');
  const place = IDS[level as keyof typeof IDS] as number | undefined;
  if (place !== undefined && (kind === 'number' || kind === 'numbers')) return String(place);
  const single: Readonly<Record<MemberShape['kind'], Value>> = {
    ...{ text: `it's a "${member}"`, number: '7', flag: true, texts: ["it's one", 'two'].join('\n'), numbers: '7\n8' },
    json: '{"it\'s": [1, "two"]}',
  };
  if (choice === undefined) return single[kind];
  return kind === 'texts' || kind === 'numbers' ? (choices?.slice(0, 2).map(String) ?? []) : String(choice);
}

const structureAt = (url: string) => ({
  ...{ id: TENANT, name: 'One' },
  divisions: [
    {
      ...{ id: IDS.division_id, name: 'Two' },
      environments: [
        {
          ...{ id: IDS.environment_id, name: 'Three' },
          deployments: [{ id: IDS.deployment_id, name: 'Four', code: 'four', supervisor_url: url }],
        },
      ],
    },
  ],
});
