import { Rekeying } from '@libs/operator';
import { readConfig } from '../config.js';
import { requireKeysKnown } from '../files/keys-known.js';
import { LauncherError } from '../launcher-error.js';
import { fields, printList, say, type Output } from './print.js';
import { withSession } from './with-session.js';

/**
 * `landlord rekey`: seals every stored secret with the first key. Safe to repeat and to interrupt. Throws LauncherError when a
 * secret is still sealed with another key.
 */
export async function rekey(output: Output): Promise<void> {
  requireKeysKnown(readConfig());
  const { keyId, columns } = await withSession(async (session) => {
    const rekeying = new Rekeying(session);
    const tell = ({ table, column }: { table: string; column: string }, rekeyed: number): void => {
      if (!output.json) say(`${table}.${column}: ${rekeyed} encrypted again`);
    };
    return { keyId: rekeying.keyId, columns: await rekeying.run(tell) };
  });
  printList(
    columns,
    {
      ...fields('table', 'column'),
      'encrypted again': (row) => row.rekeyed,
      unreadable: (row) => row.unreadable.length,
      'keys now': (row) => Object.entries(row.keys).map(([id, count]) => `${id}: ${count}`),
    },
    output,
  );
  const remaining = columns.filter(({ keys }) => Object.keys(keys).some((id) => id !== keyId));
  if (remaining.length > 0) {
    const rows = remaining.map(
      ({ table, column, unreadable }) =>
        `${table}.${column} (${unreadable.join(', ') || 'written during this command'})`,
    );
    throw new LauncherError(
      `Some secrets do not use ${keyId}: ${rows.join('; ')}.\nUnreadable rows need the key that encrypted them. For rows that were ` +
        `written during this command, start every process with ${keyId} as its first key. Then run this command again.`,
    );
  }
  if (!output.json) say(`All secrets use ${keyId}. You can remove the other keys.`);
}
