import { DoublesCommands } from '@libs/operator';
import { fields, printList, type Output } from './print.js';
import { withSession } from './with-session.js';

/** `landlord ops doubles list` */
export async function listDoubles(output: Output): Promise<void> {
  const rows = await withSession((session) => new DoublesCommands(session).list());
  printList(
    rows,
    {
      ...fields('kind', 'place'),
      'compared as': ({ canonical }) => canonical,
      'ids and spellings, oldest first': (row) =>
        row.rows.map(({ id, spelling }) => `${id} ${visible(spelling)}`).join(', '),
    },
    output,
    'No doubles.',
  );
}

/** Two spellings can look the same: the characters that nobody sees are named. */
const visible = (spelling: string): string =>
  JSON.stringify(spelling).replace(/\p{Cf}/gu, (unseen) => `\\u{${unseen.codePointAt(0)?.toString(16)}}`);
