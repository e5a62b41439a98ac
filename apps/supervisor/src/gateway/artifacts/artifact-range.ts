/** A part of an artifact. Both places are part of it. */
export interface ArtifactRange {
  first: number;
  last: number;
}

/**
 * The part that `range` asks for (RFC 9110, section 14). Null: the whole artifact, also for several ranges and for units other
 * than bytes, which a server may ignore. `unsatisfiable`: no byte of the range exists.
 */
export function rangeOf(header: string | undefined, bytes: number): ArtifactRange | null | 'unsatisfiable' {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  const end = to === '' ? null : Number(to);
  if (from !== '') return fromPlace(Number(from), end ?? bytes, bytes);
  if (end === null) return null;
  return end === 0 ? 'unsatisfiable' : { first: Math.max(0, bytes - end), last: bytes - 1 };
}

function fromPlace(first: number, last: number, bytes: number): ArtifactRange | null | 'unsatisfiable' {
  if (last < first) return null;
  return first < bytes ? { first, last: Math.min(last, bytes - 1) } : 'unsatisfiable';
}
