import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import '@libs/operator';
import { declaredStatements, OWNERSHIP } from '@libs/persistence';
import '@libs/persistence/billing';
import '@libs/persistence/channels';
import '@libs/persistence/ledger';
import '@libs/persistence/organization';
import '@libs/persistence/platform';
import '@libs/persistence/runtime';
import { createTestDatabase } from '@libs/testing';
import '@libs/workflow';
import { learnedCalls } from '../../libs/persistence/test/learned-calls.fixture.js';
import { ROOT, sourcesUnder } from './sources/sources.js';
import { statementsByMethod } from './sources/statements-by-method.js';

const SCHEMA = readFileSync(join(ROOT, 'contract/schema.sql'), 'utf8');
const columnsOf = (table: string): string =>
  new RegExp(`^create table ${table} \\(\\n(.*?)\\n\\)`, 'ms').exec(SCHEMA)?.[1] ?? '';
/** Tables whose rows each belong to one tenant. */
const TENANT_TABLES = Object.keys(OWNERSHIP).filter((table) => /^ +tenant_id /m.test(columnsOf(table)));

/** The statement compares or writes the tenant. */
const HAS_TENANT = /\btenant_id"?\s*(=|in\b|<>)|\busing \(tenant_id\)|\binto \w+( as \w+)?\s*\([^)]*\btenant_id\b/i;
/** Rows of the calling user, in all tenants of this user. */
const HAS_PERSON = /\b(to_user_id|user_id)\s*=\s*\$|\bemail_canonical\s*=\s*\$|\bu\.id = \$1/i;
/**
 * The work of the Supervisor: one deployment, whose tenant the guard has compared; one operation with its lease; its
 * cell.
 */
const HAS_WORK =
  /\b(deployment_id|operation_id|lease_token|cell|queue)"?\s*=|\bd\.id = \$1|\bfrom deployments where id = \$1/i;
const SUPERVISOR_SOURCES = /^libs\/(persistence\/src\/runtime|workflow\/src)\//;

/**
 * Statements on rows of all tenants, by reason. The list may only shrink: a new statement must compare the tenant, and
 * a reason without a statement fails.
 */
const EXCEPTIONS: Record<string, RegExp> = {
  'what is past its time is forgotten for all tenants':
    /^(ProtectionCodesRepository\.forget|InvitationsRepository\.(expire|forgetCancelled))Unscoped$|^(login_code|outbox)\.forget$/,
  'a code is for one action on one thing, whose id no other tenant has':
    /^(protection_code\.(wait|attempt)|ProtectionCodesRepository\.useUnscoped|login_code\.use)$/,
  'a schedule looks at all tenants': /^(api_key\.find_expiring|spend\.|upgrade\.take_ended)/,
  'uses of keys are noted for all tenants at once': /^api_key_use\.note$/,
  'the schedule charges one invoice by the id that it has just locked': /^invoice_payment\.(pay|fail|cancel)$/,
  'a delivery worker holds one channel under a lease': /^(lane\.|outbox\.waiting$)/,
  'a channel was locked under its owner in the same transaction':
    /^channel\.(rotate|take_\w+|since_\w+|disable|forget)$|^ChannelsRepository\.\w+Unscoped$/,
  'the gateway stores the lines of the nodes that have shown their credentials': /^node_log\.store$/,
  'a confirmation is found by its token, which names one channel and address':
    /^(confirmation\.|ChannelConfirmationsRepository\.|channel_notice\.take$)/,
  'figures of the whole installation are for its operator': /^gauges\./,
};
const MOST_EXCEPTIONS = 10;

const fileOf = (() => {
  const files = sourcesUnder('apps', 'libs').map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const);
  return (name: string): string =>
    files.find(
      ([, text]) =>
        text.includes(/^[A-Z]/.test(name) ? `class ${name.split('.')[0]} ` : `'${name}'`) ||
        text.includes(`paged('${name.replace('count', 'list')}'`) ||
        (/_\d+$/.test(name) && text.includes(name.replace(/\d+$/, '${'))),
    )?.[0] ?? '';
})();

const usesTenantTable = (text: string): boolean =>
  TENANT_TABLES.some((table) => new RegExp(`\\b(from|join|update|into)\\s+(only\\s+)?${table}\\b`, 'i').test(text));
const isScoped = (name: string, text: string): boolean =>
  HAS_TENANT.test(text) || HAS_PERSON.test(text) || (SUPERVISOR_SOURCES.test(fileOf(name)) && HAS_WORK.test(text));

/** Operators work on all tenants. */
const OPERATOR_SOURCES = /^libs\/(operator\/src\/|workflow\/src\/operator-requests\.ts)/;
const isOfOperator = (name: string): boolean => OPERATOR_SOURCES.test(fileOf(name));

describe('every statement on a table that a tenant owns', () => {
  /** Names of declared statements, and methods that run a statement of TypeORM. */
  let unscoped: string[];

  beforeAll(async () => {
    const database = await createTestDatabase();
    const learned = (await learnedCalls(database.url)).flatMap(({ statements }) => statements);
    await database.drop();
    const named = learned.map(({ method, text }) => [method, text] as const);
    unscoped = [...declaredStatements(), ...named]
      .filter(([name, text]) => usesTenantTable(text) && !isScoped(name, text) && !isOfOperator(name))
      .map(([name]) => name);
  });

  const excepted = (name: string): boolean => Object.values(EXCEPTIONS).some((names) => names.test(name));

  it('is found: there are such tables and statements', () => {
    expect(TENANT_TABLES).toEqual(expect.arrayContaining(['divisions', 'deployments', 'api_keys', 'roles']));
    expect(declaredStatements().size).toBeGreaterThan(300);
  });

  it('compares the tenant, the calling user, or the work of the Supervisor', () => {
    expect(unscoped.filter((name) => !excepted(name))).toEqual([]);
  });

  it('is excepted only with a reason, and there are at most ten reasons', () => {
    const idle = Object.entries(EXCEPTIONS).filter(([, names]) => !unscoped.some((name) => names.test(name)));

    expect(idle.map(([reason]) => reason)).toEqual([]);
    expect(Object.keys(EXCEPTIONS).length).toBeLessThanOrEqual(MOST_EXCEPTIONS);
  });

  it('runs in a repository method that ends with Unscoped if it is excepted, and in no other method', () => {
    const methods = [...statementsByMethod()];
    const uses = (names: RegExp[], statement: string): boolean => names.some((name) => name.test(statement));
    const running = methods.filter(
      ([method, names]) => unscoped.includes(method) || unscoped.some((statement) => uses(names, statement)),
    );
    const suffixed = methods.filter(([method]) => method.endsWith('Unscoped'));

    expect(running.map(([method]) => method)).toEqual(suffixed.map(([method]) => method));
    const isRun = (name: string): boolean => running.some(([method, names]) => method === name || uses(names, name));
    expect(unscoped.filter((name) => !isRun(name))).toEqual([]);
  });
});
