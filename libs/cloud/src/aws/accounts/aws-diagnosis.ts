import type { EC2, Image } from '@aws-sdk/client-ec2';
import { AWS_FORMATS } from '@libs/domain';
import { INSTALLATION_TAG } from '../../byoc/aws-policies.js';
import { CloudError } from '../../cloud-error.js';
import { finding, type CloudFinding } from '../../cloud-finding.js';
import { AwsClientPool, causeOf, clientOptions, limitCalls, type AwsConnection } from '../aws-clients.js';
import { isRegionClosed } from './aws-account-check.js';
import { AwsQuotas, type Usage } from './aws-quotas.js';
import { askDryRuns, ownAccountQuestions, type MachineQuestion } from './aws-dry-runs.js';
import { codeOf, isMissing } from '../aws-refusal.js';
import { imageQuery, machineTypeFor } from './aws-image.js';

export interface AwsDiagnosisOptions {
  /** Undefined: AWS itself. */
  endpoint?: string | undefined;
  region: string;
  /** The id of an image, or `<owner>/<pattern of the name>`. Null: none is set. */
  image: string | null;
  /** The name of the installation, for the tags that a policy asks for. */
  installation: string;
}

const POLICY = 'Compare the policy of the keys with "landlord doctor --cloud aws --policy".';
const KEYS =
  'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another source of keys that the AWS SDK knows. Check that the region is enabled.';
const LATER = 'Try again. If it stays, check AWS_ENDPOINT_URL and the way to AWS.';
/** A person waits, and no other process needs these calls. */
const WITHOUT_LIMIT = { take: async () => undefined };

/** Looks at the operator's own account, and changes nothing. Problems are findings: it rejects only for an abort. */
export async function diagnoseAws(options: AwsDiagnosisOptions, signal?: AbortSignal): Promise<CloudFinding[]> {
  const { region } = options;
  if (!AWS_FORMATS.region.pattern.test(region))
    return [finding('region', 'fail', `"${region}" is not a region`, `It ${AWS_FORMATS.region.reason}.`)];
  const findings: CloudFinding[] = [];
  try {
    await new AwsDiagnosis(options, findings, signal).run();
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof CloudError)) throw error;
    findings.push(finding('answers', 'fail', error.message, LATER));
  }
  return findings;
}

class AwsDiagnosis {
  private readonly connection: AwsConnection;

  constructor(
    private readonly options: AwsDiagnosisOptions,
    private readonly findings: CloudFinding[],
    private readonly signal: AbortSignal | undefined,
  ) {
    const credentialsOf = (): never => {
      throw new TypeError('the diagnosis looks at the own account only');
    };
    this.connection = { endpoint: options.endpoint, permits: WITHOUT_LIMIT, credentialsOf };
  }

  async run(): Promise<void> {
    const { region, installation } = this.options;
    if (!(await this.identity())) return;
    const { ec2 } = await new AwsClientPool(this.connection).of({ cloud: 'aws', region, account: null });
    const zone = await this.zones(ec2);
    if (zone === null) return;
    const image = await this.image(ec2);
    this.signal?.throwIfAborted();
    for (const usage of await new AwsQuotas(this.connection, region).usages(ec2)) this.report(usage);
    this.signal?.throwIfAborted();
    const machine = await this.machine(ec2, image);
    const { missing, not_checked } = await askDryRuns(
      ownAccountQuestions(ec2, { installation, zone, machine }),
      this.signal,
    );
    if (missing.length > 0) this.add('permissions', 'fail', `missing: ${missing.join(', ')}`, POLICY);
    else this.add('permissions', 'ok', 'the creations of EC2 that have a dry run are allowed');
    const rest = [...not_checked, 'balancers, and changes of resources: AWS has no dry run for them'];
    this.add('permissions', 'warn', `not checked: ${rest.join('; ')}`, POLICY);
  }

  private async identity(): Promise<boolean> {
    const { STS } = await import('@aws-sdk/client-sts');
    const { region } = this.options;
    const sts = new STS(clientOptions(this.connection, region));
    limitCalls(this.connection, sts, 'sts', { account: null, region });
    try {
      const { Account, Arn } = await sts.getCallerIdentity({});
      if (Account === undefined || Arn === undefined)
        throw new CloudError({ code: 'unavailable' }, 'AWS sts:GetCallerIdentity: the answer has no account');
      this.add('identity', 'ok', `account ${Account}, ${Arn}`);
      return true;
    } catch (error) {
      if (!(error instanceof CloudError) || error.code !== 'denied') throw error;
      const reason = causeOf(error) instanceof Error ? (causeOf(error) as Error).message : error.message;
      this.add('identity', 'fail', `AWS does not accept the keys in ${region}: ${reason}`, KEYS);
      return false;
    }
  }

  /** A zone of the region. Null: the region cannot be used. */
  private async zones(ec2: EC2): Promise<string | null> {
    const { region } = this.options;
    try {
      const { AvailabilityZones = [] } = await ec2.describeAvailabilityZones({});
      const names = AvailabilityZones.filter(({ State }) => State === 'available').map(({ ZoneName = '' }) => ZoneName);
      if (names.length === 0)
        throw new CloudError(
          { code: 'unavailable' },
          `AWS ec2:DescribeAvailabilityZones: no zone of ${region} is available`,
        );
      this.add('zones', 'ok', names.join(', '));
      return names[0] ?? null;
    } catch (error) {
      if (isRegionClosed(error)) {
        this.add(
          'zones',
          'fail',
          `the region ${region} is not enabled in the account`,
          'Enable it, or choose another.',
        );
        return null;
      }
      if (!isUnauthorized(error)) throw error;
      this.add('zones', 'fail', 'missing: ec2:DescribeAvailabilityZones', POLICY);
      return null;
    }
  }

  private async image(ec2: EC2): Promise<Image | null> {
    const { image, region } = this.options;
    const todo = 'Set AWS_IMAGE to the id of an image of the region, or to <owner>/<pattern of the name>.';
    if (image === null) {
      this.add('image', 'warn', 'not checked: AWS_IMAGE is not set', todo);
      return null;
    }
    const query = imageQuery(image);
    if (query === null) {
      this.add('image', 'fail', `AWS_IMAGE is "${image}"`, todo);
      return null;
    }
    try {
      const { Images = [] } = await ec2.describeImages(query);
      const [newest] = Images.sort((a, b) => (b.CreationDate ?? '').localeCompare(a.CreationDate ?? ''));
      if (newest) this.add('image', 'ok', `${newest.ImageId}, ${newest.Name}, ${newest.Architecture}`);
      else this.add('image', 'fail', `the region ${region} has no image ${image}`, todo);
      return newest ?? null;
    } catch (error) {
      if (isUnauthorized(error)) this.add('image', 'fail', 'missing: ec2:DescribeImages', POLICY);
      else if (isMissing(causeOf(error))) this.add('image', 'fail', `the region ${region} has no image ${image}`, todo);
      else throw error;
      return null;
    }
  }

  /** A machine in a network of the installation. A text: why there is none. */
  private async machine(ec2: EC2, image: Image | null): Promise<MachineQuestion | string> {
    if (image?.ImageId === undefined) return 'it needs an image';
    const Filters = [{ Name: `tag:${INSTALLATION_TAG}`, Values: [this.options.installation] }];
    const { Subnets = [] } = await ec2.describeSubnets({ Filters });
    const { SecurityGroups = [] } = await ec2.describeSecurityGroups({ Filters });
    for (const { SubnetId: subnet, VpcId } of Subnets) {
      const group = SecurityGroups.find((one) => one.VpcId === VpcId)?.GroupId;
      if (subnet && group) return { image: image.ImageId, type: machineTypeFor(image), subnet, group };
    }
    return 'it needs a network of this installation, which the first deployment makes';
  }

  private report({ what, used, limit, reason }: Usage): void {
    const count = used === null ? 'an unknown number is in use' : `${used} in use`;
    if (limit === null) {
      this.add('quotas', 'warn', `${what}: ${count}; the limit is not checked: ${reason}`, 'Look at Service Quotas.');
      return;
    }
    const text = `${what}: ${count} of ${limit}`;
    if (used !== null && used >= limit)
      this.add('quotas', 'fail', text, 'Ask AWS for a higher limit in Service Quotas.');
    else this.add('quotas', 'ok', text);
  }

  private add(check: string, level: CloudFinding['level'], what: string, todo: string | null = null): void {
    this.findings.push(finding(check, level, what, todo));
  }
}

const isUnauthorized = (error: unknown): boolean => codeOf(causeOf(error)) === 'UnauthorizedOperation';
