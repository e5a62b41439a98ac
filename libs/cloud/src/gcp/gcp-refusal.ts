import { CloudError, type CloudRefusal } from '../cloud-error.js';
import type { Operation } from './gcp-shapes.js';

/** What Google says about a call that failed, or about an operation. */
export interface GoogleFault {
  /** Of HTTP. 0: Google has not answered. */
  status: number;
  /** `alreadyExists` in an answer, `QUOTA_EXCEEDED` in an operation. */
  reason: string;
  message: string;
}

/** The call that failed. */
export interface GoogleCall {
  /** Such as `POST disks`. */
  action: string;
  /** The account is one of a customer, who may read what Google says about the project. */
  isOfCustomer: boolean;
  /** The id of the project of the call. */
  project?: string;
  /** What a creation asked for, for a message about capacity. */
  asked?: { what: string; zone: string | null };
}

const THROTTLED_MS = 2_000;
const THROTTLED = /^(rateLimitExceeded|userRateLimitExceeded|RATE_LIMIT_EXCEEDED|RESOURCE_OPERATION_RATE_EXCEEDED)$/;
const CAPACITY = /RESOURCE_POOL_EXHAUSTED|^STOCKOUT|^IP_SPACE_EXHAUSTED|^resourcePoolExhausted/i;
const QUOTA = /^quotaExceeded$|^QUOTA_EXCEEDED$|^limitExceeded$|^LIMIT_EXCEEDED$/;
/** The state of another resource is in the way for now. */
const IN_USE =
  /^resourceInUseByAnotherResource$|^RESOURCE_IN_USE_BY_ANOTHER_RESOURCE$|^resourceNotReady$|^RESOURCE_NOT_READY$|^conditionNotMet$/;
/** Google has no reason of its own for a peering that waits for another one. */
const PEERING = /^There is a peering operation in progress/;
const DENIED = /^(PERMISSIONS_ERROR|FORBIDDEN|PERMISSION_DENIED)$/;
const API_DISABLED = /^(accessNotConfigured|SERVICE_DISABLED)$/;
/** A value in the metadata of an instance, which can have the token of a node. */
const METADATA = /(field '[^']*metadata[^']*': ').*/s;
const FINAL = /^(INVALID|UNSUPPORTED|CONDITION|BAD)/;
/** Google itself has failed, whatever the status of the operation. */
const FAILED = /^(INTERNAL|BACKEND|TIMEOUT|UNAVAILABLE|ABORTED)/;

/** Why the operation has failed. Null: the operation has not failed. */
export function operationFault({ error, httpErrorStatusCode = 0 }: Operation): GoogleFault | null {
  const [first] = error?.errors ?? [];
  if (!first) return null;
  return { status: httpErrorStatusCode, reason: first.code ?? '', message: first.message ?? '' };
}

/** What Google has said, behind a CloudError. Null: the error is not one of Google. */
export function faultOf(error: unknown): GoogleFault | null {
  const cause = error instanceof CloudError ? error.cause : error;
  return cause instanceof GoogleError ? cause.fault : null;
}

/** An answer of Google that is not a success. Its text can name accounts, so only the cause of a CloudError has it. */
export class GoogleError extends Error {
  override readonly name = 'GoogleError';

  constructor(readonly fault: GoogleFault) {
    super(`${fault.status} ${fault.reason}: ${fault.message}`);
  }
}

/** Whether the resource of the call does not exist. Google also says 404 of a project and of a service account: those are refusals. */
export const isMissing = (error: unknown): boolean =>
  error instanceof CloudError && error.code !== 'denied' && faultOf(error)?.status === 404;

export const alreadyExists = (error: unknown): boolean =>
  /^(alreadyExists|RESOURCE_ALREADY_EXISTS)$/.test(faultOf(error)?.reason ?? '');

/** Whether a deletion must wait for another one. */
export function isInUse(error: unknown): boolean {
  const fault = faultOf(error);
  return fault !== null && isInTheWay(fault);
}

/** Whether Compute Engine is not enabled in the project. Google's text has the link that enables it. */
export const isApiDisabled = ({ reason }: GoogleFault): boolean => API_DISABLED.test(reason);

/** Translates what Google has said. */
export function cloudErrorOf(said: GoogleFault, call: GoogleCall): CloudError {
  const fault = { ...said, message: said.message.replace(METADATA, "$1…'") };
  const refusal = refusalOf(fault, call);
  return new CloudError(refusal, `Google ${call.action}: ${wordsOf(fault, refusal, call)}`, {
    cause: new GoogleError(fault),
  });
}

/** The permissions that Google names in its text. */
export const permissionsIn = (message: string): string[] => [
  ...new Set([...message.matchAll(/'([a-z]+\.[A-Za-z]+\.[A-Za-z]+)' permission/g)].map(([, name = '']) => name)),
];

/** Google names accounts and projects in its texts, and this text reaches tenants. What concerns their own project, they may read. */
function wordsOf({ reason, message, status }: GoogleFault, refusal: CloudRefusal, call: GoogleCall): string {
  const code = reason || String(status);
  const readable = call.isOfCustomer ? message : withoutNames(message, call.project);
  if (refusal.code !== 'denied') return readable === '' ? code : `${code}: ${readable}`;
  if (API_DISABLED.test(reason) && !call.isOfCustomer) return 'the API is not enabled in the project of the operator';
  if (API_DISABLED.test(reason)) return message;
  if (isAboutProject({ status, message })) return 'the project does not exist, or the account may not see the project';
  return refusal.actions.length === 0 ? code : `${code}: ${refusal.actions.join(', ')}`;
}

/** The text without accounts and projects: links lose their beginning. */
function withoutNames(message: string, project: string | undefined): string {
  const text = message
    .replaceAll(/[\w.-]+@[\w.-]+/g, 'an account')
    .replaceAll(/(https?:\/\/[^\s']*)?projects\/[a-z0-9-]+\//g, '')
    .replaceAll(/projects\/[a-z0-9-]+/g, 'the project');
  return project ? text.replaceAll(project, 'of Landlord') : text;
}

function refusalOf(fault: GoogleFault, call: GoogleCall): CloudRefusal {
  const { status, reason, message } = fault;
  if (status === 429 || THROTTLED.test(reason)) return { code: 'throttled', retry_after_ms: THROTTLED_MS };
  if (CAPACITY.test(reason)) return capacityOf(call);
  if (QUOTA.test(reason)) return { code: 'quota', name: /'([A-Z0-9_]+)'/.exec(message)?.[1] ?? reason };
  if (isDenied(status, reason, message)) return { code: 'denied', actions: permissionsIn(message) };
  return isFinal(fault) ? { code: 'invalid' } : { code: 'unavailable' };
}

const capacityOf = ({ action, asked }: GoogleCall): CloudRefusal => ({
  ...{ code: 'capacity', what: asked?.what ?? action, zone: asked?.zone ?? null },
});

const isDenied = (status: number, reason: string, message: string): boolean =>
  status === 401 || status === 403 || DENIED.test(reason) || isAboutProject({ status, message });

/** Google answers so for a project that does not exist, and for every resource in it. */
const isAboutProject = (fault: Pick<GoogleFault, 'status' | 'message'> | null): boolean =>
  fault?.status === 404 && /^The resource 'projects\/[^/']+' was not found/.test(fault.message);

/** Google never accepts the call. What does not exist may only be late, and what is in use may become free. */
function isFinal(fault: GoogleFault): boolean {
  const { status, reason } = fault;
  if (isInTheWay(fault) || FAILED.test(reason) || status === 404 || status === 409) return false;
  return (status >= 400 && status < 500) || FINAL.test(reason);
}

const isInTheWay = ({ reason, message }: GoogleFault): boolean => IN_USE.test(reason) || PEERING.test(message);
