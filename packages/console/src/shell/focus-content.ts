/** What a person may type into at once. A page that gives the focus to such a field keeps it. */
const FIELDS = 'input, select, textarea';

/**
 * After a navigation to another page, the focus goes to the title of the new page: a screen reader says the title, and the next key goes on
 * from there. Another filter or another page of a list leaves the focus where it is.
 */
export function focusContent({ fromLocation, pathChanged }: { fromLocation?: unknown; pathChanged: boolean }): void {
  if (fromLocation === undefined || !pathChanged || document.activeElement?.matches(FIELDS)) return;
  const title = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main');
  if (!title) return;
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
}
