import {
  ConflictError,
  ConnectionError,
  LandlordError,
  NotFoundError,
  OperationFailedError,
  ProblemError,
  RateLimitedError,
  TimeoutError,
  UnauthenticatedError,
  UnexpectedAnswerError,
  WrongUseError,
} from '@landlord/sdk';
import { CommandError, EXIT, type ExitCode } from './exit.js';
import { NO_PROXY_ANSWER, NO_TLS } from './settings/node-fetch.js';

const LIMITS = ['plan_limit_reached', 'plan_feature_required', 'payment_method_required'];
/** Codes of certificates whose issuer is unknown. */
const ISSUER = /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/;
/** Codes of the connection with other advice. */
const ADVICE: Readonly<Record<string, string>> = {
  EPROTO: 'landlord context show, and check whether the address begins with http:// or https://',
  [NO_PROXY_ANSWER]: 'check http_proxy and https_proxy, or name the host in no_proxy',
  [NO_TLS]: 'landlord context show, and if the host is right: landlord context set url http://<host>',
  CERT_HAS_EXPIRED: 'check the clock of this machine, or renew the certificate of the installation',
  CERT_NOT_YET_VALID: 'check the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'landlord context show, and use a host name of the certificate',
};

/** What went wrong: an error of the command before a request was sent has another one around itself. */
export const innermost = (error: unknown): unknown =>
  error instanceof ConnectionError && error.cause instanceof CommandError ? error.cause : error;

/** The exit code of an answer that no method has read. */
export function exitCodeOfStatus(status: number): ExitCode {
  const codes: Readonly<Record<number, ExitCode>> = {
    ...{ 401: EXIT.unauthenticated, 404: EXIT.notFound, 410: EXIT.notFound, 409: EXIT.conflict, 412: EXIT.conflict },
    ...{ 402: EXIT.limit, 429: EXIT.limit },
  };
  return codes[status] ?? (status >= 500 ? EXIT.other : EXIT.refused);
}

/** The exit code of an error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.code;
  if (error instanceof OperationFailedError) return EXIT.operationFailed;
  if (error instanceof ProblemError) return codeOfProblem(error);
  if (error instanceof ConnectionError || error instanceof TimeoutError || error instanceof UnexpectedAnswerError)
    return EXIT.network;
  return error instanceof WrongUseError ? EXIT.usage : EXIT.other;
}

function codeOfProblem(error: ProblemError): ExitCode {
  if (error instanceof RateLimitedError || LIMITS.includes(error.code)) return EXIT.limit;
  if (error instanceof UnauthenticatedError) return EXIT.unauthenticated;
  if (error instanceof NotFoundError) return EXIT.notFound;
  if (error instanceof ConflictError) return EXIT.conflict;
  return error.status >= 500 ? EXIT.other : EXIT.refused;
}

/** What to do next. Null: the message says it already. */
export function hintFor(error: unknown): string | null {
  if (error instanceof CommandError) return error.hint ?? null;
  if (error instanceof UnauthenticatedError) return 'landlord login';
  if (error instanceof OperationFailedError) return `landlord operations get ${error.operation.id}`;
  if (error instanceof ProblemError && error.code === 'insufficient_permissions') return 'landlord whoami';
  if (error instanceof ProblemError && error.code === 'protection_code_required')
    return 'landlord protection-codes request, and repeat the command with --code';
  if (error instanceof ConnectionError) return hintForConnection(error);
  if (error instanceof UnexpectedAnswerError) return 'landlord context show, and check the URL';
  return null;
}

function hintForConnection({ cause, message }: ConnectionError): string {
  const { code = message } = (cause ?? {}) as NodeJS.ErrnoException;
  const known = ADVICE[code];
  if (known !== undefined) return known;
  if (ISSUER.test(code)) return 'trust the certificate: landlord login --ca-file <file>, or LANDLORD_CA_FILE';
  return 'landlord context show, and check that the installation runs';
}

/** Whether the error explains itself. Any other error is a bug, and is shown with its stack. */
export const isExplained = (error: unknown): error is Error =>
  error instanceof CommandError || error instanceof LandlordError || error instanceof WrongUseError;
