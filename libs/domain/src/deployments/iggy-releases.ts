/** The line of releases of Apache Iggy that Landlord is proven with. A pre-release of this line is not proven. */
export const PROVEN_IGGY_LINE = '0.8';
/** The first line whose nodes form a cluster, as [major, minor]. */
const FIRST_CLUSTERED = [0, 9] as const;

/** `0.8.0` is of the line `0.8`. Pre-releases have other formats than their release, so each one is a line of its own. */
export const iggyLine = (release: string): string =>
  release.includes('-') ? release : release.split('.').slice(0, 2).join('.');

/** A release of the line that was tried. All others run only with IGGY_UNPROVEN_RELEASES=true. */
export const isProvenIggy = (release: string): boolean =>
  /^\d+\.\d+\.\d+$/.test(release) && iggyLine(release) === PROVEN_IGGY_LINE;

/** Whether the nodes of this release form a cluster that replicates messages. No proven release does. */
export function clustersIggy(release: string): boolean {
  const [, major = '', minor = ''] = /^(\d+)\.(\d+)\.\d+/.exec(release) ?? [];
  const [first, second] = FIRST_CLUSTERED;
  return major !== '' && (Number(major) > first || (Number(major) === first && Number(minor) >= second));
}
