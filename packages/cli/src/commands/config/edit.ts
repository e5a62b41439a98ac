import { Command } from 'commander';
import { InvalidRequestError, type Supervisor } from '@landlord/sdk';
import { withCommonOptions, type AnyOptions } from '../../common-options.js';
import { changesOf, shownChanges } from '../../editing/changes.js';
import { Draft } from '../../editing/editor.js';
import { CommandError, EXIT, usage } from '../../exit.js';
import { tell } from '../../output/output.js';
import { yamlValue } from '../../output/yaml.js';
import { ENVIRONMENT } from '../../settings/config.js';
import { draftOf, valuesIn } from './draft.js';
import { finish, targetOf, withTarget, type ConfigTarget, type Values } from './target.js';

export const editCommand = (): Command =>
  withCommonOptions(
    withTarget(
      new Command('edit')
        .description(
          'Opens the active configuration in $VISUAL or $EDITOR with every key, shows what has changed, and saves and activates a new version.',
        )
        .option('--yes', 'activate without a question'),
    ),
  ).action(edit);

async function edit(options: AnyOptions): Promise<void> {
  // A script as the editor needs no terminal.
  if (!process.stdin.isTTY && !ENVIRONMENT.hasEditor)
    throw usage('An editor needs a terminal.', 'landlord config set <key>=<value>, or a script as EDITOR');
  const target = await targetOf(options);
  const [active, schema] = await Promise.all([target.active(), target.schema()]);
  const config = await editedUntilValid(active, schema, target, options);
  if (config === null) return tell('Nothing has changed.');
  await finish(target, config, options);
}

/** Opens the editor again while the values are refused. Null: the person has changed nothing. */
async function editedUntilValid(
  { name, version, values }: Supervisor.ConfigView,
  schema: readonly Supervisor.SchemaSectionView[],
  target: ConfigTarget,
  options: AnyOptions,
): Promise<Supervisor.ConfigView | null> {
  const head = `# Version ${version} of the configuration "${name}". Save and close the file to go on. A line with # is a key with its default. Values that are ******** stay.\n`;
  const draft = new Draft(`${name.replaceAll(/\W/g, '-')}.yaml`, head + draftOf(values, schema));
  try {
    for (let previous = ''; ; previous = draft.text) {
      await draft.open();
      const problem = await attempt(async () => {
        const edited = valuesIn(objectIn(draft.text));
        const changes = changesOf(values, edited);
        if (changes.length === 0) return null;
        tell(shownChanges(changes));
        await confirm(options);
        return target.save(edited);
      });
      if (!(problem instanceof Refused)) return problem;
      // The same text again: the person has given up.
      if (draft.text === previous) throw new CommandError(`${problem.message}\nNothing was saved.`, EXIT.refused);
      draft.text = `${commented(problem.message)}\n${withoutComments(draft.text)}`;
    }
  } finally {
    draft.delete();
  }
}

/** The values of a file are wrong. */
class Refused extends Error {}

async function attempt<T>(work: () => Promise<T>): Promise<T | Refused> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InvalidRequestError || error instanceof Refused) return new Refused(error.message);
    throw error;
  }
}

function objectIn(text: string): Values {
  const value = yamlValue(text, (message) => new Refused(message));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values;
  if (value === null) return {};
  throw new Refused('The file has no keys with values.');
}

async function confirm({ yes }: AnyOptions): Promise<void> {
  if (yes || !process.stdin.isTTY) return;
  const { ask } = await import('../../output/ask.js');
  if ((await ask('Save and activate? Type yes: ')) !== 'yes') throw new CommandError('Nothing was saved.', EXIT.other);
}

const commented = (text: string): string => text.replaceAll(/^/gm, '# ');
const withoutComments = (text: string): string => text.replaceAll(/^#.*\n/gm, '');
