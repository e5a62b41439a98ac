import { requireListeners } from '@libs/domain/starts';
import type { LauncherConfig } from '../config.js';
import { holderOf } from '../processes/port-holder.js';

/** Checks the ports of the apps. `except`: ports that a running Landlord has until it hands over. @throws StartRefused */
export async function checkListeners(
  { listeners }: Pick<LauncherConfig, 'listeners'>,
  except: readonly number[] = [],
): Promise<void> {
  const free = listeners.filter(({ port }) => !except.includes(port));
  // Systems differ in whether a listener on all addresses conflicts with one on a single address, so this checks each.
  const everywhere = free.flatMap((one) => [undefined, '0.0.0.0'].map((host) => ({ ...one, host })));
  await requireListeners([...free, ...everywhere], holderOf);
}
