import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinLine } from './join-line.js';

const URL_OF_GATEWAY = 'https://gateway.example.com:4001';
const AUTHORITY = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
/** Writes its arguments and its standard input. */
const SCRIPT = '#!/bin/sh\necho "$@" > "$RECORD"\ncat >> "$RECORD"\n';
/** Serves the files of the folder `SERVED` by the end of the path, and records its arguments. */
const CURL = `#!/bin/sh
echo "$@" >> "$CALLS"
for argument; do case "$argument" in http*) url=$argument;; esac; last=$argument; done
cp "$SERVED/$(basename "$url")" "$last"
`;

describe('The line that makes a host a machine', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landlord-line-'));
    await serve({});
    await writeFile(join(folder, 'curl'), CURL);
    await chmod(join(folder, 'curl'), 0o755);
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function serve({ authority = AUTHORITY, script = SCRIPT }): Promise<void> {
    await writeFile(join(folder, 'ca.pem'), authority);
    await writeFile(join(folder, 'join.sh'), script);
  }

  /** Runs the line in a shell, with the token as its input. Returns what the script got, or null if it did not run. */
  async function run(line: string): Promise<{ code: number; got: string | null; calls: string[] }> {
    const [record, calls] = [join(folder, 'record'), join(folder, 'calls')];
    const env = {
      PATH: `${folder}:${process.env['PATH']}`,
      TMPDIR: folder,
      SERVED: folder,
      RECORD: record,
      CALLS: calls,
    };
    const code = await new Promise<number>((resolve) => {
      const child = execFile('sh', ['-c', line], { env }, () => resolve(child.exitCode ?? -1));
      child.stdin?.end('7.secret\n');
    });
    const read = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null);
    return { code, got: await read(record), calls: ((await read(calls)) ?? '').trim().split('\n') };
  }

  const files = { url: URL_OF_GATEWAY, authority: AUTHORITY, script: SCRIPT };

  it('trusts only the certificate for the script, and passes the token by standard input', async () => {
    const { line } = joinLine(files);

    expect(await run(line)).toEqual({
      code: 0,
      got: `--url ${URL_OF_GATEWAY} --ca-file ca.pem\n7.secret\n`,
      calls: [
        `-fsSk ${URL_OF_GATEWAY}/agent/v1/machines/ca.pem -o ca.pem`,
        `-fsS --cacert ca.pem ${URL_OF_GATEWAY}/agent/v1/machines/join.sh -o join.sh`,
      ],
    });
    expect(line.split('\n')).toHaveLength(1);
  });

  it.each([
    ['another certificate', { authority: AUTHORITY.replace('AAAA', 'BBBB') }, 1],
    ['another script', { script: `${SCRIPT}rm -rf /` }, 2],
  ])('runs nothing after it got %s', async (_, served, downloads) => {
    await serve(served);
    const { code, got, calls } = await run(joinLine(files).line);

    expect([code === 0, got, calls.length]).toEqual([false, null, downloads]);
  });

  it('uses no certificate with plain HTTP', async () => {
    const { line, ca_sha256 } = joinLine({ ...files, url: 'http://127.0.0.1:4001/', authority: null });

    expect(ca_sha256).toBeNull();
    expect(await run(line)).toMatchObject({ code: 0, got: '--url http://127.0.0.1:4001\n7.secret\n' });
  });

  it('runs no part of the URL', async () => {
    const url = `https://x/'$(touch ${'"$RECORD"'})`;

    expect((await run(joinLine({ ...files, url }).line)).got).toBe(`--url ${url} --ca-file ca.pem\n7.secret\n`);
  });
});
