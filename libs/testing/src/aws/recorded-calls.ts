import { appendFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';

/** The service in the signature of a call. */
const SERVICE = /Credential=[^/]+\/\d+\/[\w-]+\/([\w-]+)\//;

/** The services whose name in signatures is not their name in IAM. */
const NAMES_IN_IAM: Record<string, string> = { tagging: 'tag' };

/**
 * The actions of a driver, as IAM names them, with the kind of keys that it had: `customer` for those of a role, otherwise
 * `operator`. scripts/aws/aws-calls.mjs compares them with the policies.
 */
export class RecordedCalls {
  private readonly lines = new Set<string>();

  /** A call without a signature is not one of the driver. */
  note(action: string, headers: IncomingHttpHeaders): void {
    const service = SERVICE.exec(headers.authorization ?? '')?.[1];
    const whose = headers['x-amz-security-token'] === undefined ? 'operator' : 'customer';
    if (service !== undefined) this.lines.add(`${whose} ${NAMES_IN_IAM[service] ?? service}:${action}\n`);
  }

  /** Adds the actions to the file of this run, if there is one. Several processes share it. */
  write(): void {
    const file = process.env['TEST_AWS_CALLS_FILE'];
    if (file !== undefined && this.lines.size > 0) appendFileSync(file, [...this.lines].join(''));
  }
}

/** What a call asks for. JSON calls name their action in a header, and have lists and single values in the body. */
export function callOf(body: string, headers: IncomingHttpHeaders): { action: string; parameters: URLSearchParams } {
  const target = headers['x-amz-target'];
  if (target === undefined) {
    const parameters = new URLSearchParams(body);
    return { action: parameters.get('Action') ?? '', parameters };
  }
  const members = Object.entries(JSON.parse(body) as Record<string, unknown>);
  const parameters = new URLSearchParams();
  for (const [key, value] of members)
    if (Array.isArray(value)) value.forEach((one, at) => parameters.set(`${key}.${at + 1}`, JSON.stringify(one)));
    else parameters.set(key, JSON.stringify(value));
  return { action: String(target).replace(/^.*\./, ''), parameters };
}
