import { DomainError, validationFailed, type FieldIssue } from '@libs/domain';
import { checkDestination, DestinationRefused, type OutboundPolicy } from '@libs/outbound';
import { isEmail } from 'class-validator';
import { z } from 'zod';
import type { ChannelKind } from './dto/channel.view.js';

const MOST_HEADERS = 20;
/** Headers that the delivery sets, in addition to those of the HTTP client. */
const OWN_HEADERS =
  /^(webhook-.*|content-.*|host|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|user-agent|proxy-.*)$/i;
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** Visible characters and blanks on one line. */
const VALUE = /^[\x20-\x7e]{0,1000}$/;

const word = (most: number) =>
  z
    .string('must be text')
    .min(1, 'must not be empty')
    .max(most, `must have at most ${most} characters`)
    .regex(/^\P{C}*$/u, 'must not contain control characters');
const header = z
  .string()
  .regex(TOKEN, 'is not the name of a header')
  .refine((name) => !OWN_HEADERS.test(name), 'is made by the delivery itself');

const headers = z
  .record(header, z.string('must be text').regex(VALUE, 'must be one line of at most 1000 ASCII characters'), {
    error: 'must be a JSON object',
  })
  .refine((all) => Object.keys(all).length <= MOST_HEADERS, `must have at most ${MOST_HEADERS} entries`);

const SETTINGS: Record<ChannelKind, z.ZodType> = {
  slack: z.strictObject({
    slack: z.strictObject({ channel: word(80).optional(), username: word(80).optional() }, 'must be a JSON object'),
  }),
  webhook: z.strictObject({ webhook: z.strictObject({ headers: headers.optional() }, 'must be a JSON object') }),
  email: z.strictObject({}),
};

/** Returns every fault of the settings of a channel of this kind (C-24.4). */
export function settingsIssues(kind: ChannelKind, settings: unknown): FieldIssue[] {
  if (settings === null) return [];
  const parsed = SETTINGS[kind].safeParse(settings);
  return parsed.success ? [] : parsed.error.issues.flatMap((issue) => toIssues(kind, issue));
}

function toIssues(kind: ChannelKind, issue: z.core.$ZodIssue): FieldIssue[] {
  const path = pointer(['settings', ...issue.path]);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: `${path}${pointer([key])}`,
      code: 'unknown_field',
      reason: issue.path.length === 0 ? `is a setting of another kind of channel, not of ${kind}` : 'is not a setting',
    }));
  // The fault of a header's name is nested below the issue of the record.
  const reason = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return [{ path, code: 'format', reason }];
}

const pointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/**
 * Returns the refusal of a destination; null when it may be saved. Uses DNS, so it must not run in a transaction. A
 * name that does not resolve yet is accepted: each delivery checks it again (C-24.6).
 */
export async function refusalOf(
  kind: ChannelKind,
  destination: string,
  policy: OutboundPolicy,
): Promise<DomainError | null> {
  if (kind === 'email') {
    if (destination.length <= 254 && isEmail(destination)) return null;
    return validationFailed([{ path: '/destination', code: 'is_email', reason: 'must be an e-mail address' }]);
  }
  try {
    await checkDestination(destination, policy);
    return null;
  } catch (error) {
    if (!(error instanceof DestinationRefused)) throw error;
    return new DomainError(
      'destination_not_allowed',
      `Notifications cannot be sent to this destination: ${error.message}.`,
    );
  }
}
