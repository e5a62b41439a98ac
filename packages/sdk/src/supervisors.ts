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
    this.learn(await this.readStructure(tenantId));
    const url = this.byDeployment.get(deploymentId);
    if (url !== undefined) return url;
    throw new UnknownSupervisorError(
      `No Supervisor serves deployment ${deploymentId}, or the key may not read the deployment. A new deployment has none for a moment.`,
    );
  }

  /** The only Supervisor of the tenant. @throws UnknownSupervisorError when there is none, or there are several */
  async only(tenantId: number | undefined): Promise<string> {
    const urls = new Set(this.learn(await this.readStructure(tenantId)));
    const [url] = urls;
    if (url !== undefined && urls.size === 1) return url;
    throw new UnknownSupervisorError(
      urls.size === 0
        ? 'The tenant has no deployment with a Supervisor. Set supervisorUrl.'
        : `The tenant has several Supervisors (${[...urls].join(', ')}). Set supervisorUrl.`,
    );
  }

  /** A deployment can move to another Supervisor. */
  forget(deploymentId: number): void {
    this.byDeployment.delete(deploymentId);
  }

  private learn({ divisions }: StructureView): string[] {
    const deployments = divisions.flatMap(({ environments }) => environments.flatMap((one) => one.deployments));
    return deployments.flatMap(({ id, supervisor_url: url }) => {
      if (url === null) return [];
      if (this.mainUrl.startsWith('https:') && !url.startsWith('https:'))
        throw new UnknownSupervisorError(`The Supervisor ${url} has no https, unlike the main API.`);
      this.byDeployment.set(id, url);
      return [url];
    });
  }
}
