import { TestCloud } from '@libs/testing';

const MIB = 1024 * 1024;
const TRIES = 10;

/** Requests whose body nobody reads. Their connection closes, and a connection that closes too early loses the answer. */
describe('A refusal of a request with a large body arrives', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
  });
  afterAll(() => cloud.stop());

  const body = 'x'.repeat(8 * MIB);
  const json = { 'content-type': 'application/json' };

  it.each<[string, 'mainApi' | 'supervisor' | 'gateway', string, number, Record<string, string>]>([
    ['an API key of nobody', 'mainApi', '/tenants', 401, { ...json, 'ld-api-key': 'ld_nobody' }],
    ['no credential', 'mainApi', '/tenants', 401, json],
    ['an API key of nobody', 'supervisor', '/deployments/1/backups', 401, { ...json, 'ld-api-key': 'ld_nobody' }],
    ['a path that is not there', 'mainApi', '/nowhere', 404, json],
    ['a body above the limit of a public route', 'mainApi', '/account/sign_in', 413, json],
    ['a credential of nobody', 'gateway', '/agent/v1/logs', 401, { ...json, authorization: 'Bearer 1.nobody' }],
    ['a path that is not there', 'gateway', '/nowhere', 404, json],
  ])('with %s at the %s, POST %s: %i', async (_, listener, path, status, headers) => {
    const gateway = `http://127.0.0.1:${cloud.supervisorEnv['GATEWAY_PORT']}`;
    const origin = listener === 'gateway' ? gateway : cloud[listener].url;
    const statuses = await Promise.all(
      Array.from({ length: TRIES }, () =>
        fetch(`${origin}${path}`, { method: 'POST', headers, body }).then((answer) => answer.status, String),
      ),
    );

    expect(statuses).toEqual(Array.from({ length: TRIES }, () => status));
  });
});
