import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { BillingInfo } from './billing/entities/billing-info.entity.js';
import { InvoiceAgreement } from './billing/entities/invoice-agreement.entity.js';
import { PaymentMethod } from './billing/entities/payment-method.entity.js';
import { ChannelConfirmation } from './channels/entities/channel-confirmation.entity.js';
import { NotificationChannel } from './channels/entities/notification-channel.entity.js';
import { NotificationSubscription } from './channels/entities/notification-subscription.entity.js';
import { OperatorAction } from './operator/entities/operator-action.entity.js';
import { ApiKey } from './organization/entities/api-key.entity.js';
import { CancelledInvitation } from './organization/entities/cancelled-invitation.entity.js';
import { CellProcess } from './organization/entities/cell-process.entity.js';
import { Cell } from './organization/entities/cell.entity.js';
import { CloudAccount } from './organization/entities/cloud-account.entity.js';
import { DeploymentUpgrade } from './organization/entities/deployment-upgrade.entity.js';
import { Division } from './organization/entities/division.entity.js';
import { EmailToken } from './organization/entities/email-token.entity.js';
import { Environment } from './organization/entities/environment.entity.js';
import { Invitation } from './organization/entities/invitation.entity.js';
import { JoinRequest } from './organization/entities/join-request.entity.js';
import { MemberRole } from './organization/entities/member-role.entity.js';
import { Member } from './organization/entities/member.entity.js';
import { OwnershipTransfer } from './organization/entities/ownership-transfer.entity.js';
import { ProtectionCode } from './organization/entities/protection-code.entity.js';
import { Role } from './organization/entities/role.entity.js';
import { SignInLock } from './organization/entities/sign-in-lock.entity.js';
import { Tenant } from './organization/entities/tenant.entity.js';
import { User } from './organization/entities/user.entity.js';
import { Incident } from './platform/entities/incident.entity.js';
import { Installation } from './platform/entities/installation.entity.js';
import { Activity } from './runtime/entities/activity.entity.js';
import { BackupSchedule } from './runtime/entities/backup-schedule.entity.js';
import { CertificateAuthority } from './runtime/entities/certificate-authority.entity.js';
import { ConnectorInstance } from './runtime/entities/connector-instance.entity.js';
import { DeploymentAccount } from './runtime/entities/deployment-account.entity.js';
import { DeploymentCertificate } from './runtime/entities/deployment-certificate.entity.js';
import { DriverResource } from './runtime/entities/driver-resource.entity.js';
import { PrivateConnection } from './runtime/entities/private-connection.entity.js';
import { Task } from './runtime/entities/task.entity.js';
import { AgentRollout } from './runtime/machines/entities/agent-rollout.entity.js';
import { MachineNode } from './runtime/machines/entities/machine-node.entity.js';
import { MachineResource } from './runtime/machines/entities/machine-resource.entity.js';
import { MachineToken } from './runtime/machines/entities/machine-token.entity.js';
import { DiagnosticSnapshot } from './runtime/nodes/entities/diagnostic-snapshot.entity.js';
import { NodeOrder } from './runtime/nodes/entities/node-order.entity.js';
import { NodeRequest } from './runtime/nodes/entities/node-request.entity.js';
import { Node } from './runtime/nodes/entities/node.entity.js';

export interface PersistenceOptions {
  databaseUrl: string;
  /** `LANDLORD_SECRET_KEYS`: id:base64, … */
  secretKeys: string;
  /** PostgreSQL shows this name next to each connection. */
  applicationName: string;
  /** Connections of the pool. */
  poolSize?: number;
}

/** The entities that code reads or writes through TypeORM. The other entities are only types, and loading them takes time at each start. */
const QUERIED_ENTITIES = [
  BillingInfo,
  InvoiceAgreement,
  PaymentMethod,
  ChannelConfirmation,
  NotificationChannel,
  NotificationSubscription,
  OperatorAction,
  ApiKey,
  CancelledInvitation,
  CellProcess,
  Cell,
  CloudAccount,
  DeploymentUpgrade,
  Division,
  EmailToken,
  Environment,
  Invitation,
  JoinRequest,
  MemberRole,
  Member,
  OwnershipTransfer,
  ProtectionCode,
  Role,
  SignInLock,
  Tenant,
  User,
  Incident,
  Installation,
  Activity,
  BackupSchedule,
  CertificateAuthority,
  ConnectorInstance,
  DeploymentAccount,
  DeploymentCertificate,
  DriverResource,
  PrivateConnection,
  Task,
  AgentRollout,
  MachineNode,
  MachineResource,
  MachineToken,
  DiagnosticSnapshot,
  NodeOrder,
  NodeRequest,
  Node,
];

const STATEMENT_TIMEOUT_MS = 15_000;
/** Longer than PostgreSQL's own limit: the connection is cut only when PostgreSQL no longer answers. */
const SILENCE_MS = 20_000;
/** A server that accepts a connection and never answers counts as away. */
const CONNECT_MS = 5_000;
/** How long a statement waits for a connection of the pool. */
const POOL_WAIT_MS = 30_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;

// A CHECK on every table limits ids to 2^53 − 1, so a number can represent every id. All connections of a process share this parser.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** The pool has one time limit for the wait and for the connection. A connection is much faster than a wait may be. */
class PoolConnection extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MS });
  }
}

/** Connection options of the apps: numbers for bigint, time limits for statements and transactions, no schema changes. */
export function dataSourceOptions(options: PersistenceOptions): DataSourceOptions {
  return {
    type: 'postgres',
    // The one that `PoolConnection` extends. In a bundle, TypeORM would load a second copy, whose parsers are not those of the connections.
    driver: pg,
    url: options.databaseUrl,
    applicationName: options.applicationName,
    parseInt8: true,
    poolSize: options.poolSize ?? 20,
    entities: QUERIED_ENTITIES,
    // A missing tenant must not widen a statement to the rows of all tenants.
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    connectTimeoutMS: POOL_WAIT_MS,
    extra: {
      Client: PoolConnection,
      query_timeout: SILENCE_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      keepAlive: true,
      // Statements that do not need each other's results share a round trip.
      pipeline: true,
    },
  };
}
