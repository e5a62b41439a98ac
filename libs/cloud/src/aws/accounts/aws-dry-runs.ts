import type { _InstanceType, EC2 } from '@aws-sdk/client-ec2';
import { CloudError } from '../../cloud-error.js';
import { causeOf } from '../aws-clients.js';
import { tagsOf } from '../aws-names.js';
import { codeOf } from '../aws-refusal.js';

/** The account of a customer, for the questions about it. */
export interface DryRunTarget {
  installation: string;
  vpc_id: string;
  /** Null: unknown. */
  zone: string | null;
  /** The network of the VPC. Null: unknown. */
  cidr: string | null;
}

export interface MachineQuestion {
  image: string;
  type: _InstanceType;
  subnet: string;
  group: string;
}

/** The operator's own account, for the questions about it. */
export interface OwnAccount {
  installation: string;
  zone: string;
  /** An own network and a machine that would fit into it. A text: why there is none. */
  machine: MachineQuestion | string;
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

const NO_IMAGE = 'it needs an image of the region';
const TEXT = 'A question whether this is allowed';

interface Question {
  action: string;
  /** Makes the call as a dry run. A text: why it cannot be made. */
  ask: (() => Promise<unknown>) | string;
}

/**
 * Asks AWS for each creation of EC2 whether it would be allowed, and creates nothing. AWS checks the permissions, not the quotas.
 * @throws CloudError `unavailable` or `throttled`
 */
export async function askDryRuns(questions: readonly Question[], signal?: AbortSignal): Promise<DryRunAnswers> {
  const answers: DryRunAnswers = { missing: [], not_checked: [] };
  for (const { action, ask } of questions) {
    signal?.throwIfAborted();
    const code = typeof ask === 'string' ? ask : await codeOfRefusal(ask());
    if (code === DENIED) answers.missing.push(action);
    else if (code !== ALLOWED) answers.not_checked.push(`${action}: ${code}`);
  }
  return answers;
}

/** A VPC of the customer exists, so its parts can be asked for. */
export function customerQuestions(ec2: EC2, { installation, vpc_id: VpcId, zone, cidr }: DryRunTarget): Question[] {
  const unknown = 'DescribeVpcs or DescribeAvailabilityZones is missing';
  const CidrBlock = `${cidr?.split('/')[0]}/28`;
  const group = { VpcId, GroupName: 'landlord-dry-run', Description: TEXT };
  return [
    { action: 'ec2:RunInstances', ask: NO_IMAGE },
    {
      action: 'ec2:CreateSubnet',
      ask: cidr === null ? unknown : () => ec2.createSubnet({ ...dryRun(installation, 'subnet'), VpcId, CidrBlock }),
    },
    {
      action: 'ec2:CreateSecurityGroup',
      ask: () => ec2.createSecurityGroup({ ...dryRun(installation, 'security-group'), ...group }),
    },
    address(ec2, installation),
    zone === null ? { action: 'ec2:CreateVolume', ask: unknown } : volume(ec2, installation, zone),
    SNAPSHOT,
  ];
}

export function ownAccountQuestions(ec2: EC2, { installation, zone, machine }: OwnAccount): Question[] {
  return [
    {
      action: 'ec2:CreateVpc',
      ask: () => ec2.createVpc({ ...dryRun(installation, 'vpc'), CidrBlock: '10.0.0.0/16' }),
    },
    {
      action: 'ec2:CreateInternetGateway',
      ask: () => ec2.createInternetGateway(dryRun(installation, 'internet-gateway')),
    },
    address(ec2, installation),
    volume(ec2, installation, zone),
    {
      action: 'ec2:RunInstances',
      ask: typeof machine === 'string' ? machine : () => runDry(ec2, installation, machine),
    },
    SNAPSHOT,
  ];
}

/** Policies allow machines in own networks only, so the question names one. */
function runDry(ec2: EC2, installation: string, { image, type, subnet, group }: MachineQuestion): Promise<unknown> {
  const types = ['instance', 'volume', 'network-interface'] as const;
  return ec2.runInstances({
    ...{ DryRun: true, MinCount: 1, MaxCount: 1, ImageId: image, InstanceType: type },
    ...{ SubnetId: subnet, SecurityGroupIds: [group] },
    TagSpecifications: types.flatMap((one) => dryRun(installation, one).TagSpecifications),
  });
}

/** Policies allow snapshots of own volumes only, and there is none before the first node. */
const SNAPSHOT: Question = { action: 'ec2:CreateSnapshot', ask: 'it needs a volume of this installation' };

const address = (ec2: EC2, installation: string): Question => ({
  action: 'ec2:AllocateAddress',
  ask: () => ec2.allocateAddress({ ...dryRun(installation, 'elastic-ip'), Domain: 'vpc' }),
});

const volume = (ec2: EC2, installation: string, AvailabilityZone: string): Question => ({
  action: 'ec2:CreateVolume',
  ask: () => {
    const disk = { AvailabilityZone, Size: 1, VolumeType: 'gp3' as const, Encrypted: true };
    return ec2.createVolume({ ...dryRun(installation, 'volume'), ...disk });
  },
});

function dryRun<T extends string>(installation: string, ResourceType: T) {
  const owner = { installation, deployment_id: NO_DEPLOYMENT };
  const Tags = tagsOf({ kind: 'network', name: 'landlord-dry-run', part: 'dry run', tags: owner });
  return { DryRun: true, TagSpecifications: [{ ResourceType, Tags }] };
}

/** The code with which AWS refuses a dry run. It never accepts one. */
async function codeOfRefusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => {
      throw new CloudError(
        { code: 'unavailable' },
        'the endpoint has made the call of a dry run, which AWS never does',
      );
    },
    (error: unknown) => {
      if (!(error instanceof CloudError) || error.code === 'unavailable' || error.code === 'throttled') throw error;
      return codeOf(causeOf(error));
    },
  );
}
