import { EXIT_CHANGE, EXIT_LATER, type StartCause } from './start-cause.js';
import { UPGRADE_CAUSES } from './upgrade-causes.js';

/** Every known cause of a failed start. docs/failed-starts.md is generated from this list. */
export const START_CAUSES = {
  settings_invalid: {
    when: 'Settings are malformed, missing, contradictory, or name a file that cannot be read',
    says: 'The settings are invalid:\n{problems}',
    todo: 'Correct these variables. docs/configuration.md lists all settings.',
    exit: EXIT_CHANGE,
  },
  database_away: {
    when: 'PostgreSQL of `DATABASE_URL` is not reachable, is starting, or has no free connection',
    says: 'PostgreSQL at {server} does not answer: {reason}.',
    todo: 'Start PostgreSQL, or correct DATABASE_URL.',
    exit: EXIT_LATER,
  },
  password_wrong: {
    when: 'PostgreSQL refuses the password. It gives the same answer for a role that does not exist',
    says: 'PostgreSQL at {server} refuses the password of the role "{role}", or this role does not exist.',
    todo: 'Correct the user and the password in DATABASE_URL.',
    exit: EXIT_CHANGE,
  },
  role_refused: {
    when: 'PostgreSQL refuses the role without asking for a password, or the role may not log in or connect',
    says: 'PostgreSQL at {server} does not let the role "{role}" connect to the database "{database}": {reason}.',
    todo: 'Create the role with LOGIN, grant CONNECT on the database, or allow the role in pg_hba.conf.',
    exit: EXIT_CHANGE,
  },
  database_missing: {
    when: 'The database of `DATABASE_URL` does not exist',
    says: 'PostgreSQL at {server} has no database "{database}".',
    todo: 'Run as a superuser: CREATE DATABASE "{database}" OWNER "{role}";',
    exit: EXIT_CHANGE,
  },
  postgres_older: {
    when: 'PostgreSQL is older than 15',
    says: 'PostgreSQL at {server} has version {version}. Landlord needs version {least} or later.',
    todo: 'Upgrade PostgreSQL, or set DATABASE_URL to a newer server.',
    exit: EXIT_CHANGE,
  },
  postgres_newer: {
    when: 'PostgreSQL is newer than 18',
    says: 'PostgreSQL at {server} has version {version}. This release is tested up to version {most}.',
    todo: 'Landlord starts. Look for a newer release of Landlord.',
    exit: null,
  },
  database_read_only: {
    when: 'PostgreSQL accepts no changes: it is a standby, or its transactions are read-only',
    says: 'PostgreSQL at {server} is read-only for the role "{role}".',
    todo: 'Set DATABASE_URL to the primary server, or turn off default_transaction_read_only.',
    exit: EXIT_LATER,
  },
  rights_missing: {
    when: 'The role of `DATABASE_URL` may not create the schema, or an app may not use its tables',
    says: 'The role "{role}" lacks rights in the database "{database}" of {server}: {rights}.',
    todo: '{grants}',
    exit: EXIT_CHANGE,
  },
  schema_newer: {
    when: 'A newer release has changed the database in a way that this release does not know',
    says: 'The schema of the database is too new for this release (it asks for {migrations}).',
    todo: 'Run a newer release, or restore a backup of this release. Nothing has changed.',
    exit: EXIT_CHANGE,
  },
  schema_older: {
    when: 'An app starts alone on a database that is not migrated to its release',
    says: 'The schema of the database is behind this release ({migrations}).',
    todo: 'Run landlord migrate with the owner of the tables in DATABASE_URL.',
    exit: EXIT_LATER,
  },
  not_installed: {
    when: 'An app starts alone on a database without an installation',
    says: 'The database "{database}" of {server} has no installation yet.',
    todo: 'Run landlord migrate with the owner of the tables in DATABASE_URL.',
    exit: EXIT_LATER,
  },
  database_mixed: {
    when: 'A dump was restored over a database with tables of a newer release, or the database has tables of another program',
    says: 'The database "{database}" of {server} has {objects}, which no migration that is recorded there created.',
    todo: 'Create an empty database, restore the dump into it, and set DATABASE_URL to it (docs/operating.md). Nothing has changed.',
    exit: EXIT_CHANGE,
  },
  migration_failed: {
    when: 'PostgreSQL refuses a statement of a migration',
    says: 'The database "{database}" of {server} cannot be migrated: {reason}.',
    todo: 'The refused migration has changed nothing. Remove the cause, and run landlord migrate again.',
    exit: EXIT_CHANGE,
  },
  queue_away: {
    when: 'Redis of `QUEUE_URL` does not answer',
    says: 'Redis at {server} does not answer: {reason}.',
    todo: 'Landlord starts. Workers find their work in the database, some seconds later. Start Redis, or correct QUEUE_URL.',
    exit: null,
  },
  keys_missing: {
    when: 'The file of the secret keys does not exist, and the database has an installation',
    says: 'The secret keys of this installation are missing: {file} does not exist{use}.',
    todo: 'Restore this file from your copy, or set LANDLORD_SECRET_KEYS. Landlord has created no new key.',
    exit: EXIT_CHANGE,
  },
  keys_wrong: {
    when: 'The secret keys open no stored secret',
    says: 'The secret keys ({given}) are not the keys of this installation. Its secrets use {used}.',
    todo: 'Restore the keys in {source}. Nothing has changed.',
    exit: EXIT_CHANGE,
  },
  keys_incomplete: {
    when: 'The secret keys open only a part of the stored secrets',
    says: 'Some stored secrets do not open with the secret keys: {unreadable}.',
    todo: 'Landlord starts. Add the missing key after the first key, and restart. landlord doctor counts these secrets.',
    exit: null,
  },
  keys_malformed: {
    when: 'The file of the secret keys is empty or damaged',
    says: '{file} contains no keys of the form id:base64 of 32 bytes.',
    todo: 'Restore this file from your copy. Landlord has not changed it.',
    exit: EXIT_CHANGE,
  },
  data_directory_refused: {
    when: 'The data directory, or a file in it, is read-only or forbidden for the user of Landlord, or its disk has an error',
    says: 'Landlord cannot write {path}: {reason}.',
    todo: 'Give the user of Landlord the right to write there, mount the disk with write access, or set LANDLORD_DATA_DIR.',
    exit: EXIT_CHANGE,
  },
  data_directory_foreign: {
    when: 'The data directory belongs to another user',
    says: '{path} belongs to user {owner}, and Landlord runs as user {user}.',
    todo: 'Start Landlord as user {owner}, change the owner with chown, or set LANDLORD_DATA_DIR.',
    exit: EXIT_CHANGE,
  },
  data_directory_impossible: {
    when: 'The data directory cannot exist: a part of its path is a file',
    says: '{path} cannot be a data directory: {reason}.',
    todo: 'Set LANDLORD_DATA_DIR to a directory.',
    exit: EXIT_CHANGE,
  },
  disk_full: {
    when: 'The disk of the data directory is full',
    says: 'The disk of {path} is full.',
    todo: 'Free disk space, or set LANDLORD_DATA_DIR to a directory on another disk.',
    exit: EXIT_LATER,
  },
  database_disk_full: {
    when: 'The disk of PostgreSQL is full',
    says: 'PostgreSQL at {server} cannot write: {reason}.',
    todo: 'Free space on the disk of PostgreSQL.',
    exit: EXIT_LATER,
  },
  data_directory_in_use: {
    when: 'Another Landlord runs with the data directory',
    says: 'Landlord already runs with {path} (process {pid}).',
    todo: 'Stop it first. To run a second installation, set another LANDLORD_DATA_DIR and other ports.',
    exit: EXIT_LATER,
  },
  ...UPGRADE_CAUSES,
  cluster_of_another_version: {
    when: 'Another version of PostgreSQL created the embedded database',
    says: 'PostgreSQL {found} created the database in {path}. This release contains PostgreSQL {own}.',
    todo: 'Start the release of Landlord that created the database. Move the data with pg_dump and pg_restore.',
    exit: EXIT_CHANGE,
  },
  ports_taken: {
    when: 'Another process listens on a port of the main API, the Supervisor API or the gateway',
    says: 'Port {port} for {user} ({variable}) is in use by {holder}.{further_ports}',
    todo: 'Free the port, or set another port: {variables}.',
    exit: EXIT_LATER,
  },
  port_forbidden: {
    when: 'The user of Landlord may not listen on a port, for example a port below 1024',
    says: 'Landlord may not listen on port {port} for {user}.',
    todo: 'Set {variable} to a port from 1024 to 65535, or give Landlord the right to use this port.',
    exit: EXIT_CHANGE,
  },
  address_unknown: {
    when: 'A listener has an address that this machine does not have',
    says: 'This machine has no address {host} for {user}.',
    todo: 'Set {variable} to an address of this machine.',
    exit: EXIT_CHANGE,
  },
  broker_program_missing: {
    when: '`LOCAL_BROKER` names a broker whose program is not on this machine',
    says: 'LOCAL_BROKER is {driver}, but this machine has no {program}.',
    todo: 'Run {command}, or name the program by {variable}.',
    exit: EXIT_CHANGE,
  },
  broker_program_unusable: {
    when: '`NATS_SERVER_BIN`, `IGGY_SERVER_BIN` or `IGGY_CONNECTORS_BIN` names a file that does not exist or is not executable',
    says: '{variable} is {path}, which {reason}.',
    todo: 'Correct {variable}, or remove it.',
    exit: EXIT_CHANGE,
  },
  broker_program_foreign: {
    when: 'The program of a broker does not tell its release: it is another program, is damaged, or is of another machine',
    says: '{path} does not answer --version as {program} does: {reason}.',
    todo: 'Replace this program, or set LOCAL_BROKER to another broker and remove the setting that names the program.',
    exit: EXIT_CHANGE,
  },
  broker_library_missing: {
    when: 'The program of a broker needs a shared library that this machine lacks',
    says: '{path} does not start: this machine has no {library}. LD_LIBRARY_PATH does not count.',
    todo: 'Install the package of this library. For libhwloc.so.15 run npm run broker:iggy, or as root: apt-get install libhwloc15.',
    exit: EXIT_CHANGE,
  },
  broker_release_unproven: {
    when: 'The release of `iggy-server` is of another line than 0.8, or a pre-release',
    says: '{path} is iggy-server {release}. Landlord is proven with the releases {line}.x only.',
    todo: 'Get a proven release by npm run broker:iggy, or set IGGY_UNPROVEN_RELEASES=true.',
    exit: EXIT_CHANGE,
  },
  node_ports_taken: {
    when: 'No port of `LOCAL_PORT_RANGE` is free',
    says: 'Every port of LOCAL_PORT_RANGE ({range}) is in use.',
    todo: 'Landlord starts. Running nodes keep their ports, and new nodes wait for a free port. Set a larger LOCAL_PORT_RANGE.',
    exit: null,
  },
} as const satisfies Record<string, StartCause>;

export type StartCauseName = keyof typeof START_CAUSES;

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The facts of a case that the texts of a cause name. */
export type StartFacts<Cause extends StartCauseName> = Record<
  NamesIn<(typeof START_CAUSES)[Cause]['says'] | (typeof START_CAUSES)[Cause]['todo']>,
  string
>;
