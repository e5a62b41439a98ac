import { SEALED_COLUMNS, Secrets } from '@libs/persistence';
import { ChannelsRepository } from '@libs/persistence/channels';
import { CloudAccountsRepository, MailsRepository } from '@libs/persistence/organization';
import { IdempotencyRepository } from '@libs/persistence/platform';
import {
  CertificateAuthoritiesRepository,
  CredentialsRepository,
  DeploymentAccountsRepository,
  DeploymentCertificatesRepository,
  MachineReservationsRepository,
  NodeAgentsRepository,
  NodeDocumentsRepository,
  previousPasswordLocation,
} from '@libs/persistence/runtime';
import { OperatorBench, secretKey, TRACE } from '../test/operator.fixture.js';
import { Rekeying, type RekeyedColumn } from './rekeying.js';
import { SealedRows } from './sealed-rows.js';

const COLUMNS = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
/** One ciphertext per column was sealed with the old key. */
const EACH = Object.fromEntries(COLUMNS.map((name) => [name, 1]));
const NONE = Object.fromEntries(COLUMNS.map((name) => [name, 0]));
const rekeyed = (columns: RekeyedColumn[] | undefined): Record<string, number> =>
  Object.fromEntries((columns ?? []).map((column) => [`${column.table}.${column.column}`, column.rekeyed]));

/** An authority and a certificate of the deployment, with dummy contents. */
async function certify({ session: { database, secrets } }: OperatorBench, deploymentId: number): Promise<void> {
  const [notBefore, notAfter] = [new Date(), new Date(Date.now() + 86_400_000)];
  const authority = { serial: '4A', certificate: 'PEM', privateKey: 'SECRET', notBefore, notAfter };
  const { id } = await new CertificateAuthoritiesRepository(database, secrets).insert(authority);
  const issued = { ...authority, authorityId: id, names: ['127.0.0.1'] };
  await new DeploymentCertificatesRepository(database, secrets).insert(deploymentId, 'active', issued);
}

/** A channel with a rotated secret. */
async function tell({ session: { database, secrets }, tenantId }: OperatorBench): Promise<void> {
  const channels = new ChannelsRepository(database, secrets);
  const channel = { channel: 'webhook', name: 'sealed', destination: 'SECRET', settings: {}, remarks: null } as const;
  const id = await channels.insert({ tenantId, divisionId: null }, channel, 'SECRET');
  await channels.rotateUnscoped(id, 'ANOTHER', 60);
}

describe('Rekeying', () => {
  let bench: OperatorBench;
  let deploymentId: number;
  let nodeId: number;
  const fresh = secretKey('k2');

  beforeEach(async () => {
    bench = await OperatorBench.open();
    ({ deploymentId, nodeId } = await bench.deployment('sealed'));
    const { database, secrets } = bench.session;
    await new NodeAgentsRepository(database, secrets).issueToken(nodeId);
    await new MachineReservationsRepository(database, secrets, 'local').offer({
      ...{ name: 'sealed', node_id: nodeId, deployment_id: deploymentId, incarnation: 1, broker: 'embedded' },
      ...{ region: 'us-east-1', zone: 'a', memory_mib: 1, cpus: 1, disk_gib: 1, ports: [], is_dedicated: true },
    });
    await new CredentialsRepository(database, secrets).prepareNext(deploymentId, 0);
    await bench.rows('update deployment_credentials set previous_password = $2 where deployment_id = $1', [
      ...[deploymentId, secrets.seal(previousPasswordLocation(deploymentId), 'SECRET')],
    ]);
    await certify(bench, deploymentId);
    await tell(bench);
    await database.transaction(() => new NodeDocumentsRepository(database, secrets).publish(nodeId, TRACE));
    await new IdempotencyRepository(database, secrets).store('key:1', 'once', Buffer.alloc(32), 'the answer');
    const account = { accountId: '123456789012', vpcId: null, vpcCidr: null, access: { identity_arn: 'SECRET' } };
    await new DeploymentAccountsRepository(database, secrets).insert(deploymentId, account);
    const mail = { to: 'a@example.test', subject: 'code', text: 'SECRET', html: '<p>SECRET</p>' };
    await new MailsRepository(database, secrets).insert([mail]);
    await new CloudAccountsRepository(database, secrets).insert(bench.tenantId, {
      cloud: 'aws',
      name: 'sealed',
      accountId: '123456789012',
      region: null,
      settings: { aws: {} },
      remarks: null,
    });
  });
  afterEach(() => bench.close());

  it('leaves no ciphertext of the old key, so that everything opens without it', async () => {
    const token = await new NodeAgentsRepository(bench.session.database, bench.session.secrets).renewedToken(nodeId);

    const columns = await bench.withKeys(`${fresh},${bench.keys}`, (session) =>
      new Rekeying(session).run(() => undefined),
    );

    expect(columns.map(({ table, column }) => `${table}.${column}`)).toEqual(COLUMNS);
    expect(columns.map((column) => ({ rekeyed: column.rekeyed, keys: column.keys }))).toEqual(
      COLUMNS.map(() => ({ rekeyed: 1, keys: { k2: 1 } })),
    );
    const { database } = bench.session;
    const only = new Secrets(fresh);
    expect((await new CredentialsRepository(database, only).find(deploymentId))?.password).toHaveLength(32);
    expect(await new NodeAgentsRepository(database, only).renewedToken(nodeId)).toBe(token);
    expect(await new NodeDocumentsRepository(database, only).find(nodeId)).toMatchObject({ generation: 2 });
    expect(await new CertificateAuthoritiesRepository(database, only).find(0)).toMatchObject({ privateKey: 'SECRET' });
    expect((await new IdempotencyRepository(database, only).find('key:1', 'once'))?.answer).toBe('the answer');
    // Composes from the peer secret, the password, the configuration and the certificate. All open, and the document is
    // unchanged.
    expect(await database.transaction(() => new NodeDocumentsRepository(database, only).publish(nodeId, TRACE))).toBe(
      false,
    );
  });

  it('continues after an interruption, and does nothing when all is done', async () => {
    const keys = `${fresh},${bench.keys}`;
    const stopAfter = (table: string) => (column: { table: string }) => {
      if (column.table === table) throw new TypeError('killed');
    };
    await expect(bench.withKeys(keys, (session) => new Rekeying(session).run(stopAfter('configs')))).rejects.toThrow(
      'killed',
    );

    const [second, third] = await bench.withKeys(keys, async (session) => [
      await new Rekeying(session).run(() => undefined),
      await new Rekeying(session).run(() => undefined),
    ]);

    const counts = COLUMNS.slice(0, COLUMNS.indexOf('configs.config_values') + 1).map((name) => [name, 0]);
    expect(rekeyed(second)).toEqual({ ...EACH, ...Object.fromEntries(counts) });
    expect(rekeyed(third)).toEqual(NONE);
  });

  it('never overwrites a concurrent write of an app', async () => {
    const column = SEALED_COLUMNS[1];
    const rows = new SealedRows(bench.session.database, column);
    const [read] = await rows.notUnder('k2', 10);
    const rotated = bench.session.secrets.seal({ ...column, row: deploymentId }, 'rotated');
    await bench.rows('update deployment_credentials set password = $1', [rotated]);

    expect(await rows.replace(read?.key ?? [], read?.sealed ?? '', 'k2.stale')).toBe(false);

    expect(await bench.rows('select password from deployment_credentials')).toEqual([{ password: rotated }]);
  });

  it('processes a row again that an app wrote with the old key during the run', async () => {
    const column = SEALED_COLUMNS[1];
    let isFirst = true;
    const writeBehind = async ({ table }: { table: string }): Promise<void> => {
      if (table !== column.table || !isFirst) return;
      isFirst = false;
      const rotated = bench.session.secrets.seal({ ...column, row: deploymentId }, 'rotated');
      await bench.rows('update deployment_credentials set password = $1', [rotated]);
    };

    const columns = await bench.withKeys(`${fresh},${bench.keys}`, (session) => new Rekeying(session).run(writeBehind));

    expect(columns[1]).toMatchObject({ rekeyed: 2, keys: { k2: 1 } });
    const credentials = await new CredentialsRepository(bench.session.database, new Secrets(fresh)).find(deploymentId);
    expect(credentials?.password).toBe('rotated');
  });

  it('names rows that do not open and seals the others', async () => {
    await bench.rows(`update configs set config_values = 'k0.AAAA'`);

    const columns = await bench.withKeys(`${fresh},${bench.keys}`, (session) =>
      new Rekeying(session).run(() => undefined),
    );

    expect(columns.filter(({ unreadable }) => unreadable.length > 0)).toEqual([
      {
        table: 'configs',
        column: 'config_values',
        rekeyed: 0,
        unreadable: [`${deploymentId}/broker/broker/1`],
        keys: { k0: 1 },
      },
    ]);
    expect(rekeyed(columns)).toEqual({ ...EACH, 'configs.config_values': 0 });
  });

  it('skips deleted secrets', async () => {
    await bench.rows(`update deployment_runtimes set peer_secret = ''`);
    await bench.rows('update nodes set bootstrap_token = null');

    const columns = await bench.withKeys(`${fresh},${bench.keys}`, (session) =>
      new Rekeying(session).run(() => undefined),
    );

    const gone = { 'deployment_runtimes.peer_secret': 0, 'nodes.bootstrap_token': 0 };
    expect(rekeyed(columns)).toEqual({ ...EACH, ...gone });
  });
});
