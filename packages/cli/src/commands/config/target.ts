import { Option, type Command } from 'commander';
import type { Landlord, Supervisor } from '@landlord/sdk';
import type { AnyOptions } from '../../common-options.js';
import { CommandError, EXIT, usage } from '../../exit.js';
import { isForPeople, print, tell } from '../../output/output.js';
import { waitFor } from '../../output/progress.js';
import { openSession } from '../../settings/session.js';

export type Values = Record<string, unknown>;
type Config = Supervisor.ConfigView;
type Section = Supervisor.SchemaSectionView;

/** A configuration of the broker, or of an instance of a connector. */
export interface ConfigTarget {
  active: () => Promise<Config>;
  /** Saves and activates. */
  save: (values: Values) => Promise<Config>;
  schema: () => Promise<Section[]>;
  /** The version that was saved before the version. @throws CommandError when there is none */
  before: (version: number) => Promise<number>;
  activate: (version: number) => Promise<void>;
  /** Applies the active version on the nodes. */
  apply: () => ReturnType<Landlord['tasks']['create']>;
  /** Whether the nodes take an activated version without a task. */
  isApplied: boolean;
}

/** The options of commands that change a configuration. */
export const withTarget = (command: Command): Command =>
  command
    .option('--connector <type:key>', 'a configuration of this connector, such as sink:http, instead of the broker')
    .option('--name <name>', 'the key of the instance of the connector')
    .addOption(new Option('--apply, --wait', 'apply the version on one node after the other, and wait'))
    .option('--timeout <duration>', 'with --wait: end the wait after this time, such as 10m; the operation continues');

/** The configuration that the options name. @throws CommandError */
export async function targetOf(options: AnyOptions): Promise<ConfigTarget> {
  const instance = instanceOf(options);
  const { landlord, places } = openSession(options);
  const { deployment_id = 0 } = await places.find('deployment');
  return instance ? ofConnector(landlord, deployment_id, instance) : ofBroker(landlord, deployment_id);
}

interface Instance {
  type: 'sink' | 'source';
  key: string;
  name: string;
}

function instanceOf(options: AnyOptions): Instance | null {
  const name = options['name'] as string | undefined;
  const [type, key] = typeof options['connector'] === 'string' ? options['connector'].split(':') : [];
  if (type === undefined) {
    if (name !== undefined) throw usage('Only connectors have several configurations.', 'add --connector <type:key>');
    return null;
  }
  if ((type !== 'sink' && type !== 'source') || !key) throw usage('--connector must be sink:<key> or source:<key>.');
  if (name === undefined) throw usage('Name the instance of the connector.', '--name <key of the instance>');
  return { type, key, name };
}

function ofBroker({ configs, tasks }: Landlord, deployment_id: number): ConfigTarget {
  const config_name = 'broker';
  return {
    active: () => configs.getPrimary({ deployment_id }),
    save: (values) => configs.create({ deployment_id, values, activate: true }),
    schema: () => configs.getSchema({ deployment_id }),
    before: async (version) => previous(await configs.listVersions({ deployment_id, config_name }), version),
    activate: (version) => configs.activate({ deployment_id, config_name, version }),
    apply: () => tasks.create({ deployment_id, type: 'broker:reconfigure' }),
    isApplied: false,
  };
}

function ofConnector({ connectorConfigs, tasks }: Landlord, deployment_id: number, instance: Instance): ConfigTarget {
  const place = { deployment_id, ...instance };
  const config_name = instance.name;
  return {
    active: () => connectorConfigs.getPrimary(place),
    save: (values) => connectorConfigs.create({ ...place, values, activate: true }),
    schema: () => connectorConfigs.getSchema(place),
    before: async (version) => previous(await connectorConfigs.listVersions({ ...place, config_name }), version),
    activate: async (version) => void (await connectorConfigs.activate({ ...place, config_name, version })),
    apply: () => tasks.create({ deployment_id, type: 'connectors:reconfigure' }),
    isApplied: true,
  };
}

function previous(versions: readonly Config[], version: number): number {
  const older = versions.map((one) => one.version).filter((one) => one < version);
  if (older.length > 0) return Math.max(...older);
  throw new CommandError(`Version ${version} is the first one.`, EXIT.notFound, 'landlord config list');
}

/** Prints the active version. With `--wait` the nodes run it first. */
export async function finish(target: ConfigTarget, config: Config, options: AnyOptions): Promise<void> {
  if (options.wait) {
    const { status } = await waitFor(await target.apply(), options.output, options.timeout);
    tell(`The nodes run version ${config.version}: ${status}.`);
  }
  const { id, name, version } = config;
  await print({ id, name, version, primary: true }, options.output);
  if (options.wait || target.isApplied || !isForPeople(options.output)) return;
  tell('The nodes run the new version after: landlord tasks create --type broker:reconfigure --wait');
}
