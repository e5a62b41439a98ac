import type { EC2 } from '@aws-sdk/client-ec2';
import { CloudError } from '../cloud-error.js';
import { causeOf } from './aws-clients.js';
import { tagsOf } from './aws-names.js';
import { codeOf } from './aws-refusal.js';

/** What the questions are about. */
export interface DryRunTarget {
  installation: string;
  vpc_id: string;
  /** Null: unknown. */
  zone: string | null;
  /** The network of the VPC. Null: unknown. */
  cidr: string | null;
}

export interface DryRunAnswers {
  /** Actions that the account does not allow. */
  missing: string[];
  /** Actions that could not be asked, with the reason. */
  not_checked: string[];
}

const ALLOWED = 'DryRunOperation';
const DENIED = 'UnauthorizedOperation';
/** No deployment. The tag of the installation is what policies ask for. */
const NO_DEPLOYMENT = 0;

type Question = [action: string, ask: (() => Promise<unknown>) | null];

/**
 * Asks AWS for each creation of EC2 whether it would be allowed, and creates nothing. AWS checks the permissions, not the quotas.
 * @throws CloudError `unavailable` or `throttled`
 */
export async function dryRuns(ec2: EC2, target: DryRunTarget, signal?: AbortSignal): Promise<DryRunAnswers> {
  const answers: DryRunAnswers = { missing: [], not_checked: ['ec2:RunInstances: it needs an image of the region'] };
  for (const [action, ask] of questionsOf(ec2, target)) {
    signal?.throwIfAborted();
    const code = ask === null ? 'DescribeVpcs or DescribeAvailabilityZones is missing' : await codeOfRefusal(ask());
    if (code === DENIED) answers.missing.push(action);
    else if (code !== ALLOWED) answers.not_checked.push(`${action}: ${code}`);
  }
  return answers;
}

function questionsOf(ec2: EC2, { installation, vpc_id: VpcId, zone, cidr }: DryRunTarget): Question[] {
  const tagged = <T extends string>(ResourceType: T) => {
    const owner = { installation, deployment_id: NO_DEPLOYMENT };
    const Tags = tagsOf({ kind: 'network', name: 'landlord-dry-run', part: 'dry run', tags: owner });
    return { DryRun: true, TagSpecifications: [{ ResourceType, Tags }] };
  };
  const text = 'A question whether this is allowed';
  return [
    [
      'ec2:CreateSubnet',
      cidr === null
        ? null
        : () => ec2.createSubnet({ ...tagged('subnet'), VpcId, CidrBlock: `${cidr.split('/')[0]}/28` }),
    ],
    [
      'ec2:CreateSecurityGroup',
      () =>
        ec2.createSecurityGroup({
          ...{ ...tagged('security-group'), VpcId, GroupName: 'landlord-dry-run', Description: text },
        }),
    ],
    ['ec2:AllocateAddress', () => ec2.allocateAddress({ ...tagged('elastic-ip'), Domain: 'vpc' })],
    [
      'ec2:CreateVolume',
      zone === null
        ? null
        : () =>
            ec2.createVolume({
              ...{ ...tagged('volume'), AvailabilityZone: zone, Size: 1, VolumeType: 'gp3', Encrypted: true },
            }),
    ],
  ];
}

/** The code with which AWS refuses a dry run. It never accepts one. */
async function codeOfRefusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => {
      throw new CloudError({ code: 'unavailable' }, 'AWS has answered a dry run as if it were a call');
    },
    (error: unknown) => {
      if (!(error instanceof CloudError) || error.code === 'unavailable' || error.code === 'throttled') throw error;
      return codeOf(causeOf(error));
    },
  );
}
