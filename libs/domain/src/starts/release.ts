/** The version of this release. A copy of the version in package.json, which some copies of the build do not include. */
export const RELEASE = '0.2.0';

/** Only the bundler of a release knows it. */
declare const LANDLORD_COMMIT: string | undefined;

/** The release, with its commit. A checkout has many commits of one release. */
export const RELEASE_WITH_COMMIT = typeof LANDLORD_COMMIT === 'string' ? `${RELEASE} (${LANDLORD_COMMIT})` : RELEASE;
