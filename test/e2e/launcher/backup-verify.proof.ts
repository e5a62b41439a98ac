import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeS3 } from '@libs/testing';
import { runLandlord, type Said } from './run-landlord.js';
import { RunningLandlord } from './running-landlord.fixture.js';

const VERDICT = /^The backup of \S+ is good: (\d+) rows in (\d+) tables, \d+ MB, restored and read in [\d.]+ s\.\n$/;

const SECRET = 'a-secret-of-the-bucket';
const NAME = /^landlord-\d{8}T\d{6}Z$/;
/** Older than every other. */
const OTHERS = ['landlord-20200101T000000Z', 'landlord-20200102T000000Z'];

/** Backups of a running installation. A verification has a temporary directory of its own, which must be empty after it. */
describe('landlord backup verify', () => {
  const root = mkdtempSync(join(tmpdir(), 'landlord-verified-'));
  const temporary = join(root, 'tmp');
  const backup = join(root, 'backup');
  let landlord: RunningLandlord;

  const run = (settings: Record<string, string>, ...args: string[]): Promise<Said> =>
    runLandlord({ LANDLORD_DATA_DIR: join(root, 'data'), TMPDIR: temporary, ...settings }, ...args);
  const verify = (directory: string, settings = {}): Promise<Said> => run(settings, 'backup', 'verify', directory);

  beforeAll(async () => {
    mkdirSync(temporary);
    landlord = await RunningLandlord.start({ dataDirectory: join(root, 'data'), broker: 'embedded' });
    // Its credentials are secrets in the database.
    await landlord.createDeployment();
    expect(await run({}, 'backup', backup)).toMatchObject({ code: 0 });
  });
  afterEach(() => expect(readdirSync(temporary)).toEqual([]));
  afterAll(async () => {
    await landlord?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  it('restores a backup beside the running installation, and reads every row', async () => {
    const before = readdirSync(join(root, 'data/postgres'));
    const { code, output } = await verify(backup);

    expect([code, output]).toEqual([0, expect.stringMatching(VERDICT)]);
    const [, rows, tables] = VERDICT.exec(output) ?? [];
    expect([Number(rows) > 50, Number(tables) > 50]).toEqual([true, true]);
    expect(readdirSync(join(root, 'data/postgres'))).toEqual(before);
    expect((await landlord.main.get('/health/ready')).status).toBe(200);
  });

  it('needs no running installation, only its keys', async () => {
    const keys = readFileSync(join(root, 'data/secret-keys'), 'utf8').trim();
    const settings = { LANDLORD_DATA_DIR: join(root, 'nothing'), LANDLORD_SECRET_KEYS: keys };

    expect(await verify(backup, settings)).toMatchObject({ code: 0, output: expect.stringMatching(VERDICT) });
  });

  it.each<[string, (copy: string, file: string) => void, RegExp]>([
    [
      'a file that is cut',
      (copy, file) => truncateSync(join(copy, file), 100),
      /^The backup is damaged: \S+ differs from the manifest/,
    ],
    [
      'a file that is longer',
      (copy, file) => appendFileSync(join(copy, file), 'x'),
      /^The backup is damaged: \S+ differs from the manifest/,
    ],
    [
      'a changed byte',
      (copy, file) => changeByte(join(copy, file)),
      /^The backup is damaged: \S+ differs from the manifest/,
    ],
    ['a missing file', (copy, file) => rmSync(join(copy, file)), /^The backup is damaged: \S+ is not readable: ENOENT/],
    ['no manifest', (copy) => rmSync(join(copy, 'backup.json')), /is not a complete backup: backup\.json is missing/],
    ['a manifest that is cut', (copy) => truncateSync(join(copy, 'backup.json'), 500), /backup\.json is damaged/],
    [
      'a manifest of another installation',
      (copy) => replaceIn(join(copy, 'backup.json'), /"installation": "\w+"/, '"installation": "another"'),
      /^The backup contains installation \w+ on timeline \d+, and its manifest names another on/,
    ],
    [
      'a manifest of a newer release',
      (copy) => replaceIn(join(copy, 'backup.json'), /"schema": "\w+"/, '"schema": "Later9999999999999"'),
      /^The backup was created by the newer release/,
    ],
  ])('refuses a backup with %s in one sentence', async (_, damage, sentence) => {
    const copy = mkdtempSync(join(root, 'copy-'));
    cpSync(backup, copy, { recursive: true });
    damage(copy, largest(copy));

    const { code, output } = await verify(copy);

    expect([code, output]).toEqual([1, expect.stringMatching(sentence)]);
    expect(output.trim().split('\n')).toHaveLength(1);
  });

  it('refuses a backup whose secrets the keys cannot open', async () => {
    const settings = { LANDLORD_DATA_DIR: join(root, 'nothing'), LANDLORD_SECRET_KEYS: `other:${'A'.repeat(43)}=` };

    expect(await verify(backup, settings)).toMatchObject({ code: 1, output: expect.stringMatching(/missing keys/) });
  });
});

describe('landlord backup --to', () => {
  const root = mkdtempSync(join(tmpdir(), 'landlord-places-'));
  const temporary = join(root, 'tmp');
  let landlord: RunningLandlord;
  let s3: FakeS3;

  const run = (...args: string[]): Promise<Said> =>
    runLandlord(
      {
        LANDLORD_DATA_DIR: join(root, 'data'),
        TMPDIR: temporary,
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: SECRET,
        // Without this, the client of S3 writes nine lines about the end of Node 20.
        AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      },
      ...args,
    );
  const inBucket = (name = ''): string =>
    `s3://bucket/cloud${name && `/${name}`}?region=eu-central-1&endpoint=${s3.endpoint}`;
  const namesIn = {
    directory: (): string[] => readdirSync(join(root, 'backups')),
    bucket: (): string[] => [...new Set([...s3.objects.keys()].map((key) => key.split('/')[1] ?? ''))],
  };
  const inPlace = (kind: 'directory' | 'bucket'): string => (kind === 'bucket' ? inBucket() : join(root, 'backups'));

  beforeAll(async () => {
    mkdirSync(temporary);
    s3 = await FakeS3.start();
    landlord = await RunningLandlord.start({ dataDirectory: join(root, 'data'), broker: 'embedded' });
  });
  afterEach(() => expect(readdirSync(temporary)).toEqual([]));
  afterAll(async () => {
    await landlord?.stop();
    await s3?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  it.each(['directory', 'bucket'] as const)(
    'keeps the newest backups in a %s, and removes no other data',
    async (kind) => {
      const names: string[] = [];
      for (let count = 1; count <= 3; count += 1) {
        const { code, output } = await run('backup', '--to', inPlace(kind), '--keep', '2');
        expect([code, output]).toEqual([0, expect.stringContaining('contains the backup of installation')]);
        expect(output).not.toContain(SECRET);
        names.push(/landlord-\d{8}T\d{6}Z/.exec(output)?.[0] ?? '');
        if (count === 1) await putOthersIn(kind);
      }

      const complete = namesIn[kind]().filter((name) => NAME.test(name));
      expect(complete.sort()).toEqual([...OTHERS, ...names.slice(1)].sort());
      expect(namesIn[kind]()).toContain('documents');
      expect(await verify(kind, names[2] ?? '')).toMatchObject({ code: 0, output: expect.stringMatching(VERDICT) });
    },
  );

  it('leaves no complete backup, and removes none, when the bucket fails in the middle', async () => {
    const before = [...s3.objects.keys()].filter((key) => key.endsWith('backup.json'));
    const { code, output } = await run(
      'backup',
      '--to',
      `s3://bucket/cloud?endpoint=http://127.0.0.1:1`,
      '--keep',
      '1',
    );

    expect([code, output]).toEqual([1, expect.stringContaining('cannot be used: the object store failed')]);
    expect([...s3.objects.keys()].filter((key) => key.endsWith('backup.json'))).toEqual(before);
  });

  it.each([
    [['backup'], /^Name either a new directory, or with --to/],
    [['backup', 'here', '--to', 'there'], /^Name either a new directory, or with --to/],
    [['backup', 'here', '--keep', '3'], /^--keep needs --to/],
    [['backup', '--to', 'there', '--keep', '0'], /^--keep needs --to, and is a number from 1/],
    [['backup', '--to', 's3://bucket/cloud', '--with-keys'], /^A bucket gets no secret keys/],
    [['backup', '--to', 's3://'], /^s3:\/\/ is neither a directory nor s3:\/\/bucket\/prefix/],
    [['backup', 'verify', 's3://bucket/cloud/landlord-20200101T000000Z'], /cannot be used|no complete backup/],
  ])('refuses %j in one sentence', async (args, sentence) => {
    const { code, output } = await run(...args);

    expect([code, output]).toEqual([1, expect.stringMatching(sentence)]);
    expect(output.trim().split('\n')).toHaveLength(1);
  });

  const verify = (kind: 'directory' | 'bucket', name: string): Promise<Said> =>
    run('backup', 'verify', kind === 'bucket' ? inBucket(name) : join(root, 'backups', name));

  /** A backup of another installation, an incomplete one, and a folder of somebody else. */
  async function putOthersIn(kind: 'directory' | 'bucket'): Promise<void> {
    const [foreign, incomplete] = OTHERS;
    const source = namesIn[kind]().find((name) => NAME.test(name)) ?? '';
    const manifest =
      kind === 'bucket'
        ? String(s3.objects.get(`cloud/${source}/backup.json`))
        : readFileSync(join(root, 'backups', source, 'backup.json'), 'utf8');
    const write = (path: string, text: string): void => {
      if (kind === 'bucket') return void s3.objects.set(`cloud/${path}`, Buffer.from(text));
      mkdirSync(join(root, 'backups', path, '..'), { recursive: true });
      writeFileSync(join(root, 'backups', path), text);
    };
    write(`${foreign}/backup.json`, manifest.replace(/"installation": ?"\w+"/, '"installation": "another"'));
    write(`${incomplete}/data/PG_VERSION`, '18');
    write('documents/letter.txt', 'keep me');
  }
});

/** The largest data file, relative to the backup. */
function largest(backup: string): string {
  const { files } = JSON.parse(readFileSync(join(backup, 'backup.json'), 'utf8')) as {
    files: Record<string, { bytes: number }>;
  };
  return Object.entries(files).reduce((first, next) => (next[1].bytes > first[1].bytes ? next : first))[0];
}

function changeByte(path: string): void {
  const bytes = readFileSync(path);
  bytes[5000] = (bytes[5000] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

function replaceIn(path: string, form: RegExp, text: string): void {
  const before = readFileSync(path, 'utf8');
  expect(before).toMatch(form);
  writeFileSync(path, before.replace(form, text));
}
