import type { CallOptions, Landlord } from '@landlord/sdk';
import { usage } from '../exit.js';
import type { PlaceIds, Places } from '../settings/places.js';

export type Arguments = Readonly<Record<string, unknown>>;

/** What a tool works with. Each call has its own. */
export interface ToolCall {
  landlord: Landlord;
  /** Reads the tree of the organization again for each call, because the server runs for days. */
  places: Places;
  /** The address of the main API. */
  url: string;
  /** Ends with the call. */
  options: CallOptions;
}

export interface Tool {
  description: string;
  /** Returns data. What the output schema does not name is removed afterwards. @throws LandlordError, CommandError */
  run: (call: ToolCall, given: Arguments) => Promise<object>;
}

/** `--allow-writes=<group>` chooses groups of tools. */
export const WRITE_GROUPS = ['deployments', 'access', 'config', 'backups'] as const;
export type WriteGroup = (typeof WRITE_GROUPS)[number];

export interface WriteTool extends Tool {
  group: WriteGroup;
  /** Whether something is lost. */
  isDestructive?: boolean;
  /** Whether a repetition with the same arguments changes nothing more. */
  isIdempotent: boolean;
}

/** The ids of the deployment that the argument names. @throws CommandError */
export async function deploymentOf({ places }: ToolCall, { deployment }: Arguments): Promise<Required<PlaceIds>> {
  return found(await places.find('deployment', textOf(deployment)));
}

/** The same for an operation that a request filters by. */
export async function deploymentFilter(call: ToolCall, given: Arguments): Promise<{ deployment?: number }> {
  return given['deployment'] === undefined ? {} : { deployment: (await deploymentOf(call, given)).deployment_id };
}

export function found({ division_id = 0, environment_id = 0, deployment_id = 0 }: PlaceIds): Required<PlaceIds> {
  return { division_id, environment_id, deployment_id };
}

/** The arguments that the members name. */
export const only = (given: Arguments, ...members: string[]): object =>
  Object.fromEntries(Object.entries(given).filter(([name]) => members.includes(name)));

/** All arguments but these. */
export const without = (given: Arguments, ...members: string[]): object =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !members.includes(name)));

/** The options of a request with the idempotency key of the call. A call that sends several requests names the others. */
export const keyed = ({ options }: ToolCall, given: Arguments, part = '') => ({
  ...options,
  idempotencyKey: `${textOf(given['idempotency_key'])}${part}`,
});

/** The input of a request. The input schema has checked the arguments, and is of the same documents as the types of the SDK. */
export const request = <T extends object>(...parts: readonly object[]): T => Object.assign({}, ...parts) as T;

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw usage('The argument must be a text.');
}
