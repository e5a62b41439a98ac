import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '@libs/domain';
import { TestMainApi } from '../../test/test-main-api.fixture.js';
import { API_PARTS } from './api-description.js';

const REVIEWED = join(import.meta.dirname, '../../../../contract/openapi.main-api.json');

describe('The documentation of the main API', () => {
  let cloud: TestMainApi;
  beforeAll(async () => {
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api' }, { docs: true });
  });
  afterAll(() => cloud.close());

  const read = async (path: string) => (await cloud.main(null).get(path)).body;

  it('lists every error with its status, without a key', async () => {
    const errors = await read('/errors');

    expect(errors.map(({ code }: { code: string }) => code)).toEqual(Object.keys(ERRORS));
    expect(errors).toContainEqual(expect.objectContaining({ code: 'name_taken', status: 409, retryable: false }));
    expect(errors).toContainEqual(expect.objectContaining({ code: 'service_busy', retryable: true }));
  });

  it('describes each path of the golden file, whole and in parts', async () => {
    const golden = JSON.parse(readFileSync(REVIEWED, 'utf8'));
    const whole = await read('/openapi.json');
    const parts = await Promise.all(API_PARTS.map(({ name }) => read(`/openapi/${name}.json`)));

    const paths = Object.keys(golden.paths).sort();
    expect(whole.openapi).toBe('3.1.0');
    expect(Object.keys(whole.paths).sort()).toEqual(paths);
    expect([...new Set(parts.flatMap((part) => Object.keys(part.paths)))].sort()).toEqual(paths);
  });

  it('is a page that loads nothing from other hosts', async () => {
    const page = await read('/docs');

    expect(page).toContain('swagger-ui');
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
  });
});
