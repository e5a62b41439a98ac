/** One entry of the manifest. */
export interface WrittenArtifact {
  name: string;
  platform: string;
  arch: string;
  version: string;
  sha256: string;
  bytes: number;
  entry: string;
  over: string | null;
  /** A newer one has replaced it. */
  superseded?: boolean;
}
export declare function writeArtifacts(
  folder: string,
  archives?: [name: string, file: string][],
  pack?: (work: string) => WrittenArtifact[],
): Promise<WrittenArtifact[]>;
