import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allCommands, helpText } from '../test/reviewed-texts.js';
import { VERBS } from './generated/verbs.js';

const ROOT = join(import.meta.dirname, '../../..');

describe('The commands', () => {
  it('have one for every request of the API', () => {
    const requests = ['main-api', 'supervisor'].flatMap((app) => {
      const { paths } = JSON.parse(readFileSync(join(ROOT, `contract/openapi.${app}.json`), 'utf8')) as {
        paths: Record<string, Record<string, { operationId: string }>>;
      };
      return Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
    });
    const called = Object.values(VERBS).flatMap((verbs) =>
      verbs().flatMap(({ operation, ofDivision }) =>
        ofDivision ? [operation, `${operation}InDivision`] : [operation],
      ),
    );

    expect(called.sort()).toEqual(requests.sort());
  });

  it('have different names, and no option twice', async () => {
    const names = (await allCommands()).map(([name]) => name);

    expect(names.length).toBeGreaterThan(230);
    expect(new Set(names).size).toBe(names.length);
  });

  it('explain themselves with --help', async () => {
    expect(await helpText()).toBe(readFileSync(join(ROOT, 'contract/cli-help.txt'), 'utf8'));
  });
});
