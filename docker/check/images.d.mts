import type { Service } from './compose-file.mjs';
import type { Podman } from './podman.mjs';

/** Without a registry of images: the images that the Compose files name, under the same names. */
export declare class Images {
  constructor(podman: Podman, place: string);
  /** @throws ContainersUnavailable when packages cannot be downloaded. */
  makeBases(services: Service[]): Promise<void>;
}
