import { GCP_PERMISSIONS } from '../../byoc/gcp-permissions.js';
import { CloudError } from '../../cloud-error.js';
import type { AccountVerdict, CustomerAccount } from '../../customer-account.js';
import { faultOfGcp } from '../../account-check.js';
import { GcpApi, type GcpConnection } from '../gcp-api.js';
import { faultOf, isApiDisabled } from '../gcp-refusal.js';
import { impersonate, type GcpAccess } from './gcp-accounts.js';
import { missingPermissions } from './project-permissions.js';

type GcpAccount = CustomerAccount & { cloud: 'gcp' };

interface Quota {
  metric?: string;
  limit?: number;
  usage?: number;
}

/** The quotas of a region that one node needs. */
const NEEDED: readonly { metric: string; least: number }[] = [
  { metric: 'CPUS', least: 2 },
  { metric: 'INSTANCES', least: 1 },
  { metric: 'DISKS_TOTAL_GB', least: 30 },
];
const WITHOUT_QUESTION = ['iam.serviceAccounts.actAs: no instance of Landlord has a service account'];

/** A fact about the project that makes it unusable. */
class Unusable extends Error {}

/** Asks Google whether Landlord can work in the project of a customer. It creates nothing there. */
export class GcpAccountCheck {
  constructor(
    private readonly access: GcpAccess,
    private readonly connection: Pick<GcpConnection, 'endpoint' | 'permits'>,
  ) {}

  /** @throws CloudError `unavailable` or `throttled`; also `denied` when Google does not accept the operator's own access */
  async verdictOf(account: CustomerAccount, signal?: AbortSignal): Promise<AccountVerdict> {
    if (account.cloud !== 'gcp')
      throw new CloudError({ code: 'invalid' }, `Google Cloud has no account of ${account.cloud}`);
    try {
      return await this.ask(account, signal);
    } catch (error) {
      if (error instanceof Unusable) return { error: error.message, missing_permissions: [] };
      throw error;
    }
  }

  private async ask(account: GcpAccount, signal: AbortSignal | undefined): Promise<AccountVerdict> {
    const misspelled = faultOfGcp(account);
    if (misspelled !== null) throw new Unusable(misspelled);
    // Before the first question about the service account, so that its refusals are not about the operator's own access.
    await this.access.operator.token();
    const { token } = await impersonate(this.access, account).catch(deniedIsUnusable);
    signal?.throwIfAborted();
    const { project_id: project, region } = account;
    const missing = await this.missing(token, project);
    signal?.throwIfAborted();
    const tokens = { tokenFor: async () => token, refused: () => undefined };
    const api = new GcpApi({ ...this.connection, project, tokens }, { cloud: 'gcp', region, account: project });
    if (!missing.includes('compute.networks.get')) await this.requireNetwork(api, account);
    if (!missing.includes('compute.regions.get')) await this.requireQuotas(api, account);
    return { error: null, missing_permissions: missing, not_checked: WITHOUT_QUESTION };
  }

  private async missing(token: string, project: string): Promise<string[]> {
    const missing = missingPermissions(this.access.endpoint, { token, project, permissions: GCP_PERMISSIONS });
    return missing.catch((error: unknown) => {
      const fault = faultOf(error);
      if (fault === null || isApiDisabled(fault) || !(error instanceof CloudError) || error.code !== 'denied')
        return aboutProject(error);
      // Google answers so for a project that does not exist, too.
      throw new Unusable(`Google Cloud has no project ${project}, or the service account has no role in the project`);
    });
  }

  private async requireNetwork(api: GcpApi, { vpc_name, project_id }: GcpAccount): Promise<void> {
    const network = await api.find(`${api.global}/networks/${vpc_name}`).catch(aboutProject);
    if (network === null) throw new Unusable(`the project ${project_id} has no network ${vpc_name}`);
  }

  private async requireQuotas(api: GcpApi, { region, project_id }: GcpAccount): Promise<void> {
    const found = await api.find<{ quotas?: Quota[] }>(api.regional).catch(aboutProject);
    if (found === null) throw new Unusable(`Google Cloud has no region ${region}`);
    for (const { metric, least } of NEEDED) {
      const { limit, usage = 0 } = (found.quotas ?? []).find((one) => one.metric === metric) ?? {};
      if (limit !== undefined && usage + least > limit)
        throw new Unusable(`the project ${project_id} uses ${usage} of ${limit} of the quota ${metric} in ${region}`);
    }
  }
}

function deniedIsUnusable(error: unknown): never {
  if (error instanceof CloudError && error.code === 'denied') throw new Unusable(error.message);
  throw error;
}

/** What Google says about the project itself: it does not exist, or its API is not enabled, with the link that enables the API. */
function aboutProject(error: unknown): never {
  const fault = faultOf(error);
  if (fault && isApiDisabled(fault)) throw new Unusable(fault.message);
  return deniedIsUnusable(error);
}
