import { healthOf } from '../why/health.js';
import { deploymentOf, type Arguments, type ToolCall } from './tool.js';
import { partsOf } from '../why/parts.js';

export async function deploymentDetail(call: ToolCall, given: Arguments): Promise<object> {
  const ids = await deploymentOf(call, given);
  const { landlord, options } = call;
  const { deployment_id } = ids;
  return partsOf({
    deployment: landlord.deployments.get(ids, options),
    nodes: landlord.runtime.get({ deployment_id }, options).then(({ nodes }) => nodes),
    backups: landlord.backups.list({ deployment_id }, options),
  });
}

export async function connection(call: ToolCall, given: Arguments): Promise<object> {
  const { deployment_id } = await deploymentOf(call, given);
  const { landlord, options } = call;
  const runtime = landlord.runtime.get({ deployment_id }, options);
  return partsOf({
    nodes: runtime.then(({ nodes }) => nodes),
    clients: runtime.then(({ clients }) => clients),
    protocols: runtime.then(({ protocols }) => protocols),
    // The password stays here.
    username: landlord.runtime.getCredentials({ deployment_id }, options).then(({ username }) => username),
    access_rules: landlord.accessRules.list({ deployment_id }, options),
  });
}

export const whyUnhealthy = async (call: ToolCall, given: Arguments): Promise<object> =>
  healthOf(call, await deploymentOf(call, given));
