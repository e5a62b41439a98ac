import { GCP_FORMATS } from '@libs/domain';
import { GCP_OPERATOR_PERMISSIONS } from '../../byoc/gcp-permissions.js';
import { CloudError } from '../../cloud-error.js';
import { finding, type CloudFinding } from '../../cloud-finding.js';
import { GcpApi, type GcpConnection } from '../gcp-api.js';
import { faultOf, isApiDisabled } from '../gcp-refusal.js';
import type { GcpPage, GcpResource } from '../gcp-shapes.js';
import { imagePath, isGcpImage } from '../nodes/node-settings.js';
import type { TokenSource } from './gcp-accounts.js';
import { missingPermissions } from './project-permissions.js';

export interface GcpDiagnosisOptions {
  /** Undefined: Google itself. */
  endpoint?: string | undefined;
  project: string;
  region: string;
  /** `<project>/<family>`. */
  image: string;
  operator: TokenSource;
}

interface Quota {
  metric?: string;
  limit?: number;
  usage?: number;
}

const QUOTAS_OF_REGION = ['CPUS', 'INSTANCES', 'IN_USE_ADDRESSES', 'STATIC_ADDRESSES', 'SSD_TOTAL_GB'];
const QUOTAS_OF_PROJECT = ['NETWORKS', 'FIREWALLS', 'SNAPSHOTS'];
const REGION = /^[a-z]+-[a-z]+\d+$/;
const ACCESS =
  'Set GOOGLE_APPLICATION_CREDENTIALS to a file with credentials, or run "gcloud auth application-default login".';
const LATER = 'Try again. If it stays, check GCP_ENDPOINT and the way to Google.';
const ROLE = 'Give the account of Landlord a role with these permissions in the project.';
/** A person waits, and no other process needs these calls. */
const WITHOUT_LIMIT = { take: async () => undefined };

/** Looks at the operator's own project, and changes nothing. Problems are findings: it rejects only for an abort. */
export async function diagnoseGcp(options: GcpDiagnosisOptions, signal?: AbortSignal): Promise<CloudFinding[]> {
  const { region, project } = options;
  if (!REGION.test(region))
    return [finding('region', 'fail', `"${region}" is not a region`, 'It looks like us-central1.')];
  if (!GCP_FORMATS.project_id.pattern.test(project))
    return [finding('project', 'fail', `"${project}" is not a project id`, `It ${GCP_FORMATS.project_id.reason}.`)];
  const findings: CloudFinding[] = [];
  try {
    await new GcpDiagnosis(options, findings, signal).run();
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof CloudError)) throw error;
    findings.push(finding('answers', 'fail', error.message, LATER));
  }
  return findings;
}

class GcpDiagnosis {
  private readonly api: GcpApi;

  constructor(
    private readonly options: GcpDiagnosisOptions,
    private readonly findings: CloudFinding[],
    private readonly signal: AbortSignal | undefined,
  ) {
    const { endpoint, project, region, operator } = options;
    const tokens = { tokenFor: () => operator.token(), refused: () => undefined };
    const connection: GcpConnection = { endpoint, project, permits: WITHOUT_LIMIT, tokens };
    this.api = new GcpApi(connection, { cloud: 'gcp', region, account: null });
  }

  async run(): Promise<void> {
    const token = await this.token();
    if (token === null) return;
    const { endpoint, project } = this.options;
    const permissions = GCP_OPERATOR_PERMISSIONS;
    const missing = await this.asked(missingPermissions(endpoint, { token, project, permissions }));
    if (missing === null) return;
    if (missing.length > 0) this.add('permissions', 'fail', `missing: ${missing.join(', ')}`, ROLE);
    else this.add('permissions', 'ok', 'the account has every permission that the driver needs');
    this.signal?.throwIfAborted();
    if (!(await this.project()) || !(await this.zones())) return;
    this.signal?.throwIfAborted();
    await this.image();
    await this.quotas(this.api.regional, QUOTAS_OF_REGION);
  }

  private async token(): Promise<string | null> {
    try {
      const token = await this.options.operator.token();
      this.add('access', 'ok', 'Google gives a token');
      return token;
    } catch (error) {
      if (!(error instanceof CloudError) || error.code !== 'denied') throw error;
      this.add('access', 'fail', error.message, ACCESS);
      return null;
    }
  }

  private async project(): Promise<boolean> {
    const { project } = this.options;
    const projectFacts = await this.asked(this.api.get<{ quotas?: Quota[] }>(`projects/${project}`));
    if (projectFacts === null) return false;
    this.add('project', 'ok', `${project}, with Compute Engine`);
    this.report(projectFacts.quotas ?? [], QUOTAS_OF_PROJECT);
    return true;
  }

  private async zones(): Promise<boolean> {
    const { region } = this.options;
    const page = await this.asked(
      this.api.get<GcpPage<GcpResource & { status?: string }>>(`projects/${this.api.project}/zones`),
    );
    if (page === null) return false;
    const open = (page.items ?? []).filter(({ name, status }) => name.startsWith(`${region}-`) && status === 'UP');
    if (open.length > 0) this.add('zones', 'ok', open.map(({ name }) => name).join(', '));
    else this.add('zones', 'fail', `Google Cloud has no zone in ${region}`, 'Choose another region.');
    return open.length > 0;
  }

  private async image(): Promise<void> {
    const { image } = this.options;
    const todo = 'Set GCP_IMAGE to <project>/<family>.';
    if (!isGcpImage(image)) return this.add('image', 'fail', `GCP_IMAGE is "${image}"`, todo);
    for (const processor of image.includes('{') ? (['x64', 'arm64'] as const) : (['x64'] as const)) {
      const imageFacts = await this.api.find(imagePath(image, processor)).catch(deniedIsNone);
      if (imageFacts) this.add('image', 'ok', `${imageFacts.name}, ${processor}`);
      else this.add('image', 'fail', `Google has no image ${image} for ${processor}`, todo);
    }
  }

  private async quotas(path: string, names: readonly string[]): Promise<void> {
    const regionFacts = await this.asked(this.api.get<{ quotas?: Quota[] }>(path));
    if (regionFacts !== null) this.report(regionFacts.quotas ?? [], names);
  }

  private report(quotas: readonly Quota[], names: readonly string[]): void {
    for (const { metric = '', limit = 0, usage = 0 } of quotas) {
      if (!names.includes(metric)) continue;
      const text = `${metric}: ${usage} of ${limit} in use`;
      if (usage >= limit) this.add('quotas', 'fail', text, 'Ask Google for a higher quota.');
      else this.add('quotas', 'ok', text);
    }
  }

  /** The answer, or null after a finding about what Google refuses. */
  private async asked<T>(call: Promise<T>): Promise<T | null> {
    return call.catch((error: unknown) => {
      if (!(error instanceof CloudError) || error.code !== 'denied') throw error;
      const fault = faultOf(error);
      if (fault && isApiDisabled(fault)) this.add('project', 'fail', fault.message, 'Enable the API.');
      else
        this.add('project', 'fail', fault?.message ?? error.message, 'Check GCP_PROJECT and the roles of the account.');
      return null;
    });
  }

  private add(check: string, level: CloudFinding['level'], what: string, todo: string | null = null): void {
    this.findings.push(finding(check, level, what, todo));
  }
}

/** Google refuses to show an image of a project that does not exist, or that the account may not see. */
function deniedIsNone(error: unknown): null {
  if (error instanceof CloudError && error.code === 'denied') return null;
  throw error;
}
