import { Command } from 'commander';
import { InvalidRequestError, type Landlord, type Supervisor } from '@landlord/sdk';
import { withCommonOptions, type AnyOptions } from '../common-options.js';
import { changesOf, shownChanges } from '../editing/changes.js';
import { Draft } from '../editing/editor.js';
import { CommandError, EXIT, usage } from '../exit.js';
import { print, tell } from '../output/output.js';
import { waitFor } from '../output/progress.js';
import { yamlOf, yamlValue } from '../output/yaml.js';
import { openSession } from '../settings/session.js';

type Values = Record<string, unknown>;

export const editCommand = (): Command =>
  withCommonOptions(
    new Command('edit')
      .description(
        'Opens the active configuration in $VISUAL or $EDITOR, shows what has changed, and saves and activates a new version.',
      )
      .option('--connector <type:key>', 'a configuration of this connector, such as sink:http, instead of the broker')
      .option('--name <name>', 'the key of the instance of the connector')
      .option('--yes', 'activate without a question')
      .option('--apply', 'restart the brokers with the new version, and wait'),
  ).action(edit);

async function edit(options: AnyOptions): Promise<void> {
  if (!process.stdin.isTTY)
    throw usage('An editor needs a terminal.', 'landlord config create --activate --body @file');
  const { landlord, places } = openSession(options);
  const { deployment_id = 0 } = await places.find('deployment');
  const configs = configsOf(landlord, deployment_id, options);
  const active = await configs.active();
  const saved = await editedUntilValid(active, configs, options);
  if (saved === null) return tell('Nothing has changed.');
  if (!options['apply']) {
    await print({ id: saved.id, name: saved.name, version: saved.version, primary: saved.primary }, options.output);
    if (configs.isApplied) return;
    return tell('The nodes run the new version after: landlord tasks create --type broker:reconfigure --wait');
  }
  const task = await landlord.tasks.create({ deployment_id, type: configs.task });
  await print(await waitFor(task, options.output), options.output);
}

interface Configs {
  active: () => Promise<Supervisor.ConfigView>;
  save: (values: Values) => Promise<Supervisor.ConfigView>;
  task: Supervisor.CreateTaskDto['type'];
  /** Whether the nodes take an activated version without a task. */
  isApplied: boolean;
}

function configsOf({ configs, connectorConfigs }: Landlord, deployment_id: number, options: AnyOptions): Configs {
  const name = options['name'] as string | undefined;
  const [type, key] = typeof options['connector'] === 'string' ? options['connector'].split(':') : [];
  if (type === undefined) {
    if (name !== undefined) throw usage('Only connectors have several configurations.', 'add --connector <type:key>');
    return {
      active: () => configs.getPrimary({ deployment_id }),
      save: (values) => configs.create({ deployment_id, values, activate: true }),
      ...{ task: 'broker:reconfigure', isApplied: false },
    };
  }
  if ((type !== 'sink' && type !== 'source') || !key) throw usage('--connector must be sink:<key> or source:<key>.');
  if (name === undefined) throw usage('Name the instance of the connector.', '--name <key of the instance>');
  return {
    active: () => connectorConfigs.getPrimary({ deployment_id, type, key, name }),
    save: (values) => connectorConfigs.create({ deployment_id, type, key, values, activate: true, name }),
    ...{ task: 'connectors:reconfigure', isApplied: true },
  };
}

/** Opens the editor again while the values are refused. Null: the person has changed nothing. */
async function editedUntilValid(
  { name, version, values }: Supervisor.ConfigView,
  configs: Configs,
  options: AnyOptions,
): Promise<Supervisor.ConfigView | null> {
  const head = `# Version ${version} of the configuration "${name}". Save and close the file to go on. Values that are ******** stay.\n`;
  const draft = new Draft(`${name.replaceAll(/\W/g, '-')}.yaml`, head + yamlOf(values));
  try {
    for (let previous = ''; ; previous = draft.text) {
      await draft.open();
      const problem = await attempt(async () => {
        const edited = valuesIn(draft.text);
        const changes = changesOf(values, edited);
        if (changes.length === 0) return null;
        tell(shownChanges(changes));
        await confirm(options);
        return configs.save(edited);
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

function valuesIn(text: string): Values {
  const value = yamlValue(text, (message) => new Refused(message));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values;
  if (value === null) return {};
  throw new Refused('The file has no keys with values.');
}

async function confirm({ yes }: AnyOptions): Promise<void> {
  if (yes) return;
  const { ask } = await import('../output/ask.js');
  if ((await ask('Save and activate? Type yes: ')) !== 'yes') throw new CommandError('Nothing was saved.', EXIT.other);
}

const commented = (text: string): string => text.replaceAll(/^/gm, '# ');
const withoutComments = (text: string): string => text.replaceAll(/^#.*\n/gm, '');
