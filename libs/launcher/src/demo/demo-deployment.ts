import { randomUUID } from 'node:crypto';
import type { DeploymentId, EnvironmentId, OperationId } from '@libs/domain';
import type { Bootstrap } from '../files/bootstrap-file.js';
import { LauncherError } from '../launcher-error.js';
import type { ApiClient } from './api-client.js';
import { ApiProblem } from './api-problem.js';
import type { BrokerLogin } from './broker-login.js';
import type { OperationFollower } from './operation-follower.js';
import type { Progress } from './progress.js';

/** Limit for the cleanup after an interruption. Leases end long before. */
const CLEANING_MS = 90_000;
/** A region of each cloud. */
const SHAPES = {
  aws: { cloud: 'aws', region: 'us-east-1' },
  gcp: { cloud: 'gcp', region: 'us-central1' },
} as const;
export type DemoPlace = keyof typeof SHAPES;

interface Accepted {
  environment_id: EnvironmentId;
  deployment_id: DeploymentId;
  operation_id: OperationId;
}

type NodeDetail = Pick<BrokerLogin, 'driver' | 'endpoints'>;

/** The Free deployment of one demo, from its request to its verified deletion. */
export class DemoDeployment {
  private readonly bootstrap: Bootstrap;
  private readonly shape: (typeof SHAPES)[DemoPlace];
  private url: string | null = null;
  private runtimeUrl: string | null = null;
  private deletion: number | null = null;
  private isGone = false;

  constructor(
    { bootstrap, place }: { bootstrap: Bootstrap; place: DemoPlace },
    private readonly api: ApiClient,
    private readonly operations: OperationFollower,
    private readonly progress: Progress,
  ) {
    this.bootstrap = bootstrap;
    this.shape = SHAPES[place];
  }

  /** Requests the deployment and follows its provisioning. */
  async create(signal: AbortSignal): Promise<void> {
    this.progress.title('Creating a Free deployment');
    const path = `${this.divisionPath}/deployments/starter`;
    const accepted = await this.request(path);
    const { deployment_id: id, environment_id: environment, operation_id: operation } = accepted;
    this.url = `${this.bootstrap.main_api_url}${this.divisionPath}/environments/${environment}/deployments/${id}`;
    this.progress.note(`POST ${path}: accepted, deployment ${id}, operation ${operation}`);
    await this.operations.follow(operation, signal);
  }

  /** Reads and shows its endpoints and credentials. */
  async login(signal: AbortSignal): Promise<Omit<BrokerLogin, 'iggyCommand'>> {
    this.progress.title('Reading its endpoints and credentials');
    const { supervisor_url: supervisor, id } = await this.api.get<{ supervisor_url: string; id: number }>(
      this.created,
      signal,
    );
    this.runtimeUrl = `${supervisor}/deployments/${id}`;
    const detail = await this.api.get<{ status: string; nodes: NodeDetail[] }>(this.runtimeUrl, signal);
    const credentials = await this.api.get<Pick<BrokerLogin, 'username' | 'password'>>(
      `${this.runtimeUrl}/credentials`,
      signal,
    );
    const [node] = detail.nodes;
    this.showNode(detail.status, node);
    this.progress.fact('username', credentials.username);
    this.progress.fact('password', credentials.password);
    if (!node) throw new LauncherError(`${this.runtimeUrl} returned no node.`);
    return { driver: node.driver, endpoints: node.endpoints, ...credentials };
  }

  /** Deletes the deployment, follows the deletion, and shows that nothing is left. */
  async delete(signal: AbortSignal): Promise<void> {
    this.progress.title('Deleting the deployment');
    await this.followDeletion(signal);
    for (const url of [this.created, ...(this.runtimeUrl ? [this.runtimeUrl] : [])]) {
      const refusal = await this.api.refusal(url, signal);
      if (refusal?.status !== 404) throw new LauncherError(`${url} still returns the deployment after the deletion.`);
      this.progress.note(`GET ${url}: 404 ${refusal.problem.code}`);
    }
    this.progress.note('The deployment is deleted.');
  }

  /** After a failure: deletes the deployment if it still exists. If that fails, prints the commands for a manual deletion. */
  async cleanUp(signal: AbortSignal): Promise<void> {
    if (this.url === null || this.isGone) return;
    this.progress.title('Cleaning up: deleting the deployment');
    try {
      await this.followDeletion(signal, CLEANING_MS);
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 404) return;
      const reason = signal.aborted ? 'You interrupted the deletion.' : String((error as Error).message);
      this.progress.complain(
        [reason, 'The deployment may still exist. To delete the deployment:', ...this.curls(['DELETE', this.url])].join(
          '\n',
        ),
      );
    }
  }

  private async followDeletion(signal: AbortSignal, patienceMs?: number): Promise<void> {
    this.deletion ??= (await this.api.delete<Accepted>(this.created)).operation_id;
    await this.operations.follow(this.deletion, signal, patienceMs);
    this.isGone = true;
  }

  private async request(path: string): Promise<Accepted> {
    try {
      return await this.api.post<Accepted>(`${this.bootstrap.main_api_url}${path}`, this.shape, randomUUID());
    } catch (error) {
      if (error instanceof ApiProblem && error.problem.code === 'plan_limit_reached') throw this.limitReached(error);
      throw error;
    }
  }

  private limitReached(problem: ApiProblem): LauncherError {
    const environment = `${this.divisionPath}/environments/${this.bootstrap.environment_id}`;
    const deployments = `${this.bootstrap.main_api_url}${environment}/deployments`;
    return new LauncherError(
      [
        problem.message,
        'The demo needs one Free deployment. List your deployments, and delete a Free deployment that you do not need:',
        ...this.curls(['GET', deployments], ['DELETE', `${deployments}/<id>`]),
      ].join('\n'),
    );
  }

  private showNode(status: string, node: NodeDetail | undefined): void {
    this.progress.fact('status', status);
    this.progress.fact('broker', node?.driver ?? 'none');
    for (const [name, endpoint] of Object.entries(node?.endpoints ?? {}))
      if (endpoint) this.progress.fact(name, endpoint);
  }

  /** Commands to copy. The key stays in its file. */
  private curls(...requests: [string, string][]): string[] {
    const commands = requests.map(([method, url]) => `  curl -X ${method} '${url}' -H "ld-api-key: $KEY"`);
    return [...commands, 'Start the cloud before (npm start), and set KEY to the api_key of its bootstrap.json.'];
  }

  private get divisionPath(): string {
    return `/tenants/${this.bootstrap.tenant_id}/divisions/${this.bootstrap.division_id}`;
  }

  private get created(): string {
    if (this.url === null) throw new LauncherError('The demo has not created a deployment.');
    return this.url;
  }
}
