/** An artifact as a document or another artifact names it. */
export interface Artifact {
  /** Of its archive, in hexadecimal digits. */
  sha256: string;
  /** Size of its archive. Absent where only the gateway has the size: the sha256 decides whether the content is whole. */
  bytes?: number;
}

/** The archive is not the named one, or cannot be unpacked. Another attempt is useless. */
export class ArtifactDamaged extends Error {
  override readonly name = 'ArtifactDamaged';
}
