/** Containers cannot run on this machine; the message contains the reason. */
export declare class ContainersUnavailable extends Error {}
/** A command of podman failed. */
export declare class PodmanFailed extends Error {}
/** What a podman needs to find its parts. */
export interface PodmanParts {
  env: Record<string, string>;
  engine: string;
  containers: string;
}
/** Of this machine, or of Debian's packages in the data directory. @throws ContainersUnavailable */
export declare function findPodman(): PodmanParts;
export declare function requirePrograms(...names: string[]): void;
export declare class Podman {
  constructor(place: string, parts: PodmanParts);
  /** The output of a command. @throws PodmanFailed */
  run(...args: string[]): string;
  /** The exit code of a command, and its output. */
  try(...args: string[]): { status: number | null; output: string };
}
