import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS, isRetryable, SOMETIMES_RETRYABLE, type ErrorCode } from '@libs/domain';

/** A refusal in a test of a client: `problem(409, 'state_conflict', …)`, with `retryable` in one of two spellings. */
const SCRIPTED = /problem\((\d{3}), ["'](\w+)["'](?:, (true|false)|, \{([^}]*)\})?\)/g;
const FOLDERS = ['packages/sdk/src', 'packages/terraform-provider-landlord/internal/client'];
const TEST = /\.spec\.ts$|_test\.go$/;
/** Codes of tests that are about any code. */
const ANY = ['a_code', 'x'];

interface Scripted {
  file: string;
  status: number;
  code: string;
  isRetryable: boolean;
}

/** Clients must be tested with answers that the server gives. */
describe('The refusals that tests of the clients script', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => TEST.test(name))
      .map((name) => join(folder, name)),
  );
  const scripted: Scripted[] = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(SCRIPTED)].map(([, status, code = '', flag, members = '']) => ({
      ...{ file, status: Number(status), code },
      isRetryable: flag === 'true' || members.includes('retryable: true'),
    })),
  );
  const refusals = scripted.filter(({ code }) => !ANY.includes(code));

  it('are in both clients', () => {
    expect(refusals.filter(({ file }) => file.endsWith('.ts')).length).toBeGreaterThan(5);
    expect(refusals.filter(({ file }) => file.endsWith('.go')).length).toBeGreaterThan(3);
  });

  it('have the status and the flag of the catalogue', () => {
    const isTrue = ({ status, code, isRetryable: flag }: Scripted): boolean => {
      const spec = ERRORS[code as ErrorCode] as (typeof ERRORS)[ErrorCode] | undefined;
      const may = SOMETIMES_RETRYABLE.includes(code as ErrorCode);
      return spec !== undefined && spec.status === status && (may || flag === isRetryable(code as ErrorCode));
    };

    expect(refusals.filter((one) => !isTrue(one))).toEqual([]);
  });
});
