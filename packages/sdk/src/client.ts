import type { App, CallOptions, EventOptions } from './call-options.js';
import type { OperationRow } from './calls.js';
import type { Api } from './generated/api.js';
import { OPERATIONS } from './generated/operations.js';
import type { OperationHandle } from './operation-handle.js';
import { RequestSender, type ClientOptions } from './request-sender.js';

export interface OperationPlace extends CallOptions {
  /** The API that has the operation: `main` for those of the life of a deployment. Default: `main`. */
  app?: App;
  tenant_id?: number;
}

/** Every request of both APIs. */
export interface Landlord extends Api {
  /** An operation by its id, such as one that another process has started. */
  operation(id: number, place?: OperationPlace): OperationHandle;
}

/**
 * A client of one installation. It knows which API serves a request, repeats requests that may succeed later, and makes no request
 * before the first call.
 *
 * @example
 * const landlord = createClient({ url: 'https://landlord.example.com', apiKey: 'ld_…' });
 * const created = await landlord.deployments.createStarter({ division_id: 1, environment_name: 'dev', cloud: 'aws', … });
 * await created.operation.wait({ onEvent: ({ step }) => console.log(step) });
 */
export function createClient(options: ClientOptions): Landlord {
  const sender = new RequestSender(options);
  const methods = (rows: Readonly<Record<string, OperationRow>>) =>
    Object.fromEntries(
      Object.entries(rows).map(([name, row]) => [
        name,
        (input: Record<string, unknown> = {}, callOptions: EventOptions = {}) => sender.send(row, input, callOptions),
      ]),
    );
  const api = Object.fromEntries(Object.entries(OPERATIONS).map(([group, rows]) => [group, methods(rows)]));
  const operation: Landlord['operation'] = (id, { app = 'main', tenant_id, ...place } = {}) =>
    sender.operation(app, id, tenant_id === undefined ? {} : { tenant_id }, place);
  // The types are of the same documents as the table, and a test calls every method.
  return { ...(api as unknown as Api), operation };
}
