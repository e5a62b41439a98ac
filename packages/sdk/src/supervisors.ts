import { UnknownSupervisorError } from './errors.js';
import type { StructureView } from './generated/main-types.js';

/** What the main API says about the deployments of a tenant. */
export type ReadStructure = (tenantId: number | undefined) => Promise<StructureView>;

/** The addresses of the Supervisors, learned from the main API. */
export class Supervisors {
  private readonly byDeployment = new Map<number, string>();

  /** @param mainUrl An answer over https never sends the key to an address without https. */
  constructor(
    private readonly mainUrl: string,
    private readonly readStructure: ReadStructure,
  ) {}

  /** @throws UnknownSupervisorError when no Supervisor serves the deployment */
  async of(deploymentId: number, tenantId: number | undefined): Promise<string> {
    const known = this.byDeployment.get(deploymentId);
    if (known !== undefined) return known;
    const places = placesIn(await this.readStructure(tenantId));
    const [, url] = places.find(([id]) => id === deploymentId) ?? [];
    // Before this address is judged: an address without https is no reason to ask again for the others.
    this.keep(places);
    if (url !== undefined) return this.trusted(url);
    throw new UnknownSupervisorError(
      `No Supervisor serves deployment ${deploymentId}, or the key may not read the deployment. A new deployment has none for a moment.`,
    );
  }

  /** The only Supervisor of the tenant. @throws UnknownSupervisorError when there is none, or there are several */
  async only(tenantId: number | undefined): Promise<string> {
    const places = placesIn(await this.readStructure(tenantId));
    this.keep(places);
    const urls = new Set(places.map(([, url]) => this.trusted(url)));
    const [url] = urls;
    if (url !== undefined && urls.size === 1) return url;
    throw new UnknownSupervisorError(
      urls.size === 0
        ? 'The tenant has no deployment with a Supervisor. Set supervisorUrl.'
        : `The tenant has several Supervisors (${[...urls].join(', ')}). Set supervisorUrl.`,
    );
  }

  /** Keeps the addresses of a structure that the caller has read. Addresses without https are for `of`, which names them. */
  notice(structure: StructureView): void {
    this.keep(placesIn(structure));
  }

  /** A deployment can move to another Supervisor. */
  forget(deploymentId: number): void {
    this.byDeployment.delete(deploymentId);
  }

  private keep(places: readonly Place[]): void {
    for (const [id, url] of places) if (this.isTrusted(url)) this.byDeployment.set(id, url);
  }

  private trusted(url: string): string {
    if (this.isTrusted(url)) return url;
    throw new UnknownSupervisorError(`The Supervisor ${url} has no https, unlike the main API.`);
  }

  private isTrusted(url: string): boolean {
    return url.startsWith('https:') || !this.mainUrl.startsWith('https:');
  }
}

/** A deployment with the address of its Supervisor. */
type Place = readonly [id: number, url: string];

const placesIn = ({ divisions }: StructureView): Place[] =>
  divisions
    .flatMap(({ environments }) => environments.flatMap(({ deployments }) => deployments))
    .flatMap(({ id, supervisor_url: url }): Place[] => (url === null ? [] : [[id, url]]));
