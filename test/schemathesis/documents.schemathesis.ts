import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CELLS, describedPath, prepare, type Cell } from '../e2e/matrix/routes.js';
import { noteSkip } from '@libs/testing';
import { World } from '../e2e/matrix/world.js';
import { installSchemathesis, runSchemathesis } from './schemathesis.js';

const SECONDS = Number(process.env['SCHEMATHESIS_SECONDS'] ?? 240);
const SEED = Number(process.env['SCHEMATHESIS_SEED'] ?? Date.now() % 100_000);

const missing = await installSchemathesis();
if (missing !== null) noteSkip(`Schemathesis is missing (${missing})`, 'Install Python 3 and its venv module');

/** Schemathesis tests both apps against their documents: no 5xx, no undocumented answer. */
(missing === null ? describe : describe.skip)('The API description', () => {
  let world: World;
  let directory: string;

  beforeEach(async () => {
    world = await World.start();
    directory = await mkdtemp(join(tmpdir(), 'landlord-schemathesis-'));
  });
  afterEach(async () => {
    await world.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it.each(['main-api', 'supervisor'] as const)(
    'of %s matches the behaviour of the app',
    async (app) => {
      const places = join(directory, `${app}.places.json`);
      const { headers: session } = await world.signedIn('owner');
      await writeFile(places, JSON.stringify({ ids: await idsOf(app, world), session }));
      const base = app === 'main-api' ? world.cloud.mainApi.url : world.cloud.supervisor.url;
      const report = join(directory, `${app}.report.json`);

      const { code, output } = await runSchemathesis({
        document: `${base}/openapi.json`,
        url: base,
        key: world.cloud.key,
        places,
        seed: SEED,
        seconds: SECONDS,
        report,
      });

      console.log(`${app}, seed ${SEED}\n${output}`);
      expect(code).toBe(0);
    },
    (SECONDS + 600) * 1000,
  );
});

/** Ids of one resource for each operation of an app. */
async function idsOf(app: Cell['app'], world: World): Promise<Record<string, object>> {
  const ids: Record<string, object> = {};
  for (const cell of CELLS.filter((one) => one.app === app)) {
    const path = describedPath(cell.path);
    ids[`${cell.method} ${path}`] = (await prepare(cell, world)).ids;
  }
  return ids;
}
