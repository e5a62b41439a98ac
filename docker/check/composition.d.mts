import type { Podman } from './podman.mjs';

/** The services of a Compose file as containers of podman, with fresh secrets, networks and volumes. */
export declare class Composition {
  constructor(podman: Podman, file: string, place: string);
  /** Starts each service, and waits until all are healthy. */
  start(): Promise<void>;
  /** Gives each part of Landlord another container, of the image that now has its name. */
  replaceLandlord(): Promise<void>;
  /** The output of a command in the container of a service. */
  exec(service: string, ...command: string[]): string;
  /** Removes what start() created. */
  remove(): void;
}
