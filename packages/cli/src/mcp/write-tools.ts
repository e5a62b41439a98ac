import { WRITE_SCHEMAS } from '../generated/mcp-schemas.js';
import { CommandError, EXIT } from '../exit.js';
import { applyConfig } from './config-tools.js';
import { deleteDeployment, requestDeleteCode } from './delete-tools.js';
import {
  deploymentOf,
  found,
  keyed,
  only,
  request,
  textOf,
  without,
  type Arguments,
  type ToolCall,
  type WriteTool,
} from './tool.js';

export type WriteToolName = keyof typeof WRITE_SCHEMAS;

/** Arguments that are for this process, not for the request. */
const OWN = ['deployment', 'division', 'environment', 'max_monthly_usd', 'idempotency_key'];
const OF_PREVIEWS = ['cloud', 'region', 'managed_tier', 'tier', 'storage', 'availability_mode'];

/** The names of tools that a key with the rights may use. */
export const WRITE_TOOLS: Readonly<Record<WriteToolName, WriteTool>> = {
  create_starter: {
    ...{ group: 'deployments', isIdempotent: true },
    description: 'Creates a Free deployment with one node, open to all addresses. Price: none.',
    run: async (call, given) => {
      const { division_id } = found(await call.places.find('division', optional(given['division'])));
      return call.landlord.deployments.createStarter(
        request({ division_id }, without(given, ...OWN)),
        keyed(call, given),
      );
    },
  },
  create_deployment: {
    ...{ group: 'deployments', isIdempotent: true },
    description:
      'Orders a paid deployment. COSTS MONEY each month: call price_preview first, and let a person agree to the price.',
    run: createDeployment,
  },
  upgrade_deployment: {
    ...{ group: 'deployments', isIdempotent: true },
    description:
      'Orders a larger size, more storage or higher terms. COSTS MORE MONEY each month, and cannot be undone: call price_preview first, and let a person agree.',
    run: upgradeDeployment,
  },
  add_access_rule: {
    ...{ group: 'access', isIdempotent: true },
    description: 'Opens a deployment to addresses within a second. 0.0.0.0/0 opens it to the internet. Price: none.',
    run: async (call, given) => {
      const { deployment_id } = await deploymentOf(call, given);
      const rule = await call.landlord.accessRules.create(
        request({ deployment_id }, without(given, ...OWN)),
        keyed(call, given),
      );
      return { rule };
    },
  },
  rotate_credentials: {
    ...{ group: 'access', isDestructive: true, isIdempotent: true },
    description:
      'Replaces the password of clients. Clients with the old one are disconnected after overlap_seconds (default 300). The new one is not returned. Price: none.',
    run: async (call, given) => {
      const { deployment_id } = await deploymentOf(call, given);
      return call.landlord.runtime.rotateCredentials(
        request({ deployment_id }, without(given, ...OWN)),
        keyed(call, given),
      );
    },
  },
  apply_config: {
    ...{ group: 'config', isDestructive: true, isIdempotent: true },
    description:
      'Saves "values" as the next version of the broker configuration, and applies it; nodes may restart. Keys that are left out get their defaults: start with the values of "config". Refused if its active version has changed since. Price: none.',
    run: applyConfig,
  },
  create_backup: {
    ...{ group: 'backups', isIdempotent: true },
    description: 'Backs up all nodes while clients stay connected. Price: its storage.',
    run: async (call, given) => {
      const { deployment_id } = await deploymentOf(call, given);
      const made = await call.landlord.backups.create(
        request({ deployment_id }, without(given, ...OWN)),
        keyed(call, given),
      );
      return { ...made, operation_id: made.operation.id };
    },
  },
  restore_backup: {
    ...{ group: 'backups', isDestructive: true, isIdempotent: true },
    description:
      'LOSES ALL DATA written after the backup. The deployment stops and starts again. Let a person agree first. Price: none.',
    run: async (call, given) => {
      const { deployment_id } = await deploymentOf(call, given);
      const made = await call.landlord.backups.restore(
        request({ deployment_id }, only(given, 'backup_id')),
        keyed(call, given),
      );
      return { operation_id: made.operation.id };
    },
  },
  request_delete_code: {
    ...{ group: 'deployments', isIdempotent: false },
    description:
      'The first step of a deletion: protects the deployment, and mails a code to the contact address of the organization. Deletes nothing. Then ask a person for the code.',
    run: requestDeleteCode,
  },
  delete_deployment: {
    ...{ group: 'deployments', isDestructive: true, isIdempotent: true },
    description:
      'The second step of a deletion: DELETES the deployment with its nodes, data, configuration, backups and telemetry. Nobody can restore them. Needs the code that a person reads in the mail and types. Never guess a code.',
    run: deleteDeployment,
  },
};

const optional = (value: unknown): string | undefined => (value === undefined ? undefined : textOf(value));

async function createDeployment(call: ToolCall, given: Arguments): Promise<object> {
  const place = found(await call.places.find('environment', optional(given['environment'])));
  const ids = { division_id: place.division_id, environment_id: place.environment_id };
  const { deployments } = call.landlord;
  const { monthly_total_usd } = await deployments.preview(request(ids, only(given, ...OF_PREVIEWS)), call.options);
  requireAffordable(monthly_total_usd, given);
  const made = await deployments.createManaged(request(ids, without(given, ...OWN)), keyed(call, given));
  return { ...made, monthly_total_usd };
}

async function upgradeDeployment(call: ToolCall, given: Arguments): Promise<object> {
  const ids = await deploymentOf(call, given);
  const { deployments } = call.landlord;
  const wanted = [ids, without(given, ...OWN)];
  const { monthly_total_usd } = await deployments.previewUpgrade(request(...wanted), call.options);
  requireAffordable(monthly_total_usd, given);
  return { ...(await deployments.upgrade(request(...wanted), keyed(call, given))), monthly_total_usd };
}

/** The price can have changed since the person agreed. */
function requireAffordable(price: number, { max_monthly_usd: most }: Arguments): void {
  if (price <= Number(most)) return;
  throw new CommandError(
    `The price is ${price} USD a month, more than ${Number(most)}. Nothing was ordered.`,
    EXIT.refused,
    'ask a person whether this price is right, and repeat the call with a larger max_monthly_usd',
  );
}
