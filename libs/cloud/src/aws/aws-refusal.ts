import { CloudError, type CloudRefusal } from '../cloud-error.js';

/** What an SDK error has. A network failure and an answer that is no XML have no `$metadata.httpStatusCode` or a strange one. */
interface SdkError extends Error {
  Code?: string;
  $fault?: 'client' | 'server';
  $metadata?: { httpStatusCode?: number };
}

const THROTTLED_MS = 2_000;
const THROTTLED = new Set([
  ...['RequestLimitExceeded', 'Throttling', 'ThrottlingException', 'ThrottledException', 'RequestThrottled'],
  ...[
    'RequestThrottledException',
    'TooManyRequestsException',
    'EC2ThrottledException',
    'SlowDown',
    'PriorRequestNotComplete',
  ],
  // AWS allows few snapshots of one volume at a time, and one every 15 seconds.
  ...['SnapshotCreationPerVolumeRateExceeded', 'ConcurrentSnapshotLimitExceeded'],
]);
/** The list of Karpenter, and a subnet without addresses: another zone or another family can help. */
const CAPACITY = new Set([
  ...['InsufficientInstanceCapacity', 'InsufficientHostCapacity', 'InsufficientReservedInstanceCapacity'],
  ...['InsufficientVolumeCapacity', 'InsufficientAddressCapacity', 'InsufficientFreeAddressesInSubnet'],
  ...['UnfulfillableCapacity', 'Unsupported', 'MaxFleetCountExceeded'],
]);
/** AWS changes a volume once in six hours. */
const QUOTA =
  /LimitExceeded$|^TooMany(?!Requests)|^MaxScheduledInstance|QuotaExceeded|^VolumeModificationRateExceeded$/;
const DENIED = new Set([
  ...['UnauthorizedOperation', 'AccessDenied', 'AccessDeniedException', 'OptInRequired', 'AuthFailure', 'Blocked'],
  ...['InvalidClientTokenId', 'UnrecognizedClientException', 'SignatureDoesNotMatch', 'IncompleteSignature'],
  ...['PendingVerification', 'CredentialsProviderError'],
]);
/** The credentials of a role ended, or the clock of this host is wrong. The next call has new credentials. */
const TIME = new Set(['ExpiredToken', 'ExpiredTokenException', 'RequestExpired', 'RequestTimeTooSkewed']);
/** AWS reads the time in the signature of a call. */
const CLOCK = new Set(['RequestExpired', 'RequestTimeTooSkewed']);
/** What AWS says in a region that the account has not enabled, and to keys that it does not know. */
export const CLOSED = new Set([
  ...['AuthFailure', 'OptInRequired', 'InvalidClientTokenId', 'UnrecognizedClientException'],
]);
/** The state of another resource is in the way for now. `InvalidTarget`: an instance does not run yet, so no balancer takes it. */
const IN_USE =
  /^InvalidTarget$|^DependencyViolation$|InUse|^IncorrectState|^IncorrectInstanceState$|^IncorrectModificationState$|OperationInProgress/;

/** How the SDK calls an answer without a code. */
const WITHOUT_CODE = /^(Error|UnknownError|Unknown)$|ServiceException$/;

/** The code of an error as AWS names it. The SDK adds `Exception` to some. */
export const codeOf = (error: unknown): string => {
  const { Code, name } = error as SdkError;
  return Code ?? name;
};

/** Whether AWS says that the resource does not exist. */
export const isMissing = (error: unknown): boolean => /NotFound(Exception)?$|\.Malformed$/.test(codeOf(error));

/** Whether a deletion must wait for another one. */
export const isInUse = (error: unknown): boolean => IN_USE.test(codeOf(error));

/**
 * Whether AWS may accept the call with other keys of the same role. EC2 says RequestExpired for a wrong clock, and also for keys
 * that have ended. New keys show whether the role still exists.
 */
export const isAboutKeys = (error: unknown): boolean => TIME.has(codeOf(error)) || DENIED.has(codeOf(error));

/** A call of AWS, for messages: `ec2:RunInstances`. */
export interface AwsAction {
  action: string;
  region: string;
  /** What a creation asked for, for a message about capacity. */
  asked?: { what: string; zone: string | null };
}

/** Translates an error of the SDK. An error that is none of AWS counts as `unavailable`: the call may have had its effect. */
export function cloudErrorOf(error: unknown, call: AwsAction): CloudError {
  if (error instanceof CloudError) return error;
  const code = codeOf(error);
  const { action } = call;
  const refusal = refusalOf(code, error as SdkError, call);
  const words = wordsOf(code, error as SdkError, refusal) + hintOf(code, call);
  return new CloudError(refusal, `AWS ${action}: ${words}`, { cause: error });
}

/** AWS explains a denied call with the names of accounts, roles and resources, and this text reaches tenants. The cause has it. */
function wordsOf(code: string, { message }: SdkError, refusal: CloudRefusal): string {
  if (refusal.code === 'denied' || message === '') return code;
  return code === 'Error' ? message : `${code}: ${message}`;
}

/** What AWS does not say about its refusal. */
function hintOf(code: string, { region }: AwsAction): string {
  if (CLOCK.has(code)) return '. The clock of this host may be wrong, or the keys have ended';
  return CLOSED.has(code) ? `. The region ${region} may not be enabled in the account, or the keys are wrong` : '';
}

function refusalOf(code: string, error: SdkError, { action, asked }: AwsAction): CloudRefusal {
  if (THROTTLED.has(code)) return { code: 'throttled', retry_after_ms: THROTTLED_MS };
  if (CAPACITY.has(code)) return { code: 'capacity', what: asked?.what ?? action, zone: asked?.zone ?? null };
  if (DENIED.has(code)) return { code: 'denied', actions: [action] };
  if (TIME.has(code)) return { code: 'unavailable' };
  if (QUOTA.test(code)) return { code: 'quota', name: code };
  return isFinal(code, error) ? { code: 'invalid' } : { code: 'unavailable' };
}

/**
 * AWS never accepts the call. What does not exist may only be invisible still, and what is in use may become free: such a call can
 * succeed later. An answer without a code of AWS (HTML of a proxy, a cut connection) is not final.
 */
function isFinal(code: string, error: SdkError): boolean {
  const status = error.$metadata?.httpStatusCode ?? 0;
  const isOfAws = error.$fault === 'client' && !WITHOUT_CODE.test(code);
  return isOfAws && status >= 400 && status < 500 && !isMissing(error) && !isInUse(error);
}
