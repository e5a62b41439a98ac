// `npm run bench -- --against <ref>`: builds the other commit in a folder of its own, and lets both take turns.
import { makeOldCheckout } from '../../compat/old-checkout.mjs';
import { openPlace, removePlace } from '../../compat/place.mjs';
import { commitOf } from '../../compat/previous-release.mjs';
import { endCommandsOnSignals } from '../../compat/run-command.mjs';
import { round } from '../measure.mjs';
import { compareReleases } from './against.mjs';

/** Rows for the table of the bench. */
export async function compareWith(ref, rounds) {
  const commit = commitOf(ref);
  if (commit === null) throw new Error(`git knows no commit ${ref}`);
  endCommandsOnSignals();
  const place = await openPlace();
  try {
    await makeOldCheckout(commit, place.checkout);
    const rows = await compareReleases({ now: process.cwd(), before: place.checkout, rounds });
    return rows.map(({ measure, median, q1, q3, micros_now, micros_before }) => ({
      what: `CPU of a ${measure}, by ${ref}`,
      median: round(median),
      quartiles: `${round(q1)} – ${round(q3)}`,
      micros_now,
      micros_before,
    }));
  } finally {
    await removePlace(place.directory);
  }
}
