import { Section } from '../../../ui/section.js';
import { useLive } from '../use-deployment.js';
import { NewVersion } from './new-version.js';
import type { ConfigOwner } from './owner.js';
import type { ConfigSearch } from './search.js';
import { VersionDetails } from './version-details.js';
import { VersionsTable } from './versions-table.js';

/** The versions of a configuration, what is in the open version, and the next version. */
export function Configurations({ owner, search }: { owner: ConfigOwner; search: ConfigSearch }) {
  // Both groups answer alike.
  const group = owner.group as 'configs';
  const versions = useLive(`${group}.listVersions`, { ...owner.ids, config_name: owner.name });
  const open = versions.data?.find(({ version }) => version === search.version);
  const active = versions.data?.find(({ primary }) => primary);
  return (
    <>
      <Section title="Versions">
        <VersionsTable owner={owner} versions={versions} open={search.version} />
        {search.version !== undefined && versions.data && !open && <p>There is no version {search.version}.</p>}
      </Section>
      {open && <VersionDetails owner={owner} open={open} versions={versions.data ?? []} against={search.against} />}
      {versions.data && <NewVersion owner={owner} from={open ?? active} />}
    </>
  );
}
