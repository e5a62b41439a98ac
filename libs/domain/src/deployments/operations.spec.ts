import { OPERATIONS, operationsQueue, type OperationSpec, type OperationType } from './operations.js';
import { canBeBackedUp } from './backup-support.js';
import { DEPLOYMENT_STATES, statesBefore } from './deployment-state.js';
import { metricsOf, METRIC_STEP_SECONDS, RAW_METRIC_HOURS } from './telemetry.js';
import { upgradeData } from './upgrade-shape.js';

const typesThat = (has: (spec: OperationSpec) => boolean): OperationType[] =>
  (Object.keys(OPERATIONS) as OperationType[]).filter((type) => has(OPERATIONS[type]));

describe('An operation', () => {
  it('excludes other changes of the deployment, if it changes the deployment itself', () => {
    expect(typesThat(({ changing }) => changing)).toEqual([
      'provision_deployment',
      'upgrade_deployment',
      'rotate_credentials',
      'rotate_certificates',
      'run_activity',
      'restore_backup',
      'move_node',
      'delete_deployment',
    ]);
  });

  it('must finish, if it deletes or moves', () => {
    expect(typesThat(({ cancellable }) => !cancellable)).toEqual([
      'move_node',
      'delete_backup',
      'delete_snapshot',
      'delete_private_connection',
      'delete_deployment',
    ]);
  });

  it('has the number of its steps for the displayed progress', () => {
    expect(Object.values(OPERATIONS).map(({ steps }) => steps)).toEqual([13, 6, 4, 4, 3, 2, 5, 9, 1, 2, 4, 1, 2, 2, 4]);
  });

  it('has one queue in each cell', () => {
    expect(operationsQueue('aws-us')).toBe('operations.aws-us');
  });
});

describe('A failed deployment', () => {
  it('can only be deleted', () => {
    expect(DEPLOYMENT_STATES.failed).toEqual(['deleting']);
    expect(statesBefore('initialized')).toEqual([
      'bootstrapping_agent',
      'upgrading',
      'restoring',
      'stopped',
      'degraded',
      'rolling_back',
    ]);
  });
});

describe('A deployment', () => {
  it.each([
    ['aws', 'network_balanced', true],
    ['aws', 'local_ssd', false],
    ['gcp', 'network_balanced', false],
  ])('in %s with %s can be backed up: %s', (cloud, storage_type, expected) => {
    expect(canBeBackedUp({ cloud, storage_type })).toBe(expected);
  });

  it('reports tier, storage and managed tier of an upgrade', () => {
    const shape = { tier: 'small', storage: { type: 's', size: 1 }, managed_tier: null, memory_mib: 1 };
    const from = { ...shape, monthly_compute: '1', monthly_storage: '1', pricing_version: '1' };

    expect(
      upgradeData(from, { ...from, tier: 'large', managed_tier: 'standard', storage: { type: 's', size: 2 } }),
    ).toEqual({
      from_tier: 'small',
      to_tier: 'large',
      from_storage: { type: 's', size: 1 },
      to_storage: { type: 's', size: 2 },
      from_managed_tier: null,
      to_managed_tier: 'standard',
    });
  });
});

describe('The metrics of a node', () => {
  it('are the known gauges, under the name of Landlord or of the driver', () => {
    expect(metricsOf({ cpu_percent: 0, messages_received: 2, bytes_in: 3, bytes_received: 4, unknown: 5 })).toEqual({
      cpu_percent: 0,
      messages_in: 2,
      bytes_in: 3,
    });
    expect(metricsOf({ clients: Number.NaN, topics: Number.POSITIVE_INFINITY })).toEqual({});
  });

  it('are read minute by minute for two days, and then in steps of five minutes', () => {
    expect([METRIC_STEP_SECONDS, RAW_METRIC_HOURS]).toEqual([{ raw: 60, rolledUp: 300 }, 48]);
  });
});
