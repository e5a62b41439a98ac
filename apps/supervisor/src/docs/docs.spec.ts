import { readFileSync } from 'node:fs';
import { TestSupervisor } from '../../test/test-supervisor.fixture.js';
import { API_DESCRIPTION } from './api-description.js';
import { OPERATION_NAMES } from './operation-ids.js';

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  parameters?: object[];
  responses: Record<string, object>;
}
interface Description {
  info: { title: string; description: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
}

const golden = JSON.parse(
  readFileSync(new URL('../../../../contract/openapi.supervisor.json', import.meta.url), 'utf8'),
) as Description;

const operationsOf = ({ paths }: Description): [string, Operation][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  );

/**
 * Only the build adds the comments of the controllers. The order of parameters has no meaning. Of responses, only the statuses
 * are compared: the names of shared responses depend on whether this process has described another API before.
 */
const withoutComments = (description: Description) =>
  Object.fromEntries(
    operationsOf(description).map(
      ([route, { summary: _summary, description: _description, responses, ...operation }]) => [
        route,
        {
          ...operation,
          statuses: Object.keys(responses),
          parameters: (operation.parameters ?? []).map((one) => JSON.stringify(one)).sort(),
        },
      ],
    ),
  );

describe('The documentation of the Supervisor', () => {
  let cloud: TestSupervisor;
  let served: Description;

  beforeAll(async () => {
    cloud = await TestSupervisor.open({ SUPERVISOR_PUBLIC_URL: 'https://supervisor.brokers.test' });
  });
  afterAll(() => cloud.close());
  beforeEach(async () => {
    served = (await cloud.runtime(null).get('/openapi.json')).body;
  });

  it('describes exactly the routes of the golden file', () => {
    expect(Object.keys(served.paths).length).toBeGreaterThan(40);
    expect(withoutComments(served)).toEqual(withoutComments(golden));
  });

  it('names the permission of each route as the golden file does', () => {
    const descriptions = new Map(operationsOf(golden).map(([route, { description }]) => [route, description]));

    const others = operationsOf(served).filter(
      ([route, { description }]) => !descriptions.get(route)?.endsWith(description),
    );

    expect(others).toEqual([]);
  });

  it('has the title of the golden file, and the address of this installation', () => {
    expect(served.info).toEqual(golden.info);
    expect(served.info).toMatchObject({ title: API_DESCRIPTION.title, version: API_DESCRIPTION.version });
    expect(served.servers).toEqual([{ url: 'https://supervisor.brokers.test' }]);
  });

  it('uses every name that the module gives to an operation', () => {
    const ids = operationsOf(served).map(([, { operationId }]) => operationId);
    const resources = Object.values(OPERATION_NAMES.resources);

    expect(Object.values(OPERATION_NAMES.operations).filter((id) => !ids.includes(id))).toEqual([]);
    expect(resources.filter((name) => !ids.some((id) => id.startsWith(`${name}.`)))).toEqual([]);
  });

  it('is a page without a key that loads no script and no style of another host', async () => {
    const page = await fetch(`${cloud.url}/docs`);
    const html = await page.text();
    const addresses = [...html.matchAll(/(?:src|href)=["']([^"'#]+)["']/g)].map(([, address]) => address ?? '');

    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain(`script-src 'self';`);
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) {
      const url = new URL(address, `${cloud.url}/docs`);
      expect(url.origin).toBe(cloud.url);
      const file = await fetch(url);
      expect(file.status).toBe(200);
      // An unread answer would keep its connection open.
      await file.arrayBuffer();
    }
  });

  it('contains no setting of the installation', async () => {
    const script = await (await fetch(`${cloud.url}/docs/swagger-ui-init.js`)).text();

    for (const text of [JSON.stringify(served), script])
      for (const secret of [cloud.key, cloud.directory, cloud.installation.role_urls.supervisor])
        expect(text).not.toContain(secret);
  });
});
