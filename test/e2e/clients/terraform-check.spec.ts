import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const CHECK = join(import.meta.dirname, '../../../scripts/clients/terraform.mjs');
/** Go with the modules of the generators, and without those of the provider. */
const GO = `#!/bin/sh
case "$*" in
  version) echo 'go version go1.26.0 linux/amd64' ;;
  'tool -n '*) echo /modules/tool ;;
  *) echo 'go: downloading example.com/module v1.0.0' >&2
     echo 'go: module lookup disabled by GOPROXY=off' >&2
     exit 1 ;;
esac
`;

describe('The check of the generated files of the Terraform provider', () => {
  const folder = mkdtempSync(join(tmpdir(), 'landlord-go-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is skipped with a reason when Go has no modules of the provider', () => {
    writeFileSync(join(folder, 'go'), GO, { mode: 0o755 });
    const env = { ...process.env, PATH: [folder, process.env['PATH']].join(delimiter) };
    const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK, '--check'], { env, encoding: 'utf8' });

    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toBe(
      'The files of the Terraform provider are not generated: the modules of the provider cannot be fetched: go: module lookup disabled by GOPROXY=off.\n',
    );
  });
});
