import type { Supervisor } from '@landlord/sdk';
import { SECRET_MASK } from '../generated/secret-patterns.js';
import { CommandError, EXIT } from '../exit.js';
import { isObject, restored } from './config-values.js';
import { deploymentOf, keyed, request, type Arguments, type ToolCall } from './tool.js';

type Config = Supervisor.ConfigView;

/**
 * Saves the values as a version, and activates the version only if the active one is still that of `config_id`, whose values the model has
 * seen. Otherwise the change of somebody else would be lost. The active version is also the saved one when a call is repeated.
 */
export async function applyConfig(call: ToolCall, given: Arguments): Promise<object> {
  const { deployment_id } = await deploymentOf(call, given);
  const { configs, tasks } = call.landlord;
  const seen = Number(given['config_id']);
  const before = await configs.getPrimary({ deployment_id }, call.options);
  const base = before.id === seen ? before : await configs.get({ deployment_id, config_id: seen }, call.options);
  const values = restored(given['values'], base.values);
  if (before.id !== seen && !isPossibly(values, before.values)) throw changed(before, seen);
  const config = await configs.create(request({ deployment_id, values }), keyed(call, given));
  await activate(call, given, { deployment_id, config, seen });
  // The same key with another body would be refused.
  const task = await tasks.create({ deployment_id, type: 'broker:reconfigure' }, keyed(call, given, '-task'));
  return { config, deployment_id, operation_id: task.operation.id };
}

/** The API has no condition for an activation, so the active version is read immediately before it. */
async function activate(
  call: ToolCall,
  given: Arguments,
  { deployment_id, config, seen }: { deployment_id: number; config: Config; seen: number },
): Promise<void> {
  const { configs } = call.landlord;
  const active = await configs.getPrimary({ deployment_id }, call.options);
  if (active.id === config.id) return;
  if (active.id !== seen) {
    await configs.delete({ deployment_id, config_id: config.id }, call.options);
    throw changed(active, seen);
  }
  const version = { config_name: config.name, version: String(config.version) };
  await configs.activate(request({ deployment_id }, version), keyed(call, given, '-activate'));
}

/** Whether a version can have these values. It shows a mask for each secret. */
function isPossibly(values: unknown, shown: unknown): boolean {
  if (shown === SECRET_MASK) return true;
  if (!isObject(values) || !isObject(shown)) return JSON.stringify(values) === JSON.stringify(shown);
  const names = new Set([...Object.keys(values), ...Object.keys(shown)]);
  return [...names].every((name) => isPossibly(values[name], shown[name]));
}

const changed = ({ id, version }: Config, seen: number): CommandError =>
  new CommandError(
    `The active configuration is version ${version} with the id ${id}, and the call has the config_id ${seen}. Nothing was changed.`,
    EXIT.conflict,
    'call "config", change its values, and call apply_config with its id and a new idempotency_key',
  );
