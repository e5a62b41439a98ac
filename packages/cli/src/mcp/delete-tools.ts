import { CommandError, EXIT } from '../exit.js';
import { deploymentOf, textOf, type Arguments, type ToolCall } from './tool.js';

/**
 * The API requires a code only for a protected resource, and mails the code to the organization. So the deployment is protected first,
 * and the code is the one that the API checks: this process never sees the code before a person has typed it.
 */
export async function requestDeleteCode(call: ToolCall, given: Arguments): Promise<object> {
  const ids = await deploymentOf(call, given);
  const { landlord, options } = call;
  const { id: tenant_id } = await landlord.tenants.getStructure({}, options);
  const deployment = await landlord.deployments.get(ids, options);
  if (!deployment.protected) await landlord.deployments.update({ ...ids, protected: true }, options);
  const payload = { tenant_id, ...ids };
  await landlord.protectionCodes.request({ action: { action_type: 'delete_deployment', payload } }, options);
  return {
    ...{ deployment_id: ids.deployment_id, name: deployment.name, protected: true },
    next: 'A code was mailed to the contact address of the organization. It is valid for 10 minutes. Ask the person to read the mail and to type the code, then call delete_deployment.',
  };
}

export async function deleteDeployment(call: ToolCall, given: Arguments): Promise<object> {
  const ids = await deploymentOf(call, given);
  const { landlord, options } = call;
  let etag = '';
  const read = { ...options, onResponse: ({ headers }: Response) => void (etag = headers.get('etag') ?? '') };
  const deployment = await landlord.deployments.get(ids, read);
  // The API ignores the code of a resource without protection.
  if (!deployment.protected)
    throw new CommandError(
      'The deployment is not protected, so no code was mailed.',
      EXIT.refused,
      'call request_delete_code',
    );
  // Somebody else can end the protection after this process has read it. Then the API refuses the request.
  const condition = { ...options, headers: { 'if-match': etag } };
  return landlord.deployments.delete({ ...ids, code: textOf(given['code']) }, condition);
}
