import type { EC2 } from '@aws-sdk/client-ec2';
import type { STS } from '@aws-sdk/client-sts';
import { CloudError } from '../../cloud-error.js';
import type { Place } from '../../cloud-provider.js';
import type { AccountVerdict, CustomerAccount } from '../../customer-account.js';
import { faultOfAws } from '../../account-check.js';
import { causeOf, clientOptions, limitCalls, type AwsClientPool, type AwsConnection } from '../aws-clients.js';
import { askDryRuns, customerQuestions } from './aws-dry-runs.js';
import { CLOSED, codeOf, isMissing } from '../aws-refusal.js';
import { assumeRole, requireExternalId, type AwsSession } from './aws-roles.js';

type AwsAccount = CustomerAccount & { cloud: 'aws' };

/** Each deployment gets a subnet of this size. */
const SUBNET_BITS = 24;
const WITHOUT_QUESTION = [
  'elasticloadbalancing: AWS has no dry run for balancers',
  'the start, stop, change and deletion of resources: they do not exist yet',
];

/** A fact about the account that makes it unusable. */
class Unusable extends Error {}

/** Asks AWS whether Landlord can work in the account of a customer. It creates nothing there. */
export class AwsAccountCheck {
  constructor(
    private readonly installation: string,
    private readonly connection: AwsConnection,
    private readonly pool: AwsClientPool,
  ) {}

  /** @throws CloudError `unavailable` or `throttled`; also `denied` when AWS does not accept the operator's own keys */
  async verdictOf(account: CustomerAccount, signal?: AbortSignal): Promise<AccountVerdict> {
    if (account.cloud !== 'aws') throw new CloudError({ code: 'invalid' }, `AWS has no account of ${account.cloud}`);
    try {
      return await this.ask(account, signal);
    } catch (error) {
      if (error instanceof Unusable) return { error: error.message, missing_permissions: [] };
      throw error;
    }
  }

  private async ask(account: AwsAccount, signal: AbortSignal | undefined): Promise<AccountVerdict> {
    const misspelled = faultOfAws(account);
    if (misspelled !== null) throw new Unusable(misspelled);
    const { region } = account;
    const session = await assumeRole(this.connection, account, region).catch((error: unknown) => {
      // Other refusals are about the operator's own keys.
      if (isRoleRefused(error)) throw new Unusable((error as CloudError).message);
      throw error;
    });
    await requireExternalId(this.connection, account, region).catch((error: unknown) => {
      if (isRoleRefused(error)) throw new Unusable((error as CloudError).message);
      throw error;
    });
    return this.look(account, session, signal).catch((error: unknown) => {
      if (isRegionClosed(error)) throw new Unusable(`the region ${region} is not enabled in the account`);
      throw error;
    });
  }

  private async look(account: AwsAccount, session: AwsSession, signal?: AbortSignal): Promise<AccountVerdict> {
    const { region, account_id } = account;
    const at: Place = { cloud: 'aws', region, account: account_id };
    await this.requireIdentity(account, session, at);
    const { ec2 } = await this.pool.with(at, async () => session);
    const missing: string[] = [];
    signal?.throwIfAborted();
    const zone = await this.zone(ec2, region, missing);
    signal?.throwIfAborted();
    const cidr = await this.networkOf(ec2, account, missing);
    const questions = customerQuestions(ec2, { ...account, installation: this.installation, zone, cidr });
    const answers = await askDryRuns(questions, signal);
    return {
      error: null,
      missing_permissions: [...missing, ...answers.missing],
      not_checked: [...answers.not_checked, ...WITHOUT_QUESTION],
    };
  }

  private async requireIdentity({ account_id }: AwsAccount, session: AwsSession, at: Place): Promise<void> {
    const { STS } = await import('@aws-sdk/client-sts');
    const sts: STS = new STS({ ...clientOptions(this.connection, at.region), credentials: session });
    limitCalls(this.connection, sts, 'sts', at);
    const { Account } = await sts.getCallerIdentity({});
    if (Account === undefined)
      throw new CloudError({ code: 'unavailable' }, 'AWS sts:GetCallerIdentity: the answer names no account');
    if (Account !== account_id) throw new Unusable(`the role belongs to account ${Account}, not to ${account_id}`);
  }

  /** A zone of the region. Null: the role may not ask. */
  private async zone(ec2: EC2, region: string, missing: string[]): Promise<string | null> {
    const answer = await unlessDenied(ec2.describeAvailabilityZones({}), 'ec2:DescribeAvailabilityZones', missing);
    if (answer === null) return null;
    const open = (answer.AvailabilityZones ?? []).filter(
      ({ State, ZoneType }) => State === 'available' && ZoneType !== 'local-zone',
    );
    if (open[0]?.ZoneName === undefined)
      throw new CloudError(
        { code: 'unavailable' },
        `AWS ec2:DescribeAvailabilityZones: no zone of ${region} is available`,
      );
    return open[0].ZoneName;
  }

  /** The network of the VPC. Null: the role may not ask. */
  private async networkOf(ec2: EC2, { vpc_id, region }: AwsAccount, missing: string[]): Promise<string | null> {
    const absent = `the VPC ${vpc_id} does not exist in region ${region} of the account`;
    const answer = await unlessDenied(ec2.describeVpcs({ VpcIds: [vpc_id] }), 'ec2:DescribeVpcs', missing).catch(
      (error: unknown) => {
        if (isMissing(causeOf(error))) throw new Unusable(absent);
        throw error;
      },
    );
    if (answer === null) return null;
    const cidr = answer.Vpcs?.[0]?.CidrBlock;
    if (answer.Vpcs === undefined || (answer.Vpcs.length > 0 && cidr === undefined))
      throw new CloudError({ code: 'unavailable' }, 'AWS ec2:DescribeVpcs: the answer has no networks');
    if (cidr === undefined) throw new Unusable(absent);
    if (Number(cidr.split('/')[1]) > SUBNET_BITS)
      throw new Unusable(
        `the VPC ${vpc_id} has the network ${cidr}, which is too small for a subnet of /${SUBNET_BITS}`,
      );
    return cidr;
  }
}

/** AWS accepted the operator's keys, and refused the role. */
const isRoleRefused = (error: unknown): boolean =>
  error instanceof CloudError && error.code === 'denied' && !/^AWS sts:/.test(error.message);

/** What AWS says in a region that the account has not enabled. */
export const isRegionClosed = (error: unknown): boolean => CLOSED.has(codeOf(causeOf(error)));

/** Null when the role may not make the call, which is added to the missing permissions. */
async function unlessDenied<T>(call: Promise<T>, action: string, missing: string[]): Promise<T | null> {
  return call.catch((error: unknown) => {
    if (codeOf(causeOf(error)) !== 'UnauthorizedOperation') throw error;
    missing.push(action);
    return null;
  });
}
