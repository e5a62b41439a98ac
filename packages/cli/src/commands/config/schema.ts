import { Command } from 'commander';
import { withCommonOptions, type AnyOptions } from '../../common-options.js';
import { isForPeople, print } from '../../output/output.js';
import { limitsOf, settingsOf } from './keys.js';
import { targetOf, withTarget } from './target.js';

const COLUMNS = ['key', 'default', 'limits', 'owner', 'restart', 'description'].map((member) => ({ member }));

export const schemaCommand = (): Command => {
  const command = new Command('get-schema').description(
    'Shows every key of a configuration: its default and its limits.',
  );
  return withCommonOptions(withTarget(command)).action(show);
};

async function show(options: AnyOptions): Promise<void> {
  const schema = await (await targetOf(options)).schema();
  if (!isForPeople(options.output)) return print(schema, options.output);
  const rows = settingsOf(schema)
    .filter(({ editable }) => editable)
    .map((setting) => ({
      ...{ key: setting.path, default: textOf(setting.default_value), limits: limitsOf(setting) },
      ...{ owner: setting.owner, restart: setting.restart_required, description: setting.description },
    }));
  await print(rows, options.output, { columns: COLUMNS });
}

const textOf = (value: unknown): string | null =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value);
