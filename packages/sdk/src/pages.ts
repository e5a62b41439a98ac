import type { AnyPage, Paged } from './calls.js';

/** The pages of a list, from the page that `read` was made for. Nothing is read before the first use. */
export function paged(first: number, read: (page: number) => Promise<AnyPage>): Paged<AnyPage> {
  async function* pages(): AsyncGenerator<AnyPage> {
    for (let number = first; ; number += 1) {
      const page = await read(number);
      yield page;
      if (number >= page.total_pages) return;
    }
  }
  async function* items(): AsyncGenerator<unknown> {
    for await (const { items: some } of pages()) yield* some;
  }
  return {
    pages,
    then: (done, failed) => read(first).then(done, failed),
    [Symbol.asyncIterator]: items,
  };
}
