/** The version of this release; the one of package.json, which is not at hand in every place that the build is copied to. */
export const RELEASE = '0.1.0';
