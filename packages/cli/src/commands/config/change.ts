import { Command } from 'commander';
import { withCommonOptions, type AnyOptions } from '../../common-options.js';
import { changesOf, shownChanges } from '../../editing/changes.js';
import { usage } from '../../exit.js';
import { tell } from '../../output/output.js';
import { settingAt, settingsOf, valueOf, withKey, withoutKey } from './keys.js';
import { finish, targetOf, withTarget, type Values } from './target.js';

export const setCommand = (): Command =>
  withCommonOptions(
    withTarget(
      new Command('set')
        .description('Changes keys of the active configuration, and activates a new version.')
        .argument('<key=value...>', 'such as mqtt.max_connections=50; a list is a,b or JSON'),
    ),
  ).action((words: string[], options: AnyOptions) => set(words, options));

export const unsetCommand = (): Command =>
  withCommonOptions(
    withTarget(
      new Command('unset')
        .description(
          'Removes keys of the active configuration, which then have their defaults, and activates a new version.',
        )
        .argument('<keys...>', 'such as mqtt.max_connections'),
    ),
  ).action((keys: string[], options: AnyOptions) =>
    change(options, (values) => keys.reduce((rest, key) => withoutKey(rest, key), values)),
  );

export const activateCommand = (): Command =>
  withCommonOptions(
    withTarget(
      new Command('activate')
        .description('Makes a version the active one.')
        .argument('<config>', 'the name of the configuration, or its version')
        .argument('[version]', 'the version, if the name comes first'),
    ),
  ).action((first: string, second: string | undefined, options: AnyOptions) =>
    activate(versionIn(second ?? first), options),
  );

export const rollbackCommand = (): Command =>
  withCommonOptions(
    withTarget(
      new Command('rollback')
        .description('Makes the version before the active one the active one.')
        .argument('[version]', 'this version instead'),
    ),
  ).action((version: string | undefined, options: AnyOptions) =>
    activate(version === undefined ? null : versionIn(version), options),
  );

async function set(words: readonly string[], options: AnyOptions): Promise<void> {
  const pairs = words.map((word): [string, string] => {
    const at = word.indexOf('=');
    if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
    throw usage(`"${word}" has no value.`, `${word}=<value>, or landlord config unset ${word}`);
  });
  const target = await targetOf(options);
  const settings = settingsOf(await target.schema());
  const typed = pairs.map(([key, text]): [string, unknown] => [key, valueOf(settingAt(settings, key), text)]);
  await change(
    options,
    (values) => typed.reduce((rest, [key, value]) => withKey(rest, key, value), values),
    Promise.resolve(target),
  );
}

async function change(
  options: AnyOptions,
  edit: (values: Values) => Values,
  target = targetOf(options),
): Promise<void> {
  const open = await target;
  const { values } = await open.active();
  const edited = edit(values);
  const changes = changesOf(values, edited);
  if (changes.length === 0) return tell('Nothing has changed.');
  tell(shownChanges(changes));
  await finish(open, await open.save(edited), options);
}

/** Null: the version before the active one. */
async function activate(version: number | null, options: AnyOptions): Promise<void> {
  const target = await targetOf(options);
  const number = version ?? (await target.before((await target.active()).version));
  await target.activate(number);
  await finish(target, await target.active(), options);
}

function versionIn(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usage(`"${text}" is not the number of a version.`, 'landlord config list');
}
