import { Command } from 'commander';
import { withoutLogins } from '@landlord/sdk';
import { withCommonOptions, type AnyOptions } from '../../common-options.js';
import { print } from '../../output/output.js';
import { contextOf } from '../../settings/contexts.js';
import { openSession } from '../../settings/session.js';

export const whoamiCommand = (): Command =>
  withCommonOptions(
    new Command('whoami').description('Shows the installation, the organization, the key and its role.'),
  ).action(whoami);

async function whoami(options: AnyOptions): Promise<void> {
  const { context, from } = contextOf(options.context);
  const { landlord } = openSession(options);
  const [{ id, name }, key] = await Promise.all([landlord.tenants.getStructure(), landlord.apiKeys.getContext()]);
  await print(
    {
      ...{ name: key.name, url: withoutLogins(options.url ?? context.url), from },
      ...{ tenant: name, tenant_id: id, api_key_id: key.id, user_id: key.user_id },
      ...{ role: key.role_name, division: key.division_name, expiry_at: key.expiry_at },
    },
    options.output,
  );
}
