import { skippedSuite } from '@libs/testing';
import { commitOf, releaseBefore } from '../../compat/previous-release.mjs';

/** The commits of the release before and of this checkout. */
export interface TwoCommits {
  before: string;
  now: string;
}

/** A suite about an upgrade from the release before, which its own `npm run release` makes. */
export async function describeUpgrade(
  name: string,
  suiteOf: (commits: TwoCommits) => Promise<(name: string) => void>,
): Promise<void> {
  const release = releaseBefore();
  const before = release === null ? null : commitOf(release);
  const now = commitOf('HEAD');
  if (before !== null && now !== null) return (await suiteOf({ before, now }))(name);
  skippedSuite('git knows no release before this one', 'Run: git fetch --unshallow --tags')(name, () => undefined);
}
