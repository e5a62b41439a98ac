/** A service of a Compose file. */
export interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string | number>;
  secrets?: string[];
  user?: string;
  volumes?: string[];
  ports?: string[];
  network_mode?: string;
  networks?: string[] | Record<string, { ipv4_address?: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
}

export interface Compose {
  name: string;
  services: Record<string, Service>;
  networks: Record<string, { ipam?: object; internal?: boolean } | null>;
  volumes: Record<string, unknown>;
  secrets?: Record<string, { file: string }>;
}

/** A Compose file, with `extends` resolved. */
export declare function readComposeFile(file: string): Compose;
/** The names of the services, each after the services that it waits for. */
export declare function startOrder(services: Record<string, Service>): string[];
