import { appendFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';

/** The service in the signature of a call. */
const SERVICE = /Credential=[^/]+\/\d+\/[\w-]+\/([\w-]+)\//;

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
    if (service !== undefined) this.lines.add(`${whose} ${service}:${action}\n`);
  }

  /** Adds the actions to the file of this run, if there is one. Several processes share it. */
  write(): void {
    const file = process.env['TEST_AWS_CALLS_FILE'];
    if (file !== undefined && this.lines.size > 0) appendFileSync(file, [...this.lines].join(''));
  }
}

/** What the call does. JSON calls name it in a header. */
export const actionOf = (parameters: URLSearchParams, headers: IncomingHttpHeaders): string =>
  parameters.get('Action') ?? String(headers['x-amz-target'] ?? '').replace(/^.*\./, '');
