import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import '@libs/operator';
import { declaredStatements, OWNERSHIP } from '@libs/persistence';
import '@libs/persistence/billing';
import '@libs/persistence/channels';
import '@libs/persistence/ledger';
import '@libs/persistence/organization';
import '@libs/persistence/platform';
import '@libs/persistence/runtime';
import '@libs/workflow';
import { ROOT } from '../sources/sources.js';

/** Why a statement is SQL, by what its text has. */
const REASONS: Record<string, RegExp> = {
  locks: /\bfor (no key )?update\b|\bfor (key )?share\b|_lock\(/i,
  pages: /\blimit\b|\boffset\b|count\(\*\) over/i,
  joins:
    /\bjoin\b|\(\s*select\b|\bunion\b|^\s*with\b|\bexists\s*\(|\busing\b|\bset\b[^;]*\bfrom\b|\binto\b[^;]*\bselect\b/i,
  sets: /\bunnest\(|\b(any|all)\(|\bjsonb_(to_recordset|array_elements)/i,
  conflicts: /\bon conflict\b/i,
  notifies: /\bpg_notify\(/i,
  returns: /\bdelete\b[^;]*\breturning\b/i,
  computes: /\bcase\b|\bcoalesce\(|\b(make_)?interval\b|\bepoch\b|\bfilter \(|\bgroup by\b|->|\|\|| [+-] [\d$]/i,
  calls: /^\s*select (?!count)[\w.]+\(|^set |\bnextval\(|\boverriding\b/i,
};

/** Tables on the paths that a benchmark measures. TypeORM builds the text of a statement at each call, and PostgreSQL plans it again. */
const MEASURED = [
  ...['deployments', 'deployment_runtimes', 'deployment_credentials', 'nodes', 'node_documents', 'node_ports'],
  ...['operations', 'schedules', 'sessions', 'configs', 'access_rules', 'backups', 'cloud_resources', 'machines'],
  ...['node_revivals', 'transfer_marks', 'invoices', 'billing_months', 'mails', 'installation', 'audit_unsealed'],
];

/** Other reasons. The list may only shrink. */
const EXCEPTIONS: Record<string, RegExp> = {
  'it reads a table of PostgreSQL or of TypeORM': /^health\./,
  'its method opens its transaction itself, so a test cannot refuse it':
    /^(machine_placement|machine_reservation|cell_process)\./,
  'one list of tables makes them all': /^runtime\.purge_\d+$/,
};

const tableOf = (text: string): string => /\b(?:from|update|into)\s+(?:only\s+)?([a-z_]+)/i.exec(text)?.[1] ?? '';
/** The count of a list is for its pages. */
const isOfPages = (name: string): boolean =>
  name.endsWith('.count') && REASONS['pages']!.test(declaredStatements().get(name.replace(/count$/, 'list')) ?? '');
const wordsOf = (name: string, text: string): string[] => [
  ...Object.keys(REASONS).filter((word) => REASONS[word]!.test(text)),
  ...(isOfPages(name) ? ['pages'] : []),
];

describe('a statement in SQL', () => {
  const plain = [...declaredStatements()].filter((statement) => wordsOf(...statement).length === 0);

  it('locks, joins, pages, is measured, or has another reason not to be a call of TypeORM', () => {
    const excepted = (name: string): boolean => Object.values(EXCEPTIONS).some((names) => names.test(name));
    const others = plain.filter(([name, text]) => !MEASURED.includes(tableOf(text)) && !excepted(name));

    expect(others.map(([name]) => name)).toEqual([]);
  });

  it('is measured if a benchmark names its table', () => {
    const benchmarks = readdirSync(join(ROOT, 'test/bench'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    const isNamed = (table: string): boolean => benchmarks.some((text) => new RegExp(`\\b${table}\\b`).test(text));

    expect(MEASURED.filter((table) => !(table in OWNERSHIP) || !isNamed(table))).toEqual([]);
  });

  it('gives every reason its use', () => {
    const words = new Set([...declaredStatements()].flatMap((statement) => wordsOf(...statement)));
    const tables = new Set(plain.map(([, text]) => tableOf(text)));

    expect(Object.keys(REASONS).filter((word) => !words.has(word))).toEqual([]);
    expect(MEASURED.filter((table) => !tables.has(table))).toEqual([]);
    expect(Object.entries(EXCEPTIONS).filter(([, names]) => !plain.some(([name]) => names.test(name)))).toEqual([]);
  });
});
