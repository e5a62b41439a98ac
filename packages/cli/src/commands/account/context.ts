import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { withoutLogins } from '@landlord/sdk';
import { usage } from '../../exit.js';
import { withExamples } from '../../help/examples.js';
import { FORMATS, print, tell, type Format } from '../../output/output.js';
import { contextOf, readContexts, writeContexts } from '../../settings/contexts.js';

/** What `context set` changes. The key changes with `login`. */
const CHANGEABLE = ['url', 'division', 'environment', 'deployment', 'ca_file'] as const;
/** The part of a key that names the key and opens nothing. */
const SHOWN_OF_KEY = 6;

export function contextCommand(): Command {
  const output = (command: Command): Command =>
    command.addOption(new Option('-o, --output <format>', 'the form of the answer').choices(FORMATS).default('table'));
  return new Command('context')
    .description('A context is an installation, a key, and the levels that commands use when they name none.')
    .addCommand(output(example(new Command('list').description('list all contexts'), 'list')).action(list))
    .addCommand(
      output(example(new Command('show').description('show the context of commands, and where it comes from'), 'show'))
        .option('--context <name>', 'show this context instead')
        .action(show),
    )
    .addCommand(
      example(new Command('use').argument('<name>').description('use this context from now on'), 'use work').action(
        use,
      ),
    )
    .addCommand(
      example(new Command('set'), 'set deployment orders')
        .argument('<member>', CHANGEABLE.join(', '))
        .argument('[value]', 'nothing: remove the member')
        .description('change the current context')
        .action(set),
    );
}

const example = (command: Command, words: string): Command => withExamples(command, [`landlord context ${words}`]);

async function list({ output }: { output: Format }): Promise<void> {
  const { current, contexts } = readContexts();
  const items = Object.entries(contexts).map(([name, { url, tenant_id, deployment }]) => ({
    ...{
      name,
      current: name === current,
      url: withoutLogins(url),
      tenant_id: tenant_id ?? null,
      deployment: deployment ?? null,
    },
  }));
  await print(items, output);
}

async function show({ output, context: name }: { output: Format; context?: string }): Promise<void> {
  const { context, from, key } = contextOf(name);
  const api_key = `${(await key()).slice(0, SHOWN_OF_KEY)}…`;
  const url = withoutLogins(context.url);
  await print({ ...context, url, api_key, key_in: context.api_key === null ? 'keyring' : 'text', from }, output);
}

function use(name: string): void {
  const { contexts } = readContexts();
  if (contexts[name] === undefined) throw usage(`There is no context ${name}.`, 'landlord context list');
  writeContexts({ current: name, contexts });
  tell(`Commands use the context ${name}.`);
}

function set(member: string, value: string | undefined): void {
  const { current, contexts } = readContexts();
  if (current === null || contexts[current] === undefined)
    throw usage('There is no current context.', 'landlord login');
  if (!isChangeable(member))
    throw usage(`A context has no member ${member} to change.`, `one of ${CHANGEABLE.join(', ')}`);
  // A context is used from any folder.
  const stored = member === 'ca_file' && value !== undefined ? resolve(value) : value;
  const changed = { ...contexts[current], ...(stored !== undefined && { [member]: stored }) };
  if (value === undefined && member !== 'url') delete changed[member];
  writeContexts({ current, contexts: { ...contexts, [current]: changed } });
}

const isChangeable = (member: string): member is (typeof CHANGEABLE)[number] =>
  (CHANGEABLE as readonly string[]).includes(member);
