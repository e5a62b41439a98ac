import type { JoinedMachine } from '@libs/domain';
import {
  ActivitiesRepository,
  AgentRolloutsRepository,
  BackupSchedulesRepository,
  CertificateAuthoritiesRepository,
  ConnectorInstancesRepository,
  DeploymentAccountsRepository,
  DeploymentCertificatesRepository,
  DiagnosticSnapshotsRepository,
  DriverResourcesRepository,
  MachineResourcesRepository,
  MachineTokensRepository,
  NodeOrdersRepository,
  NodeRequestsRepository,
  PrivateConnectionsRepository,
  TasksRepository,
  TenantPlansRepository,
} from '../src/runtime/index.js';
import { callsOf } from './calls-of.fixture.js';
import { CELL, DEPLOYMENT, HASH, HOLDER, NODE, OPERATION, ROW, TENANT } from './typeorm-rows.fixture.js';

const CERTIFICATE = {
  ...{ serial: 'a', certificate: 'c', privateKey: 'k', notBefore: new Date(), notAfter: new Date() },
};
const MACHINE: JoinedMachine = {
  ...{ hostname: 'h', address: '10.0.0.1', processor: 'x64', cpus: 1, memory_mib: 1, disk_gib: 1 },
};

const DEPLOYMENTS = [
  callsOf(TasksRepository, {
    insert: (tasks) =>
      tasks.insert({
        ...{
          deploymentId: DEPLOYMENT,
          operationId: OPERATION,
          type: 'broker:reconfigure',
          configId: null,
          authorId: null,
        },
      }),
  }),
  callsOf(TenantPlansRepository, { find: (plans) => plans.find(TENANT) }),
  callsOf(ConnectorInstancesRepository, {
    list: (connectors) => connectors.list(DEPLOYMENT),
  }),
  callsOf(PrivateConnectionsRepository, {
    list: (connections) => connections.list(DEPLOYMENT, 'vpc_peering'),
    find: (connections) => connections.find(DEPLOYMENT, 'vpc_peering', ROW),
    get: (connections) => connections.get(ROW),
    findIdByName: (connections) => connections.findIdByName(DEPLOYMENT, 'vpc_peering', 'PEERING'),
    forget: (connections) => connections.forget(ROW, 'deleted'),
  }),
  callsOf(DiagnosticSnapshotsRepository, {
    count: (snapshots) => snapshots.count(DEPLOYMENT),
    find: (snapshots) => snapshots.find(DEPLOYMENT, ROW),
    findProcessing: (snapshots) => snapshots.findProcessing(DEPLOYMENT),
    findTaken: (snapshots) => snapshots.findTaken(OPERATION),
    complete: (snapshots) => snapshots.complete(OPERATION, 1),
    abandon: (snapshots) => snapshots.abandon(OPERATION),
    markDeleting: (snapshots) => snapshots.markDeleting(DEPLOYMENT, ROW + 1),
    remove: (snapshots) => snapshots.remove(DEPLOYMENT, ROW + 2),
  }),
  callsOf(BackupSchedulesRepository, {
    delete: (schedules) => schedules.delete(DEPLOYMENT),
    record: (schedules) =>
      schedules.record(DEPLOYMENT, { nextAt: new Date(), error: 'no node answered', pausedReason: null }),
  }),
  callsOf(ActivitiesRepository, { complete: (activities) => activities.complete(OPERATION, NODE) }),
  callsOf(DeploymentAccountsRepository, {
    insert: (accounts) =>
      accounts.insert(DEPLOYMENT, { accountId: '1', vpcId: null, vpcCidr: null, access: { role: 'r' } }),
  }),
  callsOf(CertificateAuthoritiesRepository, { insert: (authorities) => authorities.insert(CERTIFICATE) }),
  callsOf(DeploymentCertificatesRepository, {
    replace: (certificates) => certificates.replace(DEPLOYMENT),
    withdraw: (certificates) => certificates.withdraw(DEPLOYMENT),
  }),
];

const MACHINES = [
  callsOf(NodeRequestsRepository, {
    answer: (requests) => requests.answer(ROW, NODE, { answer: '{}', error: null }),
    withdraw: (requests) => requests.withdraw(ROW),
  }),
  callsOf(NodeOrdersRepository, {
    list: (orders) => orders.list(OPERATION),
    findObject: (orders) => orders.findObject(ROW, NODE, 'data'),
  }),
  callsOf(DriverResourcesRepository, {
    release: (resources) => resources.release({ kind: 'vpc', name: 'part' }, HOLDER),
    markDeleting: (resources) => resources.markDeleting({ kind: 'vpc', name: 'part' }),
    empty: (resources) => resources.empty({ kind: 'vpc', name: 'part' }),
  }),
  callsOf(MachineTokensRepository, {
    isUnused: (tokens) => tokens.isUnused(ROW, HASH, CELL),
    join: (tokens) =>
      tokens.join({
        ...{ tokenId: ROW, secretHash: HASH, cell: CELL, credentialHash: HASH, agentVersion: '1', facts: MACHINE },
      }),
  }),
  callsOf(MachineResourcesRepository, { remove: (resources) => resources.remove('dns', 'name') }),
  callsOf(AgentRolloutsRepository, {
    stop: (rollouts) => rollouts.stop(ROW, 'no'),
    complete: (rollouts) => rollouts.complete(ROW),
  }),
];

export const RUNTIME_CALLS = [...DEPLOYMENTS, ...MACHINES];
