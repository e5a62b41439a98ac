import { usage } from '../exit.js';
import { deploymentOf, found, only, request, type Arguments, type ToolCall } from './tool.js';

export async function catalog({ landlord, options }: ToolCall, given: Arguments): Promise<object> {
  const [cloud, region] = [given['cloud'] as never, given['region'] as never];
  if (cloud === undefined && region === undefined) return { clouds: await landlord.catalog.listClouds({}, options) };
  if (cloud === undefined) throw usage('A region belongs to a cloud.', 'repeat the call with "cloud"');
  if (region === undefined) return { regions: await landlord.catalog.listRegions({ cloud }, options) };
  const [tiers, storages] = await Promise.all([
    landlord.catalog.listTiers({ cloud, region }, options),
    landlord.catalog.listStorages({ cloud, region }, options),
  ]);
  return { tiers, storages };
}

const OF_UPGRADES = ['tier', 'storage', 'managed_tier'];

export async function pricePreview(call: ToolCall, given: Arguments): Promise<object> {
  const { landlord, options } = call;
  if (given['deployment'] === undefined)
    return { price: await landlord.deployments.preview(request(await anyEnvironment(call), given), options) };
  const ids = await deploymentOf(call, given);
  const others = Object.keys(given).filter((name) => name !== 'deployment' && !OF_UPGRADES.includes(name));
  if (others.length > 0) throw usage(`An upgrade has no ${others.join(', ')}.`, `use ${OF_UPGRADES.join(', ')}`);
  const price = await landlord.deployments.previewUpgrade(request(ids, only(given, ...OF_UPGRADES)), options);
  return { price, difference: price.difference };
}

/** The price is the same in every environment. */
async function anyEnvironment({ landlord, options }: ToolCall) {
  const { divisions } = await landlord.tenants.getStructure({}, options);
  const division = divisions.find(({ environments }) => environments.length > 0);
  const environment = division?.environments[0];
  if (!division || !environment) throw usage('The key sees no environment.', 'a person must create an environment');
  const { division_id, environment_id } = found({ division_id: division.id, environment_id: environment.id });
  return { division_id, environment_id };
}
