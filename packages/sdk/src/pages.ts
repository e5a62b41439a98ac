import type { AnyPage, Paged } from './calls.js';

/** Where a page begins: its number, and after the first page the cursor of its link. */
export interface PageStart {
  page: number;
  cursor?: string;
}

/** A page and its header `link`. */
export interface LinkedPage {
  page: AnyPage;
  link: string | null;
}

/** The pages of a list, from the page that `read` was made for. Nothing is read before the first use. */
export function paged(first: PageStart, read: (start: PageStart) => Promise<LinkedPage>): Paged<AnyPage> {
  async function* pages(): AsyncGenerator<AnyPage> {
    for (let start: PageStart | null = first; start !== null;) {
      const { page, link }: LinkedPage = await read(start);
      yield page;
      start = nextOf(link, page);
    }
  }
  async function* items(): AsyncGenerator<unknown> {
    for await (const { items: some } of pages()) yield* some;
  }
  return {
    pages,
    then: (done, failed) =>
      read(first)
        .then(({ page }) => page)
        .then(done, failed),
    [Symbol.asyncIterator]: items,
  };
}

/** Servers before 0.3 have links without cursors. Other answers have only the number of pages. */
function nextOf(link: string | null, { page, total_pages }: AnyPage): PageStart | null {
  if (link === null) return page < total_pages ? { page: page + 1 } : null;
  const [, address] = /<([^>]*)>; *rel="next"/.exec(link) ?? [];
  if (address === undefined) return null;
  const query = new URL(address, 'http://list').searchParams;
  const cursor = query.get('cursor');
  return { page: Number(query.get('page')), ...(cursor !== null && { cursor }) };
}
