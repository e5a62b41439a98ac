import type { EC2, Instance } from '@aws-sdk/client-ec2';
import type { ServiceQuotas } from '@aws-sdk/client-service-quotas';
import { CloudError } from '../../cloud-error.js';
import { causeOf, clientOptions, limitCalls, type AwsConnection } from '../aws-clients.js';
import { codeOf } from '../aws-refusal.js';

/** How much of a quota is used in a region. */
export interface Usage {
  what: string;
  /** Null: the keys may not count. */
  used: number | null;
  /** Null: AWS does not say. */
  limit: number | null;
  /** Why AWS does not say. */
  reason: string;
}

interface Quota {
  what: string;
  service: string;
  code: string;
  count: (ec2: EC2) => Promise<number>;
}

const ON_A_PAGE = 1_000;
/** The families whose machines share the quota of vCPUs that Landlord uses. */
const STANDARD = /^[acdhimrtz]\d/;

const ADDRESSES: Quota = {
  ...{ what: 'elastic addresses', service: 'ec2', code: 'L-0263D0A3' },
  count: async (ec2) => {
    const { Addresses = [] } = await ec2.describeAddresses({ Filters: [{ Name: 'domain', Values: ['vpc'] }] });
    return Addresses.length;
  },
};

const QUOTAS: Quota[] = [
  {
    ...{ what: 'VPCs', service: 'vpc', code: 'L-F678F1CE' },
    count: async (ec2) => {
      const { Vpcs = [] } = await ec2.describeVpcs({ Filters: [{ Name: 'state', Values: ['available', 'pending'] }] });
      return Vpcs.length;
    },
  },
  ADDRESSES,
  { what: 'vCPUs of running standard instances', service: 'ec2', code: 'L-1216C47A', count: runningCpus },
];

/** The quotas that a new deployment needs, of the account of the keys. */
export class AwsQuotas {
  constructor(
    private readonly connection: AwsConnection,
    private readonly region: string,
  ) {}

  /** @throws CloudError when AWS does not answer; a refusal of AWS is part of the result */
  async usages(ec2: EC2): Promise<Usage[]> {
    const quotas = await this.open();
    const usages: Usage[] = [];
    for (const { what, service, code, count } of QUOTAS) {
      const used = await unlessRefused(count(ec2));
      usages.push({ what, used: typeof used === 'number' ? used : null, ...(await limitOf(quotas, service, code)) });
    }
    return usages;
  }

  /**
   * Refuses more elastic addresses than the account may have. Without an answer about the quota, the creation of an address shows it.
   * @throws CloudError `quota` with the used and the allowed number, and `throttled`
   */
  async requireAddresses(ec2: EC2, needed: number): Promise<void> {
    const { what, service, code, count } = ADDRESSES;
    const limit = await limitOf(await this.open(), service, code).then(
      (answer) => answer.limit,
      (error: unknown) => {
        if (error instanceof CloudError && error.code === 'throttled') throw error;
        return null;
      },
    );
    const used = limit === null ? null : await unlessRefused(count(ec2));
    if (limit === null || typeof used !== 'number' || used + needed <= limit) return;
    const all = `${used} ${what} of ${limit} are in use`;
    throw new CloudError({ code: 'quota', name: what }, `${all}, and the deployment needs ${needed}`);
  }

  private async open(): Promise<ServiceQuotas> {
    const { ServiceQuotas } = await import('@aws-sdk/client-service-quotas');
    const quotas = new ServiceQuotas(clientOptions(this.connection, this.region));
    limitCalls(this.connection, quotas, 'servicequotas', { account: null, region: this.region });
    return quotas;
  }
}

async function limitOf(quotas: ServiceQuotas, ServiceCode: string, QuotaCode: string) {
  const answer = await unlessRefused(quotas.getServiceQuota({ ServiceCode, QuotaCode }));
  if (typeof answer === 'string') return { limit: null, reason: answer };
  const limit = answer.Quota?.Value ?? null;
  return { limit, reason: limit === null ? 'the answer has no value' : '' };
}

/** The answer, or the code with which AWS refuses the call. */
async function unlessRefused<T>(call: Promise<T>): Promise<T | string> {
  return call.catch((error: unknown) => {
    if (!(error instanceof CloudError) || error.code === 'throttled') throw error;
    // "No such quota" counts as a resource that is not visible yet.
    const code = codeOf(causeOf(error));
    if (error.code === 'unavailable' && !code.startsWith('NoSuchResource')) throw error;
    return code;
  });
}

async function runningCpus(ec2: EC2): Promise<number> {
  const Filters = [{ Name: 'instance-state-name', Values: ['pending', 'running'] }];
  let [cpus, NextToken]: [number, string | undefined] = [0, undefined];
  do {
    const page: {
      Reservations?: { Instances?: Instance[] | undefined }[] | undefined;
      NextToken?: string | undefined;
    } = await ec2.describeInstances({ Filters, MaxResults: ON_A_PAGE, ...(NextToken && { NextToken }) });
    const instances = (page.Reservations ?? []).flatMap(({ Instances = [] }) => Instances);
    for (const { CpuOptions } of instances.filter((one) => STANDARD.test(one.InstanceType ?? '')))
      cpus += (CpuOptions?.CoreCount ?? 1) * (CpuOptions?.ThreadsPerCore ?? 1);
    NextToken = page.NextToken;
  } while (NextToken);
  return cpus;
}
