/** The version of this release. A copy of the version in package.json, which some copies of the build do not include. */
export const RELEASE = '0.1.0';
