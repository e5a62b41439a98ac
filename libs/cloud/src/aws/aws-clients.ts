import type { EC2 } from '@aws-sdk/client-ec2';
import type { ElasticLoadBalancingV2 } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { ResourceGroupsTaggingAPI } from '@aws-sdk/client-resource-groups-tagging-api';
import type { Place } from '../cloud-provider.js';
import { CloudError } from '../cloud-error.js';
import type { CallClass, CallPermits } from '../driver/call-permits.js';
import { cloudErrorOf, codeOf, isAboutKeys, isInUse, isMissing } from './aws-refusal.js';

const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 20_000;
/** The driver never repeats a call by itself: the step that made it does. */
const ATTEMPTS = 1;

export interface AwsClients {
  /** Where their calls go. */
  at: Place;
  ec2: EC2;
  elb: ElasticLoadBalancingV2;
  /** Searches by tags for services that cannot. */
  tagging: ResourceGroupsTaggingAPI;
}

/** Temporary or permanent keys, in the form of the SDK. */
export type AwsCredentials = () => Promise<{ accessKeyId: string; secretAccessKey: string; sessionToken?: string }>;

export interface AwsConnection {
  /** For tests and private endpoints. Undefined: AWS itself. */
  endpoint?: string | undefined;
  permits: CallPermits;
  /** Keys for the account of a customer. For the operator's own account, the SDK searches its usual places. */
  credentialsOf: (account: string, region: string) => AwsCredentials;
  /**
   * AWS refused the keys, or a call with the keys, of an account of a customer. Keys from before this time need not be used again.
   * @param begunAt when the call began, in milliseconds since the epoch
   */
  keysRefused?: (account: string, region: string, begunAt: number) => void;
}

/** What a client needs, in addition to its keys. */
export const clientOptions = ({ endpoint }: Pick<AwsConnection, 'endpoint'>, region: string) => ({
  region,
  maxAttempts: ATTEMPTS,
  requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: ANSWER_TIMEOUT_MS },
  ...(endpoint !== undefined && { endpoint }),
});

/** The SDK keeps keys until their end. The source of the keys knows of an earlier end, so the SDK asks it before each call. */
const askedEachTime = (credentials: AwsCredentials) => async () => ({
  ...(await credentials()),
  expiration: new Date(0),
});

/**
 * The clients of each account and region. The SDK is loaded at the first call, because it needs 90 MB of memory and half a second
 * of CPU time.
 */
export class AwsClientPool {
  private readonly clients = new Map<string, Promise<AwsClients>>();

  constructor(private readonly connection: AwsConnection) {}

  of(at: Place): Promise<AwsClients> {
    const key = `${at.account ?? ''}/${at.region}`;
    const clients = this.clients.get(key) ?? this.open(at);
    this.clients.set(key, clients);
    return clients;
  }

  private async open(at: Place): Promise<AwsClients> {
    const { credentialsOf } = this.connection;
    return this.clientsWith(at, at.account === null ? undefined : credentialsOf(at.account, at.region));
  }

  /** Clients with other keys than those of the place. */
  async with(at: Place, credentials: AwsCredentials): Promise<AwsClients> {
    return this.clientsWith(at, credentials);
  }

  private async clientsWith(at: Place, credentials: AwsCredentials | undefined): Promise<AwsClients> {
    const [{ EC2 }, { ElasticLoadBalancingV2 }, { ResourceGroupsTaggingAPI }] = await Promise.all([
      import('@aws-sdk/client-ec2'),
      import('@aws-sdk/client-elastic-load-balancing-v2'),
      import('@aws-sdk/client-resource-groups-tagging-api'),
    ]);
    const options = {
      ...clientOptions(this.connection, at.region),
      ...(credentials && { credentials: askedEachTime(credentials) }),
    };
    const [ec2, elb] = [new EC2(options), new ElasticLoadBalancingV2(options)];
    const tagging = new ResourceGroupsTaggingAPI(options);
    limitCalls(this.connection, ec2, 'ec2', at);
    limitCalls(this.connection, elb, 'elasticloadbalancing', at);
    limitCalls(this.connection, tagging, 'tag', at);
    return { at, ec2, elb, tagging };
  }
}

/** Each call takes a permit first, and fails with a CloudError that keeps the error of the SDK as its cause. */
export function limitCalls(
  { permits, keysRefused }: Pick<AwsConnection, 'permits' | 'keysRefused'>,
  client: { middlewareStack: unknown },
  service: string,
  { account, region }: Pick<Place, 'account' | 'region'>,
): void {
  const stack = client.middlewareStack as EC2['middlewareStack'];
  stack.add(
    (next, { commandName = '' }) =>
      async (call) => {
        const command = commandName.replace(/Command$/, '');
        const request = askedFor(command, call.input as Record<string, never>);
        await permits.take({ account, region, class: classOf(command) });
        const begunAt = Date.now();
        try {
          return await next(call);
        } catch (error) {
          if (account !== null && isAboutKeys(error)) keysRefused?.(account, region, begunAt);
          throw cloudErrorOf(error, { action: `${service}:${command}`, region, ...(request && { asked: request }) });
        }
      },
    { step: 'initialize', priority: 'high', name: 'landlordPermits' },
  );
}

/** The class of a call by its name, as EC2 counts it. */
function classOf(command: string): CallClass {
  if (command === 'RunInstances') return 'run';
  return /^(Describe|Get|List)/.test(command) ? 'read' : 'write';
}

function askedFor(
  command: string,
  input: {
    InstanceType?: string;
    VolumeType?: string;
    AvailabilityZone?: string;
    Placement?: { AvailabilityZone?: string };
  },
) {
  const what = { RunInstances: input.InstanceType, CreateVolume: input.VolumeType }[command];
  const zone = input.AvailabilityZone ?? input.Placement?.AvailabilityZone ?? null;
  return what === undefined ? null : { what, zone };
}

/** The error of the SDK behind a CloudError. */
export const causeOf = (error: unknown): unknown => (error instanceof CloudError ? (error.cause ?? error) : error);

/** The result of the call, or null when the resource does not exist. */
export async function ifThere<T>(call: Promise<T>): Promise<T | null> {
  return call.catch((error: unknown) => {
    if (isMissing(causeOf(error))) return null;
    throw error;
  });
}

/** Whether the deletion was accepted, or its resource is gone. False: another resource is in the way now. */
export async function isRemoved(deletion: Promise<unknown>): Promise<boolean> {
  return deletion.then(
    () => true,
    (error: unknown) => {
      if (isMissing(causeOf(error))) return true;
      if (isInUse(causeOf(error))) return false;
      throw error;
    },
  );
}

/** Accepts an error of one of these codes: the state that the call wants is there. */
export async function unless<T>(codes: readonly string[], call: Promise<T>): Promise<T | null> {
  return call.catch((error: unknown) => {
    if (codes.includes(codeOf(causeOf(error)))) return null;
    throw error;
  });
}
