/** The beginning of the names of all drafts in the storage of the tab. The id of the person follows. */
export const DRAFTS = 'landlord.draft';

/** Removes all drafts, or all except those of the person. */
export function forgetDrafts(exceptOf?: number): void {
  const kept = `${DRAFTS} ${exceptOf} `;
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(DRAFTS) && !key.startsWith(kept)) sessionStorage.removeItem(key);
}
