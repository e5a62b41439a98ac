// Reads the audit through its repository, with a thousand entries and with a million of other tenants. Also measures
// the cost of writing an entry, which is queued for its seal and indexed for searches.
import {
  AuditEntriesRepository,
  AuditSealsRepository,
  LedgerRepository,
} from '../../../dist/libs/persistence/src/ledger/index.js';
import { quantile, stealShare, summary, verdictAtMost, within } from '../measure.mjs';
import { LARGE, openAudit, OURS } from './fixture.mjs';

const MANY = 1_000_000;
const FEW = 1_000;
const CALLS = 30;
const ENTRIES = 50;
const SEALED = 100_000;
const DAY_MS = 86_400_000;
const OTHER_FILTERS_MS = 100;

const everything = (tenantId) => ({
  tenantId,
  since: new Date(Date.now() - 365 * DAY_MS),
  until: new Date(Date.now() + DAY_MS),
});

export async function benchAudit(world, rounds) {
  const steal = stealShare().now;
  const small = await openAudit(world.url, 'audit_small', FEW);
  const large = await openAudit(world.url, 'audit_large', MANY);
  const before = await openAudit(world.url, 'audit_before', FEW);
  await before.database.query({ name: '', text: TAKE_AWAY });
  try {
    const reads = await benchReads(small, large, rounds);
    const filters = await benchFilters(large, rounds);
    const writes = await benchWrites(small, before, rounds);
    const { seals_per_second, verified_per_second } = await benchSealing(small);
    const { share } = stealShare(steal);
    return {
      rows: [...reads, ...filters, ...writes],
      seals_per_second,
      verified_per_second,
      steal_share: Number(share.toFixed(3)),
    };
  } finally {
    for (const opened of [small, large, before]) await opened.close();
  }
}

async function benchReads(small, large, rounds) {
  const [few, many] = [small, large].map(({ database }) => new AuditEntriesRepository(database));
  const rivals = {
    oursAlone: () => few.page(everything(OURS), { page: 1, results: 10 }),
    oursBesideMany: () => many.page(everything(OURS), { page: 1, results: 10 }),
    many: () => many.page(everything(LARGE), { page: 1, results: 10 }),
  };
  const samples = await alternate(rivals, rounds, CALLS);
  const ratio = (a, b) => summary(samples[a].map((value, round) => value / samples[b][round]));
  const others = ratio('oursBesideMany', 'oursAlone');
  const own = ratio('many', 'oursBesideMany');
  return [
    row('audit: page 1, others 10^6 ÷ others 10^3', others, 1.5),
    row('audit: page 1 with total, own 10^6 ÷ own 10^3', own, 5),
    time('audit: page 1 with total, own 10^3, ms', samples.oursBesideMany),
    time('audit: page 1 with total, own 10^6, ms', samples.many),
  ];
}

async function benchFilters({ database }, rounds) {
  const entries = new AuditEntriesRepository(database);
  const all = everything(LARGE);
  const filters = {
    'an author, 100,000 found': [{ author: 3 }],
    'a key, 50,000 found': [{ api_key: 3 }],
    'a rare key, 10 found': [{ api_key: 999 }],
    'a user, 143 found': [{ user: 3 }],
    'a division, 100,000 found': [{ division: 3 }],
    'an environment, 33,000 found': [{ environment: 3 }],
    'a deployment, 3,300 found': [{ deployment: 3 }],
    'two types, 200,000 found': [{ types: ['division_created', 'division_updated'] }],
    'a rare type, 10 found': [{ types: ['api_key_deleted'] }],
    'a correlation id': [{ correlationId: await someCorrelation(database) }],
    'thirty days': [{ since: new Date(Date.now() - 40.5 * DAY_MS), until: new Date(Date.now() - 10.5 * DAY_MS) }],
    'the last page of 100,000': [{}, 100_000],
    'the middle page of 100,000': [{}, 50_000],
    'an author and a type, 100,000 found': [{ author: 3, types: ['environment_created', 'environment_updated'] }],
  };
  const rivals = Object.entries(filters).map(([name, [filter, page = 1]]) => [
    name,
    () => entries.page({ ...all, ...filter }, { page, results: 10 }),
  ]);
  const samples = await alternate(Object.fromEntries(rivals), rounds, 3);
  return Object.entries(samples).map(([name, values]) => time(`audit: ${name}, ms`, values, OTHER_FILTERS_MS));
}

async function someCorrelation(database) {
  const [found] = await database.query({ name: '', text: 'select correlation_id from audit_entries limit 1' });
  return found.correlation_id;
}

async function benchWrites(now, before, rounds) {
  const rivals = { now: writer(now.database), before: writer(before.database) };
  const samples = await alternate(rivals, rounds, 8);
  const cost = summary(samples.now.map((value, round) => value / samples.before[round]));
  const each = (name) => samples[name].map((value) => (value * 1000) / ENTRIES);
  return [
    { ...row('audit: writing an entry ÷ without queue and new indexes', cost, ''), verdict: '' },
    { ...time('audit: writing an entry, µs', each('now')), target: '', verdict: '' },
    { ...time('audit: writing an entry without them, µs', each('before')), target: '', verdict: '' },
  ];
}

function writer(database) {
  const ledger = new LedgerRepository(database);
  const named = (id) => ({ id, name: 'somebody' });
  const entry = {
    ...{ tenant_id: OURS, type: 'deployment_created', author: named(1), api_key: named(1), user: null },
    ...{ division: named(1), environment: named(1), deployment: named(1), data: { name: 'written' } },
    correlation_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  };
  return () =>
    database.transaction(async () => {
      for (let n = 0; n < ENTRIES; n += 1) await ledger.record(entry, null, { basic: 7, pro: 90, enterprise: 365 });
    });
}

/** Entries per second of one tenant: the slowest case, one batch per statement. */
async function benchSealing({ database }) {
  const seals = new AuditSealsRepository(database);
  const sealAll = async () => {
    while ((await database.transaction(() => seals.sealSome())) > 0);
  };
  await sealAll();
  await database.query({
    name: '',
    text: `insert into audit_entries (retention_class, created_at, tenant_id, type)
           select 365, clock_timestamp(), 3, 'x' from generate_series(1, ${SEALED})`,
  });
  const seals_per_second = await rateOf(sealAll);
  const verify = async () => {
    await seals.beginVerification(3);
    let after = 0;
    for (let window = await seals.window(3, after); window.length > 0; window = await seals.window(3, after))
      after = window.at(-1).sequence;
    await seals.firstUnknown(3, after);
  };
  const verified_per_second = await rateOf(() => database.transaction(verify));
  return { seals_per_second, verified_per_second };
}

async function rateOf(work) {
  const begun = performance.now();
  await work();
  return Math.round((SEALED * 1000) / (performance.now() - begun));
}

/**
 * Milliseconds per call of each variant, by round. The variants alternate call by call, so a disturbance affects all of
 * them.
 */
async function alternate(rivals, rounds, calls) {
  const names = Object.keys(rivals);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) await rivals[name]();
  for (let round = 0; round < rounds; round += 1) {
    const spent = Object.fromEntries(names.map((name) => [name, 0]));
    for (let call = 0; call < calls; call += 1)
      for (const name of (round + call) % 2 ? [...names].reverse() : names) {
        const begun = performance.now();
        await rivals[name]();
        spent[name] += performance.now() - begun;
      }
    for (const name of names) samples[name].push(spent[name] / calls);
  }
  return samples;
}

const row = (name, measured, target) => ({
  name,
  ...measured,
  target: target === '' ? '' : `≤ ${target}`,
  verdict: target === '' ? '' : verdictAtMost(measured, target),
});

/** A time meets its target if three of four rounds meet it. */
function time(name, values, target) {
  const measured = summary(values);
  const third = quantile(
    [...values].sort((a, b) => a - b),
    0.75,
  );
  return {
    name,
    ...measured,
    target: target === undefined ? '' : `≤ ${target}`,
    verdict: target === undefined ? '' : within(third, target),
  };
}

/** Removes the trigger and the indexes, to get the schema from before seals and searches. */
const TAKE_AWAY = `do $$
begin
  drop trigger audit_entries_unsealed on audit_entries;
  drop index audit_entries_author, audit_entries_api_key, audit_entries_user, audit_entries_division,
    audit_entries_environment, audit_entries_deployment, audit_entries_type, audit_entries_correlation;
end $$`;
