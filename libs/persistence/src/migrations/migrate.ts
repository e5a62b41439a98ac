import pg from 'pg';
import { DataSource } from 'typeorm';
import { grantPrivileges } from './grants.js';
import { Platform1763683200001 } from './1763683200001-platform.js';
import { Organization1763683200002 } from './1763683200002-organization.js';
import { ResourceTree1763683200003 } from './1763683200003-resource-tree.js';
import { Runtime1763683200004 } from './1763683200004-runtime.js';
import { Operations1763683200005 } from './1763683200005-operations.js';
import { Ledger1763683200006 } from './1763683200006-ledger.js';
import { OperationEvents1763683200007 } from './1763683200007-operation-events.js';
import { Operator1763683200008 } from './1763683200008-operator.js';
import { Reconciliation1763683200009 } from './1763683200009-reconciliation.js';
import { SchemaRequirements1763683200010 } from './1763683200010-schema-requirements.js';
import { Audit1763683200011 } from './1763683200011-audit.js';
import { MailsAndCodes1763683200012 } from './1763683200012-mails-and-codes.js';
import { CloudAccounts1763683200013 } from './1763683200013-cloud-accounts.js';
import { Access1763683200014 } from './1763683200014-access.js';
import { TenantConfig1763683200015 } from './1763683200015-tenant-config.js';
import { NodeGauges1763683200016 } from './1763683200016-node-gauges.js';
import { People1763683200017 } from './1763683200017-people.js';
import { Upgrades1763683200018 } from './1763683200018-upgrades.js';
import { Byoc1763683200019 } from './1763683200019-byoc.js';
import { CredentialRotation1763683200020 } from './1763683200020-credential-rotation.js';
import { PaymentMethods1763683200021 } from './1763683200021-payment-methods.js';
import { Activities1763683200022 } from './1763683200022-activities.js';
import { Telemetry1763683200023 } from './1763683200023-telemetry.js';
import { Configs1763683200024 } from './1763683200024-configs.js';
import { Backups1763683200025 } from './1763683200025-backups.js';
import { Connectors1763683200026 } from './1763683200026-connectors.js';
import { DiagnosticSnapshots1763683200027 } from './1763683200027-diagnostic-snapshots.js';
import { Notifications1763683200028 } from './1763683200028-notifications.js';
import { Certificates1763683200029 } from './1763683200029-certificates.js';
import { Schedules1763683200030 } from './1763683200030-schedules.js';
import { FailingLanes1763683200031 } from './1763683200031-failing-lanes.js';
import { Billing1763683200032 } from './1763683200032-billing.js';
import { PrivateNetworking1763683200033 } from './1763683200033-private-networking.js';
import { DailyLogBytes1763683200040 } from './1763683200040-daily-log-bytes.js';
import { CancelledInvitations1763683200050 } from './1763683200050-cancelled-invitations.js';
import { OneOwner1763683200051 } from './1763683200051-one-owner.js';
import { CodeAddress1763683200052 } from './1763683200052-code-address.js';
import { ChannelConfirmations1763683200060 } from './1763683200060-channel-confirmations.js';
import { InvoiceAgreements1763683200065 } from './1763683200065-invoice-agreements.js';
import { UpgradesInForce1763683200070 } from './1763683200070-upgrades-in-force.js';
import { DriverFeatures1763683200071 } from './1763683200071-driver-features.js';
import { NodeOutages1763683200072 } from './1763683200072-node-outages.js';
import { BackupSchedules1763683200073 } from './1763683200073-backup-schedules.js';
import { RateLimits1763683200079 } from './1763683200079-rate-limits.js';
import { DeploymentKeys1763683200080 } from './1763683200080-deployment-keys.js';
import { ConnectorWork1763683200085 } from './1763683200085-connector-work.js';
import { RestoreSources1763683200086 } from './1763683200086-restore-sources.js';
import { Alarms1763683200087 } from './1763683200087-alarms.js';
import { PreviousPasswords1763683200090 } from './1763683200090-previous-passwords.js';
import { CellBrokers1763683200091 } from './1763683200091-cell-brokers.js';
import { BootstrapExpiry1763683200092 } from './1763683200092-bootstrap-expiry.js';
import { NodeRevivals1763683200093 } from './1763683200093-node-revivals.js';
import { CloudResources1763683200094 } from './1763683200094-cloud-resources.js';
import { Machines1763683200095 } from './1763683200095-machines.js';
import { PlacesOfResources1763683200096 } from './1763683200096-places-of-resources.js';
import { AgentRollouts1763683200097 } from './1763683200097-agent-rollouts.js';
import { NamesOutsideClouds1763683200098 } from './1763683200098-names-outside-clouds.js';
import { NodeMoves1763683200099 } from './1763683200099-node-moves.js';
import { AwsResources1763683200101 } from './1763683200101-aws-resources.js';
import { MachineReservations1763683200102 } from './1763683200102-machine-reservations.js';
import { VpcsOfCustomers1763683200104 } from './1763683200104-vpcs-of-customers.js';
import { SnapshotsAtProviders1763683200105 } from './1763683200105-snapshots-at-providers.js';
import { AccountsAtProviders1763683200106 } from './1763683200106-accounts-at-providers.js';
import { ClientRedirections1763683200107 } from './1763683200107-client-redirections.js';
import { LoginCodes1763683200108 } from './1763683200108-login-codes.js';
import { FirstSignIns1763683200109 } from './1763683200109-first-sign-ins.js';
import { GrowingTables1763683200110 } from './1763683200110-growing-tables.js';
import { MachineTrials1763683200115 } from './1763683200115-machine-trials.js';
import { CellsSignOff1763683200121 } from './1763683200121-cells-sign-off.js';
import { CanonicalForms1763683200130 } from './1763683200130-canonical-forms.js';

/** Oldest first. A released migration is never changed. */
export const MIGRATIONS = [
  Platform1763683200001,
  Organization1763683200002,
  ResourceTree1763683200003,
  Runtime1763683200004,
  Operations1763683200005,
  Ledger1763683200006,
  OperationEvents1763683200007,
  Operator1763683200008,
  Reconciliation1763683200009,
  SchemaRequirements1763683200010,
  Audit1763683200011,
  MailsAndCodes1763683200012,
  CloudAccounts1763683200013,
  Access1763683200014,
  TenantConfig1763683200015,
  NodeGauges1763683200016,
  People1763683200017,
  Upgrades1763683200018,
  Byoc1763683200019,
  CredentialRotation1763683200020,
  PaymentMethods1763683200021,
  Activities1763683200022,
  Telemetry1763683200023,
  Configs1763683200024,
  Backups1763683200025,
  Connectors1763683200026,
  DiagnosticSnapshots1763683200027,
  Notifications1763683200028,
  Certificates1763683200029,
  Schedules1763683200030,
  FailingLanes1763683200031,
  Billing1763683200032,
  PrivateNetworking1763683200033,
  DailyLogBytes1763683200040,
  CancelledInvitations1763683200050,
  OneOwner1763683200051,
  CodeAddress1763683200052,
  ChannelConfirmations1763683200060,
  InvoiceAgreements1763683200065,
  UpgradesInForce1763683200070,
  DriverFeatures1763683200071,
  NodeOutages1763683200072,
  BackupSchedules1763683200073,
  RateLimits1763683200079,
  DeploymentKeys1763683200080,
  ConnectorWork1763683200085,
  RestoreSources1763683200086,
  Alarms1763683200087,
  PreviousPasswords1763683200090,
  CellBrokers1763683200091,
  BootstrapExpiry1763683200092,
  NodeRevivals1763683200093,
  CloudResources1763683200094,
  Machines1763683200095,
  PlacesOfResources1763683200096,
  AgentRollouts1763683200097,
  NamesOutsideClouds1763683200098,
  NodeMoves1763683200099,
  AwsResources1763683200101,
  MachineReservations1763683200102,
  VpcsOfCustomers1763683200104,
  SnapshotsAtProviders1763683200105,
  AccountsAtProviders1763683200106,
  ClientRedirections1763683200107,
  LoginCodes1763683200108,
  FirstSignIns1763683200109,
  GrowingTables1763683200110,
  MachineTrials1763683200115,
  CellsSignOff1763683200121,
  CanonicalForms1763683200130,
];

/** Their names, as the database keeps them. */
export const RELEASE_MIGRATIONS: readonly string[] = MIGRATIONS.map((migration) => new migration().name);

const MIGRATION_LOCK = `hashtextextended('landlord.migrate', 0)`;

/**
 * Brings the schema to this release: our migrations, the partitions ahead, the rights of the app roles, and what
 * `also` adds (the queue's own schema). Under an advisory lock, so that two launchers may call it at once; safe to repeat.
 */
export async function migrate(databaseUrl: string, also?: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    await runMigrations(databaseUrl);
    await client.query('select ensure_partitions(), ensure_telemetry_partitions(), ensure_notification_partitions()');
    await also?.(client);
    await grantPrivileges(client, RELEASE_MIGRATIONS);
  } finally {
    await client.end();
  }
}

async function runMigrations(databaseUrl: string): Promise<void> {
  const dataSource = new DataSource({ type: 'postgres', driver: pg, url: databaseUrl, migrations: MIGRATIONS });
  await dataSource.initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}
