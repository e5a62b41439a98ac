/** The release of this command line. */
export const RELEASE = '0.2.0';

/** Only the bundler of a release knows it. */
declare const LANDLORD_COMMIT: string | undefined;

/** The release, with its commit. A checkout has many commits of one release. */
export const RELEASE_WITH_COMMIT = typeof LANDLORD_COMMIT === 'string' ? `${RELEASE} (${LANDLORD_COMMIT})` : RELEASE;

/** The release of an installation that has answered, if the release is another one. */
let other: { url: string; release: string } | null = null;

/** Remembers the release of an answer. */
export function noteRelease(url: string, release: string | null): void {
  if (release !== null && line(release) !== line(RELEASE)) other = { url: new URL(url).origin, release };
}

/** What a person should know about the releases. Null: they fit, or nothing has answered. */
export const releaseNotice = (): string | null =>
  other &&
  `${other.url} runs Landlord ${other.release}, and this command line is ${RELEASE}. Commands and members of the other release may be missing.`;

/** Releases with the same first two numbers have the same commands. */
const line = (release: string): string => release.split('.', 2).join('.');
