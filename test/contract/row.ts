import { inspect } from 'node:util';

/** What a row of an audit expects of an installation, and what the installation does. */
export interface Observation {
  expected: unknown;
  got: unknown;
}

/**
 * One row of an audit of the contract: a test that runs requests against a real installation. Prints what the row
 * expected and got, also when the row holds, so that a person can read the whole audit.
 */
export function row(id: string, rule: string, play: () => Promise<Observation>, patienceMs?: number): void {
  it(
    `${id}: ${rule}`,
    async () => {
      const { expected, got } = await play();
      const lines = [`${id}: ${rule}`, `  expected ${inLine(expected)}`, `  got      ${inLine(got)}`];
      process.stdout.write(`${lines.join('\n')}\n`);
      expect(got).toEqual(expected);
    },
    patienceMs,
  );
}

const inLine = (value: unknown): string =>
  inspect(value, { depth: 6, breakLength: Infinity, maxArrayLength: 12, maxStringLength: 200 });
