import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, eventually, freePorts, seedTestInstallation, type TestDatabase } from '@libs/testing';
import { Copy } from './copy.fixture.js';

/** The compiler of Nest checks every type, on a machine that may do other work. */
const COMPILED_MS = 400_000;

describe('npx --no nest start main-api --watch', () => {
  let copy: Copy;
  let database: TestDatabase;
  let nest: ChildProcess;
  let closed: Promise<unknown>;
  let output = '';
  let url: string;

  beforeAll(async () => {
    copy = new Copy();
    database = await createTestDatabase();
    const { role_urls } = await seedTestInstallation(database.url);
    const [port = 0] = await freePorts(1);
    url = `http://127.0.0.1:${port}`;
    mkdirSync(join(copy.directory, '.landlord'));
    const settings = {
      MAIN_API_PORT: String(port),
      DATABASE_URL: role_urls.main_api,
      LANDLORD_SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      QUEUE_URL: 'off',
    };
    const args = ['node_modules/@nestjs/cli/bin/nest.js', 'start', 'main-api', '--watch'];
    const env = { ...copy.environment, ...settings };
    nest = spawn(process.execPath, args, { cwd: copy.directory, env, detached: true });
    closed = once(nest, 'close');
    for (const stream of [nest.stdout, nest.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  });
  afterAll(async () => {
    // Ctrl-C goes to all processes of a terminal. The CLI would leave the app behind if it alone got the signal.
    if (nest.pid !== undefined && !nest.stdout?.closed) process.kill(-nest.pid, 'SIGINT');
    await closed;
    await database.drop();
    copy.remove();
  });

  it(
    'compiles a clone that has no build, serves, and serves the changed sources after a change',
    async () => {
      await printed('main API listens');
      expect((await fetch(`${url}/health/ready`)).status).toBe(200);

      const main = join(copy.directory, 'apps/main-api/src/main.ts');
      writeFileSync(main, readFileSync(main, 'utf8').replace('main API listens', 'the changed main API listens'));

      await printed('the changed main API listens');
      expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    },
    2 * COMPILED_MS,
  );

  const printed = (text: string): Promise<unknown> =>
    eventually(
      () => output,
      () => output.includes(text),
      COMPILED_MS,
    );
});
