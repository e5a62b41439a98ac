import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../architecture/sources/sources.js';
import { itWith, run, TOOLS } from './tools.js';

const DOCUMENTS = ['main-api', 'supervisor'].map((app) => join(ROOT, `contract/openapi.${app}.json`));
const [kinOpenapi, specValidator, spectral] = [
  await TOOLS.kinOpenapi(),
  await TOOLS.specValidator(),
  await TOOLS.spectral(),
];

/** Gateways and generators read a document with one of these first, and refuse what it refuses. */
describe('Both API descriptions are valid', () => {
  itWith(kinOpenapi)(
    'for kin-openapi, which compiles each pattern with RE2 and checks each example',
    async (command) => {
      for (const document of DOCUMENTS) expect(await run([...command, document])).toEqual({ status: 0, output: '' });
    },
  );

  itWith(specValidator)('for openapi-spec-validator, which compiles each pattern in Python', async (command) => {
    for (const document of DOCUMENTS)
      expect(await run([...command, '-m', 'openapi_spec_validator', document])).toEqual({
        status: 0,
        output: `${document}: OK\n`,
      });
  });

  itWith(spectral)('for Spectral, without a warning', async (command) => {
    const folder = await mkdtemp(join(tmpdir(), 'landlord-spectral-'));
    try {
      const rules = join(folder, 'rules.yaml');
      await writeFile(rules, 'extends: ["spectral:oas"]\n');
      const lint = [process.execPath, ...command, 'lint', '--ruleset', rules, '--fail-severity', 'warn', '--quiet'];
      for (const document of DOCUMENTS) expect(await run([...lint, document])).toEqual({ status: 0, output: '' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
